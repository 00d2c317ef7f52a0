"""The worker's tasks: for each request class a function that returns its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from texgeist_retrieval.text.words import number_of

from ..adapters import Setup
from ..errors import SearchGone
from ..sections import requests as asked
from . import requests
from .project_checks import check_entries, check_sentences, verify_project, weaken_sentence

if TYPE_CHECKING:
    from texgeist_retrieval.index.milvus import MilvusIndex
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.types import EvidenceRun, Paper, Result, Sides

    from ..bibliography_checks.places import Identified
    from .choice import Held, Shelf

T = TypeVar("T")
MOST_LISTED = 20_000  # papers of a library


def run(request: asked.WriteRequest, setup: Setup, monitor: Monitor) -> Result:
    from ..sections import runs

    return runs.run(request, setup, monitor)


def gather(request: asked.EvidenceRequest, setup: Setup, monitor: Monitor) -> EvidenceRun:
    from ..sections import runs

    return runs.gather(request, setup, monitor)


def both_sides(request: asked.StatementRequest, setup: Setup, monitor: Monitor) -> Sides:
    from ..sections import runs

    return runs.both_sides(request, setup, monitor)


def search_for_review(request: asked.ReviewRequest, setup: Setup, monitor: Monitor) -> asked.ReviewedPapers:
    from . import choice

    held = choice.hold(request.query, setup, request.first, monitor)
    _shelf().put(held)
    return choice.as_shown(held, request.choice)


def choose(request: asked.ChooseRequest, setup: Setup, monitor: Monitor) -> asked.ReviewedPapers:
    from . import choice

    return choice.as_shown(_held(request.search), request.choice)


def write_chosen(request: asked.WriteChosenRequest, setup: Setup, monitor: Monitor) -> Result:
    from . import choice

    return choice.write_chosen(_held(request.search), request.choice, monitor)


@cache
def _shelf() -> Shelf:
    from .choice import Shelf

    return Shelf()


def _held(search: str) -> Held:
    if (held := _shelf().get(search)) is None:
        raise SearchGone("The search is not in memory any more.", "Go back to the page, which repeats it.")
    return held


def abstracts(request: requests.Abstracts, setup: Setup, monitor: Monitor) -> dict[str, str]:
    from ..index_places import discovered_papers

    known = {id: paper.abstract for id, paper in discovered_papers(setup.settings).items()}
    own = _read_index(
        setup, lambda index: {id: paper.abstract for id, (paper, _) in index.get(request.ids).items()}
    )
    return {id: known[id] for id in request.ids if id in known} | (own or {})


def list_papers(
    request: requests.PaperList, setup: Setup, monitor: Monitor
) -> tuple[requests.ListedPaper, ...]:
    from ..index_places import discovered_papers

    papers = discovered_papers(setup.settings)
    papers |= {paper.id: paper for paper in _read_index(setup, _few_papers) or ()}
    return tuple(
        requests.ListedPaper(p.id, p.title, " and ".join(p.authors), str(p.year or ""))
        for p in papers.values()
        if p.title
    )


def _few_papers(index: MilvusIndex) -> list[Paper]:
    status = index.status()
    return list(index.papers()) if status.metadata and status.papers <= MOST_LISTED else []


def _read_index(setup: Setup, read: Callable[[MilvusIndex], T]) -> T | None:
    """What `read` returns for the index, if it is on this disk; else None."""
    from ..index_places import open_as_it_is

    if not setup.place.on_this_disk:
        return None
    with closing(open_as_it_is(setup.settings, setup.place)) as index:
        return read(index)


def identify(request: requests.PaperById, setup: Setup, monitor: Monitor) -> Identified:
    from ..bibliography_checks.lookups import identify as identified

    return identified(request.text, setup.settings, False, monitor)


def fetch_model(request: requests.FetchModel, setup: Setup, monitor: Monitor) -> str:
    from texgeist_retrieval.embedding.fetch import fetch_model as fetch

    from ..config import storage
    from ..config.user_file import data_of

    folder = storage.model_folder(data_of(setup.settings))
    fetch(folder, monitor)
    return str(folder)


def sync(request: requests.SyncLibrary, setup: Setup, monitor: Monitor) -> str:
    from ..library import syncing

    return syncing.sync(setup.settings, setup.keys, request.categories, monitor)


def add(request: requests.AddToLibrary, setup: Setup, monitor: Monitor) -> str:
    from ..library import syncing

    done = [
        syncing.take_in(source, setup.settings, setup.keys, monitor, syncing.Intake(since=""))
        for source in request.sources
    ]
    return "; ".join(map(syncing.sentence, done))


def discover(request: requests.DiscoverPapers, setup: Setup, monitor: Monitor) -> str:
    from ..sections import runs

    return runs.discover(request.query, setup, monitor)


def embed(request: requests.EmbedPassages, setup: Setup, monitor: Monitor) -> str:
    from texgeist_retrieval.errors import ModelMissing

    from ..passage_library import embed_passages

    try:
        return f"{number_of(embed_passages(setup.settings, setup.place, monitor), 'passage')} embedded."
    except ModelMissing:
        return ""


def ping(request: requests.Ping, setup: Setup, monitor: Monitor) -> int:
    import os

    return os.getpid()


TASKS: Mapping[type[asked.Request[Any]], Callable[[Any, Setup, Monitor], Any]] = {
    asked.RelatedWorkRequest: run,
    asked.QuestionRequest: run,
    asked.CitationRequest: run,
    asked.SectionRequest: run,
    asked.MissingRequest: run,
    asked.EvidenceRequest: gather,
    asked.StatementRequest: both_sides,
    asked.ReviewRequest: search_for_review,
    asked.ChooseRequest: choose,
    asked.WriteChosenRequest: write_chosen,
    requests.Abstracts: abstracts,
    requests.PaperList: list_papers,
    requests.EntryChecks: check_entries,
    requests.ProjectReport: verify_project,
    requests.PaperById: identify,
    requests.SentenceChecks: check_sentences,
    requests.WeakerSentence: weaken_sentence,
    requests.FetchModel: fetch_model,
    requests.SyncLibrary: sync,
    requests.AddToLibrary: add,
    requests.DiscoverPapers: discover,
    requests.EmbedPassages: embed,
    requests.Ping: ping,
}
