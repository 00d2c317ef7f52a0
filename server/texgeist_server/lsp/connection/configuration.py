"""Settings, keys, trust and folders, as the editor and its user gave them."""

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
    """Set on the event loop, read in any thread: every value is replaced, never changed. Settings are made under a
    lock at their first use, so that `initialize` does not wait for pydantic."""

    def __init__(self) -> None:
        self.client = Client()
        self.folders: tuple[Path, ...] = ()
        self.trusted = True
        self.keys: Keys = keys_from_environment()
        self.given: Mapping[str, Any] = {}  # settings that the user's editor sent at the start
        self._pulled: Mapping[str, Any] = {}  # settings that it sent later, or was asked for
        self._settings: Settings | None = None
        self._lock = threading.Lock()
        self._problems: list[str] = []  # sentences not yet shown
        self._told: set[str] = set()

    @property
    def settings(self) -> Settings:
        with self._lock:
            if self._settings is None:
                self._settings = self._load()
            return self._settings

    async def loaded(self) -> Settings:
        """The settings, without the event loop waiting for pydantic."""
        known = self._settings
        return known if known is not None else await asyncio.to_thread(lambda: self.settings)

    def change(self, pulled: Mapping[str, Any]) -> bool:
        """Takes the editor's current settings; returns whether the project must be read again. Not on the event loop."""
        with self._lock:
            before = self._settings
            self._pulled = dict(pulled)
            self._settings = self._load()
            return before is not None and _read_by(before) != _read_by(self._settings)

    def new_problems(self) -> list[str]:
        """A sentence for each value that was refused, each returned once."""
        with self._lock:
            new = [problem for problem in dict.fromkeys(self._problems) if problem not in self._told]
            self._told.update(new)
            self._problems = []
            return new

    def root_named(self) -> Path | None:
        """The root document that the settings name."""
        named = self.settings.project.root
        return Path(os.path.normpath(self.folders[0] / named)) if named and self.folders else None

    def folder_of(self, path: Path) -> Path | None:
        """The innermost workspace folder that `path` lies in."""
        inside = [folder for folder in self.folders if path.is_relative_to(folder)]
        return max(inside, key=lambda folder: len(folder.parts), default=None)

    def project_of(self, path: Path) -> Path:
        """The folder that runs one job at a time: the workspace folder, else the file's own folder."""
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
