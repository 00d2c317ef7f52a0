"""Bringing the library up to date from within the editor."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import IndexMissing

from .config import data_of
from .intake import open_source
from .services import build_embedder, index_place

if TYPE_CHECKING:
    from texgeist_retrieval.index.hashes import HashTable
    from texgeist_retrieval.ports import Monitor

    from .keys import Keys
    from .settings import Settings


def sync(settings: Settings, keys: Keys, categories: tuple[str, ...], monitor: Monitor) -> str:
    """Takes in what is new: of these arXiv categories, or, with none, of every source that was synced
    before and of the `.bib` files and folders in the settings. Gives one sentence on what was done."""
    from texgeist_retrieval.index import open_index
    from texgeist_retrieval.index.hashes import HashTable, table_of
    from texgeist_retrieval.index.topics import load_topics
    from texgeist_retrieval.index.update import Updater, updating

    place, collection = index_place(settings, keys), settings.index.collection
    path = table_of(place.location, collection, data_of(settings))
    with updating(path):
        opened = open_index(place.location, token=place.token, collection=collection, create=True)
        table = HashTable(path)
        try:
            sources = _sources(settings, table, categories)
            updater = Updater(opened, table, lambda: build_embedder(settings), monitor, load_topics(path))
            counts = [0, 0, 0]
            for source in sources:
                monitor.report(f"Looking at {source}")
                records = open_source(source, settings, table, monitor)
                summary = updater.run(records)
                counts = [a + b for a, b in zip(counts, _counts(summary), strict=True)]
                if until := getattr(records, "until", ""):
                    table.record_run(source, until)
            papers = opened.status().papers
        finally:
            table.close()
            opened.close()
    added, changed, removed = counts
    return f"{added:,} papers new, {changed:,} changed, {removed:,} removed; the index holds {papers:,}."


def _sources(settings: Settings, table: HashTable, categories: tuple[str, ...]) -> list[str]:
    if categories:
        return [f"cat:{category}" for category in categories]
    own = [str(Path(folder).expanduser()) for folder in settings.papers.folders]
    found = list(dict.fromkeys([*table.runs(), *own]))
    if not found:
        raise IndexMissing(
            "There is nothing to sync yet.",
            "Choose a field of arXiv, name your .bib files and PDF folders in texgeist.papers.folders, or "
            "run `texgeist index add`.",
        )
    return found


def _counts(summary: object) -> list[int]:
    return [int(getattr(summary, name)) for name in ("added", "updated", "removed")]
