"""Private files and folders, locked files, and user-entered paths."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from .errors import RetrievalError
from .monitor import Monitor

AGAIN_SECONDS = 0.2  # interval for retrying a lock and for checking cancellation


def private_folder(folder: Path) -> None:
    """Makes the folder accessible only to its owner, because caches contain unpublished text; creates it if
    it is missing. Raises OSError if it cannot be created. On file systems without permissions, they are not
    set."""
    folder.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        folder.chmod(0o700)


def private_file(path: Path) -> None:
    """Makes the file readable only by its owner; creates it and its parent folder if they are missing. Raises
    OSError if it cannot be created."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(0o600)
    with contextlib.suppress(OSError):
        path.chmod(0o600)


@contextlib.contextmanager
def waiting_lock(lock_file: Path, monitor: Monitor, message: Callable[[], str]) -> Iterator[None]:
    """Holds a lock file. While another process holds it, reports what `message` returns, and raises `Cancelled` if
    the user cancels. The lock of a crashed program is released."""
    from filelock import FileLock, Timeout

    lock = FileLock(str(lock_file))
    while not lock.is_locked:
        try:
            lock.acquire(timeout=AGAIN_SECONDS)
        except Timeout:
            monitor.check()
            monitor.report(message())
    try:
        yield
    finally:
        lock.release()


def expanded(name: str) -> Path:
    """Expands `~`. Raises RetrievalError for the home folder of an unknown user."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise RetrievalError(
            f"{name} begins with the home folder of a user that this machine does not know.",
            "Write the whole path, or ~/ for your own folder.",
        ) from None
