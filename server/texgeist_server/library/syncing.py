"""Fills and updates an index, for the command line and the worker."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import IndexMissing, IndexReadOnly, NoSource, RetrievalError
from texgeist_retrieval.paths import expanded

from ..bibliography_checks.lookups import AbstractLookup
from ..config import storage
from ..config.user_file import data_of
from ..embedders import build_embedder_of_papers, made_by
from ..index_places import index_place
from ..passage_library import table_path, updating_passages

if TYPE_CHECKING:
    from texgeist_retrieval.index.hashes import HashTable
    from texgeist_retrieval.index.milvus import MilvusIndex
    from texgeist_retrieval.index.update import Summary
    from texgeist_retrieval.ports import Monitor

    from ..config.credentials import Keys
    from ..config.settings import Settings
    from ..index_places import Place


ASK_FOR_ABSTRACTS = "With --online arXiv, Crossref and OpenAlex are asked for the abstracts; ids and titles of these entries are sent."


@dataclass(frozen=True, slots=True)
class Opened:
    """An index opened for writing, with its hash table."""

    index: MilvusIndex
    table: HashTable
    table_path: Path


def sync(settings: Settings, keys: Keys, categories: Sequence[str], monitor: Monitor) -> str:
    """Updates the index with new arXiv papers of `categories` or, without categories, from its earlier
    sources and the `.bib` files in the user's folders.

    Returns a message about what was done. Raises `NoSource` if there is no source.
    """
    with writing(settings, keys, monitor) as opened:
        before = opened.table.sources()
    sources = [f"cat:{name}" for name in categories] or [*before, *_bib_files(settings)]
    if not sources:
        raise NoSource(
            "There is nothing to update from yet.",
            "Fill your library with `texgeist index add` and your .bib file, or name arXiv categories.",
        )
    from texgeist_retrieval.sources.shards import split_run

    told = []
    for text in dict.fromkeys(sources):
        source, shard = split_run(text)
        summary = take_in(source, settings, keys, monitor, Intake(shard=shard))
        told.append(f"{Path(source).name if Path(source).exists() else text}: {sentence(summary)}")
    return ". ".join(told) + "."


@dataclass(frozen=True, slots=True)
class Intake:
    """Options for adding a source. `index`: None for the configured index; `mine`: the user declares it as
    theirs. `since`: an ISO date, None for the last run, "" for everything. `sparse`: sparse vectors for a new
    index. `shard`: "3/16" for only that part. `online`: ask registries for missing abstracts even if the
    settings name none. `fast`: 8-bit weights."""

    index: str | None = None
    mine: bool = False
    since: str | None = None
    prune: bool = False
    fast: bool = False
    sparse: str = ""
    shard: str = ""
    online: bool = False

    def check(self) -> None:
        """Raises `NoSource` for options that would remove papers by mistake, or a date in the future."""
        _check_day(self.since or "")
        if self.prune and self.shard:
            raise NoSource(
                "A shard cannot prune: papers that it does not read may belong to the other shards.",
                "Prune with the whole source, in the index that the shards are imported into.",
            )
        if self.prune and self.since:
            raise NoSource(
                f"A run from {self.since} on cannot prune: older papers of the source would be removed.",
                "Leave --since out; pruning reads the whole source.",
            )


def take_in(
    source: str, settings: Settings, keys: Keys, monitor: Monitor, intake: Intake = Intake()
) -> Summary:
    """Adds a source to the index. Raises `NoSource`, the `SearchError`s and `Cancelled`."""
    from texgeist_retrieval.index.topics import load_topics
    from texgeist_retrieval.index.update import Updater
    from texgeist_retrieval.sources.records import RecordSource
    from texgeist_retrieval.sources.shards import Shard, Sharded

    from .harvest_sources import check_source, open_source, origin_of

    check_source(source)
    intake.check()
    part = Shard.read(intake.shard) if intake.shard else None
    since = "" if intake.prune else intake.since  # pruning reads the whole source
    run = f"{_lasting(source)} {part}" if part else _lasting(source)
    with writing(
        settings, keys, monitor, index=intake.index, mine=intake.mine, sparse=intake.sparse
    ) as opened:
        abstracts = AbstractLookup(settings, monitor, intake.online)
        if part and since is None:
            since = opened.table.last_run(run)
        records: RecordSource = open_source(source, settings, opened.table, monitor, since, abstracts)
        records = Sharded(records, part) if part else records
        topics = load_topics(opened.table_path)
        with updating_passages(settings, index_place(settings, keys, intake.index), monitor) as passages:
            updater = Updater(
                opened.index,
                opened.table,
                lambda: build_embedder_of_papers(settings, fast=intake.fast),
                monitor,
                topics,
                passages,
                origin_of(source),
            )
            summary = updater.run(records, prune=intake.prune)
        summary.notes += abstracts.notes
        summary.unanswered = abstracts.unanswered
        opened.table.record_run(run, getattr(records, "until", ""))
        return summary


def _check_day(since: str) -> None:
    """Raises NoSource unless it is "" or a date not in the future."""
    try:
        is_day = not since or (
            "W" not in since and len(since) == 10 and date.fromisoformat(since) <= date.today()
        )
    except ValueError:
        is_day = False
    if not is_day:
        raise NoSource(
            f"{since} is not a past date.",
            "Give a date such as 2024-01-31, or leave it out for the last run.",
        )


@contextmanager
def writing(
    settings: Settings,
    keys: Keys,
    monitor: Monitor,
    *,
    index: str | None = None,
    mine: bool = False,
    create: bool = True,
    sparse: str = "",
) -> Iterator[Opened]:
    """Opens the user's index and hash table, creating them if needed, and waits until no other process writes
    to them. `mine`: the user declares the index as theirs.

    Raises `IndexReadOnly` for an index of others, before opening or writing anything.
    """
    from texgeist_retrieval.index import is_server
    from texgeist_retrieval.index.local import check_place
    from texgeist_retrieval.index.storing import updating

    place = index_place(settings, keys, index)
    path = table_path(settings, place)
    if not is_server(place.location):
        check_place(Path(place.location), create=create)
    check_is_own(settings, place, mine)
    with (
        updating(path, monitor),
        _kept_beside(path),
        _hash_table(place, path) as table,
        closing(_open_to_write(settings, place, path, create, sparse)) as opened,
    ):
        opened.check_writable()
        yield Opened(opened, table, path)
        if is_server(place.location):
            monitor.report("Waiting for the server to index the new papers")
        opened.seal()


@contextmanager
def _hash_table(place: Place, path: Path) -> Iterator[HashTable]:
    """Opens the hash table before the index, because `made_here` looks for it after an interrupted run. It is
    removed if no index was created: an index that somebody puts there later is not the user's."""
    from texgeist_retrieval.index import is_server
    from texgeist_retrieval.index.hashes import HashTable

    new = not path.exists()
    try:
        with closing(HashTable(path)) as table:
            yield table
    finally:
        if new and not is_server(place.location) and not Path(place.location).exists():
            path.unlink(missing_ok=True)


def _open_to_write(settings: Settings, place: Place, table: Path, create: bool, sparse: str) -> MilvusIndex:
    """Opens or creates the index. A new collection on a server is marked as made here before it is created,
    so that an interrupted run can be repeated. The mark is removed if the creation fails: a collection that
    somebody makes there later is not the user's."""
    from texgeist_retrieval.index import is_server, open_index, place_of

    from .ownership import marker

    model, dimension = made_by(settings) if create else ("", 0)  # without embedding, any model is accepted
    opening = partial(
        open_index,
        place.location,
        token=place.token,
        collection=settings.index.collection,
        model=model,
        dimension=dimension,
        writable=True,
        sparse=sparse,
    )
    if create and is_server(place.location):
        try:
            return opening()
        except IndexMissing:
            mark = marker(table)
        mark.write_text(f"{place_of(place.location)} {settings.index.collection}\n", "utf-8")
        try:
            return opening(create=True)
        except RetrievalError:
            if not _opens(opening):
                mark.unlink(missing_ok=True)
            raise
    return opening(create=create)


def _opens(opening: Callable[[], MilvusIndex]) -> bool:
    try:
        opening().close()
    except RetrievalError:
        return False
    return True


@contextmanager
def _kept_beside(table: Path) -> Iterator[None]:
    """Converts SQLite's errors (a full disk, a damaged file) to messages for the user."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise RetrievalError(
            f"What is kept of the index in {table.parent} could not be written ({error}).",
            "Make room there; the same command goes on from there.",
        ) from error
    except sqlite3.DatabaseError as error:
        raise RetrievalError(
            f"What is kept of the index beside {table} is damaged ({error}).",
            "Move it away and give the command again with --mine: the next `index add` rebuilds it from the index.",
        ) from error


def is_own(settings: Settings, place: Place) -> bool:
    """Whether the index may be written to."""
    try:
        check_is_own(settings, place)
    except IndexReadOnly:
        return False
    return True


def check_is_own(settings: Settings, place: Place, mine: bool = False) -> None:
    """Raises `IndexReadOnly` for an index of others, unless the user declares it as theirs (`mine`)."""
    from .ownership import check_own

    declared = [*settings.index.mine, *([place.location] if mine else [])]
    check_own(place, table_path(settings, place), storage.library(data_of(settings)), declared)


def sentence(summary: Summary) -> str:
    """A message about what an update did."""
    parts = [
        f"{summary.read:,} read",
        f"{summary.added:,} new",
        f"{summary.updated:,} changed",
        f"{summary.unchanged:,} unchanged",
        *(
            [f"{summary.full_texts:,} full papers as {summary.passages:,} passages"]
            if summary.full_texts
            else []
        ),
        *(
            [f"{summary.full_texts_unchanged:,} full papers unchanged"]
            if summary.full_texts_unchanged
            else []
        ),
        *([f"{summary.removed:,} removed"] if summary.removed else []),
        *([f"{summary.unreadable:,} unreadable left out"] if summary.unreadable else []),
        *([f"{summary.repaired:,} entries of the hash table mended"] if summary.repaired else []),
    ]
    return "; ".join([f"{', '.join(parts)} in {summary.seconds:,.1f} s", *_without_abstract(summary)])


def _without_abstract(summary: Summary) -> Iterator[str]:
    if many := summary.by_title:
        has, their = ("has", "its title") if many == 1 else ("have", "their titles")
        yield f"{many:,} {has} no abstract and can be found only by {their}"
    if many := summary.without_abstract:
        yield f"{many:,} left out: no abstract and a title of one or two words"


def _lasting(source: str) -> str:
    """A file source as an absolute path, because the next run may start in another folder."""
    path = expanded(source)
    return str(path.resolve()) if path.exists() else source


def _bib_files(settings: Settings) -> list[str]:
    folders = [expanded(folder) for folder in settings.papers.folders]
    files = [path for path in folders if path.suffix.lower() == ".bib"]
    files += [path for folder in folders if folder.is_dir() for path in sorted(folder.glob("*.bib"))]
    return [str(path.resolve()) for path in files if path.exists()]
