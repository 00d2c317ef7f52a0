"""A project's settings of latexmk, as far as they are read: names alone are taken from them, nothing is run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..disk.limits import regular

_MOST = 50_000  # bytes; what is behind them is no settings


def latexmkrc(folder: Path) -> Iterator[str]:
    """The beginnings of those that a folder has, the first one first."""
    for path in (folder / ".latexmkrc", folder / "latexmkrc"):
        if regular(path) is None:
            continue
        try:
            with path.open("rb") as file:
                yield file.read(_MOST).decode("utf-8", "replace")
        except OSError:
            continue
