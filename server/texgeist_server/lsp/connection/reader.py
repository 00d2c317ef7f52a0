"""The thread that reads projects; only this thread uses the reading model.

Callers send functions, which run in the order of sending. So the event loop is not blocked, and each function
sees exactly the document changes that came before it. Functions return values, never the model, which raises
`WrongThread` in other threads (`Workspace`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from texgeist_latex.errors import Unreadable

if TYPE_CHECKING:
    from texgeist_latex.reading.workspace import Workspace
    from texgeist_latex.types import Draft, SourceFile

    from .documents import Document, Opened

log = logging.getLogger(__name__)
T = TypeVar("T")
_ROUNDS = 20  # files that kpsewhich finds may name further files
LARGEST_BUFFER = 20_000_000  # code points of a bibliography; parsing 59 MB delayed a hover by 18 s
_PAUSE = 0.05  # seconds between checks for the end of background loading


class Reader:
    """Runs functions on the reading thread, where `make` creates the model at first use. `make` gets a
    function that the model calls, from any thread, when a file was loaded in the background; this function
    calls `loaded`."""

    def __init__(self, make: Callable[[Callable[[], None]], Workspace]) -> None:
        self.loaded: Callable[[], None] = lambda: None
        self._make = make
        self._thread = ThreadPoolExecutor(1, "texgeist-reader")
        self._workspace: Workspace | None = None  # used only on the reading thread
        self._from_disk: set[Path] = set()  # open bibliographies too large to be read from their buffers

    async def read(self, function: Callable[[Workspace], T]) -> T:
        """Runs `function` on the reading thread and returns its result, which must be immutable or not shared
        with the model."""
        loop = asyncio.get_running_loop()

        def look() -> T:
            with self._model().one_look() as workspace:
                return function(workspace)

        return await loop.run_in_executor(self._thread, look)

    def post(self, function: Callable[[Workspace], object]) -> None:
        """Like `read`, but does not wait. Failures are logged."""
        self._submit(lambda: function(self._model()))

    async def draft(self, path: Path) -> Draft:
        """Reads the complete project of `path`, with the text of open buffers instead of files. Use it before
        editing the project or searching with its text. Raises NoRoot, OutOfBounds and Unreadable."""
        await self.read(lambda workspace: workspace.look_again())
        return await self._whole(lambda workspace: workspace.draft(path), path)

    async def sharing(self, draft: Draft, key: str | None) -> list[Draft]:
        """The other documents that use the entry `key` of `draft` (None: any entry), read completely."""
        return await self._whole(lambda workspace: workspace.sharing(draft, key), draft.root)

    async def loose(self, draft: Draft, key: str) -> list[SourceFile]:
        """The files that no document includes and that may contain the key."""
        return await self._whole(lambda workspace: workspace.loose(draft, key), draft.root)

    async def _whole(self, function: Callable[[Workspace], T], path: Path) -> T:
        """Like `read`, but repeats until no file is being loaded in the background."""
        for _ in range(_ROUNDS):
            found, whole = await self.read(lambda workspace: (function(workspace), workspace.is_settled))
            if whole:
                return found
            while not await self.read(lambda workspace: workspace.is_settled):
                await asyncio.sleep(_PAUSE)
        raise Unreadable(f"The project of {path.name} is still being read.", "Try again in a moment.")

    def open(self, document: Document) -> None:
        if _is_read_from_disk(document):
            self._from_disk.add(document.path)
        else:
            self.post(lambda workspace: workspace.open(document.path, document.text))

    def change(self, document: Document) -> None:
        if not _is_read_from_disk(document):
            self._from_disk.discard(document.path)
            self.post(lambda workspace: workspace.change(document.path, document.text))
        elif document.path not in self._from_disk:  # the buffer has grown past the limit
            self.close_document(document.path)
            self._from_disk.add(document.path)

    def close_document(self, path: Path) -> None:
        self._from_disk.discard(path)
        self.post(lambda workspace: workspace.close(path))

    def restart(self, documents: Opened) -> None:
        """Discards the model, because folders, settings or trust have changed, and opens these documents in a
        new model."""

        def stop() -> None:
            if self._workspace:
                self._workspace.stop()
            self._workspace = None

        self._submit(stop)
        for document in documents.values():
            self.open(document)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _submit(self, function: Callable[[], object]) -> None:
        def run() -> None:
            try:
                function()
            except Exception:
                log.exception("reading failed")

        self._thread.submit(run)

    def _model(self) -> Workspace:
        if self._workspace is None:
            self._workspace = self._make(lambda: self.loaded())
        return self._workspace


def _is_read_from_disk(document: Document) -> bool:
    """Whether the file on disk is read, in the background, instead of the buffer: true for a very large
    bibliography. While file and buffer differ, texgeist's edits of this file are refused."""
    return len(document.text) > LARGEST_BUFFER and document.path.suffix.lower() == ".bib"
