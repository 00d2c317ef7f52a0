"""Evidence for a section of the draft or for a question, and what is written from it, with the adapters that the
settings ask for. Runs in the worker process, or in a command."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.defaults import CONCURRENCY

from ..adapters import build_model, remembering, writer_address, writer_name
from ..config import storage
from ..config.user_file import data_of
from ..embedders import build_embedder
from ..index_places import index_place
from ..passage_library import build_evidence_search, passage_embedder
from .previews import nothing_sent, shown, writer_without_key

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Embedder, EvidenceSearch, Monitor, ToolModel, Writer
    from texgeist_retrieval.types import EvidenceRun, Query, Result

    from ..config.credentials import Keys
    from ..config.settings import Settings


WEIGHED = 12  # passages of a query that a model weighs


@dataclass(frozen=True, slots=True)
class _Services:
    search: EvidenceSearch
    embedder: Embedder  # of queries: whether one says what another said
    model: ToolModel | None  # writes
    agent: ToolModel | None  # gathers
    writer: Writer
    index: str
    note: str


def sources_of(settings: Settings, keys: Keys) -> tuple[str, ...]:
    """Index and model that evidence is gathered from: of others it would be other evidence."""
    place = index_place(settings, keys)
    name, _ = writer_name(settings, keys)
    own = writer_address(settings, name)
    return place.location, settings.index.collection, name, settings.writer.model, own


def gather(
    query: Query,
    settings: Settings,
    keys: Keys,
    monitor: Monitor,
    index: str | None = None,
    writer: str = "auto",
) -> EvidenceRun:
    """Raises the `SearchError`s, `WriterDenied`, `Cancelled`."""
    services = _services(query, settings, keys, monitor, index, writer)
    run = _gathered(query, services, monitor)
    return replace(run, notes=(*filter(None, [services.note]), *run.notes))


def draft(
    query: Query,
    settings: Settings,
    keys: Keys,
    monitor: Monitor,
    index: str | None = None,
    writer: str = "auto",
    run: EvidenceRun | None = None,
) -> Result:
    """The section or the answer, from the evidence of `run` where that was gathered before. Raises as `gather`."""
    from texgeist_retrieval.pipeline.drafting import write_from

    services = _services(query, settings, keys, monitor, index, writer)
    if run is None:
        run = _gathered(query, services, monitor)
    if query.kind == "question":
        run = _of_papers(run, settings.related_work.breadth)
    judge, at_once = services.model, CONCURRENCY
    result = write_from(query, run, services.embedder, services.writer, monitor, judge, at_once)
    notes = (*filter(None, [services.note]), *result.notes)
    return replace(result, index=services.index, notes=notes)


def _of_papers(run: EvidenceRun, most: int | str | None) -> EvidenceRun:
    """The evidence of the best `most` papers, where that is a number."""
    if not isinstance(most, int):
        return run
    kept = {paper.id for paper in run.papers[:most]}
    evidence = tuple(one for one in run.evidence if one.passage.paper_id in kept)
    return replace(run, evidence=evidence, papers=run.papers[:most])


def preview(
    query: Query,
    settings: Settings,
    keys: Keys,
    monitor: Monitor,
    index: str | None = None,
    writer: str = "auto",
) -> dict[str, Any]:
    """The text that would leave this machine, for what the default queries find: `{text, summary, sends,
    estimate}`; nothing is sent, and no key is needed. The first search's calls are exact; of those that follow,
    which depend on what the model answers, there is the text as it would be without its answers."""
    from texgeist_retrieval.evidence.agent import SEARCHES, gather_evidence
    from texgeist_retrieval.evidence.agent import preview as asked_first
    from texgeist_retrieval.evidence.drafting import asked_as, selected_of

    name, keys = writer_without_key(settings, keys, writer)
    services = _services(query, settings, keys, monitor, index, name)
    if services.model is None:
        return nothing_sent()
    quiet = build_evidence_search(settings, keys, monitor, index=index)
    weighed = _weighed(query, quiet, monitor)
    run = gather_evidence(query, quiet, services.embedder, monitor)
    what = "answer" if query.kind == "question" else "section"
    written = services.writer.preview(asked_as(query, run), selected_of(run))
    calls = [f"=== passages, {n} of {len(weighed)} calls ===\n{one}" for n, one in enumerate(weighed, 1)]
    calls += [f"=== the first look at the evidence ===\n{asked_first(query, run)}"]
    text = "\n\n".join([*calls, f"=== the {what} ===\n{written}"])
    name = services.model.name
    summary = (
        f"This text would go to {name}: {len(weighed)} calls that weigh passages, then what was found, then the "
        f"{what}. On top of that come the model's own searches, {SEARCHES} at most, each with up to {WEIGHED} "
        "passages that are weighed in the same words, what they found, and a call for each cited sentence with its "
        "passages; the last two texts are shown as they are "
        "before the passages have been weighed, which chooses among them and gives them summaries."
    )
    return shown(text, summary, sends=not services.model.local)


def _weighed(query: Query, quiet: EvidenceSearch, monitor: Monitor) -> list[str]:
    """What the model would be sent to weigh the passages that the default queries find, call by call."""
    from texgeist_retrieval.evidence.default_queries import default_queries
    from texgeist_retrieval.evidence.weighing_prompts import prompts_of

    prompts = [
        prompt.text()
        for part in default_queries(query)
        for found in [quiet.search(part.text, monitor, top=WEIGHED)]
        for prompt in prompts_of(part.text, found.evidence, found.papers)
    ]
    return list(dict.fromkeys(prompts))


def _gathered(query: Query, services: _Services, monitor: Monitor) -> EvidenceRun:
    from texgeist_retrieval.evidence.agent import gather_evidence

    return gather_evidence(query, services.search, services.embedder, monitor, services.agent)


def _services(
    query: Query, settings: Settings, keys: Keys, monitor: Monitor, index: str | None, writer: str
) -> _Services:
    from texgeist_retrieval.evidence.drafting import OutlineWriter

    name, note = writer_name(settings, keys, writer)
    model = build_model(settings, keys, name)
    agent = _remembering(model, settings, writer_address(settings, name)) if model else None
    search = build_evidence_search(settings, keys, monitor, index=index, model=agent)
    location = index_place(settings, keys, index).location
    if model is None:
        embedder = passage_embedder()
        return _Services(search, embedder, None, None, OutlineWriter(embedder), location, note)
    search = replace(search, longlist=WEIGHED)
    embedder, reads_well = _embedder(settings)
    by = _writer(query, model, embedder if reads_well else None, settings)
    return _Services(search, embedder, model, agent, by, location, note)


def _writer(query: Query, model: ToolModel, embedder: Embedder | None, settings: Settings) -> Writer:
    """Of an answer: the writer of answers, which need not read again what was weighed."""
    from texgeist_retrieval.evidence.drafting import SectionWriter
    from texgeist_retrieval.writing import ModelWriter

    instructions = settings.related_work.instructions
    if query.kind == "question":
        return ModelWriter(model, instructions, summaries=False, embedder=embedder)
    return SectionWriter(model, embedder, instructions)


def _embedder(settings: Settings) -> tuple[Embedder, bool]:
    """The model that the settings name; where it is not on this machine, that of the passages, which cannot tell
    whose a sentence is."""
    from texgeist_retrieval.errors import RetrievalError

    try:
        return remembering(build_embedder(settings), settings), True
    except RetrievalError:
        return passage_embedder(), False


def _remembering(model: ToolModel, settings: Settings, address: str) -> ToolModel:
    """For gathering alone: what was paid for before a run was stopped is there when it is started again."""
    from texgeist_retrieval.models.memory import RememberingModel

    path = storage.cache_folder(data_of(settings)) / "answers.sqlite"
    return RememberingModel(model, path, address=address)
