"""Normalises paths, and limits reading to regular files up to a certain size."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def tidy(path: Path | str) -> Path:
    """The absolute path without `..`, with links kept, as editors name files."""
    return Path(os.path.normpath(os.path.abspath(path)))  # noqa: PTH100


def seen_from(folder: Path, path: Path | str) -> str:
    """The path relative to the folder, with `/`; it may contain `..`. On another drive of Windows, the whole path."""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:
        return Path(path).as_posix()


def real(path: Path) -> str:
    """The resolved path, which is the same for all names of a file. The path of a loop of links is returned
    unchanged."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return str(path)


MAX_TEX = 8_000_000  # bytes; longer files are data, not prose
MAX_BIB = 128_000_000


def limit_of(path: Path) -> int:
    """The maximal size of the file in bytes."""
    return MAX_BIB if path.suffix.lower() == ".bib" else MAX_TEX


def regular(path: Path) -> os.stat_result | None:
    """The result of `stat` for a regular file; None for devices, pipes, folders, loops of links and bad
    names."""
    try:
        state = path.stat()
    except (OSError, ValueError):
        return None
    return state if stat.S_ISREG(state.st_mode) else None


def unread_because(path: Path) -> str:
    """The reason why a file is not read, such as "is 210 MB long; ..." or "does not exist"."""
    state, limit = regular(path), limit_of(path)
    if state is None:
        return _no_file(path)
    if state.st_size > limit:
        return f"is {state.st_size / 1e6:.0f} MB long; files over {limit / 1e6:.0f} MB are not read"
    return "cannot be read"


def help_for(path: Path) -> str:
    """Advice for an unreadable file."""
    if regular(path) is None:
        return "Put a regular file in its place."
    return "Split it into several files."


def _no_file(path: Path) -> str:
    if not os.path.lexists(path):
        return "does not exist"
    if not path.exists():
        return "is a link that leads nowhere"
    return "is a folder" if path.is_dir() else "is a device or a pipe, which is not read"
