"""The review page without an editor: `python -m tests.server.standalone_review FILE.tex [--apply]`.

Prints the page's address on the first line and serves until it is ended. Text written from the page is
printed and, with `--apply`, inserted into the files.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft, EditPlan, Offer
from texgeist_retrieval.types import Result
from texgeist_server.config import user_file
from texgeist_server.config.credentials import Keys, keys_from_environment
from texgeist_server.config.settings import Settings
from texgeist_server.errors import EditRefused, ServerError
from texgeist_server.review.state import Report, Review, Stopped, Work
from texgeist_server.sections import recording
from texgeist_server.sections.edit_requests import RelatedWorkEdit
from texgeist_server.sections.queries import Source
from texgeist_server.sections.requests import A, Choice, Request
from texgeist_server.sections.runs import numbers_of
from texgeist_server.sections.safeguards import Writes, check_cites
from texgeist_server.worker.client import Worker


@dataclass
class Standalone:
    """The host of a review page without an editor."""

    file: Path
    settings: Settings
    landed: Callable[[Draft, EditPlan, Result], str]  # returns a message
    written_by: Writes = "nobody"
    keys: Keys = field(default_factory=keys_from_environment)
    worker: Worker = field(default_factory=Worker)
    jobs: list[asyncio.Task[None]] = field(default_factory=list)

    def start(self, title: str, work: Work, stopped: Stopped) -> str:
        async def job() -> None:
            try:
                await work(lambda *_: None)
            except asyncio.CancelledError:
                stopped("Cancelled, nothing was changed.", True)
                raise
            except (ServerError, LatexError) as error:
                stopped(error.sentence(), False)

        self.jobs.append(asyncio.get_running_loop().create_task(job()))
        return str(len(self.jobs))

    def write(
        self, request: RelatedWorkEdit, written: Callable[[str], Awaitable[None]], stopped: Stopped
    ) -> str:
        async def work(report: Report) -> None:
            before = await self.draft()
            prepared, result = request.prepare(before), request.instead
            if not isinstance(result, Result):
                result = await self.ask(result or prepared, report)
            draft = await self.draft()
            plan = request.plan(before, draft, result)
            check_cites(plan)
            await written(self.landed(draft, plan, result))

        return self.start(request.what, work, stopped)

    def take(self, section: str, offer: Offer, taken: Callable[[str], Awaitable[None]]) -> str:
        raise EditRefused("Only an editor takes a new sentence.", "Open the review from your editor.")

    def cancel(self) -> None:
        for job in self.jobs:
            job.cancel()

    async def draft(self) -> Draft:
        return await asyncio.to_thread(recording.draft_for, lambda: read_draft(self.file), self.written_by)

    async def ask(self, request: Request[A], report: Report) -> A:
        return await self.worker.do(request, self.settings, self.keys, report)

    def sends(self) -> str:
        return ""


async def open_review(host: Standalone, source: Source) -> Review:
    """Opens a review of the host's file and starts its search."""

    def asked() -> RelatedWorkEdit:
        return RelatedWorkEdit(
            path=host.file, source=source, settings=host.settings, written_by=host.written_by
        )

    loop, choice = asyncio.get_running_loop(), Choice(numbers_of(host.settings))
    review = Review(loop, host, asked, await host.draft(), choice)
    await review.look_for_offers()
    review.search()
    return review


async def _run(options: argparse.Namespace) -> None:
    def landed(draft: Draft, plan: EditPlan, result: Result) -> str:
        sys.stdout.write(plan.latex + "\n" + plan.entries + "\n")
        sys.stdout.flush()
        if not options.apply:
            return f"{len(plan.keys)} papers cited; nothing was touched."
        recording.write(draft, plan, result)
        return f"{len(plan.keys)} papers cited, written into {draft.root.name}."

    settings, _ = user_file.load({})
    host = Standalone(options.file, settings, landed, "us" if options.apply else "nobody")
    review = await open_review(host, options.source)
    sys.stdout.write(review.serve() + "\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.server.standalone_review")
    parser.add_argument("file", type=Path)
    parser.add_argument("--from", dest="source", choices=("abstract", "draft"), default="abstract")
    parser.add_argument("--apply", action="store_true")
    asyncio.run(_run(parser.parse_args()))


if __name__ == "__main__":
    main()
