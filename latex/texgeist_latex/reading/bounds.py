"""The bounds of a project: the folder in which files belong to it."""

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
    """The folder of a root document's project: the workspace if it contains the document; else the nearest
    folder above with a marker (`.git`, `.latexmkrc`, …); else the document's folder."""
    root = tidy(root)
    return _known_bounds(root, workspace) or root.parent


def reach_of(path: Path, workspace: Path | None) -> Path:
    """The folder in which the root document of a file is searched: the workspace or a marked folder; else the
    nearest folder above with a document; else the file's folder."""
    path = tidy(path)
    return _known_bounds(path, workspace) or _folder_with_document(path) or path.parent


def gate_of(root: Path, workspace: Path | None, own: Iterable[Path] = ()) -> Gate:
    """The gate of a root document, with the bounds of `bounds_of`."""
    own_paths = frozenset(real(path) for path in own)
    return Gate(real(bounds_of(root, workspace)), own_paths, real(tidy(root).parent))


def gate_around(path: Path, workspace: Path | None) -> Gate:
    """The gate for a file whose root document is not known yet, with the bounds of `reach_of`."""
    return Gate(real(reach_of(path, workspace)))


def _known_bounds(path: Path, workspace: Path | None) -> Path | None:
    """The workspace if it contains the file; else the nearest marked folder above, or None."""
    if workspace is not None:
        workspace = tidy(workspace)
        if (
            workspace == path.parent
            or workspace in path.parents
            or real(path).startswith(real(workspace).rstrip(os.sep) + os.sep)
        ):
            return workspace
    for folder in path.parents:
        if is_home_or_disk(folder):
            break
        if is_marked(folder):
            return folder
    return None


def has_known_bounds(path: Path, workspace: Path | None) -> bool:
    """Whether a workspace or a marker determines the bounds of the file's project."""
    return _known_bounds(tidy(path), workspace) is not None


def is_home_or_disk(folder: Path) -> bool:
    """Whether the folder is the user's home or the whole disk, which is never a project."""
    return folder == Path.home() or folder.parent == folder


def is_marked(folder: Path) -> bool:
    """Whether the folder has a marker of a project's top folder."""
    return any((folder / marker).exists() for marker in MARKERS)


def _folder_with_document(path: Path) -> Path | None:
    """The nearest folder above that contains a document: `paper/` for `paper/sections/method.tex`."""
    for folder in path.parents[:_LEVELS]:
        if is_home_or_disk(folder):
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
