"""Server processes that all texgeist processes of a user share. Each server holds a file: an index or a
language model.

The first process that needs the file starts its server on a free loopback port. The others find the server by
its registration, a file beside the held file that only the user can read. The registration contains process
id, port and a random token; the server refuses calls without this token. A lock beside the held file ensures
that it has only one server."""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .paths import private_file

_LONGEST = 4096  # bytes of a registration
_TOKEN = re.compile(r"\w{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Registration:
    """The data that a client needs to call a running server."""

    pid: int
    port: int
    token: str


def registration_file(file: Path) -> Path:
    return file.with_name(file.name + ".server.json")


def lock_file(file: Path) -> Path:
    return file.with_name(file.name + ".server.lock")


def read_registration(file: Path) -> Registration | None:
    """The registration of the server of `file`. Returns None if it is missing, invalid, or not private to
    this user: another user could place a registration here, with a port of their choice."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(registration_file(file), flags)
        with os.fdopen(descriptor, "rb") as opened:
            written = opened.read(_LONGEST) if _is_ours(os.fstat(descriptor)) else b""
        found = Registration(**json.loads(written))
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    right = type(found.pid) is int and type(found.port) is int and isinstance(found.token, str)
    return found if right and 0 < found.port < 65536 and _TOKEN.fullmatch(found.token) else None


def _is_ours(state: os.stat_result) -> bool:
    private = not hasattr(os, "getuid") or (state.st_uid == os.getuid() and not state.st_mode & 0o077)
    return stat.S_ISREG(state.st_mode) and private


def is_served(file: Path) -> bool:
    """Whether a server holds the file now. A registration alone does not show this: it may be a copy."""
    from filelock import FileLock, Timeout

    if not lock_file(file).exists():
        return False
    try:
        with FileLock(str(lock_file(file)), timeout=0):
            return False
    except Timeout:
        return True
    except OSError:
        return False


@contextmanager
def only_holder(file: Path) -> Iterator[bool]:
    """Called in the server: yields True if this server may hold the file, False if another server holds it. A
    registration left by a crashed server is removed."""
    from filelock import FileLock, Timeout

    lock = FileLock(str(lock_file(file)))
    try:
        lock.acquire(timeout=1.0)
    except Timeout:
        yield False
        return
    try:
        registration_file(file).unlink(missing_ok=True)
        yield True
    finally:
        registration_file(file).unlink(missing_ok=True)
        lock.release()


def register(file: Path, registration: Registration) -> None:
    part = registration_file(file).with_suffix(f".{registration.pid}")
    part.unlink(missing_ok=True)  # left by a crashed process with the same id
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        json.dump(asdict(registration), opened)
    part.replace(registration_file(file))


class Starter:
    """Finds the server of a file, and starts it if none answers. Several processes may do this at the same
    time; they all find the same server."""

    def __init__(self, file: Path, module: str, *arguments: str, **options: Any) -> None:
        self._file, self._options = file, options
        self._command = [sys.executable, "-P", "-m", module, *(arguments or [str(file.absolute())])]
        self._process: subprocess.Popen[bytes] | None = None
        self._again, self._pause = 0.0, 0.5

    def find(self) -> Registration | None:
        """The running server; None if there is none, or it is not ready yet."""
        server = read_registration(self._file)
        if server is None or not is_served(self._file) or read_registration(self._file) != server:
            return None  # read twice, because a starting server may have removed a stale registration
        return server if _answers(server) else None

    def start(self) -> None:
        """Starts a server, unless a server that this object started still runs. Raises `OSError` if the
        file's folder cannot be written."""
        ended = self._process is not None and self._process.poll() is not None
        if self._process is None or (ended and time.monotonic() > self._again):
            self._process, self._again = self._started(), time.monotonic() + self._pause
            self._pause *= 2  # a server that ends at once is not restarted hundreds of times

    @property
    def failed(self) -> int:
        """The exit code if a server that this object started has ended with an error, else 0."""
        return (self._process.poll() or 0) if self._process else 0

    def log(self) -> list[str]:
        """The lines that servers of this file have logged."""
        try:
            return log_file(self._file).read_text("utf-8", "replace").strip().splitlines()
        except OSError:
            return []

    def _started(self) -> subprocess.Popen[bytes]:
        """Starts the server as a detached process, which outlives the editor and gets no Ctrl-C from a
        terminal."""
        from filelock import FileLock, Timeout

        private_file(log_file(self._file))
        with suppress(Timeout), FileLock(str(lock_file(self._file)), timeout=0):
            registration_file(self._file).unlink(missing_ok=True)  # no server holds the file
        with log_file(self._file).open("ab") as log:
            return subprocess.Popen(
                self._command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._file.absolute().parent,
                **{**detached(), **self._options},
            )


def _answers(server: Registration) -> bool:
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=1.0).close()
    except OSError:
        return False
    return True


def log_file(file: Path) -> Path:
    return file.with_name(file.name + ".server.log")


def detached() -> dict[str, Any]:
    """Options of `Popen` with which a process outlives the editor; on Windows, it gets no window."""
    if sys.platform != "win32":
        return {"start_new_session": True}
    return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
