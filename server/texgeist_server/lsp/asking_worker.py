"""What the jobs ask of the worker, and what must be there first: the model, a library, evidence."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.types import EvidenceRun, Query, Result

from ..errors import TaskFailed
from . import first_library
from .messages import ask_user

if TYPE_CHECKING:
    from texgeist_latex.types import Draft

    from ..sections.edit_request import EditRequest
    from .progress import Progress
    from .writing import Writing

SYNCING = "syncing the index"  # the title of that job
FETCH = "Fetch the model (440 MB)"


async def written(
    writing: Writing, draft: Draft, edit_request: EditRequest, query: Query, block: Progress
) -> Result:
    """What the worker writes for it; a library that is missing is filled first."""
    if edit_request.result is not None:
        return edit_request.result
    task, given = edit_request.task(query)
    if edit_request.recipe == "draft_section":
        run = edit_request.run or await gathered(writing, query)
        given = {**given, "run": to_plain(run)} if run is not None else given
    try:
        return from_plain(Result, await with_model(writing, task, given, block))
    except TaskFailed as error:
        if not first_library.is_missing(error, writing.editor):
            raise
    await first_library.fill(writing.editor, writing.tasks, draft, block)
    await writing.telling.jobs.ended(SYNCING)
    return from_plain(Result, await with_model(writing, task, given, block))


async def gathered(writing: Writing, query: Query) -> EvidenceRun | None:
    """What was gathered for this query; None for what ended by a failure, or was asked of another index or model."""
    runs = [one for one in writing.evidence.values() if one.query == query and not one.run.failed]
    sources = await sources_now(writing) if runs else ()
    return next((one.run for one in runs if one.sources == sources), None)


async def sources_now(writing: Writing) -> tuple[str, ...]:
    """Where evidence would be gathered by the settings of now."""
    from ..sections.section_runs import sources_of

    configuration = writing.editor.configuration
    settings = await configuration.loaded()
    return await asyncio.to_thread(sources_of, settings, configuration.keys)


async def with_model(writing: Writing, task: str, given: dict[str, Any], block: Progress) -> dict[str, Any]:
    """A task that needs the embedding model, which is fetched first where it is missing and the user
    agrees."""
    try:
        return await writing.tasks.do(task, given, block.report)
    except TaskFailed as error:
        if error.kind != "ModelMissing":
            raise
        picked = await ask_user(writing.editor.server, f"texgeist: {error.sentence()}", [FETCH, "Not now"])
        if picked != FETCH:
            raise
    await writing.tasks.do("fetch_model", {}, block.report)
    return await writing.tasks.do(task, given, block.report)
