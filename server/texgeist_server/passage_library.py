"""Full papers of an index: fills, inspects and searches them. Connects the passages in Milvus, the hash table
of what was added, and the snapshot that is searched."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.errors import IndexMismatch, IndexMissing

from .config import storage
from .config.user_file import data_of
from .index_places import Place, open_as_it_is

if TYPE_CHECKING:
    from texgeist_retrieval.evidence.search import PassageSearch
    from texgeist_retrieval.index.passage_update import PassageUpdater
    from texgeist_retrieval.index.passages import PassageIndex
    from texgeist_retrieval.index.snapshot import Snapshot
    from texgeist_retrieval.ports import Embedder, LanguageModel, Monitor

    from .config.settings import Settings


def table_path(settings: Settings, place: Place) -> Path:
    """The hash table of the index at `place`."""
    from texgeist_retrieval.index.hashes import table_of

    return table_of(place.location, settings.index.collection, data_of(settings))


@contextmanager
def updating_passages(settings: Settings, place: Place, monitor: Monitor) -> Iterator[PassageUpdater]:
    """Yields the updater for the full texts of an index. Afterwards the snapshot is rebuilt if anything
    changed."""
    from texgeist_retrieval.index.passage_update import PassageUpdater, TextTable, text_table_of

    opened: list[PassageIndex] = []

    def opening(create: bool) -> PassageIndex:
        embedder = passage_embedder() if create else None
        opened.append(
            open_passage_index(
                settings,
                place,
                model=embedder.name if embedder else "",
                dimension=embedder.dimension if embedder else 0,
                create=create,
                writable=True,
            )
        )
        return opened[-1]

    with closing(TextTable(text_table_of(table_path(settings, place)))) as table:
        updater = PassageUpdater(opening, table, passage_embedder(), monitor)
        try:
            yield updater
        finally:
            for index in opened:
                index.close()
    if updater.changed:
        with suppress(IndexMissing):  # the last full paper was removed
            snapshot_of(settings, place, monitor)


def open_passage_index(
    settings: Settings,
    place: Place,
    *,
    model: str = "",
    dimension: int = 0,
    create: bool = False,
    writable: bool = False,
) -> PassageIndex:
    """Opens the passages of an index. Raises `IndexMissing` if it has no full papers."""
    from texgeist_retrieval.index.passages import open_passages

    return open_passages(
        place.location,
        token=place.token,
        collection=settings.index.collection,
        model=model,
        dimension=dimension,
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
    """Statistics on full papers, by name. Papers are counted as recorded on this machine."""
    from texgeist_retrieval.index.passage_update import recorded_texts, text_table_of

    try:
        with closing(open_passage_index(settings, place)) as passages:
            papers, _, _ = recorded_texts(text_table_of(table_path(settings, place)))
            return {"full_papers": papers, "passages": passages.count(), "passage_model": passages.model}
    except IndexMissing:
        return {"full_papers": 0, "passages": 0, "passage_model": ""}


def snapshot_of(settings: Settings, place: Place, monitor: Monitor) -> Snapshot:
    """The snapshot to search, rebuilt if the index has changed. Raises `IndexMissing` if there are no full
    papers."""
    from texgeist_retrieval.index import snapshot
    from texgeist_retrieval.index.passage_update import recorded_texts, text_table_of

    with closing(open_passage_index(settings, place)) as passages:
        _, _, stamp = recorded_texts(text_table_of(table_path(settings, place)))
        stamp = f"{stamp} {passages.count()} {passages.model}"
        folder = _snapshot_folder(settings, place)
        if snapshot.stamp_of(folder) != stamp or not (found := snapshot.load(folder)):
            with closing(open_as_it_is(settings, place)) as index:
                snapshot.build(folder, stamp, passages.model, passages.passages(), index.papers(), monitor)
            found = snapshot.load(folder)
    if not found or not found.papers:
        raise IndexMissing(
            "The index holds no full papers, so there are no passages to search.",
            "Put some in: `texgeist index add` with full papers as JSON lines, or with PDFs.",
        )
    return found


def last_snapshot(settings: Settings, place: Place) -> Path:
    """The folder of the last snapshot, which may be missing or outdated."""
    return _snapshot_folder(settings, place)


def _snapshot_folder(settings: Settings, place: Place) -> Path:
    """The snapshot folder: beside the hash table of a local index; else in the cache."""
    from texgeist_retrieval.index.snapshot import folder_of

    table = table_path(settings, place)
    if table.exists():
        return folder_of(table)
    name = hashlib.sha256(f"{place.location} {settings.index.collection}".encode()).hexdigest()[:16]
    return storage.cache_folder(data_of(settings)) / "snapshots" / name


def build_evidence_search(
    settings: Settings, place: Place, monitor: Monitor, *, model: LanguageModel | None = None
) -> PassageSearch:
    """Builds the evidence search of an index. Without a `model`, passages are ranked by vector, words and
    section type. Raises the `SearchError`s."""
    from texgeist_retrieval.evidence.search import PassageSearch

    snapshot = snapshot_of(settings, place, monitor)
    embedder = passage_embedder()
    if snapshot.model != embedder.name:
        raise IndexMismatch(
            f"The passages of this index were made by the model {snapshot.model}, which this texgeist does not know.",
            "Update texgeist, or make another index.",
        )
    if model is None:
        return PassageSearch(snapshot, embedder)
    from texgeist_retrieval.evidence.weighing import ModelWeigher

    return PassageSearch(snapshot, embedder, ModelWeigher(model))


def passage_embedder() -> Embedder:
    """The embedding model for passages. It ships with texgeist, and the index records its name."""
    from texgeist_retrieval.ranking.storage import load_word_vectors

    return load_word_vectors()
