"""The bounds of a project: the folder in which files belong to it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from ..disk.gate import Gate
from ..disk.paths import real, tidy
from ..tex.encodings import decode
from .files import Parsed, document_class

MARKERS = (".latexmkrc", "latexmkrc", ".texlabroot", "texlabroot", "Tectonic.toml", ".git")
_LEVELS, _MOST_FILES, _MOST_BYTES = 4, 50, 100_000


def gate_of(root: Path, workspace: Path | None, own: Iterable[Path] = ()) -> Gate:
    """The gate of a root document. Its bounds are the workspace if it contains the document; else the nearest folder
    above with a marker (`.git`, `.latexmkrc`, …); else the document's folder."""
    root = tidy(root)
    bounds = known_bounds(root, workspace) or root.parent
    return Gate(real(bounds), frozenset(real(path) for path in own), real(root.parent))


def gate_around(path: Path, workspace: Path | None) -> Gate:
    """The gate for a file whose root document is not known yet: like `gate_of`, but without workspace and marker, the
    nearest folder above with a document; else the file's folder."""
    path = tidy(path)
    return Gate(real(known_bounds(path, workspace) or _folder_with_document(path) or path.parent))


def known_bounds(path: Path, workspace: Path | None) -> Path | None:
    """The workspace if it contains the file; else the nearest marked folder above, or None."""
    path, workspace = tidy(path), tidy(workspace) if workspace is not None else None
    if workspace is not None and (workspace in path.parents or Gate(real(workspace)).inside(path)):
        return workspace
    for folder in path.parents:
        if _is_home_or_disk(folder):
            break
        if any((folder / marker).exists() for marker in MARKERS):
            return folder
    return None


def _is_home_or_disk(folder: Path) -> bool:
    """Whether the folder is the user's home or the whole disk, which is never a project."""
    return folder == Path.home() or folder.parent == folder


def _folder_with_document(path: Path) -> Path | None:
    """The nearest folder above that contains a document: `paper/` for `paper/sections/method.tex`."""
    for folder in path.parents[:_LEVELS]:
        if _is_home_or_disk(folder):
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
