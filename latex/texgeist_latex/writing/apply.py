"""Edits onto the disk. A crash at any moment leaves each file as it was or as it should be.

Every file is first written whole beside the old one and flushed to the disk; only when all of them are
there do they take the old ones' places, bibliographies first, so that no document ever cites a key that
its bibliography does not hold, and the record of why last. They change together or not at all: what fails
half-way is put back, and what a crash cuts short is finished by `recover` from a journal.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from texgeist_latex.disk.journal import journal_of, write_journal
from texgeist_latex.errors import Changed, Unwritable
from texgeist_latex.tex.encodings import encode
from texgeist_latex.types import Draft, Edit, EditPlan, SourceFile
from texgeist_latex.writing.targets import source_of


@dataclass(frozen=True, slots=True)
class _Change:
    path: Path  # the file itself, links followed
    shown: str
    old: bytes | None  # None for a new file
    new: bytes


def apply_plan(plan: EditPlan, draft: Draft, beside: tuple[Path, bytes] | None = None) -> None:
    """Writes the plan's edits and, last, a whole file that belongs to them (`beside`), all or none. Raises
    Changed, with nothing written, where a file is no longer what the draft was read from, and Unwritable
    where one cannot be written. Encoding, BOM, line ends, links and permissions stay; bytes outside of the
    edits are kept exactly."""
    by_file: dict[Path, list[Edit]] = {}
    for edit in plan.edits:
        by_file.setdefault(edit.file, []).append(edit)
    changes = [_change(draft, path, edits, path in plan.new_files) for path, edits in by_file.items()]
    changes.sort(key=lambda change: change.path.suffix.lower() != ".bib")
    try:
        if beside is not None:
            changes.append(_whole(*beside))
        _replace_all(changes, draft.root)
    except OSError as error:
        if beside is not None:
            with contextlib.suppress(OSError):
                beside[0].parent.rmdir()  # unless something is in it
        raise Unwritable(
            f"{error.filename or 'A file'} cannot be written: {error.strerror}. Nothing was changed."
        ) from error


def _replace_all(changes: list[_Change], root: Path) -> None:
    staged: list[tuple[Path, _Change]] = []
    replaced: list[_Change] = []
    journal = journal_of(root)
    try:
        for change in changes:
            staged.append((_stage(change), change))
        if len(staged) > 1:
            write_journal(journal, [(temporary, each.path, each.old, each.new) for temporary, each in staged])
        for temporary, change in staged:
            _check_unchanged(change)
            temporary.replace(change.path)
            replaced.append(change)
            _flush_folder(change.path.parent)
    except BaseException:
        for change in reversed(replaced):
            _put_back(change)
        raise
    finally:
        for path in [journal, *(temporary for temporary, _ in staged)]:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def _put_back(change: _Change) -> None:
    """The file as it was, if it still is what was just written."""
    with contextlib.suppress(OSError):
        if change.path.read_bytes() != change.new:
            return
        if change.old is None:
            change.path.unlink()
        else:
            _stage(replace(change, new=change.old)).replace(change.path)


def _whole(path: Path, new: bytes) -> _Change:
    """A file of texgeist's own, so through no link that somebody laid."""
    if path.is_symlink() or path.parent.is_symlink():
        raise Unwritable(f"{path.parent.name}/{path.name} is a link.", "Take the link away and try again.")
    path.parent.mkdir(exist_ok=True)
    real = Path(os.path.realpath(path))
    return _Change(real, path.name, real.read_bytes() if real.exists() else None, new)


def check_writable(plan: EditPlan, *, replaced: bool = True) -> None:
    """Raises Unwritable where a file of the plan may not be written to: to know so before long work.
    `replaced` means as `apply_plan` does it, so that the folders must take new files too."""
    for path in dict.fromkeys(edit.file for edit in plan.edits):
        real = Path(os.path.realpath(path))
        is_new = path in plan.new_files
        if not is_new and not os.access(real, os.W_OK):
            raise Unwritable(f"{path.name} may not be written to.", "Change its permissions and try again.")
        if (is_new or replaced) and not os.access(real.parent, os.W_OK | os.X_OK):
            what = f"{path.name} cannot be made" if is_new else f"{path.name} cannot be replaced"
            raise Unwritable(
                f"{what}: nothing may be written into the folder {real.parent.name}.",
                "Change its permissions and try again.",
            )


def edited(text: str, edits: list[Edit]) -> str:
    """The text with the edits of one file made; insertions at one place stand in their order, as in LSP."""
    for edit in sorted(edits, key=lambda edit: edit.start)[::-1]:
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _change(draft: Draft, path: Path, edits: list[Edit], is_new: bool) -> _Change:
    real = Path(os.path.realpath(path))
    if is_new:
        if real.exists() and real.stat().st_size:
            raise Changed(f"{path.name} exists by now.", "Read the document again.")
        return _Change(real, path.name, None, edited("", edits).encode("utf-8"))
    source = source_of(draft, path)
    old = _bytes(real, path.name)
    if old != encode(source, source.text):
        raise Changed(
            f"{path.name} on the disk is no longer what was read.",
            "Save what is open in an editor and try again.",
        )
    if path not in draft.sources and any(edit.start != len(source.text) for edit in edits):
        raise Changed(f"{path.name} was changed meanwhile.", "Try again.")  # planned for another length
    if not os.access(real, os.W_OK):
        raise Unwritable(f"{path.name} may not be written to.", "Change its permissions and try again.")
    return _Change(real, path.name, old, _new_bytes(source, old, edits, path.name))


def _new_bytes(source: SourceFile, old: bytes, edits: list[Edit], name: str) -> bytes:
    try:
        if all(edit.start == edit.end == len(source.text) for edit in edits):
            return old + "".join(edit.text for edit in edits).encode(source.encoding)
        return encode(source, edited(source.text, edits))
    except UnicodeEncodeError as error:
        raise Unwritable(
            f"{name} is encoded in {source.encoding}, which has no {error.object[error.start]!r}.",
            "Convert the file to UTF-8.",
        ) from error


def _bytes(path: Path, name: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise Changed(f"{name} is no longer there.", "Read the document again.") from error
    except OSError as error:
        raise Unwritable(f"{name} cannot be read: {error.strerror}.") from error


def _check_unchanged(change: _Change) -> None:
    """Once more just before the file is replaced: staging several files takes a while."""
    if change.old is not None and _bytes(change.path, change.shown) != change.old:
        raise Changed(f"{change.shown} was changed meanwhile.", "Nothing more was written; try again.")


def _stage(change: _Change) -> Path:
    """The new content beside the old file, on the disk, with its permissions."""
    handle, name = tempfile.mkstemp(
        prefix=f".{change.path.name}.", suffix=".texgeist", dir=change.path.parent
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(change.new)
            file.flush()
            os.fsync(file.fileno())
        _copy_permissions(change.path, Path(name), change.old is not None)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)


def _copy_permissions(source: Path, target: Path, exists: bool) -> None:
    if not exists:
        mask = os.umask(0)
        os.umask(mask)
        target.chmod(0o666 & ~mask)
        return
    state = source.stat()
    target.chmod(stat.S_IMODE(state.st_mode))
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):
            os.chown(target, state.st_uid, state.st_gid)


def _flush_folder(folder: Path) -> None:
    """The renaming itself onto the disk; where folders cannot be opened (Windows) there is no way to."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def changed_texts(plan: EditPlan, texts: Mapping[Path, str]) -> dict[Path, str]:
    """What the plan would make of these texts, for previews and tests; writes nothing."""
    files = dict.fromkeys(edit.file for edit in plan.edits)
    return {
        file: edited(texts.get(file, ""), [edit for edit in plan.edits if edit.file == file])
        for file in files
    }
