"""A folder that is held open while its files are read, created and replaced.

Between checking a path and writing to it, another program may replace a part of the path by a link. So the
folder is opened step by step along its resolved path without following links, and all later operations use
its handle. Operations by handle affect the folder that was checked, even if its path has changed. On systems
without such handles (Windows), the path is resolved again before each operation.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .paths import real

_HANDLES = {os.open, os.rename, os.unlink, os.mkdir, os.rmdir, os.stat} <= os.supports_dir_fd
_AS_IT_IS = os.O_CLOEXEC | os.O_NOFOLLOW if _HANDLES else 0
_PASSING = getattr(os, "O_PATH", os.O_RDONLY) if _HANDLES else 0  # traversing needs no read permission
_BINARY = getattr(os, "O_BINARY", 0)
_TEMPORARY = re.compile(r"\.texgeist-[0-9a-f]{16}")  # names that `stage` gives to temporary files
_A_DAY = 86_400.0  # seconds
PAUSES = (0.02, 0.05, 0.1, 0.2, 0.4)  # seconds; editors and virus scanners keep files open no longer


def _replace_patiently(source: str, target: str) -> None:
    """Replaces `target`, with retries, because Windows does not replace a file that another program has
    open."""
    for pause in PAUSES:
        try:
            os.replace(source, target)  # noqa: PTH105
            return
        except PermissionError:
            time.sleep(pause)
    os.replace(source, target)  # noqa: PTH105


@dataclass(frozen=True, slots=True)
class Folder:
    """An open folder; `path` is its resolved path. Names refer to files in it; links are not followed."""

    path: Path
    handle: int | None

    def read(self, name: str, most: int = -1) -> bytes:
        """The first `most` bytes of the file; all if `most` is -1."""
        handle = self._open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OSError(errno.EINVAL, "it is no regular file", str(self.path / name))
            return file.read(most)

    def content(self, name: str) -> bytes | None:
        """Like `read`, but returns None if there is no such file."""
        try:
            return self.read(name)
        except FileNotFoundError:
            return None

    def create(self, name: str, data: bytes, mode: int = 0o666) -> None:
        """Creates a file and flushes it to disk. Raises FileExistsError if the name exists, also as a
        link."""
        handle = self._open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except BaseException:
            self.remove(name)
            raise
        self._flush()

    def stage(self, name: str, data: bytes) -> str:
        """Writes the future contents of `name` to a temporary file, flushed to disk, and returns the name of
        this file. The temporary file has the permissions and owner of the file to be replaced."""
        temporary = f".texgeist-{os.getpid():08x}{secrets.token_hex(4)}"
        try:
            state = os.stat(self._at(name), dir_fd=self.handle, follow_symlinks=False)
        except FileNotFoundError:
            self.create(temporary, data)
            return temporary
        self.create(temporary, data, 0o600)
        try:
            self._take_over(temporary, state)
        except BaseException:
            self.remove(temporary)
            raise
        return temporary

    def replace(self, temporary: str, name: str) -> None:
        """Renames `temporary` to `name`. A link called `name` is replaced, not followed."""
        here = self._at(temporary), self._at(name)
        if self.handle is None:
            _replace_patiently(*here)
        else:
            os.rename(*here, src_dir_fd=self.handle, dst_dir_fd=self.handle)
        self._flush()

    def put(self, name: str, data: bytes) -> None:
        """Creates or replaces the file `name` atomically."""
        temporary = self.stage(name, data)
        try:
            self.replace(temporary, name)
        finally:
            self.remove(temporary)

    def remove(self, name: str) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self._at(name), dir_fd=self.handle)

    def sweep(self) -> None:
        """Removes temporary files that are older than a day and whose process has ended."""
        names: list[str] = []
        with contextlib.suppress(OSError):
            names = os.listdir(self.path if self.handle is None else self.handle)  # noqa: PTH208
        for name in filter(_TEMPORARY.fullmatch, names):
            with contextlib.suppress(OSError):
                state = os.stat(self._at(name), dir_fd=self.handle, follow_symlinks=False)
                is_old = time.time() - state.st_mtime > _A_DAY
                if stat.S_ISREG(state.st_mode) and is_old and not _is_alive(int(name[-16:-8], 16)):
                    self.remove(name)

    def remove_folder(self, name: str) -> None:
        """Removes the folder if it is empty."""
        with contextlib.suppress(OSError):
            os.rmdir(self._at(name), dir_fd=self.handle)

    def _open(self, name: str, flags: int, mode: int = 0o666) -> int:
        return os.open(self._at(name), flags | _AS_IT_IS | _BINARY, mode, dir_fd=self.handle)

    def _at(self, name: str) -> str:
        if self.handle is not None:
            return name
        if real(self.path / name) != str(self.path / name):
            raise OSError(errno.ELOOP, "a link took its place", str(self.path / name))
        return str(self.path / name)

    def _take_over(self, name: str, state: os.stat_result) -> None:
        handle = self._open(name, os.O_RDWR)
        try:
            if hasattr(os, "fchown"):
                with contextlib.suppress(OSError):
                    os.fchown(handle, state.st_uid, state.st_gid)
            if os.chmod in os.supports_fd:
                os.chmod(handle, stat.S_IMODE(state.st_mode))  # noqa: PTH101
        finally:
            os.close(handle)

    def _flush(self) -> None:
        """Flushes the list of the folder's files to disk, on systems where folders have handles."""
        if self.handle is not None:
            with contextlib.suppress(OSError):
                os.fsync(self.handle)


def _is_alive(pid: int) -> bool:
    if os.name == "nt":  # on Windows, signal 0 would end the process; only the age counts
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # a process of another user
        return True
    return True


@contextlib.contextmanager
def opened(folder: Path, *, create: bool = False) -> Iterator[Folder]:
    """Opens the resolved path `folder`; `create` creates its last part if missing. Raises OSError, with ELOOP
    or ENOTDIR if a part was replaced by a link."""
    if not _HANDLES:
        yield Folder(_by_name(folder, create), None)
        return
    handle = os.open(folder.anchor, _PASSING)
    try:
        for part in folder.parts[1:-1]:
            handle = _step(handle, part, _PASSING)
        if create:
            with contextlib.suppress(FileExistsError):
                os.mkdir(folder.name, dir_fd=handle)
        handle = _step(handle, folder.name or ".", os.O_RDONLY)
        yield Folder(folder, handle)
    finally:
        os.close(handle)


def _step(handle: int, name: str, flags: int) -> int:
    below = os.open(name, flags | os.O_DIRECTORY | _AS_IT_IS, dir_fd=handle)
    os.close(handle)
    return below


def _by_name(folder: Path, create: bool) -> Path:
    if create:
        folder.mkdir(exist_ok=True)
    if real(folder) != str(folder):
        raise OSError(errno.ELOOP, "a link took its place", str(folder))
    return folder
