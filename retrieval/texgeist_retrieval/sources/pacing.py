"""Pacing: all programs of this machine together send one request to a site at a time, with a pause between
requests.

arXiv, for example, asks for at most one request every three seconds over a single connection, for all users
and programs of a machine. Programs keep this limit by locking a shared file, which stores the time of the
last request. The caller sets the length of the pause."""

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
from ..monitor import SILENT, pause
from ..ports import Monitor

STEP_S = 0.05  # interval for retrying a locked file and for checking cancellation
LONGEST_S = 300.0  # longest wait


def queue_of(address: str, domains: Sequence[str] = ()) -> str:
    """The name of the queue for an address. All hosts of a domain in `domains` share one queue; other hosts
    have a queue each."""
    host = host_of(address)
    return next((domain for domain in domains if lies_in(host, domain)), urlsplit(address).netloc)


class Pacing:
    """A queue that lets one request through at a time. `seconds`: the pause between requests; 0 switches the
    queue off, for private mirrors and tests."""

    def __init__(self, seconds: float, name: str, folder: Path | None = None) -> None:
        """`name` identifies the queue, for example a host name. `folder`: for the shared file; by default the
        temporary folder that all users of the machine share."""
        self._seconds = seconds
        safe = "".join(letter if letter.isalnum() else "-" for letter in name)
        self._name = name
        self._path = (folder or Path(tempfile.gettempdir())) / f"texgeist-{safe}.gate"
        self._thread = threading.Lock()  # file locks do not queue the threads of a process fairly

    @property
    def open(self) -> bool:
        return self._seconds <= 0

    @contextlib.contextmanager
    def turn(self, monitor: Monitor = SILENT) -> Iterator[None]:
        """A context manager: waits until a request may be sent, and blocks other requests until its end.
        Raises `Cancelled`, or `SourceUnavailable` after five minutes."""
        if self.open:
            yield
            return
        deadline = time.monotonic() + LONGEST_S
        self._wait(lambda: self._thread.acquire(blocking=False), deadline, monitor)
        try:
            with self._locked(deadline, monitor) as file:
                pause(_left(file, self._seconds), monitor)
                _stamp(file)  # in case this program dies before the end of the request
                try:
                    yield
                finally:
                    _stamp(file)  # at the end of the request: when the site received it is unknown
        finally:
            self._thread.release()

    @contextlib.contextmanager
    def _locked(self, deadline: float, monitor: Monitor) -> Iterator[int]:
        file = _open_shared(self._path)
        try:
            self._wait(lambda: _try_lock(file), deadline, monitor)
            yield file
        finally:
            os.close(file)  # also releases the lock

    def _wait(self, try_once: Callable[[], bool], deadline: float, monitor: Monitor) -> None:
        while not try_once():
            monitor.check()
            if time.monotonic() > deadline:
                raise SourceUnavailable(
                    f"Too many programs are waiting for {self._name}.", "Try again in some minutes."
                )
            time.sleep(STEP_S)


def _left(file: int, seconds: float) -> float:
    """The number of seconds until the next request may start; at most `seconds`, even if the clock was set
    back."""
    os.lseek(file, 0, os.SEEK_SET)
    stored = os.read(file, 8)
    last = struct.unpack("<d", stored)[0] if len(stored) == 8 else 0.0
    return float(min(max(last + seconds - time.time(), 0.0), seconds))


def _stamp(file: int) -> None:
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, struct.pack("<d", time.time()))


def _open_shared(path: Path) -> int:
    """Opens the shared file; if it does not exist, creates it. An existing file is opened without O_CREAT,
    because Linux refuses O_CREAT for files of other users in a shared temporary folder. If the shared file
    cannot be opened, a file of this user is opened, which only queues the programs of this user. Raises
    `SourceUnavailable`."""
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    own = path.with_name(f"{path.stem}-{_user()}.gate")
    for attempt, extra in ((path, 0), (path, os.O_CREAT | os.O_EXCL), (path, 0), (own, os.O_CREAT)):
        with contextlib.suppress(OSError):
            file = os.open(attempt, flags | extra, 0o666)
            if extra and hasattr(os, "fchmod"):
                os.fchmod(file, 0o666)  # the umask would lock out other users
            return file
    raise SourceUnavailable(
        f"No lock file can be created in {path.parent}.", "Check that the folder can be written."
    )


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
