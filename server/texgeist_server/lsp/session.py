"""The parts of a connection to an editor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .connection.configuration import Configuration
from .connection.documents import Documents
from .connection.editor import Editor
from .connection.reader import Reader
from .jobs.jobs import Jobs, Tasks
from .jobs.saved_checks import SavedChecks
from .jobs.writing import Writing

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Session:
    """Used only on the event loop and only by `server`, which gives each feature the parts that it needs."""

    editor: Editor
    tasks: Tasks
    jobs: Jobs
    checks: SavedChecks
    writing: Writing

    async def close(self) -> None:
        self.checks.end()
        await self.jobs.close()
        self.writing.close()
        await self.tasks.close()
        self.editor.reader.close()


def create_session(server: LanguageServer) -> Session:
    configuration = Configuration()
    reader = Reader(lambda loaded: _workspace(configuration, loaded))
    editor, tasks = Editor(server, configuration, Documents(), reader), Tasks(configuration)
    jobs = Jobs(editor)
    writing = Writing(editor, tasks, jobs)
    return Session(editor, tasks, jobs, SavedChecks(editor, tasks), writing)


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
