"""One request to a site at a time, and a pause between two, for the whole machine.

arXiv, for one, asks for at most one request every three seconds over a single connection, whoever the user
and however many programs. A lock on a file that all of them share does that; the file holds the time of the
last request. The caller says how long the pause is.
"""

from __future__ import annotations

import contextlib
import os
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from ..addresses import host_of, lies_in
from ..errors import SourceUnavailable
from ..ports import Monitor

STEP_S = 0.05  # how often a busy lock is tried again, and a cancel noticed
LONGEST_S = 300.0  # a queue longer than this is no queue any more


def queue_of(address: str, domains: Sequence[str] = ()) -> str:
    """Whose queue a request to the address stands in: all hosts of a domain share one."""
    host = host_of(address)
    return next((domain for domain in domains if lies_in(host, domain)), urlsplit(address).netloc)


class Pacing:
    """A queue of one. `seconds` of 0 is no pause and no queue: for a mirror of one's own, and for tests."""

    def __init__(self, seconds: float, name: str, folder: Path | None = None) -> None:
        """`name` says whose queue it is, such as the host; `folder` defaults to the machine's own
        temporary folder, which its users share."""
        self._seconds = seconds
        safe = "".join(letter if letter.isalnum() else "-" for letter in name)
        self._name = name
        self._path = (folder or Path(tempfile.gettempdir())) / f"texgeist-{safe}.gate"
        self._thread = threading.Lock()  # a file lock does not queue the threads of one process fairly

    @property
    def open(self) -> bool:
        return self._seconds <= 0

    @contextlib.contextmanager
    def turn(self, monitor: Monitor | None = None) -> Iterator[None]:
        """Waits for its turn and holds it. Raises `Cancelled`, or `SourceUnavailable` after five minutes."""
        if self.open:
            yield
            return
        deadline = time.monotonic() + LONGEST_S
        self._wait(lambda: self._thread.acquire(blocking=False), deadline, monitor)
        try:
            with self._locked(deadline, monitor) as file:
                _sleep(_left(file, self._seconds), monitor)
                _stamp(file)  # for the case that this program dies in its turn
                try:
                    yield
                finally:
                    _stamp(file)  # from the end, since nobody knows when the request arrived
        finally:
            self._thread.release()

    @contextlib.contextmanager
    def _locked(self, deadline: float, monitor: Monitor | None) -> Iterator[int]:
        file = _open_shared(self._path)
        try:
            self._wait(lambda: _try_lock(file), deadline, monitor)
            yield file
        finally:
            os.close(file)  # which lets go of the lock as well

    def _wait(self, try_once: Callable[[], bool], deadline: float, monitor: Monitor | None) -> None:
        while not try_once():
            if monitor:
                monitor.check()
            if time.monotonic() > deadline:
                raise SourceUnavailable(
                    f"Too many programs are waiting for {self._name}.", "Try again in some minutes."
                )
            time.sleep(STEP_S)


def _left(file: int, seconds: float) -> float:
    """Seconds until the next request may start. A clock that was set back does not hold anybody up."""
    os.lseek(file, 0, os.SEEK_SET)
    stored = os.read(file, 8)
    last = struct.unpack("<d", stored)[0] if len(stored) == 8 else 0.0
    return float(min(max(last + seconds - time.time(), 0.0), seconds))


def _stamp(file: int) -> None:
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, struct.pack("<d", time.time()))


def _sleep(seconds: float, monitor: Monitor | None) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if monitor:
            monitor.check()
        time.sleep(min(left, STEP_S))


def _open_shared(path: Path) -> int:
    """Opened by the first user, used by all: opening an existing file must not ask to create it, which
    Linux forbids for other people's files in a shared temporary folder. Where even that fails, the
    user's own file keeps at least the user's programs in one queue."""
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    own = path.with_name(f"{path.stem}-{_user()}.gate")
    for attempt, extra in ((path, 0), (path, os.O_CREAT | os.O_EXCL), (path, 0), (own, os.O_CREAT)):
        with contextlib.suppress(OSError):
            file = os.open(attempt, flags | extra, 0o666)
            if extra and hasattr(os, "fchmod"):
                os.fchmod(file, 0o666)  # the umask would lock the other users out
            return file
    raise SourceUnavailable(f"No lock can be kept in {path.parent}.", "Check that the folder can be written.")


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "me"


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: int) -> bool:
        try:
            os.lseek(file, 64, os.SEEK_SET)  # beyond the time stamp, which stays readable
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: int) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
