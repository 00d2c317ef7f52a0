"""Adds, inspects and searches the full papers of an index. Connects the passages in Milvus, the hash table of
the added papers, and the snapshot that is searched."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.errors import IndexMissing, ModelMissing

from .config import storage
from .embedders import build_embedder, is_ours
from .index_places import Place, naming_library, open_as_it_is

if TYPE_CHECKING:
    from texgeist_retrieval.evidence.search import PassageSearch
    from texgeist_retrieval.index.full_papers import IndexedPapers
    from texgeist_retrieval.index.passage_update import PassageUpdater
    from texgeist_retrieval.index.passage_vectors import PassageVectors
    from texgeist_retrieval.index.passages import PassageIndex
    from texgeist_retrieval.index.snapshot import Snapshot
    from texgeist_retrieval.ports import Embedder, LanguageModel, Monitor

    from .config.settings import Settings


def table_path(settings: Settings, place: Place) -> Path:
    """The hash table of the index at `place`."""
    from texgeist_retrieval.index.hashes import table_of

    return table_of(place.location, settings.index.collection, storage.data_folder())


@contextmanager
def updating_passages(settings: Settings, place: Place, monitor: Monitor) -> Iterator[PassageUpdater]:
    """Yields the updater for the full texts of an index. Afterwards the snapshot is rebuilt if anything
    changed."""
    from texgeist_retrieval.index.hashes import TextTable, text_table_of
    from texgeist_retrieval.index.passage_update import PassageUpdater

    opened: list[PassageIndex] = []

    def opening(create: bool) -> PassageIndex:
        opened.append(open_passage_index(settings, place, create=create, writable=True))
        return opened[-1]

    with closing(TextTable(text_table_of(table_path(settings, place)))) as table:
        updater = PassageUpdater(opening, table, monitor)
        try:
            yield updater
        finally:
            for index in opened:
                index.close()
    if updater.changed:
        with suppress(IndexMissing):  # the last full paper was removed
            snapshot_of(settings, place, monitor)


def open_passage_index(
    settings: Settings, place: Place, *, create: bool = False, writable: bool = False
) -> PassageIndex:
    """Opens the passages of an index. Raises `IndexMissing` if it has no full papers, and
    `LibraryMissing` if it is the user's library and does not exist."""
    from texgeist_retrieval.index.passages import open_passages

    with naming_library(place):
        return open_passages(
            place.location,
            token=place.token,
            collection=settings.index.collection,
            create=create,
            writable=writable,
        )


def has_passages(settings: Settings, place: Place) -> bool:
    """Whether the index has full papers. False also if it cannot be opened; a search then reports the
    reason."""
    from texgeist_retrieval.errors import SearchError

    try:
        with closing(open_passage_index(settings, place)) as passages:
            return passages.count() > 0
    except SearchError:
        return False


def full_texts_of(settings: Settings, place: Place) -> dict[str, Any]:
    """Statistics on full papers, by name. The number of papers comes from the records on this machine."""
    from texgeist_retrieval.index.hashes import recorded_texts, text_table_of
    from texgeist_retrieval.index.passage_vectors import load_vectors

    try:
        with closing(open_passage_index(settings, place)) as passages:
            papers, _ = recorded_texts(text_table_of(table_path(settings, place)))
            about = {"full_papers": papers, "passages": passages.count()}
    except IndexMissing:
        return {"full_papers": 0, "passages": 0, "embedded": 0, "passage_model": ""}
    held = load_vectors(last_snapshot(settings, place))
    done = int(held.done.sum()) if held else 0
    return about | {"embedded": done, "passage_model": held.model if held else ""}


def snapshot_of(settings: Settings, place: Place, monitor: Monitor) -> Snapshot:
    """The snapshot to search, rebuilt if the index has changed. Raises `IndexMissing` if there are no full
    papers."""
    from texgeist_retrieval.index import snapshot
    from texgeist_retrieval.index.hashes import recorded_texts, text_table_of

    with closing(open_passage_index(settings, place)) as passages:
        _, stamp = recorded_texts(text_table_of(table_path(settings, place)))
        stamp = f"{stamp} {passages.count()}"
        folder = last_snapshot(settings, place)
        if snapshot.stamp_of(folder) != stamp or not (found := snapshot.load(folder)):
            with closing(open_as_it_is(settings, place)) as index:
                model = index.status().model
                snapshot.build(folder, stamp, model, passages.passages(), index.get, monitor)
            found = snapshot.load(folder)
    if not found or not found.papers:
        raise IndexMissing(
            "The index holds no full papers, so there are no passages to search.",
            "Put some in: `texgeist index add` with full papers as JSON lines, or with PDFs.",
        )
    return found


def last_snapshot(settings: Settings, place: Place) -> Path:
    """The folder of the last snapshot, which may be missing or outdated: beside the hash table of a local index,
    else in the cache."""
    from texgeist_retrieval.index.snapshot import folder_of

    table = table_path(settings, place)
    if table.exists():
        return folder_of(table)
    name = hashlib.sha256(f"{place.location} {settings.index.collection}".encode()).hexdigest()[:16]
    return storage.cache_folder() / "snapshots" / name


def is_embedded(settings: Settings, place: Place) -> bool:
    """Whether every passage of the last snapshot has a vector; True if there is no snapshot."""
    from texgeist_retrieval.index.passage_vectors import load_vectors

    folder = last_snapshot(settings, place)
    held = load_vectors(folder)
    return not folder.exists() if held is None else bool(held.done.all())


def embed_passages(settings: Settings, place: Place, monitor: Monitor) -> int:
    """Embeds the passages of an index that have no vector yet; returns their number. Searches use each new
    vector immediately. If the user cancels, the vectors made so far are kept. Raises `ModelMissing`, the
    `SearchError`s and `Cancelled`."""
    from texgeist_retrieval.index.full_papers import embed_all
    from texgeist_retrieval.index.storing import updating

    embedder = passage_embedder(settings)
    folder = last_snapshot(settings, place)
    with updating(folder.with_name(f"{folder.name}.embedding"), monitor):
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
        embedder = passage_embedder(settings)
        if made := _room_for(snapshot, settings, place, embedder):
            snapshot = replace(snapshot, vectors=made)
        return PassageSearch(snapshot, embedder, weigher, method=method)
    except ModelMissing as error:
        return PassageSearch(snapshot, None, weigher, (f"{BY_WORDS_ALONE} {error.sentence()}",), method)


def indexed_papers(settings: Settings, place: Place, embedder: Embedder) -> IndexedPapers | None:
    """The full papers of an index; None if the index has none. An index on
    another machine is not read: the passages would have to be fetched first."""
    from texgeist_retrieval.errors import SearchError
    from texgeist_retrieval.index.full_papers import IndexedPapers
    from texgeist_retrieval.monitor import Silent

    if place.remote:
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


def passage_embedder(settings: Settings) -> Embedder:
    """The embedding model of the index, with 8-bit weights if it is texgeist's: these need half the time, and
    their vectors agree to 0.999. Raises `ModelMissing`."""
    return build_embedder(settings, fast=is_ours(settings))
