"""The review page without an editor: `python -m texgeist_server.review FILE.tex [--index …] [--apply]`.

Prints the page's address on the first line and serves until it is ended; what is written from the page is
printed, and with `--apply` goes into the files."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine
from dataclasses import asdict
from pathlib import Path
from typing import Any

from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.writing.edits import plan_related_work
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.types import Result

from ..config import user_file
from ..config.credentials import keys_from_environment
from ..errors import ServerError, TaskFailed
from ..sections import provenance, recording
from ..sections.in_latex import references_of, section_of
from ..sections.offers import standing
from ..sections.queries import Source, section_query
from ..worker.client import Worker
from .state import Review


async def serve(
    file: Path, source: Source, given: dict[str, Any], landed: Callable[[Result], str]
) -> tuple[Review, asyncio.Task[None]]:
    """A review of `file`, being searched, and the task that ends with the search. `given` are settings;
    `landed` takes what is written and says what became of it."""
    settings, _ = user_file.load(given)
    draft = read_draft(file)
    worker, numbers = Worker(), settings.related_work
    common = {"settings": settings.model_dump(mode="json"), "keys": asdict(keys_from_environment())}
    running: list[asyncio.Task[None]] = []

    def report(message: str, done: int | None = None, total: int | None = None) -> None:
        share = round(100 * done / total) if total and done is not None else None
        review.move(message=message, progress=share)

    async def do(task: str, what: dict[str, Any]) -> dict[str, Any]:
        return await worker.do(task, {**what, **common}, report)

    async def write_chosen() -> None:
        chosen = {"search": review.search, "wanted": review.wanted}
        try:
            said = landed(from_plain(Result, await do("write_chosen", chosen)))
            review.move(stage="written", message=said, progress=None)
        except asyncio.CancelledError:
            review.move(stage="ready", message="Cancelled, nothing was changed.", progress=None)
            raise
        except (ServerError, TaskFailed) as error:
            review.move(stage="failed", message=error.sentence(), progress=None)

    async def read_chosen() -> None:
        chosen = {"search": review.search, "wanted": review.wanted}
        try:
            result = from_plain(Result, await do("write_chosen", chosen))
            review.shown(plan_related_work(draft, section_of(result), references_of(result)).latex, result)
        except (ServerError, LatexError) as error:
            review.move(stage="failed", message=error.sentence(), progress=None)

    def start(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        running.append(asyncio.get_running_loop().create_task(work))
        return running[-1]

    def write() -> str:
        start(write_chosen())
        return str(len(running))

    def read() -> str:
        start(read_chosen())
        return str(len(running))

    def cancel() -> None:
        for task in running:
            task.cancel()

    review = Review(
        loop=asyncio.get_running_loop(),
        title=draft.title,
        file=draft.root,
        sends=str,
        wanted={
            "breadth": None if numbers.breadth == "auto" else numbers.breadth,
            "depth": numbers.depth,
            "diversity": numbers.diversity,
            "pinned": [],
            "excluded": [],
        },
        do=do,
        look=lambda: start(search()),
        write=write,
        read=read,
        cancel=cancel,
        offers=[
            {"section": id, "stands": offer.stands, "new": offer.new}
            for id, offer in standing(provenance.read(draft.root), draft.sources.values())
        ],
    )

    async def search() -> None:
        query = to_plain(section_query(draft, source))
        try:
            review.found(await do("hold", {"query": query, "first": review.first, "wanted": review.wanted}))
        except ServerError as error:
            review.move(stage="failed", message=error.sentence(), progress=None)

    return review, start(search())


async def _run(options: argparse.Namespace) -> None:
    def landed(result: Result) -> str:
        draft = recording.draft_for(lambda: read_draft(options.file), "us" if options.apply else "nobody")
        plan = plan_related_work(draft, section_of(result), references_of(result))
        sys.stdout.write(plan.latex + "\n" + plan.entries + "\n")
        sys.stdout.flush()
        if not options.apply:
            return f"{len(plan.keys)} papers cited; nothing was touched."
        recording.write(draft, plan, result)
        return f"{len(plan.keys)} papers cited, written into {draft.root.name}."

    given = {"index": {"location": options.index}} if options.index else {}
    review, _ = await serve(options.file, options.source, given, landed)
    sys.stdout.write(review.serve() + "\n")
    sys.stdout.flush()
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m texgeist_server.review")
    parser.add_argument("file", type=Path)
    parser.add_argument("--from", dest="source", choices=("abstract", "draft"), default="abstract")
    parser.add_argument("--index", default="")
    parser.add_argument("--apply", action="store_true")
    asyncio.run(_run(parser.parse_args()))


if __name__ == "__main__":
    main()
