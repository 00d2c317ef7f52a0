"""One connection to an editor: its parts, put together. Features are given those that they need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from .clients import Client
from .configuration import Configuration
from .documents import Documents
from .jobs import Jobs
from .reader import Reader
from .saved_checks import SavedChecks
from .status import Status
from .tasks import Tasks

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Workspace
    from texgeist_retrieval.types import EvidenceRun, Query

    from ..config.settings import Settings
    from ..review.state import Review
    from ..sections.edit_request import Pending


@dataclass(frozen=True, slots=True)
class Session:
    """Touched on the event loop. `pending` is written and paid for, but not landed, and with `reviews` and
    `evidence` by root document."""

    server: LanguageServer
    configuration: Configuration
    documents: Documents
    reader: Reader
    tasks: Tasks
    jobs: Jobs
    status: Status
    checks: SavedChecks
    pending: dict[Path, Pending] = field(default_factory=dict)
    reviews: dict[Path, Review] = field(default_factory=dict)
    evidence: dict[Path, tuple[Query, EvidenceRun]] = field(default_factory=dict)  # gathered last, for what

    @property
    def client(self) -> Client:
        return self.configuration.client

    @property
    def settings(self) -> Settings:
        return self.configuration.settings

    def read_anew(self) -> None:
        """For other folders, another root, more trust."""
        self.reader.restart(self.documents.now)

    async def close(self) -> None:
        self.checks.end()
        await self.jobs.close()
        for review in self.reviews.values():
            review.close()
        await self.tasks.close()
        self.reader.close()


def create_session(server: LanguageServer) -> Session:
    configuration, status = Configuration(), Status()
    reader, tasks = Reader(lambda loaded: _workspace(configuration, loaded)), Tasks(configuration)
    return Session(
        server,
        configuration,
        Documents(),
        reader,
        tasks,
        Jobs(status.changed),
        status,
        SavedChecks(configuration, reader, tasks),
    )


def _workspace(configuration: Configuration, loaded: Callable[[], None]) -> Workspace:
    from texgeist_latex.reading.workspace import Workspace

    from ..config.user_file import own_bibliographies

    return Workspace(
        folders=configuration.folders,
        root=configuration.root_named(),
        programs=configuration.trusted,
        loaded=loaded,
        own=own_bibliographies(configuration.settings),
    )
