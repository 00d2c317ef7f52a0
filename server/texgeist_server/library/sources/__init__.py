"""Sources of papers, one module for each kind, and the request with which a source is opened."""

from __future__ import annotations

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
    """The arguments for opening a source. `text`: the source without its prefix; `since`: an ISO date, "" for
    everything; `abstracts`: the lookup for missing abstracts."""

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
        """The filter for files that a source names. For sources in the user's folders it accepts files in
        these folders; for other sources it accepts none."""
        if not any(self.path.resolve().is_relative_to(folder) for folder in self._folders):
            return no_files
        return self.in_own_folders

    @property
    def in_own_folders(self) -> Attached:
        """A filter that accepts files in the user's folders."""
        from texgeist_retrieval.fulltext.local import lies_within

        folders = self._folders
        return lambda named: tuple(
            name for name in named if isinstance(name, str) and lies_within(Path(name), folders)
        )

    @property
    def _folders(self) -> list[Path]:
        return [expanded(folder).resolve() for folder in self.settings.papers.folders]
