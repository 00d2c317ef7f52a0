"""Runs requests through the pipeline, with the adapters that the settings select. Used in the worker process
and in commands."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..adapters import (
    Setup,
    build_model,
    build_services,
    has_full_texts,
    prepare_model,
    remembering,
    with_method,
    writer_address,
)
from ..config import storage
from ..embedders import build_embedder
from ..index_places import named
from ..passage_library import build_evidence_search, has_passages
from .queries import question_query
from .requests import (
    Choice,
    CitationRequest,
    EvidenceRequest,
    MissingRequest,
    QuestionRequest,
    SectionRequest,
    StatementRequest,
    WriteRequest,
)

if TYPE_CHECKING:
    from texgeist_retrieval.evidence.methods import GatheringMethod
    from texgeist_retrieval.pipeline.search import SearchResult
    from texgeist_retrieval.ports import Embedder, EvidenceSearch, LanguageModel, Monitor, Writer
    from texgeist_retrieval.services import Options
    from texgeist_retrieval.types import Candidate, Evidence, EvidenceRun, Query, Result, Sides

    from ..config.settings import Settings

PASSAGES_EACH = 3  # passages returned with a paper of a search


def run(request: WriteRequest, setup: Setup, monitor: Monitor) -> Result:
    """Runs the request. Raises the `RetrievalError`s."""
    from texgeist_retrieval import pipeline

    monitor.report("Starting")
    if isinstance(request, CitationRequest):
        setup = replace(setup, writer="extractive", note="")  # no model is asked
    if isinstance(request, QuestionRequest) and from_passages(request, setup):
        return _answered(request, setup, monitor)
    if from_passages(request, setup):
        result = _written_from_passages(request, setup, monitor)
        return replace(result, index=named(setup.place.location))
    services, options = build_services(setup, request.query.project, discover=True), options_of(setup)
    try:
        if isinstance(request, CitationRequest):
            result = pipeline.find_citations(request.query, services, options, monitor, request.offered)
        elif isinstance(request, MissingRequest):
            result = pipeline.missing_works(request.query, request.sentences, services, options, monitor)
        else:
            prepare_model(services)
            result = pipeline.related_work(request.query, services, options, monitor)
    finally:
        services.index.close()
    return replace(result, index=named(result.index))


def _answered(request: QuestionRequest, setup: Setup, monitor: Monitor) -> Result:
    """The answer from passages of full papers; if none of them answers the question, from abstracts."""
    from texgeist_retrieval.errors import ModelMissing
    from texgeist_retrieval.models.structured_call import add

    result = _written_from_passages(request, setup, monitor)
    if not result.selected:
        with suppress(ModelMissing):
            second = run(replace(request, abstracts=True), setup, monitor)
            return replace(second, usage=add(result.usage, second.usage))
    return replace(result, index=named(setup.place.location))


def discover(query: Query, setup: Setup, monitor: Monitor) -> str:
    """Discovers papers for a draft, from all services unless the settings name some. Returns a message about
    what was done. Raises the `RetrievalError`s."""
    services = build_services(
        replace(setup, settings=setup.settings.with_discovery()), query.project, discover=True
    )
    try:
        strands = services.strands.find(query, monitor).strands if services.strands else ()
        until = options_of(setup).filters.until
        notes = services.discovery.discover(query, strands, until, monitor) if services.discovery else ()
    finally:
        services.index.close()
    return (
        " ".join(notes) or "The services were asked about this draft in the last 30 days: nothing was sent."
    )


def from_passages(request: WriteRequest, setup: Setup) -> bool:
    """Whether the text is written from passages of full papers: always for a section, and for an answer if
    the index has passages."""
    if isinstance(request, QuestionRequest):
        return not request.abstracts and has_passages(setup.settings, setup.place)
    return isinstance(request, SectionRequest)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A paper that a search found. `passages`: passages of its full text, the best first; empty if the index
    has none. `why`: a quotation of the passage that is most relevant to the search text; "" if only its title
    is known."""

    candidate: Candidate
    passages: tuple[Evidence, ...]
    why: str


def search(text: str, top: int, setup: Setup, monitor: Monitor, project: str = "") -> list[SearchHit]:
    """The papers most similar to `text`, best first, with their passages. `project`: see `search_each`. Raises the
    `SearchError`s."""
    [found] = search_each([question_query(text, "the words given")], top, setup, monitor, project)
    papers = found.candidates[:top]
    passages = _passages_of(papers, text, setup, monitor)
    return [_hit(one, passages.get(one.paper.id, ()), text) for one in papers]


def search_each(
    queries: Sequence[Query], top: int, setup: Setup, monitor: Monitor, project: str = ""
) -> list[SearchResult]:
    """The papers for each query, best first, at least `top`. `project`: the draft whose discovered papers are searched too."""
    from texgeist_retrieval.pipeline.search import find

    services = build_services(replace(setup, writer="extractive", note=""), project)
    try:
        filters = options_of(setup).filters
        return [find(query, services, top, filters, monitor) for query in queries]
    finally:
        services.index.close()


def _hit(found: Candidate, passages: tuple[Evidence, ...], text: str) -> SearchHit:
    from texgeist_retrieval.pipeline.reading import relevant_passage
    from texgeist_retrieval.types import Passage

    read = [one.passage for one in passages] or [Passage(found.paper.id, None, found.paper.abstract)]
    theirs = relevant_passage(read, text)
    place = f" (page {theirs.page})" if theirs and theirs.page else ""
    return SearchHit(found, passages, f"It says{place}: “{theirs.text}”" if theirs else "")


def _passages_of(
    found: Sequence[Candidate], text: str, setup: Setup, monitor: Monitor
) -> dict[str, tuple[Evidence, ...]]:
    """The passages of these papers that are relevant to the text, by paper id."""
    if not found or not has_passages(setup.settings, setup.place):
        return {}
    search = build_evidence_search(setup.settings, setup.place, monitor)
    ids = {one.paper.id for one in found}
    others = frozenset(paper.id for paper in search.snapshot.papers) - ids
    passages = search.search(text, monitor, top=PASSAGES_EACH * len(ids), leave_out=others).evidence
    return {id: tuple(one for one in passages if one.passage.paper_id == id) for id in ids}


def gather(request: EvidenceRequest, setup: Setup, monitor: Monitor) -> EvidenceRun:
    """Gathers evidence for a section. Raises the `SearchError`s, `WriterDenied`, `Cancelled`."""
    run = gathered(request.query, passage_services(request.query, setup, monitor), monitor)
    return replace(run, notes=(*filter(None, [setup.note]), *run.notes))


def both_sides(request: StatementRequest, setup: Setup, monitor: Monitor) -> Sides:
    """Finds passages for and against a statement. Raises the `SearchError`s, `WriterDenied`, `Cancelled`."""
    from texgeist_retrieval.pipeline.support import for_and_against

    model = build_model(setup.settings, setup.keys, setup.writer)
    found = build_evidence_search(setup.settings, setup.place, monitor)
    return for_and_against(request.statement, found, monitor, model, most=request.most)


def options_of(setup: Setup, choice: Choice | None = None) -> Options:
    """The user's options and filters. `choice` overrides the numbers of the settings."""
    from texgeist_retrieval.services import Options
    from texgeist_retrieval.types import Filters

    related, used = setup.settings.related_work, choice or first_choice(setup.settings)
    return Options(
        breadth=used.breadth,
        depth=used.depth,
        diversity=used.diversity,
        full_text=has_full_texts(setup.settings, setup.place.remote),
        filters=Filters(related.since, related.until, related.categories, related.topics),
    )


def first_choice(settings: Settings) -> Choice:
    """The numbers of the settings; no paper is pinned or excluded."""
    related = with_method(settings).related_work
    breadth = None if related.breadth == "auto" else related.breadth
    return Choice(breadth, related.depth, related.diversity)


def with_numbers(settings: Settings, **values: int | float | str | None) -> Settings:
    """A copy of the settings with those of the given values of `relatedWork` that are not None."""
    given = {name: value for name, value in values.items() if value is not None}
    return settings.model_copy(update={"related_work": settings.related_work.model_copy(update=given)})


@dataclass(frozen=True, slots=True)
class PassageServices:
    """The services for writing from passages of full papers."""

    search: EvidenceSearch
    embedder: Embedder | None  # to find queries that ask the same
    model: LanguageModel | None  # the model that writes
    agent: LanguageModel | None  # the model that gathers evidence
    writer: Writer
    method: GatheringMethod


def passage_services(query: Query, setup: Setup, monitor: Monitor) -> PassageServices:
    from texgeist_retrieval.evidence.drafting import OutlineWriter
    from texgeist_retrieval.models.memory import RememberingModel

    settings = setup.settings
    model = build_model(settings, setup.keys, setup.writer)
    # Answers received in an interrupted run are not paid for again.
    answers, address = storage.cache_folder() / "answers.sqlite", writer_address(settings, setup.writer)
    agent = RememberingModel(model, answers, address=address) if model else None
    search = build_evidence_search(settings, setup.place, monitor, model=agent)
    embedder = _embedder(settings)
    if model is None:
        return PassageServices(search, embedder, None, None, OutlineWriter(embedder), search.method)
    writer = _writer(query, model, embedder, settings)
    return PassageServices(search, embedder, model, agent, writer, search.method)


def gathered(query: Query, services: PassageServices, monitor: Monitor) -> EvidenceRun:
    from texgeist_retrieval.evidence.agent import gather_evidence

    return gather_evidence(
        query, services.search, services.embedder, monitor, services.agent, method=services.method
    )


def _written_from_passages(request: WriteRequest, setup: Setup, monitor: Monitor) -> Result:
    """Writes the section or answer. A section uses the evidence in the request, if any, instead of gathering
    it."""
    from texgeist_retrieval.pipeline.bearing import write_from

    services = passage_services(request.query, setup, monitor)
    run = request.run if isinstance(request, SectionRequest) else None
    run = run or gathered(request.query, services, monitor)
    if isinstance(request, QuestionRequest):
        run = _of_best_papers(run, options_of(setup).breadth)
    result = write_from(request.query, run, services.embedder, services.writer, monitor, services.model)
    return replace(result, notes=(*filter(None, [setup.note]), *result.notes))


def _of_best_papers(run: EvidenceRun, most: int | None) -> EvidenceRun:
    if most is None:
        return run
    kept = {paper.id for paper in run.papers[:most]}
    evidence = tuple(item for item in run.evidence if item.passage.paper_id in kept)
    return replace(run, evidence=evidence, papers=run.papers[:most])


def _writer(query: Query, model: LanguageModel, embedder: Embedder | None, settings: Settings) -> Writer:
    """The writer for this query. Questions are answered by a `ModelWriter` that does not summarise the rated
    passages again."""
    from texgeist_retrieval.evidence.drafting import SectionWriter
    from texgeist_retrieval.writing import ModelWriter

    instructions = settings.related_work.instructions
    if query.kind == "question":
        return ModelWriter(model, instructions, summaries=False, embedder=embedder)
    return SectionWriter(model, embedder, instructions)


def _embedder(settings: Settings) -> Embedder | None:
    """The configured embedder; None if the model is not on this machine. The search then adds a note."""
    from texgeist_retrieval.errors import ModelMissing

    try:
        return remembering(build_embedder(settings))
    except ModelMissing:
        return None
