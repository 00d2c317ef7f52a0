"""Two ways to say where a file is: as it was named, and what the name comes to."""

from __future__ import annotations

import os
from pathlib import Path


def tidy(path: Path | str) -> Path:
    """Absolute and without `..`, links left as they are: the way that editors name a file."""
    return Path(os.path.normpath(os.path.abspath(path)))  # noqa: PTH100


def real(path: Path) -> str:
    """What a path comes to in the end; two names of one file agree. A loop of links stays as it is."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return str(path)
