"""How far a project reaches."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from ..disk.gate import Gate
from ..disk.paths import real, tidy
from ..tex.encodings import decode
from .files import Parsed, document_class

MARKERS = (".latexmkrc", "latexmkrc", ".texlabroot", "texlabroot", "Tectonic.toml", ".git")
_LEVELS, _MOST_FILES, _MOST_BYTES = 4, 50, 100_000


def bounds_of(root: Path, workspace: Path | None) -> Path:
    """How far the project of a root document reaches: the workspace when the document is in it, else the
    folder with a marker (`.git`, `.latexmkrc`, …) above it, else its own folder."""
    root = tidy(root)
    return _said(root, workspace) or root.parent


def reach_of(path: Path, workspace: Path | None) -> Path:
    """How far one looks for the root document of a file: as far as the project says itself, else in the
    nearest folder above with a document, else in the file's own."""
    path = tidy(path)
    return _said(path, workspace) or _folder_with_document(path) or path.parent


def gate_of(root: Path, workspace: Path | None, own: Iterable[Path] = ()) -> Gate:
    """The gate of a root document: within the workspace when it lies there, else within the folder above
    that says itself that a project begins in it, else within the document's own folder."""
    own_paths = frozenset(real(path) for path in own)
    return Gate(real(bounds_of(root, workspace)), own_paths, real(tidy(root).parent))


def gate_around(path: Path, workspace: Path | None) -> Gate:
    """The gate of a file whose root document is still to be found: how far one may look for it."""
    return Gate(real(reach_of(path, workspace)))


def _said(path: Path, workspace: Path | None) -> Path | None:
    """The workspace that the file is in, or the folder above it that says that a project begins there."""
    if workspace is not None:
        workspace = tidy(workspace)
        if (
            workspace == path.parent
            or workspace in path.parents
            or real(path).startswith(real(workspace).rstrip(os.sep) + os.sep)
        ):
            return workspace
    for folder in path.parents:
        if holds_all(folder):
            break
        if is_marked(folder):
            return folder
    return None


def is_said(path: Path, workspace: Path | None) -> bool:
    """Whether somebody said how far the project of a file reaches."""
    return _said(tidy(path), workspace) is not None


def holds_all(folder: Path) -> bool:
    """Whether the folder is the user's home or the whole disk, which no project is."""
    return folder == Path.home() or folder.parent == folder


def is_marked(folder: Path) -> bool:
    """Whether the folder says itself that a project begins in it."""
    return any((folder / marker).exists() for marker in MARKERS)


def _folder_with_document(path: Path) -> Path | None:
    """The nearest folder above that holds a whole document: `paper/` for `paper/sections/method.tex`."""
    for folder in path.parents[:_LEVELS]:
        if holds_all(folder):
            return None
        with contextlib.suppress(OSError):
            for file in sorted(folder.glob("*.tex"))[:_MOST_FILES]:
                if file.is_file() and _is_document(file, file.stat().st_mtime_ns):
                    return folder
    return None


@lru_cache(maxsize=256)
def _is_document(file: Path, version: int) -> bool:
    """Whether the file declares a class, outside of definitions, and is not a subfile or standalone figure."""
    with file.open("rb") as stream:
        data = stream.read(_MOST_BYTES)
    if b"\\documentclass" not in data:
        return False
    parsed = Parsed(decode(file, data))
    return document_class(parsed) not in ("", "subfiles", "standalone")
