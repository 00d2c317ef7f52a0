"""What one connection to an editor holds: documents, settings, keys, the worker and the jobs."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from ..config.credentials import Keys, keys_from_environment
from ..errors import Untrusted
from ..worker.client import Worker
from .abstracts import Abstracts
from .clients import Client
from .documents import Documents
from .jobs import Jobs

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Workspace
    from texgeist_latex.types import Draft

    from ..config.settings import Settings
    from ..review.state import Review
    from .applying import Pending

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")


class Published:
    """Which documents have diagnostics, and when they are due again."""

    def __init__(self) -> None:
        self.timer: asyncio.TimerHandle | None = None
        self.uris: set[str] = set()


class Session:
    """Mutable, and touched from the event loop alone, but for what runs by `read`."""

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.loop: asyncio.AbstractEventLoop | None = None
        self.client = Client()
        self.documents = Documents()
        self.keys: Keys = keys_from_environment()
        self.trusted = True
        self.closed = False
        self.folders: list[Path] = []
        self.given: dict[str, Any] = {}  # settings that the user's editor sent at the start
        self.pulled: dict[str, Any] = {}  # settings that it sent later, or was asked for
        self.worker = Worker()
        self.pending: dict[Path, Pending] = {}  # written and paid for, but not landed, by root document
        self.setting_problems: list[str] = []  # sentences not yet shown
        self.problem = ""  # what went wrong last, in words
        self.offline = ""  # what could not be reached last, in words
        self.published = Published()
        self.abstracts = Abstracts()
        self.reviews: dict[Path, Review] = {}  # by root document
        self._reader = ThreadPoolExecutor(1, "texgeist-reader")
        self._settings: Settings | None = None
        self._workspace: Workspace | None = None
        self._told: set[str] = set()
        self._status_due: asyncio.TimerHandle | None = None
        self.jobs = Jobs(self.status_changed)
        self.landed: Callable[[], None] = lambda: None
        self.on_loaded: Callable[[], None] = lambda: None  # on another thread
        self.on_status: Callable[[], None] = lambda: None

    def soon(self, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """Calls `function` on the event loop, from any thread."""
        if self.loop and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(lambda: function(*args, **kwargs))

    async def read(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Runs `function` on the one reading thread, in order: the loop stays free, and the reading model
        is touched by one thread only."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reader, lambda: function(*args, **kwargs))

    def post(self, function: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        """As `read`, for those who need not wait."""

        def run() -> None:
            try:
                function(*args, **kwargs)
            except Exception:
                log.exception("reading failed")

        self._reader.submit(run)

    @property
    def workspace(self) -> Workspace:
        """The reading model; on the reading thread only."""
        if self._workspace is None:
            from texgeist_latex.reading.workspace import Workspace

            self._workspace = Workspace(
                folders=self.folders,
                root=self.root_named(),
                programs=self.trusted,
                loaded=self.on_loaded,
            )
        return self._workspace

    @property
    def settings(self) -> Settings:
        """Read at first use, since pydantic is not needed for `initialized`."""
        if self._settings is None:
            self._settings = self._load_settings()
        return self._settings

    def settings_changed(self, pulled: Mapping[str, Any]) -> None:
        """The settings are read again when next wanted, and the reading model is made for them."""
        root = self._settings and self._settings.project.root
        self.pulled = dict(pulled)
        self._settings = None
        if self._workspace and root != self.settings.project.root:
            self.read_anew()

    def read_anew(self) -> None:
        """Starts a new reading model: another root, or more trust."""
        documents = self.documents.all()

        def start() -> None:
            if self._workspace:
                self._workspace.stop()
            self._workspace = None
            for document in documents:
                self.workspace.open(document.path, document.text)

        self.post(start)

    def root_named(self) -> Path | None:
        """The root document that the settings name."""
        named = self.settings.project.root
        return Path(os.path.normpath(self.folders[0] / named)) if named and self.folders else None

    def _root_for(self, path: Path) -> Path | None:
        """The root document that the settings name for a file: none for one of another workspace folder, or
        of none. One outside of all folders is handed on, and refused by the reading."""
        named, folder = self.root_named(), self.folder_of(path)
        if named is None or folder is None:
            return None
        return named if self.folder_of(named) in (folder, None) else None

    def draft(self, path: Path) -> Draft:
        """The project of `path` as it is now, open buffers first. For any thread."""
        from texgeist_latex.reading.project import read_draft

        from ..config.user_file import own_bibliographies

        return read_draft(
            path,
            overlay=self.documents.texts(),
            root=self._root_for(path),
            workspace=self.folder_of(path),
            programs=self.trusted,
            own=own_bibliographies(self.settings),
        )

    def folder_of(self, path: Path) -> Path | None:
        """The innermost workspace folder that `path` lies in."""
        inside = [folder for folder in self.folders if path.is_relative_to(folder)]
        return max(inside, key=lambda folder: len(folder.parts), default=None)

    def project_of(self, path: Path) -> Path:
        """What may have one job at a time: the workspace folder, else the file's own."""
        return self.folder_of(path) or path.parent

    async def work(self, task: str, given: dict[str, Any], report: Callable[..., None]) -> dict[str, Any]:
        """A task of the worker, with the settings and keys as they are now. Raises `Untrusted`."""
        if not self.trusted:
            raise Untrusted
        from dataclasses import asdict

        settings = await self.read(lambda: self.settings.model_dump(mode="json"))
        return await self.worker.do(task, {**given, "settings": settings, "keys": asdict(self.keys)}, report)

    def status_changed(self) -> None:
        """Tells the editor, at most every 50 ms."""
        if self._status_due is None:
            loop = asyncio.get_running_loop()
            self._status_due = loop.call_later(0.05, self._tell_status)

    def tell_once(self, sentence: str) -> bool:
        """True the first time for one sentence."""
        new = sentence not in self._told
        self._told.add(sentence)
        return new

    async def close(self) -> None:
        if self.published.timer:
            self.published.timer.cancel()
        self.closed = True
        await self.jobs.close()
        for review in self.reviews.values():
            review.close()
        await self.worker.close()
        self._reader.shutdown(wait=False, cancel_futures=True)

    def _tell_status(self) -> None:
        self._status_due = None
        self.on_status()

    def _load_settings(self) -> Settings:
        from ..config import user_file

        user, workspace = self.given, self.pulled
        if self.client.scoped_settings:
            user, workspace = {**self.given, **self.pulled}, {}
        settings, problems = user_file.load(user, workspace)
        self.setting_problems = [problem for problem in problems if self.tell_once(problem)]
        return settings
