"""What was asked for when a source is opened."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.paths import expanded
from texgeist_retrieval.sources.records import Attached, no_files

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

    from ...bibliography_checks.lookups import AbstractLookup
    from ...config.settings import Settings


@dataclass(frozen=True, slots=True)
class SourceRequest:
    """`text` names the source, without what says of which kind it is; `since` is an ISO date, "" for all;
    `abstracts` has those of entries that have none."""

    text: str
    settings: Settings
    since: str
    monitor: Monitor
    abstracts: AbstractLookup | None = None

    @property
    def path(self) -> Path:
        return expanded(self.text)

    @property
    def attached(self) -> Attached:
        """Which of the files that a source names count: none of a stranger's, and of one that lies in the
        user's own folders (or is named there) those inside these folders."""
        if not any(self.path.resolve().is_relative_to(folder) for folder in self._folders):
            return no_files
        return self.in_own_folders

    @property
    def in_own_folders(self) -> Attached:
        """Of the files that are named, those inside the user's own folders."""
        from texgeist_retrieval.fulltext.attached import lies_within

        folders = self._folders
        return lambda named: tuple(
            name for name in named if isinstance(name, str) and lies_within(Path(name), folders)
        )

    @property
    def _folders(self) -> list[Path]:
        return [expanded(folder).resolve() for folder in self.settings.papers.folders]


def id_of(path: Path) -> str:
    """Of a text that names no id: its place on this machine, so that what changes in it replaces what was there."""
    return f"file:{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
