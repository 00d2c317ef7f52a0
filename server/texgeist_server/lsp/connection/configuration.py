"""Settings, keys, workspace trust and folders, from the editor and its user."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...config.credentials import Keys, keys_from_environment
from .clients import Client

if TYPE_CHECKING:
    from ...config.settings import Settings


class Configuration:
    """The settings, keys, trust and folders of a session. They are written on the event loop and read in any
    thread, so values are replaced, never changed. Settings are loaded under a lock at first use, so that
    `initialize` does not wait for pydantic."""

    def __init__(self) -> None:
        self.client = Client()
        self.folders: tuple[Path, ...] = ()
        self.trusted = True
        self.keys: Keys = keys_from_environment()
        self.given: Mapping[str, Any] = {}  # the user's settings, sent by the editor at the start
        self._pulled: Mapping[str, Any] = {}  # settings sent later, or in answer to our request
        self._settings: Settings | None = None
        self._lock = threading.Lock()
        self._problems: list[str] = []  # messages not yet shown
        self._told: set[str] = set()

    @property
    def settings(self) -> Settings:
        with self._lock:
            if self._settings is None:
                self._settings = self._load()
            return self._settings

    async def loaded(self) -> Settings:
        """Loads the settings without blocking the event loop while pydantic is imported."""
        known = self._settings
        return known if known is not None else await asyncio.to_thread(lambda: self.settings)

    def change(self, pulled: Mapping[str, Any]) -> bool:
        """Stores the editor's current settings. Returns whether the project must be read again. Must not be
        called on the event loop, which it would block."""
        with self._lock:
            before = self._settings
            self._pulled = dict(pulled)
            self._settings = self._load()
            return before is not None and _read_by(before) != _read_by(self._settings)

    def new_problems(self) -> list[str]:
        """Messages on refused values; each is returned once."""
        with self._lock:
            new = [problem for problem in dict.fromkeys(self._problems) if problem not in self._told]
            self._told.update(new)
            self._problems = []
            return new

    def root_named(self) -> Path | None:
        """The root document that the settings name; None if they name none."""
        named = self.settings.project.root
        return Path(os.path.normpath(self.folders[0] / named)) if named and self.folders else None

    def folder_of(self, path: Path) -> Path | None:
        """The innermost workspace folder that contains `path`."""
        inside = [folder for folder in self.folders if path.is_relative_to(folder)]
        return max(inside, key=lambda folder: len(folder.parts), default=None)

    def project_of(self, path: Path) -> Path:
        """The folder of the project, in which only one job runs at a time: the workspace folder that contains
        `path`, else the folder of `path`."""
        return self.folder_of(path) or path.parent

    def _load(self) -> Settings:
        from ...config import user_file

        user, workspace = dict(self.given), dict(self._pulled)
        if self.client.scoped_settings:
            user, workspace = {**user, **workspace}, {}
        settings, problems = user_file.load(user, workspace)
        self._problems += problems
        return settings


def _read_by(settings: Settings) -> tuple[object, ...]:
    """The settings on which the reading of a project depends."""
    return settings.project.root, settings.papers.bibliographies
