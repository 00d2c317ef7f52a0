"""How far a project reaches."""

from __future__ import annotations

import contextlib
import os
from functools import lru_cache
from pathlib import Path

from ..tex.encodings import decode
from .documentclass import document_class
from .files import Parsed, real, tidy

MARKERS = (".latexmkrc", "latexmkrc", ".texlabroot", "texlabroot", "Tectonic.toml", ".git")
_LEVELS, _MOST_FILES, _MOST_BYTES = 4, 50, 100_000


def bounds_of(path: Path, workspace: Path | None) -> Path:
    """How far the project reaches: the workspace when the file is in it, else the folder with a marker
    (`.git`, `.latexmkrc`, …) above the file, else the nearest with a document, else the file's own."""
    path = tidy(path)
    if workspace is not None:
        workspace = tidy(workspace)
        if (
            workspace == path.parent
            or workspace in path.parents
            or real(path).startswith(real(workspace) + os.sep)
        ):
            return workspace
    home = Path.home()
    for folder in path.parents:
        if folder == home or folder.parent == folder:
            break
        if is_marked(folder):
            return folder
    return _folder_with_document(path) or path.parent


def is_marked(folder: Path) -> bool:
    """Whether the folder says itself that a project begins in it."""
    return any((folder / marker).exists() for marker in MARKERS)


def _folder_with_document(path: Path) -> Path | None:
    """The nearest folder above that holds a whole document: `paper/` for `paper/sections/method.tex`."""
    for folder in path.parents[:_LEVELS]:
        if folder == Path.home() or folder.parent == folder:
            return None
        with contextlib.suppress(OSError):
            for file in sorted(folder.glob("*.tex"))[:_MOST_FILES]:
                if file.is_file() and _is_document(file, file.stat().st_mtime_ns):
                    return folder
    return None


@lru_cache(maxsize=256)
def _is_document(file: Path, version: int) -> bool:
    """Whether the file has a class of its own, and not within a definition, nor as a part of a whole."""
    with file.open("rb") as stream:
        data = stream.read(_MOST_BYTES)
    if b"\\documentclass" not in data:
        return False
    parsed = Parsed(decode(file, data))
    return document_class(parsed) not in ("", "subfiles", "standalone")
