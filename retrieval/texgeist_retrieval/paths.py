"""Paths as people write them."""

from __future__ import annotations

import contextlib
from pathlib import Path

from .errors import RetrievalError


def private_folder(folder: Path) -> None:
    """Makes the folder, which its owner alone may enter: caches hold unpublished text. Raises OSError if it cannot be
    made; file systems without permissions are left as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        folder.chmod(0o700)


def private_file(path: Path) -> None:
    """Makes the file, which its owner alone may read, and the folder above if there is none; what is there already
    is made private too. Raises OSError if it cannot be made."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(0o600)
    with contextlib.suppress(OSError):
        path.chmod(0o600)


def expanded(name: str) -> Path:
    """With the home folder for `~`. Raises RetrievalError where it is that of nobody here."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise RetrievalError(
            f"{name} begins with the home folder of a user that this machine does not know.",
            "Write the whole path, or ~/ for your own folder.",
        ) from None
