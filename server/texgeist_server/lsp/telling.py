"""How a job goes and how it ends, told to the user: progress, and one sentence on what went wrong."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from texgeist_latex.errors import LatexError

from ..errors import UNCHANGED, EditDeclined, ServerError, TaskFailed
from .mends import LOG, Mend, mends_of
from .messages import complain, say
from .progress import Progress, progress

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from .configuration import Configuration
    from .jobs import Job, Jobs
    from .status import Status

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Telling:
    server: LanguageServer
    configuration: Configuration
    jobs: Jobs
    status: Status

    @contextlib.asynccontextmanager
    async def of(
        self, job: Job, also: Callable[[str, int | None], None] | None = None
    ) -> AsyncIterator[Progress]:
        """A block of progress that passes on cancelling, and tells whatever else goes wrong in place of
        raising it. `also` hears every report too."""
        async with progress(self.server, self.configuration.client, self.jobs, job) as block:
            block.also = also
            try:
                yield block
            except asyncio.CancelledError as error:
                self._ended("")
                what = cancelled(error)
                say(self.server, f"{job.title}: {what[:1].lower()}{what[1:]}")
                raise
            except EditDeclined as error:
                block.word = "Discarded"
                self._ended("")
                say(self.server, error.sentence())
            except (ServerError, LatexError) as error:
                self._failed(block, error.sentence(), mends_of(error))
                if isinstance(error, TaskFailed) and error.kind.endswith("Unavailable"):
                    self.status.problem, self.status.offline = "", error.sentence()
            except Exception as error:
                log.exception("unexpected")
                self._failed(block, f"{type(error).__name__}: {error}. The log has the details.", (LOG,))
            else:
                self._ended("")

    def _failed(self, block: Progress, sentence: str, mends: tuple[Mend, ...]) -> None:
        block.word = "Failed"
        self._ended(sentence)
        complain(self.server, sentence, mends if self.configuration.client.buttons else ())

    def _ended(self, problem: str) -> None:
        self.status.problem, self.status.offline = problem, ""


def cancelled(error: asyncio.CancelledError) -> str:
    """What to say of it: where something had been changed by then, the error says what."""
    return str(error.args[0]) if error.args else f"cancelled, {UNCHANGED}"
