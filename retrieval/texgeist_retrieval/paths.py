"""Paths as people write them."""

from __future__ import annotations

from pathlib import Path

from .errors import RetrievalError


def expanded(name: str) -> Path:
    """With the home folder for `~`. Raises RetrievalError where it is that of nobody here."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise RetrievalError(
            f"{name} begins with the home folder of a user that this machine does not know.",
            "Write the whole path, or ~/ for your own folder.",
        ) from None
