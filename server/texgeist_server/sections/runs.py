"""The recipes over the line of steps with the adapters that the settings ask for: a `Query` in, a `Result`
out. Runs in the worker process, or in a command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..adapters import (
    asks_arxiv,
    build_model,
    build_services,
    expander_for,
    has_full_texts,
    model_writer,
    strands_for,
)
from ..config.credentials import Keys
from ..index_places import index_place
from .previews import nothing_sent, shown, writer_without_key
from .queries import question_query

if TYPE_CHECKING:
    from texgeist_retrieval.costs import Estimate
    from texgeist_retrieval.ports import LanguageModel, Monitor
    from texgeist_retrieval.services import Options, Services
    from texgeist_retrieval.types import Candidate, EvidenceRun, Query, Result

    from ..config.settings import Settings


@dataclass(frozen=True, slots=True)
class Request:
    """What to run and with what, beyond the settings. `options` overrides fields of `relatedWork`."""

    recipe: str  # related_work, answer, find_citations, offer_citations, draft_section
    query: Query
    index: str | None = None
    writer: str = "auto"
    options: dict[str, Any] = field(default_factory=dict)
    gathered: EvidenceRun | None = None  # for draft_section: evidence that need not be gathered again
    abstracts: bool = False  # for an answer: from abstracts, though the index has passages of full papers
    fall_back: bool = False  # if the model fails, the extractive writer writes


def run(request: Request, settings: Settings, keys: Keys, monitor: Monitor) -> Result:
    """Raises the `RetrievalError`s."""
    monitor.report("Starting")
    settings = overridden(settings, request.options)
    if _from_passages(request, settings, keys):
        from .section_runs import draft

        result = draft(
            request.query, settings, keys, monitor, request.index, request.writer, request.gathered
        )
        return replace(result, index=named(result.index))
    services = build_services(
        settings, keys, index=request.index, writer=request.writer, fall_back=request.fall_back
    )
    try:
        options = options_of(settings, {}, request.index)
        result = _run(request, services, options, monitor)
        return replace(result, index=named(result.index))
    finally:
        services.index.close()


def _from_passages(request: Request, settings: Settings, keys: Keys) -> bool:
    """Whether what is written stands on passages of full papers: an answer does, where the index has some."""
    if request.recipe != "answer" or request.abstracts:
        return request.recipe == "draft_section"
    from ..passage_library import has_passages

    return has_passages(settings, index_place(settings, keys, request.index))


def overridden(settings: Settings, options: dict[str, Any]) -> Settings:
    """The settings with these values of `relatedWork` instead: a writer's instructions come from there."""
    chosen = settings.related_work.model_copy(update=options)
    return settings.model_copy(update={"related_work": chosen})


def preview(request: Request, settings: Settings, keys: Keys, monitor: Monitor) -> dict[str, Any]:
    """The exact text that would leave this machine: `{text, summary, sends, estimate}`; nothing is sent.

    With an index on another machine that is the text whose vector would go there; what a model would be
    sent afterwards cannot be known, only about how much. No key is needed."""
    settings = overridden(settings, request.options)
    if _from_passages(request, settings, keys):
        from . import section_runs

        return section_runs.preview(request.query, settings, keys, monitor, request.index, request.writer)
    place = index_place(settings, keys, request.index)
    name, keys = writer_without_key(settings, keys, request.writer)
    if place.remote:
        text = "\n\n".join(part.text for part in request.query.parts)
        summary = f"Vectors of this text (768 numbers each) would go to {place.location}, not its words."
        guess = _guessed(request, settings, keys, name)
        more = (
            f" Then {name} would be sent passages of the papers found: {guess.sentence()}." if guess else ""
        )
        if asked := _asked_first(request, settings, build_model(settings, keys, name)):
            text = f"{asked}\n\n{text}"
            summary = f"{name} would be asked what your draft stands on and would cite. {summary}"
            more = f" It would be shown the titles that are found, to choose among them.{more}"
        return shown(text, summary + more, estimate=guess)
    if name == "extractive":
        return nothing_sent()
    from texgeist_retrieval.fulltext import NoSource
    from texgeist_retrieval.pipeline import choose, gather

    services = build_services(settings, keys, index=request.index, writer=request.writer)
    quiet, unread = replace(services, expander=None, strands=None, picker=None), ""
    if asks_arxiv(settings, place.remote):
        quiet = replace(quiet, source=NoSource("This is a dry run."))
        unread = " Pages that would be fetched from arXiv come on top."
    options = options_of(settings, {}, request.index)
    try:
        gathered = gather(request.query, quiet, options, monitor)
        selected = choose(gathered, options).selected
    finally:
        services.index.close()
    writer = services.writer
    text, taken = writer.preview(request.query, selected), writer.estimate(request.query, selected)
    if asked := _asked_first(request, settings, services.model):
        text = f"{asked}\n\n{text}"
        unread += (
            " Its answer may lead to other papers than those shown here; their titles would be sent as well."
        )
    much = f": {taken.sentence()}" if taken else ""
    return shown(text, f"This text would go to {writer.name}{much}.{unread}", estimate=taken)


def _asked_first(request: Request, settings: Settings, model: LanguageModel | None) -> str:
    """What the model would be sent before the search, "" for nothing."""
    finder = strands_for(settings, model) if request.recipe == "related_work" else None
    asked = (one.preview(request.query) for one in (finder, expander_for(settings, model)) if one)
    return "\n\n".join(filter(None, asked))


def _guessed(request: Request, settings: Settings, keys: Keys, name: str) -> Estimate | None:
    """What the model would take for papers that are not known yet, as long as papers are."""
    from texgeist_retrieval.pipeline.numbers import LIKELY
    from texgeist_retrieval.writing.model.estimates import typical

    model = build_model(settings, keys, name)
    if model is None:
        return None
    options = options_of(settings, {}, request.index)
    papers = typical(options.breadth or LIKELY, options.depth if options.full_text else 0)
    return model_writer(settings, model).estimate(request.query, papers)


def _run(request: Request, services: Services, options: Options, monitor: Monitor) -> Result:
    from texgeist_retrieval import pipeline

    recipes: dict[str, Callable[..., Result]] = {
        "related_work": pipeline.related_work,
        "answer": pipeline.answer,
        "find_citations": pipeline.find_citations,
        "offer_citations": pipeline.offer_citations,
    }
    return recipes[request.recipe](request.query, services, options, monitor)


def search(
    text: str, top: int, settings: Settings, keys: Keys, monitor: Monitor, index: str | None = None
) -> list[Candidate]:
    """The papers nearest to `text`, best first."""
    from texgeist_retrieval import pipeline

    services = build_services(settings, keys, index=index, writer="extractive")
    try:
        query = question_query(text, "the words given")
        options = options_of(settings, {})
        return pipeline.search(query, services, top, options.filters, monitor)
    finally:
        services.index.close()


def options_of(settings: Settings, given: dict[str, Any], index: str | None = None) -> Options:
    """The user's numbers, `given` ones first (`breadth`, `depth`, `diversity`, `instructions`, …)."""
    from texgeist_retrieval.services import Options
    from texgeist_retrieval.types import Filters

    chosen = settings.related_work
    remote = index_place(settings, Keys(), index).remote
    values = {**chosen.model_dump(), **given}
    return Options(
        breadth=None if values["breadth"] in ("auto", None) else values["breadth"],
        depth=values["depth"],
        diversity=values["diversity"],
        full_text=has_full_texts(settings, remote),
        include_cited=values["include_cited"],
        filters=Filters(
            values["since"], values["until"], tuple(values["categories"]), tuple(values["topics"])
        ),
        instructions=values["instructions"],
    )


def named(location: str) -> str:
    """An index for people, and for a file that co-authors share: without this machine's folders."""
    if "://" in location or not location:
        return location
    return "your own library" if Path(location).name == "library.db" else Path(location).name
