"""A folder that is held open while files in it are read, made and replaced.

Between looking at a path and writing to it, another program may put a link in its place. So the folder is
opened step by step along its real path, following no link, and everything after that is done through the
handle: what is written lands in the folder that was looked at, whatever its name means by then.
Where the system has no such handles (Windows), the path is resolved again just before each step.
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
_PASSING = getattr(os, "O_PATH", os.O_RDONLY) if _HANDLES else 0  # on the way no right to read is needed
_BINARY = getattr(os, "O_BINARY", 0)
JOURNAL = ".texgeist-journal-"
TEMPORARY = re.compile(r"\.texgeist-[0-9a-f]{16}")  # what `stage` calls a file that is to replace another
PAUSES = (0.02, 0.05, 0.1, 0.2, 0.4)  # seconds; an editor or a virus scanner reads a file for less


def _replace_patiently(source: str, target: str) -> None:
    """Windows replaces no file that another program has open just now; a moment later it does."""
    for pause in PAUSES:
        try:
            os.replace(source, target)  # noqa: PTH105
            return
        except PermissionError:
            time.sleep(pause)
    os.replace(source, target)  # noqa: PTH105


@dataclass(frozen=True, slots=True)
class Folder:
    """`path` is the real one. All names are of files in it; none is followed where it is a link."""

    path: Path
    handle: int | None

    def read(self, name: str, most: int = -1) -> bytes:
        """The file's bytes, the first `most` of them where that is given."""
        handle = self._open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise OSError(errno.EINVAL, "it is no regular file", str(self.path / name))
            return file.read(most)

    def content(self, name: str) -> bytes | None:
        """As `read`; returns None if there is no such file."""
        try:
            return self.read(name)
        except FileNotFoundError:
            return None

    def create(self, name: str, data: bytes, mode: int = 0o666) -> None:
        """A new file, on the disk when this returns. Raises FileExistsError, also for a link."""
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
        """The content to be of `name`, whole and on the disk under a name of its own, which is returned.
        It has the permissions and the owner of the file that it is to replace."""
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
        """Puts the one file in the place of the other; a link of that name is replaced, not followed."""
        here = self._at(temporary), self._at(name)
        if self.handle is None:
            _replace_patiently(*here)
        else:
            os.rename(*here, src_dir_fd=self.handle, dst_dir_fd=self.handle)
        self._flush()

    def put(self, name: str, data: bytes) -> None:
        """`data` in the place of what `name` holds, or under a new name: whole, or not at all."""
        temporary = self.stage(name, data)
        try:
            self.replace(temporary, name)
        finally:
            self.remove(temporary)

    def remove(self, name: str) -> None:
        with contextlib.suppress(OSError):
            os.unlink(self._at(name), dir_fd=self.handle)

    def waits(self) -> bool:
        """Whether a journal lies here: what it names may be wanted yet."""
        return any(name.startswith(JOURNAL) for name in self._names())

    def sweep(self, age: float) -> None:
        """Takes away what `stage` of a process that was killed left here more than `age` seconds ago."""
        for name in filter(TEMPORARY.fullmatch, self._names()):
            with contextlib.suppress(OSError):
                state = os.stat(self._at(name), dir_fd=self.handle, follow_symlinks=False)
                is_old = time.time() - state.st_mtime > age
                if stat.S_ISREG(state.st_mode) and is_old and not _is_alive(int(name[-16:-8], 16)):
                    self.remove(name)

    def _names(self) -> list[str]:
        return os.listdir(self.path if self.handle is None else self.handle)  # noqa: PTH208

    def remove_folder(self, name: str) -> None:
        """One that is empty; any other stays."""
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
        """The names themselves onto the disk; where folders have no handles there is no way to."""
        if self.handle is not None:
            with contextlib.suppress(OSError):
                os.fsync(self.handle)


def _is_alive(pid: int) -> bool:
    if os.name == "nt":  # there a signal of 0 would end it; its age must do
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # somebody else's
        return True
    return True


@contextlib.contextmanager
def opened(folder: Path, *, create: bool = False) -> Iterator[Folder]:
    """`folder`, a real path. `create` makes the last part of it where it is missing. Raises OSError, ELOOP or
    ENOTDIR where a link has come between."""
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
