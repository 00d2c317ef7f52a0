"""The preview of a dry run: the exact text that would leave this machine. Nothing is sent, and no key is
needed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..adapters import (
    Setup,
    asks_arxiv,
    build_model,
    build_services,
    expander_for,
    model_writer,
    strands_for,
)
from ..discovered import discovery_services
from ..embedders import embeds_elsewhere
from ..passage_library import build_evidence_search
from .requests import RelatedWorkRequest, WriteRequest
from .runs import from_passages, gathered, options_of, passage_services

if TYPE_CHECKING:
    from texgeist_retrieval.costs import Estimate
    from texgeist_retrieval.evidence.methods import GatheringMethod
    from texgeist_retrieval.ports import EvidenceSearch, LanguageModel, Monitor
    from texgeist_retrieval.types import Query

NO_KEY = "a dry run has none"


@dataclass(frozen=True, slots=True)
class Preview:
    """`text`: what would be sent; `summary`: a description for the user; `estimate`: the model's cost, if
    known."""

    text: str
    summary: str
    sends: bool = True
    estimate: Estimate | None = None


NOTHING_SENT = Preview("", "Search and writer are on this machine.", sends=False)


def preview(request: WriteRequest, setup: Setup, monitor: Monitor) -> Preview:
    """Previews the request. For an index on another machine it shows the text whose vector would be sent. The
    text that a model would receive after that search is unknown, so only its length is estimated."""
    shown = _preview(request, setup, monitor)
    if not setup.settings.index.discover or request.query.kind in ("question", "section"):
        return shown
    from texgeist_retrieval.pipeline.discovering import preview as of_discovery

    summary = (
        f"To discover papers, these searches (or the topics and works that a model names), and these ids and "
        f"titles of cited works, would go to {discovery_services(setup.settings)}."
    )
    text = "\n\n".join(filter(None, [of_discovery(request.query), shown.text]))
    return replace(shown, text=text, summary=f"{summary} {shown.summary}", sends=True)


def _preview(request: WriteRequest, setup: Setup, monitor: Monitor) -> Preview:
    if address := embeds_elsewhere(setup.settings):
        return _of_embedding_server(request, setup, address)
    setup = _with_a_key(setup)
    if from_passages(request, setup):
        return _of_passages(request.query, setup, monitor)
    if setup.place.remote:
        return _of_remote_index(request, setup)
    if setup.writer == "extractive":
        build_services(
            setup, request.query.project, discover=True
        ).index.close()  # raises if there is nothing to search
        return NOTHING_SENT
    return _of_writer(request, setup, monitor)


def _of_embedding_server(request: WriteRequest, setup: Setup, address: str) -> Preview:
    """Previews the text that the search would send to the embedding server. The search is not run, so the
    text that a model would receive afterwards is unknown."""
    text = "\n\n".join(part.text for part in request.query.parts)
    summary = f"This text would go to the server of embeddings at {address}."
    if setup.writer != "extractive":
        summary += f" Then {setup.writer} would be sent passages of the papers found."
    return Preview(text, summary)


def _with_a_key(setup: Setup) -> Setup:
    """Adds a placeholder key if the writer has none, so that the writer can be built; a dry run sends
    nothing."""
    lacks = setup.writer != "extractive" and not setup.keys.of(setup.writer)
    return replace(setup, keys=setup.keys.having(setup.writer, NO_KEY)) if lacks else setup


def _of_remote_index(request: WriteRequest, setup: Setup) -> Preview:
    text = "\n\n".join(part.text for part in request.query.parts)
    summary = f"Vectors of this text (768 numbers each) would go to {setup.place.location}, not its words."
    model = build_model(setup.settings, setup.keys, setup.writer)
    guess = _guessed(request.query, setup, model) if model else None
    more = (
        f" Then {setup.writer} would be sent passages of the papers found: {guess.sentence()}."
        if guess
        else ""
    )
    if asked := _asked_first(request, setup, model):
        text = f"{asked}\n\n{text}"
        summary = (
            f"{setup.writer} would be asked which earlier work your draft builds on and would cite. {summary}"
        )
        more = (
            " It would also receive the titles that are found, to choose among them, and the beginnings of up to 20 "
            f"abstracts.{more}"
        )
    return Preview(text, summary + more, estimate=guess)


def _of_writer(request: WriteRequest, setup: Setup, monitor: Monitor) -> Preview:
    """Searches on this machine and previews the text that the writer would receive for the result."""
    from texgeist_retrieval.fulltext import EmptySource
    from texgeist_retrieval.pipeline import choose, gather

    services, options = build_services(setup, request.query.project), options_of(setup)
    quiet, unread = replace(services, expander=None, strands=None, picker=None), ""
    if asks_arxiv(setup.settings, setup.place.remote):
        quiet = replace(quiet, source=EmptySource("This is a dry run."))
        unread = " Pages that would be fetched from arXiv come on top."
    try:
        selected = choose(gather(request.query, quiet, options, monitor), options).selected
    finally:
        services.index.close()
    writer = services.writer
    text, taken = writer.preview(request.query, selected), writer.estimate(request.query, selected)
    if asked := _asked_first(request, setup, services.model):
        text = f"{asked}\n\n{text}"
        unread += (
            " Its answer may lead to other papers than those shown here; their titles would be sent as well, and the "
            "beginnings of up to 20 abstracts."
        )
    much = f": {taken.sentence()}" if taken else ""
    return Preview(text, f"This text would go to {writer.name}{much}.{unread}", estimate=taken)


def _asked_first(request: WriteRequest, setup: Setup, model: LanguageModel | None) -> str:
    """The text that the model would receive before the search; "" if there is none."""
    settings, related = setup.settings, isinstance(request, RelatedWorkRequest)
    finders = (strands_for(settings, model)[0] if related else None, expander_for(settings, model))
    return "\n\n".join(filter(None, (finder.preview(request.query) for finder in finders if finder)))


def _guessed(query: Query, setup: Setup, model: LanguageModel) -> Estimate | None:
    """Estimates the cost of writing before the papers are known, from papers of typical length."""
    from texgeist_retrieval.pipeline.selection import LIKELY
    from texgeist_retrieval.writing.model.estimates import typical

    options = options_of(setup)
    papers = typical(options.breadth or LIKELY, options.depth if options.full_text else 0)
    return model_writer(setup.settings, model).estimate(query, papers)


def _of_passages(query: Query, setup: Setup, monitor: Monitor) -> Preview:
    """Previews writing from passages, with the default queries. The calls of the first search are exact.
    Later calls also contain answers of the model; their text is shown without these answers."""
    from texgeist_retrieval.evidence.agent import preview as asked_first
    from texgeist_retrieval.evidence.drafting import asked_as, selected_of

    services = passage_services(query, setup, monitor)
    if services.model is None:
        return NOTHING_SENT
    quiet = build_evidence_search(setup.settings, setup.place, monitor)
    method = services.method
    weighed = _weighed(query, quiet, method, monitor)
    run = gathered(query, replace(services, search=quiet, agent=None), monitor)
    what = "answer" if query.kind == "question" else "section"
    written = services.writer.preview(asked_as(query, run), selected_of(run))
    calls = [f"=== passages, {n} of {len(weighed)} calls ===\n{call}" for n, call in enumerate(weighed, 1)]
    calls += [f"=== the first look at the evidence ===\n{asked_first(query, run, method)}"]
    text = "\n\n".join([*calls, f"=== the {what} ===\n{written}"])
    summary = (
        f"This text would go to {services.model.name}: {len(weighed)} calls that rate passages, and the last two texts, "
        "which are shown here without these ratings. In addition, the model may make up to "
        f"{method.searches} searches of its own, each with up to {method.rated} passages to rate, and each cited "
        "sentence is checked in a call with its passages."
    )
    return Preview(text, summary, sends=not services.model.local)


def _weighed(query: Query, quiet: EvidenceSearch, method: GatheringMethod, monitor: Monitor) -> list[str]:
    """The calls that would ask the model to rate the passages which the default queries retrieve."""
    from texgeist_retrieval.evidence.default_queries import default_queries
    from texgeist_retrieval.evidence.weighing import prompts_of

    prompts = [
        prompt.text()
        for part in default_queries(query, method)
        for found in [quiet.search(part.text, monitor, top=method.rated)]
        for prompt in prompts_of(part.text, found.evidence, found.papers, method.rated_alone)
    ]
    return list(dict.fromkeys(prompts))
