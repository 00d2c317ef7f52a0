"""`texgeist index`: the papers that are searched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .common import INDEX, JSON, load_settings, messages, plainly, print_json, working

if TYPE_CHECKING:
    from texgeist_retrieval.index.hashes import HashTable
    from texgeist_retrieval.index.milvus import MilvusIndex
    from texgeist_retrieval.index.update import Summary
    from texgeist_retrieval.ports import Embedder

    from ..services import Place
    from ..settings import Settings

app = typer.Typer(help="The papers that are searched: fill, update, look.", no_args_is_help=True)

FAST = typer.Option(
    False, "--fast", help="Embed with 8-bit weights: about twice as fast, vectors equal to 0.999."
)


@app.command()
def add(
    sources: list[str] = typer.Argument(..., metavar="SOURCE…", help="A .bib file, JSON lines, PDFs, …"),
    index: str | None = INDEX,
    fast: bool = FAST,
    as_json: bool = JSON,
) -> None:
    """Put papers into the index; what is there already and unchanged costs nothing."""
    with plainly():
        summaries = {source: _update(source, index, since="", fast=fast) for source in sources}
        _tell(summaries, as_json)


@app.command()
def sync(
    source: str = typer.Argument(..., metavar="SOURCE", help="arXiv's snapshot, oai[:SET], a query, …"),
    index: str | None = INDEX,
    since: str | None = typer.Option(None, help="From this day on (2024-01-31); default: the last run."),
    prune: bool = typer.Option(False, "--prune", help="Remove arXiv papers that the source has no more."),
    fast: bool = FAST,
    as_json: bool = JSON,
) -> None:
    """Bring the index up to date with a source. May be interrupted at any time and run again."""
    with plainly():
        summary = _update(source, index, since=since, prune=prune, fast=fast)
        _tell({source: summary}, as_json)


@app.command()
def status(index: str | None = INDEX, as_json: bool = JSON) -> None:
    """Say where the index is, how many papers it holds, and which model made it."""
    from texgeist_retrieval.index.hashes import recorded_papers

    from ..services import open_place

    with plainly():
        settings = load_settings()
        place = _place(settings, index)
        opened = open_place(settings, place)
        about = asdict(opened.status())
        opened.close()
        about["recorded"] = recorded_papers(_table(settings, place))
    if as_json:
        print_json(about)
        return
    typer.echo(f"{about['papers']:,} papers in {about['location']}")
    typer.echo(
        f"vectors by {about['model'] or 'a model that it does not name'}, {about['dimension']} numbers"
    )
    if not about["metadata"]:
        typer.echo("ids and vectors alone: titles and abstracts are asked from arXiv")


@app.command("export")
def export_(
    file: Path = typer.Argument(..., help="The Parquet file to write."), index: str | None = INDEX
) -> None:
    """Write ids, vectors and metadata to a Parquet file, for another machine or index."""
    from texgeist_retrieval.index.parquet import export_parquet

    from ..services import open_place

    with plainly(), working("Exporting") as monitor:
        settings = load_settings()
        opened = open_place(settings, _place(settings, index))
        count = export_parquet(opened, file, opened.status().model, monitor)  # type: ignore[arg-type]
    messages().print(f"{count:,} papers in {file}", markup=False)


@app.command("import")
def import_(
    file: Path = typer.Argument(..., help="A Parquet file with id, vector and metadata."),
    index: str | None = INDEX,
) -> None:
    """Take papers with their vectors from a Parquet file; nothing is embedded."""
    from texgeist_retrieval.index.parquet import import_parquet

    with plainly(), working("Importing") as monitor, _writing(index) as (opened, table, _):
        count, without = import_parquet(file, opened, table, "all-mpnet-base-v2", monitor)
    left_out = f", {without:,} rows without a usable vector left out" if without else ""
    messages().print(f"{count:,} papers imported{left_out}", markup=False)


@app.command()
def remove(
    ids: list[str] = typer.Argument(..., metavar="ID…", help="Ids as `texgeist search` prints them."),
    index: str | None = INDEX,
) -> None:
    """Take papers out of the index."""
    with plainly(), _writing(index) as (opened, table, _):
        known = [id_ for id_ in ids if id_ in table.known([id_]) or opened.get([id_])]
        opened.delete(known)
        table.forget(known)
    missing = [id_ for id_ in ids if id_ not in known]
    messages().print(f"{len(known)} removed" + (f", not there: {', '.join(missing)}" if missing else ""))


@app.command()
def topics(
    index: str | None = INDEX,
    again: bool = typer.Option(False, "--again", help="Find them anew; their names may change."),
) -> None:
    """Find the topics of the papers (needs the extra `topics`) and give every paper its own."""
    from texgeist_retrieval.index.topics import give_topics

    with plainly(), working("Finding topics") as monitor, _writing(index) as (opened, _, settings):
        path = _table(settings, _place(settings, index))
        names = give_topics(opened, path, monitor, again=again)
    typer.echo("\n".join(names) or "No topics were found.")


def _update(source: str, index: str | None, *, since: str | None, prune: bool = False, fast: bool) -> Summary:
    """`since`: None for the last run, "" for all of the source."""
    from texgeist_retrieval.index.topics import load_topics
    from texgeist_retrieval.index.update import Updater

    from ..intake import open_source

    with working(source) as monitor, _writing(index) as (opened, table, settings):
        records = open_source(source, settings, table, monitor, since)
        topics = load_topics(_table(settings, _place(settings, index)))
        updater = Updater(opened, table, lambda: _embedder(settings, fast), monitor, topics)
        summary = updater.run(records, prune=prune)
        if until := getattr(records, "until", ""):
            table.record_run(source, until)
        return summary


@contextmanager
def _writing(index: str | None) -> Iterator[tuple[MilvusIndex, HashTable, Settings]]:
    """The index with its hash table, made where they are not there, held against a second writer."""
    from texgeist_retrieval.index import open_index
    from texgeist_retrieval.index.hashes import HashTable
    from texgeist_retrieval.index.update import updating

    settings = load_settings()
    place = _place(settings, index)
    path = _table(settings, place)
    with updating(path):
        opened = open_index(
            place.location, token=place.token, collection=settings.index.collection, create=True
        )
        table = HashTable(path)
        try:
            yield opened, table, settings
        finally:
            table.close()
            opened.close()


def _place(settings: Settings, index: str | None) -> Place:
    from ..keys import keys_from_environment
    from ..services import index_place

    return index_place(settings, keys_from_environment(), index)


def _table(settings: Settings, place: Place) -> Path:
    from texgeist_retrieval.index.hashes import table_of

    from ..config import data_of

    return table_of(place.location, settings.index.collection, data_of(settings))


def _embedder(settings: Settings, fast: bool) -> Embedder:
    from texgeist_retrieval.embedding import load_embedder

    from .. import paths
    from ..config import data_of

    return load_embedder(paths.model_folder(data_of(settings)), fast=fast)


def _tell(summaries: dict[str, Summary], as_json: bool) -> None:
    if as_json:
        print_json({source: asdict(summary) for source, summary in summaries.items()})
        return
    for source, summary in summaries.items():
        typer.echo(f"{source}: {_sentence(summary)}")
        for problem in summary.problems:
            messages().print(f"  left out: {problem}", markup=False)
        if summary.unreadable > len(summary.problems):
            messages().print(f"  … and {summary.unreadable - len(summary.problems):,} more left out")


def _sentence(summary: Summary) -> str:
    parts = [
        f"{summary.read:,} read",
        f"{summary.added:,} new",
        f"{summary.updated:,} changed",
        f"{summary.unchanged:,} unchanged",
        *([f"{summary.removed:,} removed"] if summary.removed else []),
        *([f"{summary.without_abstract:,} without abstract left out"] if summary.without_abstract else []),
        *([f"{summary.repaired:,} entries of the hash table mended"] if summary.repaired else []),
    ]
    return f"{', '.join(parts)} in {summary.seconds:,.1f} s"
