"""The recipes over the line of steps, as the server and the command line call them: an `Ask` in, an
`Outcome` out. Runs in the worker process, or in a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_latex.types import ProseSection, ProseSentence, Reference

from ..adapters import (
    asks_arxiv,
    build_model,
    build_services,
    expander_for,
    has_full_texts,
    index_place,
    strands_for,
    writer_name,
)
from ..config.credentials import Keys
from .outcome import Ask, Chosen, Left, Outcome, Proof

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.services import LanguageModel, Options, Services, StrandFinder
    from texgeist_retrieval.types import Candidate, LeftOut, Paper, Query, Result, Selected, Sentence
    from texgeist_retrieval.writing.model.estimates import Estimate

    from ..config.settings import Settings


@dataclass(frozen=True, slots=True)
class Job:
    """What to run and with what, beyond the settings. `options` overrides fields of `relatedWork`."""

    recipe: str  # related_work, answer, find_citations
    ask: Ask
    index: str | None = None
    writer: str = "auto"
    options: dict[str, Any] = field(default_factory=dict)


def run(job: Job, settings: Settings, keys: Keys, monitor: Monitor) -> Outcome:
    """Raises the `RetrievalError`s."""
    monitor.report("Starting")
    settings = overridden(settings, job.options)
    services = build_services(settings, keys, index=job.index, writer=job.writer)
    try:
        options = options_of(settings, {}, job.index)
        return outcome_of(job.ask, _run(job, services, options, monitor))
    finally:
        services.index.close()


def overridden(settings: Settings, options: dict[str, Any]) -> Settings:
    """The settings with these values of `relatedWork` instead: a writer's instructions come from there."""
    chosen = settings.related_work.model_copy(update=options)
    return settings.model_copy(update={"related_work": chosen})


def preview(job: Job, settings: Settings, keys: Keys, monitor: Monitor) -> dict[str, Any]:
    """The exact text that would leave this machine: `{text, summary, sends, estimate}`; nothing is sent.

    With an index on another machine that is the text whose vector would go there; what a model would be
    sent afterwards cannot be known, only about how much."""
    settings = overridden(settings, job.options)
    place = index_place(settings, keys, job.index)
    name, _ = writer_name(settings, keys, job.writer)
    if place.remote:
        text = "\n\n".join(text for text, _ in job.ask.parts)
        summary = f"Vectors of this text (768 numbers each) would go to {place.location}, not its words."
        if asked := _asked_first(job, settings, build_model(settings, keys, name)):
            text = f"{asked}\n\n{text}"
            summary = f"{name} would be asked what your draft stands on and would cite. {summary}"
        guess = _guessed(job, settings, keys, name) if name != "extractive" else None
        more = (
            f" Then {name} would be sent passages of the papers found: {guess.sentence()}." if guess else ""
        )
        estimate = asdict(guess) if guess else {}
        return {"text": text, "summary": summary + more, "sends": True, "estimate": estimate}
    if name == "extractive":
        return {
            "text": "",
            "summary": "Search and writer are on this machine.",
            "sends": False,
            "estimate": {},
        }
    from texgeist_retrieval.fulltext import NoSource
    from texgeist_retrieval.pipeline import choose, gather

    services = build_services(settings, keys, index=job.index, writer=job.writer)
    quiet, unread = replace(services, expander=None, strands=_quiet(services.strands)), ""
    if asks_arxiv(settings, place.remote):
        quiet = replace(quiet, source=NoSource("This is a dry run."))
        unread = " Pages that would be fetched from arXiv come on top."
    options = options_of(settings, {}, job.index)
    try:
        selected = choose(gather(query_of(job.ask), quiet, options, monitor), options).selected
    finally:
        services.index.close()
    writer: Any = services.writer
    text, estimate = writer.preview(query_of(job.ask), selected), writer.estimate(query_of(job.ask), selected)
    if asked := _asked_first(job, settings, services.model):
        text = f"{asked}\n\n{text}"
        unread += " Its first answer may lead to other papers than those shown here."
    summary = f"This text would go to {writer.name}: {estimate.sentence()}.{unread}"
    return {"text": text, "summary": summary, "sends": True, "estimate": asdict(estimate)}


def _quiet(finder: StrandFinder | None) -> StrandFinder | None:
    """What a dry run finds the strands with: the draft's own words, since nothing may be sent."""
    from texgeist_retrieval.strands.finders import DraftStrands

    return DraftStrands() if finder else None


def _asked_first(job: Job, settings: Settings, model: LanguageModel | None) -> str:
    """What the model would be sent before the search, "" for nothing."""
    finder = strands_for(settings, model) if job.recipe == "related_work" else None
    asked = (one.preview(query_of(job.ask)) for one in (finder, expander_for(settings, model)) if one)
    return "\n\n".join(filter(None, asked))


def _guessed(job: Job, settings: Settings, keys: Keys, name: str) -> Estimate:
    """What the model would take for papers that are not known yet, as long as papers are."""
    from texgeist_retrieval.strands.breadth import LIKELY
    from texgeist_retrieval.writing import ModelWriter
    from texgeist_retrieval.writing.model.estimates import typical

    model = build_model(settings, keys, name)
    assert model is not None
    options = options_of(settings, {}, job.index)
    papers = typical(options.breadth or LIKELY, options.depth if options.full_text else 0)
    return ModelWriter(model, options.instructions, summaries=settings.writer.summaries).estimate(
        query_of(job.ask), papers
    )


def _run(job: Job, services: Services, options: Options, monitor: Monitor) -> Result:
    from texgeist_retrieval import pipeline

    recipes: dict[str, Callable[..., Result]] = {
        "related_work": pipeline.related_work,
        "answer": pipeline.answer,
        "find_citations": pipeline.find_citations,
    }
    return recipes[job.recipe](query_of(job.ask), services, options, monitor)


def search(
    text: str, top: int, settings: Settings, keys: Keys, monitor: Monitor, index: str | None = None
) -> list[Candidate]:
    """The papers nearest to `text`, best first."""
    from texgeist_retrieval import pipeline

    services = build_services(settings, keys, index=index, writer="extractive")
    try:
        query = query_of(Ask("question", ((text, "the words given"),), text=text))
        options = options_of(settings, {})
        return pipeline.search(query, services, top, options.filters, monitor)
    finally:
        services.index.close()


def query_of(ask: Ask) -> Query:
    from texgeist_retrieval.types import Query, QueryPart

    return Query(
        kind=ask.kind,
        parts=tuple(QueryPart(text, label) for text, label in ask.parts),
        abstract=ask.abstract,
        title=ask.title,
        authors=ask.authors,
        cited_ids=frozenset(ask.cited_ids),
        cited_titles=ask.cited_titles,
        text=ask.text,
        introduction=ask.introduction,
        written=ask.written,
        words=ask.words,
    )


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
        choice=values["choice"],
        filters=Filters(
            values["since"], values["until"], tuple(values["categories"]), tuple(values["topics"])
        ),
        instructions=values["instructions"],
        concurrency=settings.writer.concurrency,
    )


def outcome_of(ask: Ask, result: Result) -> Outcome:
    owner = {e.id: s.candidate.paper.id for s in result.selected for e in s.evidence}
    section = ProseSection(
        result.section.title,
        tuple(tuple(_prose(s, owner) for s in p.sentences) for p in result.section.paragraphs),
    )
    parts = [part.label for part in result.query.parts]
    return Outcome(
        ask=ask,
        section=section,
        sentence_proofs=tuple(s.evidence for p in result.section.paragraphs for s in p.sentences),
        chosen=tuple(_chosen(selected, parts) for selected in result.selected),
        left=tuple(_left(left) for left in result.left_out),
        found=len(result.candidates),
        notes=result.notes,
        usage=asdict(result.usage),
        writer=result.writer,
        index=named(result.index),
        model=result.model,
    )


def named(location: str) -> str:
    """An index for people, and for a file that co-authors share: without this machine's folders."""
    if "://" in location or not location:
        return location
    return "your own library" if Path(location).name == "library.db" else Path(location).name


def _left(left: LeftOut) -> Left:
    candidate = left.candidate
    return Left(reference_of(candidate.paper), float(candidate.similarity), candidate.rank, left.reason)


def reference_of(paper: Paper) -> Reference:
    """The paper as a bibliography needs it."""
    is_arxiv = ":" not in paper.id
    return Reference(
        id=paper.id,
        title=paper.title,
        authors=paper.authors,
        year=paper.year,
        arxiv_id=paper.id if is_arxiv else "",
        primary_class=paper.primary,
        doi=paper.doi or (paper.id.removeprefix("doi:") if paper.id.startswith("doi:") else ""),
        venue=paper.venue,
        kind="article" if paper.venue and not is_arxiv else "preprint",
        url=paper.url or (f"https://arxiv.org/abs/{paper.id}" if is_arxiv else ""),
    )


def _prose(sentence: Sentence, owner: dict[str, str]) -> ProseSentence:
    clauses = tuple((clause.text, _papers(clause.evidence, owner)) for clause in sentence.clauses)
    papers = _papers(sentence.evidence, owner)
    return ProseSentence(sentence.text, papers, sentence.textual, sentence.lead, clauses)


def _papers(evidence: Sequence[str], owner: dict[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(owner[e] for e in evidence if e in owner))


def _chosen(selected: Selected, parts: list[str]) -> Chosen:
    candidate = selected.candidate
    return Chosen(
        reference=reference_of(candidate.paper),
        similarity=float(candidate.similarity),
        rank=candidate.rank,
        score=float(selected.score),
        why=selected.why,
        proofs=tuple(
            Proof(e.id, e.passage.text, e.passage.page, float(e.similarity), e.summary)
            for e in selected.evidence
        ),
        summary=selected.summary,
        full_text=selected.full_text,
        note=selected.note,
        found_by=parts[candidate.found_by] if candidate.found_by < len(parts) else "",
        strands=candidate.strands,
        score_parts={name: float(part) for name, part in candidate.scores.items()},
    )
