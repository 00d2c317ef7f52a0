"""The worker's tasks: for each request class a function that returns its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, TypeVar

from texgeist_retrieval.text.words import number_of

from ..adapters import Setup
from ..sections import requests as asked
from ..sections import runs
from . import choice, requests
from .project_checks import check_entries, check_sentences, verify_project, weaken_sentence

if TYPE_CHECKING:
    from texgeist_retrieval.index.milvus import MilvusIndex
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.types import Paper

    from ..bibliography_checks.places import Identified

T = TypeVar("T")
MOST_LISTED = 20_000  # papers of a library


def abstracts(request: requests.Abstracts, setup: Setup, monitor: Monitor) -> dict[str, str]:
    from ..index_places import discovered_papers

    known = {id: paper.abstract for id, paper in discovered_papers().items()}
    own = _read_index(
        setup, lambda index: {id: paper.abstract for id, (paper, _) in index.get(request.ids).items()}
    )
    return {id: known[id] for id in request.ids if id in known} | (own or {})


def list_papers(
    request: requests.PaperList, setup: Setup, monitor: Monitor
) -> tuple[requests.ListedPaper, ...]:
    from ..index_places import discovered_papers

    papers = discovered_papers()
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

    folder = storage.model_folder()
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
    asked.RelatedWorkRequest: runs.run,
    asked.QuestionRequest: runs.run,
    asked.CitationRequest: runs.run,
    asked.SectionRequest: runs.run,
    asked.MissingRequest: runs.run,
    asked.EvidenceRequest: runs.gather,
    asked.StatementRequest: runs.both_sides,
    asked.ReviewRequest: choice.search,
    asked.ChooseRequest: choice.choose,
    asked.WriteChosenRequest: choice.write_chosen,
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
