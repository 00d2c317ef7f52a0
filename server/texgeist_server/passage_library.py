"""Adds, inspects and searches the full papers of an index. Connects the index, the file of its full texts, and the
snapshot that is searched."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import IndexMissing, ModelMissing

from .config import storage
from .embedders import build_embedder
from .index_places import Place, open_as_it_is

if TYPE_CHECKING:
    from texgeist_retrieval.evidence.search import PassageSearch
    from texgeist_retrieval.index.full_papers import IndexedPapers
    from texgeist_retrieval.index.full_texts import FullTexts, FullTextStatus
    from texgeist_retrieval.index.passage_vectors import PassageVectors
    from texgeist_retrieval.index.snapshot import Snapshot
    from texgeist_retrieval.ports import Embedder, LanguageModel, Monitor

    from .config.settings import Settings


ADD = (
    "Add some: `texgeist index add FOLDER` reads the PDFs in a folder, `texgeist index add zotero` those of your Zotero "
    "library; JSON lines with full papers are read too."
)
ON_A_SERVER = (
    "Full papers of an index on a server can be searched only on the machine that added them. Add some to your own "
    "library (`--index library`), and search it."
)


def table_path(settings: Settings, place: Place) -> Path:
    """The hash table of the index at `place`."""
    from texgeist_retrieval.index.hashes import table_of

    return table_of(place.location, settings.index.collection, storage.data_folder())


@contextmanager
def updating_full_texts(
    settings: Settings, place: Place, model: str, monitor: Monitor
) -> Iterator[FullTexts]:
    """Opens the full texts of an index, whose abstracts `model` embedded, for writing. Afterwards the snapshot
    is rebuilt if anything changed."""
    from texgeist_retrieval.index.full_texts import FullTexts

    with closing(FullTexts(_full_texts_file(settings, place), monitor)) as texts:
        yield texts
    if has_passages(settings, place):
        snapshot_of(settings, place, monitor, model)


def _full_texts_file(settings: Settings, place: Place) -> Path:
    from texgeist_retrieval.index.hashes import FULL_TEXTS, beside

    return beside(table_path(settings, place), FULL_TEXTS)


def full_texts_of(settings: Settings, place: Place) -> FullTextStatus:
    """The full texts that were added to the index on this machine. Raises `IndexMismatch` if their file is
    damaged."""
    from texgeist_retrieval.index.full_texts import status_of

    return status_of(table_path(settings, place))


def has_passages(settings: Settings, place: Place) -> bool:
    from texgeist_retrieval.index.full_texts import any_passages

    return any_passages(_full_texts_file(settings, place))


def snapshot_of(settings: Settings, place: Place, monitor: Monitor, model: str = "") -> Snapshot:
    """The snapshot to search, rebuilt if the texts have changed, or if its abstracts were not embedded by
    `model`. Raises `IndexMissing` if there are no full papers, and the errors of opening an index."""
    from texgeist_retrieval.index import is_server, snapshot
    from texgeist_retrieval.index.full_texts import read_passages

    texts, folder = full_texts_of(settings, place), last_snapshot(settings, place)
    found = snapshot.load(folder) if snapshot.stamp_of(folder) == texts.stamp else None
    if not texts.passages or not (is_server(place.location) or place.on_this_disk):
        open_as_it_is(settings, place).close()  # raises if the index is missing
        found = None
    elif not found or (model and found.model != model):
        passages = read_passages(_full_texts_file(settings, place))
        with closing(open_as_it_is(settings, place)) as index:
            snapshot.build(folder, texts.stamp, index.status().model, passages, index.get, monitor)
        found = snapshot.load(folder)
    if not found or not found.papers:
        where = " on this machine" if is_server(place.location) else ""
        raise IndexMissing(
            f"The index holds no full papers{where}, so there are no passages to search.",
            texts.note or (ON_A_SERVER if where else ADD),
        )
    return found


def last_snapshot(settings: Settings, place: Place) -> Path:
    """The folder of the last snapshot, which may be missing or outdated: beside the hash table of a local index,
    else in the cache."""
    from texgeist_retrieval.index.hashes import SNAPSHOT, beside

    table = table_path(settings, place)
    if table.exists():
        return beside(table, SNAPSHOT)
    name = hashlib.sha256(f"{place.location} {settings.index.collection}".encode()).hexdigest()[:16]
    return storage.cache_folder() / "snapshots" / name


def embedded_passages(settings: Settings, place: Place) -> tuple[int, str]:
    """The number of embedded passages in the last snapshot, and the name of the model that embedded them."""
    from texgeist_retrieval.index.passage_vectors import load_vectors

    held = load_vectors(last_snapshot(settings, place))
    return (int(held.done.sum()), held.model) if held else (0, "")


def is_embedded(settings: Settings, place: Place) -> bool:
    """Whether every passage of the last snapshot has a vector; True if the index has no full papers."""
    from texgeist_retrieval.index.passage_vectors import load_vectors

    held = load_vectors(last_snapshot(settings, place))
    return bool(held.done.all()) if held else not has_passages(settings, place)


def embed_passages(settings: Settings, place: Place, monitor: Monitor) -> int:
    """Embeds the passages of an index that have no vector yet; returns their number. Searches use each new
    vector immediately. If the user cancels, the vectors made so far are kept. Raises `ModelMissing`, the
    `SearchError`s and `Cancelled`."""
    from texgeist_retrieval.index.full_papers import embed_all
    from texgeist_retrieval.index.hashes import updating

    embedder = build_embedder(settings)
    folder = last_snapshot(settings, place)
    with updating(folder.with_name(f"{folder.name}.embedding"), monitor) as monitor:
        return embed_all(lambda: snapshot_of(settings, place, monitor), folder, embedder, monitor)


def build_evidence_search(
    settings: Settings, place: Place, monitor: Monitor, *, model: LanguageModel | None = None
) -> PassageSearch:
    """Builds the evidence search of an index. Without a `model`, passages are ranked by vector, words and
    section type. If the embedding model is missing, they are ranked by words alone. Raises the
    `SearchError`s."""
    from texgeist_retrieval.evidence.methods import METHODS
    from texgeist_retrieval.evidence.search import BY_WORDS_ALONE, PassageSearch
    from texgeist_retrieval.evidence.weighing import ModelWeigher

    snapshot = snapshot_of(settings, place, monitor)
    method = METHODS[settings.evidence.method]
    weigher = ModelWeigher(model, one_by_one=method.rated_alone) if model else None
    try:
        embedder = build_embedder(settings)
        if made := _room_for(snapshot, settings, place, embedder):
            snapshot = replace(snapshot, vectors=made)
        return PassageSearch(snapshot, embedder, weigher, method=method)
    except ModelMissing as error:
        return PassageSearch(snapshot, None, weigher, (f"{BY_WORDS_ALONE} {error.sentence()}",), method)


def indexed_papers(settings: Settings, place: Place, embedder: Embedder) -> IndexedPapers | None:
    """The full papers of an index; None if it has none on this machine, or they cannot be read."""
    from texgeist_retrieval.errors import SearchError
    from texgeist_retrieval.index.full_papers import IndexedPapers
    from texgeist_retrieval.monitor import Silent

    if not has_passages(settings, place):
        return None
    try:
        snapshot = snapshot_of(settings, place, Silent())
    except SearchError:
        return None
    vectors = snapshot.vectors_by(embedder.name) or _room_for(snapshot, settings, place, embedder)
    return IndexedPapers(snapshot, vectors) if vectors else None


def _room_for(
    snapshot: Snapshot, settings: Settings, place: Place, embedder: Embedder
) -> PassageVectors | None:
    """Empty vectors for all passages, so that the passages of found papers can be embedded first. Returns
    None if the snapshot has vectors of another model, which only `embed_passages` replaces."""
    from texgeist_retrieval.index.full_papers import make_empty

    return None if snapshot.vectors else make_empty(snapshot, last_snapshot(settings, place), embedder)
