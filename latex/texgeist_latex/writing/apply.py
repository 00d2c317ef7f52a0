"""Writes edits to disk. After a crash at any moment, each file has either its old or its new contents.

The files of a plan change together or not at all: all new contents are first written to temporary files and
flushed to disk; then they replace the files, and if a replacement fails, the previous ones are reverted. A
crash between two replacements, which take microseconds, leaves the later files as they were. Bibliographies
are replaced first, so that no document cites a key that its bibliography lacks, and the provenance record
last.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from texgeist_latex.disk.folder import Folder, opened
from texgeist_latex.disk.gate import Gate
from texgeist_latex.disk.paths import real
from texgeist_latex.errors import Changed, Unwritable
from texgeist_latex.tex.encodings import encode
from texgeist_latex.types import Draft, Edit, EditPlan, SourceFile
from texgeist_latex.writing.targets import source_of


def apply_plan(plan: EditPlan, draft: Draft, beside: tuple[Path, bytes] | None = None) -> None:
    """Writes all of the plan's edits or none. `beside`: a file of texgeist (its resolved path) and its new
    contents, which are written last. Raises OutOfBounds for files outside the project;
    Changed, with nothing written, if a file has changed since it was read; Unwritable if a file cannot be
    written. Encoding, BOM, line breaks, links and permissions are kept, and so are all bytes outside of the
    edits."""
    by_file: dict[Path, list[Edit]] = {}
    for edit in plan.edits:
        by_file.setdefault(edit.file, []).append(edit)
    ends = {path: draft.gate.check(path) for path in by_file}
    with contextlib.ExitStack() as stack:
        try:
            folders = {path: stack.enter_context(opened(end.parent)) for path, end in ends.items()}
            changes = [
                _change(draft, path, ends[path].name, folders[path], edits, path in plan.new_files)
                for path, edits in by_file.items()
            ]
            changes.sort(key=lambda change: not change.name.lower().endswith(".bib"))
            if beside is not None:
                changes.append(stack.enter_context(_beside(*beside)))
            _replace_all(changes)
        except OSError as error:
            raise Unwritable(
                f"{error.filename or 'A file'} cannot be written: {error.strerror}. Nothing was changed."
            ) from error


@contextlib.contextmanager
def _beside(file: Path, new: bytes) -> Iterator[_Change]:
    """Yields the change of the provenance record. Creates the file's folder if needed, and removes this folder
    again on failure."""
    if real(file) != str(file):
        raise Unwritable(f"{file.parent.name}/{file.name} is a link.", "Remove the link and try again.")
    try:
        with opened(file.parent, create=True) as folder:
            yield _Change(folder, file.name, file.name, folder.content(file.name), new)
    except BaseException:
        with contextlib.suppress(OSError), opened(file.parent.parent) as above:
            above.remove_folder(file.parent.name)
        raise


def check_bounds(plan: EditPlan, gate: Gate) -> None:
    """Raises OutOfBounds if the project must not write a file of the plan."""
    for path in dict.fromkeys(edit.file for edit in plan.edits):
        gate.check(path)


def check_writable(plan: EditPlan, *, replaced: bool = True) -> None:
    """Raises Unwritable if a file of the plan is write-protected; for a check before long work. `replaced`:
    also check the folders, because `apply_plan` replaces files."""
    for path in dict.fromkeys(edit.file for edit in plan.edits):
        end = Path(real(path))
        is_new = path in plan.new_files
        if not is_new and not os.access(end, os.W_OK):
            raise Unwritable(f"{path.name} may not be written to.", "Change its permissions and try again.")
        if (is_new or replaced) and not os.access(end.parent, os.W_OK | os.X_OK):
            what = f"{path.name} cannot be created" if is_new else f"{path.name} cannot be replaced"
            raise Unwritable(
                f"{what}: the folder {end.parent.name} is write-protected.",
                "Change its permissions and try again.",
            )


def edited(text: str, edits: list[Edit]) -> str:
    """The text after the edits of a file. Insertions at the same place keep their order, as in LSP."""
    for edit in sorted(edits, key=lambda edit: edit.start)[::-1]:
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def _change(draft: Draft, path: Path, name: str, folder: Folder, edits: list[Edit], is_new: bool) -> _Change:
    if is_new:
        if there := folder.content(name):  # an empty file may become a bibliography
            raise Changed(f"{path.name} was created in the meantime.", "Read the document again.")
        return _Change(folder, name, path.name, there, edited("", edits).encode("utf-8"))
    source = source_of(draft, path)
    old = _bytes(folder, name)
    if old != encode(source, source.text):
        raise Changed(
            f"{path.name} has changed on disk since it was read.",
            "Save your open files and try again.",
        )
    if path not in draft.sources and any(edit.start != len(source.text) for edit in edits):
        raise Changed(
            f"{path.name} was changed meanwhile.", "Try again."
        )  # the plan was made for another length
    if not os.access(folder.path / name, os.W_OK):
        raise Unwritable(f"{path.name} may not be written to.", "Change its permissions and try again.")
    return _Change(folder, name, path.name, old, _new_bytes(source, old, edits, path.name))


def _new_bytes(source: SourceFile, old: bytes, edits: list[Edit], name: str) -> bytes:
    try:
        if all(edit.start == edit.end == len(source.text) for edit in edits):
            return old + "".join(edit.text for edit in edits).encode(source.encoding)
        return encode(source, edited(source.text, edits))
    except UnicodeEncodeError as error:
        raise Unwritable(
            f"{name} is encoded in {source.encoding}, which has no character {error.object[error.start]!r}.",
            "Convert the file to UTF-8.",
        ) from error


def _bytes(folder: Folder, name: str) -> bytes:
    try:
        return folder.read(name)
    except FileNotFoundError as error:
        raise Changed(f"{name} no longer exists.", "Read the document again.") from error
    except OSError as error:
        raise Unwritable(f"{name} cannot be read: {error.strerror}.") from error


# -- several files together ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Change:
    folder: Folder  # the folder of the file, with links resolved
    name: str
    shown: str  # the name for messages
    old: bytes | None  # None for a new file
    new: bytes


def _replace_all(changes: Sequence[_Change]) -> None:
    """Replaces the files. Raises Changed if a file has changed since it was read, and Unwritable if a file
    cannot be written. In both cases all files are as before. Then removes temporary files of killed
    processes."""
    staged: list[tuple[str, _Change]] = []
    try:
        for change in changes:
            with _naming(change.shown):
                staged.append((change.folder.stage(change.name, change.new), change))
        _replace(staged)
    finally:
        for temporary, change in staged:
            change.folder.remove(temporary)
    for change in changes:
        change.folder.sweep()


def _replace(staged: Sequence[tuple[str, _Change]]) -> None:
    done: list[_Change] = []
    try:
        for temporary, change in staged:
            with _naming(change.shown):
                done.append(change)
                _put(temporary, change)
    except BaseException as error:
        if stuck := [change.shown for change in reversed(done) if not _put_back(change)]:
            raise Unwritable(
                f"{', '.join(stuck)} could not be restored after another file of this edit failed.",
                "Check the file before you try again.",
            ) from error
        raise


def _put(temporary: str, change: _Change) -> None:
    """Replaces the file, after checking it again, because staging several files takes time."""
    if change.folder.content(change.name) != change.old:
        raise Changed(f"{change.shown} was changed meanwhile.", "Nothing was written; try again.")
    change.folder.replace(temporary, change.name)


def _put_back(change: _Change) -> bool:
    """Reverts the file, unless another program has changed it. Returns False on failure."""
    try:
        if change.old != change.new == change.folder.content(change.name):
            if change.old is None:
                change.folder.remove(change.name)
            else:
                change.folder.put(change.name, change.old)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _naming(shown: str) -> Iterator[None]:
    """Uses the name of the file, not of its temporary file, in errors."""
    try:
        yield
    except OSError as error:
        raise Unwritable(
            f"{shown} cannot be written: {error.strerror or error}. Nothing was changed."
        ) from error
