"""`.texgeist/provenance.json`: why every citation that texgeist wrote is there.

Written when an edit has been applied (`provenance_model.py`: its form), so that it diffs and merges well and a co-author
can commit it. Read on hover, offline; so nothing heavy is imported to read it. A file that is newer than this version or damaged is told of, and never rewritten.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.disk.folder import opened
from texgeist_latex.disk.paths import real
from texgeist_latex.errors import LatexError, OutOfBounds
from texgeist_latex.types import Draft

from .provenance_changes import restored
from .renamed_keys import called_now, keys_in

if TYPE_CHECKING:
    from texgeist_latex.writing.blocks import Before

    from .provenance_model import Provenance
    from .provenance_records import Applied


FOLDER, NAME = ".texgeist", "provenance.json"
ATTRIBUTES = ".gitattributes", f"{NAME} merge=union\n".encode()


def file_of(root: Path) -> Path:
    """The provenance file of the project with this root document."""
    return root.parent / FOLDER / NAME


def read(root: Path) -> Provenance:
    """The project's provenance, to be looked at; empty where there is none or it cannot be read."""
    try:
        return read_to_write(root)
    except (OSError, LatexError):
        return read_from(None)


def read_to_write(root: Path) -> Provenance:
    """The project's provenance, to be added to. Raises Unreadable where what is there cannot be read, and
    would be lost; OSError."""
    from .provenance_model import MOST_BYTES

    try:
        with opened(_folder_of(root)) as folder:
            held = folder.read(NAME, MOST_BYTES + 1)
    except FileNotFoundError:
        return read_from(None)
    return read_from(held)


def read_from(held: bytes | None) -> Provenance:
    """As `read_to_write`, of a file that holds this; None: there was none. Raises Unreadable."""
    from .provenance_model import NOTHING, decoded

    return NOTHING if held is None else decoded(held)


def read_called_now(draft: Draft) -> Provenance:
    """The project's provenance, by the keys that stand in the draft."""
    return called_now(read(draft.root), keys_in(draft))


def before(draft: Draft, section: str) -> Before | None:
    """How the section was written last, by the keys of now; None where that is not on record."""
    from texgeist_latex.writing.blocks import Before

    data = called_now(restored(read(draft.root), [section]), keys_in(draft))
    held = data.sections.get(section)
    if held is None or f"texgeist:begin {section}" not in held.text:
        return None
    return Before(held.text, tuple(held.gone))


def check(root: Path) -> None:
    """Raises OutOfBounds where the record would be written through a link (the file that it leads to is
    somebody else's), or where something else stands in its place; Unreadable where what it holds would be
    lost."""
    folder = _folder_of(root)
    _check_place(folder, stat.S_ISDIR, "folder")
    _check_place(folder / NAME, stat.S_ISREG, "file")
    with contextlib.suppress(OSError):  # writing says what is the matter
        read_to_write(root)


def _check_place(path: Path, is_right: Callable[[int], bool], kind: str) -> None:
    try:
        mode = os.lstat(path).st_mode
    except OSError:  # not there: it is made. What stands above it was looked at before
        return
    if stat.S_ISLNK(mode):
        raise OutOfBounds(
            f"{path} leads to {real(path)}, and so nothing was written.",
            f"Replace the link {path.name} by a {kind} of that name, or remove it.",
        )
    if not is_right(mode):
        raise OutOfBounds(
            f"{path} is no {kind}, so that why each paper is cited cannot be kept there. Nothing was written.",
            "Move it away, or give it another name.",
        )


def write(root: Path, data: Provenance) -> None:
    """Atomically. Raises OutOfBounds, Unreadable, OSError."""
    from .provenance_model import encoded

    check(root)
    with opened(_folder_of(root), create=True) as folder:
        folder.put(NAME, encoded(data))
    mark_for_git(root)


def mark_for_git(root: Path) -> None:
    """Says beside the file how git merges it: the lines of both sides. An author's own word on it stays."""
    name, text = ATTRIBUTES
    try:
        with opened(_folder_of(root)) as folder:
            if folder.content(name) is None:
                folder.create(name, text)
    except OSError:
        return  # git asks then, and the file can be put right by hand


def updated(root: Path, applied: Applied) -> bytes:
    """The file as it is to be with this edit in it. Raises Unreadable, OSError."""
    from .provenance_model import encoded
    from .provenance_records import record

    return encoded(record(read_to_write(root), applied))


def _folder_of(root: Path) -> Path:
    """Beside the root document, links on the way to that followed and none after it."""
    return Path(real(root.parent)) / FOLDER


def real_file_of(root: Path) -> Path:
    """As it is opened: links on the way to the root's folder followed."""
    return _folder_of(root) / NAME


def save(root: Path, applied: Applied) -> None:
    from .provenance_records import record

    check(root)
    write(root, record(read_to_write(root), applied))


def remember(root: Path, applied: Applied) -> str:
    """As `save`, when the text has landed already: a sentence where that fails, "" where it is done."""
    try:
        save(root, applied)
    except LatexError as error:
        return f"Why each paper is cited could not be kept: {error.sentence()}"
    except OSError as error:
        return lost(root, error)
    return ""


def lost(root: Path, error: OSError) -> str:
    file, reason = file_of(root), error.strerror or error
    return f"Why each paper is cited could not be kept: {reason} ({file.name} in {file.parent.name})."
