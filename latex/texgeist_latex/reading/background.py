"""Loads big bibliographies in the background, so that the editor does not wait."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ..bib.index import BibIndex
from ..bib.library import Library
from .files import FileStore, Parsed

_INTERVAL = sys.getswitchinterval()
BIG_BIBLIOGRAPHY = 3_000_000  # bytes; bigger files load in the background


@contextlib.contextmanager
def _beside_others() -> Iterator[None]:
    """A context for long work in pure Python on a background thread.

    The main thread releases the interpreter lock at every file access and gets it back only after the switch
    interval: 5 ms for each access, or 0.1 s for a project of 40 files. A million new objects, none of them in
    a cycle, would also trigger several full garbage collections of 0.1 s each. Measured with 72,000 entries
    (`benchmarks.keystrokes --entries 72000`): a change takes 50 ms instead of 140 to 380 (p95).
    """
    collecting = gc.isenabled()
    sys.setswitchinterval(0.0005)
    gc.disable()
    try:
        yield
    finally:
        sys.setswitchinterval(_INTERVAL)
        if collecting:
            gc.freeze()
            gc.enable()


class BackgroundStore(FileStore):
    """Loads big bibliographies on another thread. While a file is being loaded, its path is in `pending`."""

    def __init__(self, loaded: Callable[[], None]) -> None:
        super().__init__()
        self._loaded = loaded
        self._thread: ThreadPoolExecutor | None = None

    def bibliography(self, path: Path) -> BibIndex | None:
        known = self._disk.get(path)
        try:
            big = not self.is_open(path) and path.stat().st_size > BIG_BIBLIOGRAPHY
        except OSError:
            big = False
        if not big or (known is not None and _is_done(known[1]) and self.read(path) is known[1]):
            return super().bibliography(path)
        if path not in self.pending:
            self.pending.add(path)
            self._thread = self._thread or ThreadPoolExecutor(1, "texgeist-bibliography")
            self._thread.submit(self._load_big, path)
        return None

    def _load_big(self, path: Path) -> None:
        try:
            with _beside_others():
                index = super().bibliography(path)
                if index is not None:
                    index.prepare()
                    self.loaded_library = Library([index])
                    _ = (self.loaded_library.by_key, self.loaded_library.problems)
        finally:
            self.pending.discard(path)
            self._loaded()

    def stop(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)


def _is_done(parsed: Parsed | None) -> bool:
    """Whether the file has been parsed or cannot be read."""
    return parsed is None or "bibliography" in parsed.__dict__
