"""`texgeist index`: fills and maintains the index of papers."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer
from texgeist_retrieval.errors import ModelMissing
from texgeist_retrieval.text.words import number_of

from .. import passage_library
from ..config.credentials import keys_from_environment
from ..index_places import Place, index_place, open_as_it_is
from ..library import own_index, syncing
from .common import (
    FORCE,
    INDEX,
    JSON,
    load_settings,
    new_file,
    plainly,
    print_json,
    working,
)
from .exits import ADD_PAPERS, KNOWN, NO_ANSWER, Known, fetching_abstracts, found, proposed
from .terminal import echo, inform, warn

if TYPE_CHECKING:
    from texgeist_retrieval.index.update import Summary
    from texgeist_retrieval.ports import Monitor

    from ..config.settings import Settings

app = typer.Typer(help="Manage the index of papers: add, update, export, remove.", no_args_is_help=True)
MINE = typer.Option(
    False, "--mine", help="Allow changes to this index, which is yours but was made on another machine."
)
ONLINE = typer.Option(
    False,
    "--online",
    help="Ask arXiv, Crossref and OpenAlex for missing abstracts; ids and titles of the entries are sent.",
)


Sparse = Literal["words", "lexicon", "extremes"]
SPARSE = typer.Option(
    None,
    "--sparse",
    help="For a new index: also store the papers' words as sparse vectors, and search by them too. words: BM25; "
    "lexicon: UR3WG's learned word weights; extremes: their approximation, smaller.",
)


@app.command()
def add(
    sources: list[str] = typer.Argument(..., metavar="SOURCE…", help="A .bib file, JSON lines, PDFs, …"),
    index: str | None = INDEX,
    mine: bool = MINE,
    sparse: Sparse | None = SPARSE,
    online: bool = ONLINE,
    as_json: bool = JSON,
) -> None:
    """Add papers to the index. Papers that are already in the index and unchanged are skipped."""
    intake = syncing.Intake(index, mine, since="", sparse=sparse or "", online=online)
    with plainly():
        summaries = _take_in(sources, intake, as_json)
        if not as_json and any(one.passages for one in summaries.values()):
            inform(
                "All passages can be searched by words now. You can stop with Ctrl+C; `texgeist index embed` continues."
            )
            try:
                _embed(index)
            except ModelMissing as error:
                inform(error.sentence())
        _end_if_unanswered(summaries)
        found(any(one.added + one.updated + one.unchanged + one.removed for one in summaries.values()))


@app.command()
def sync(
    source: str = typer.Argument(..., metavar="SOURCE", help="An arXiv snapshot, oai[:SET], a query, …"),
    index: str | None = INDEX,
    mine: bool = MINE,
    since: str | None = typer.Option(None, help="Since this date (2024-01-31). (default: the last run)"),
    prune: bool = typer.Option(False, "--prune", help="Remove arXiv papers that the source no longer has."),
    sparse: Sparse | None = SPARSE,
    online: bool = ONLINE,
    as_json: bool = JSON,
) -> None:
    """Update the index from a source. It is safe to interrupt this command and run it again."""
    intake = syncing.Intake(index, mine, since, prune, sparse or "", online)
    with plainly():
        _end_if_unanswered(_take_in([source], intake, as_json))


def _take_in(sources: list[str], intake: syncing.Intake, as_json: bool) -> dict[str, Summary]:
    """Adds the sources one after the other, and prints what was done. Returns a summary for each source."""
    settings, keys = load_settings(), keys_from_environment()
    summaries: dict[str, Summary] = {}
    for source in sources:
        with working(source) as monitor:
            summaries[source] = syncing.take_in(source, settings, keys, monitor, intake)
        if not as_json:  # reported at once: the next source may fail
            _report(source, summaries[source])
    if as_json:
        print_json({source: asdict(summary) for source, summary in summaries.items()})
    else:
        _propose_abstracts([source for source, summary in summaries.items() if summary.by_title], intake)
    return summaries


def _propose_abstracts(sources: list[str], intake: syncing.Intake) -> None:
    """Says how to get the abstracts that the papers of `sources` lack: from the registries, or if these were asked just
    now, from the papers themselves."""
    if bibs := tuple(Path(source) for source in sources if source.lower().endswith(".bib")):
        KNOWN.set(Known(bibliographies=bibs, index=intake.index))
        steps = (not intake.online and fetching_abstracts()) or [ADD_PAPERS]
        inform(f"Papers with abstracts are found better, and can be quoted:\n{proposed(*steps)}")


@app.command()
def status(index: str | None = INDEX, as_json: bool = JSON) -> None:
    """Show where the index is, how many papers it contains, and which model embedded them."""
    from texgeist_retrieval.index.hashes import recorded_papers

    with plainly():
        settings = load_settings()
        place = _place(settings, index)
        opened = open_as_it_is(settings, place)
        about = asdict(opened.status())
        opened.close()
        about["recorded"] = recorded_papers(passage_library.table_path(settings, place))
        about["yours"] = own_index.is_own(settings, place)
        texts = passage_library.full_texts_of(settings, place)
        about["full_papers"], about["passages"] = texts.papers, texts.passages
        about["embedded"], about["passage_model"] = passage_library.embedded_passages(settings, place)
    if as_json:
        print_json(about)
        return
    echo(f"{number_of(about['papers'], 'paper')} in {about['location']}")
    echo(f"vectors by {about['model'] or 'an unnamed model'}, {about['dimension']} numbers")
    if about["passages"]:
        echo(f"{about['full_papers']:,} of them in full, as {number_of(about['passages'], 'passage')}")
        by = f" by {about['passage_model']}" if about["embedded"] else ""
        echo(f"{number_of(about['embedded'], 'passage')} embedded{by}")
        if about["embedded"] < about["passages"]:
            echo("the others are searched by words; `texgeist index embed` embeds them")
    if texts.note:
        warn(texts.note)
    if about["sparse"]:
        echo(f"words as sparse vectors ({about['sparse']})")
    if not about["yours"]:
        echo("made elsewhere: texgeist searches it and never changes it")
    if not about["metadata"]:
        echo("ids and vectors only: titles and abstracts come from arXiv")


@app.command()
def embed(index: str | None = INDEX) -> None:
    """Embed the passages of full papers, beginning with those that searches have returned. Meanwhile all
    passages can be searched. If you interrupt this command, the vectors made so far are kept."""
    with plainly():
        _embed(index)


def _embed(index: str | None) -> None:
    settings = load_settings()
    with working("Embedding passages") as monitor:
        count = passage_library.embed_passages(settings, _place(settings, index), monitor)
    inform(f"{number_of(count, 'passage')} embedded")


@app.command()
def export(
    file: Path = typer.Argument(..., help="The .bib file to write."),
    index: str | None = INDEX,
    force: bool = FORCE,
) -> None:
    """Export the papers to a .bib file (with abstracts, for other programs)."""
    from ..library.bib_export import export_bib

    settings = load_settings()
    with (
        plainly(),
        new_file(file, (".bib",), force) as target,
        working("Exporting") as monitor,
        closing(open_as_it_is(settings, _place(settings, index))) as opened,
    ):
        count, left_out = export_bib(opened.papers(), opened.count(), target, monitor)
    inform(f"{number_of(count, 'paper')} in {file}")
    for id_ in left_out:
        inform(f"  left out: {id_}: no BibTeX entry can hold it")


@app.command()
def remove(
    ids: list[str] = typer.Argument(..., metavar="ID…", help="Ids as `texgeist search` prints them."),
    index: str | None = INDEX,
    mine: bool = MINE,
) -> None:
    """Remove papers from the index."""
    ids = [id_.encode("utf-8", "replace").decode() for id_ in ids]  # arguments may contain invalid bytes
    settings = load_settings()
    with plainly(), working("Removing") as monitor, _changing(index, mine, monitor) as opened:
        known = [id_ for id_ in ids if id_ in opened.table.known([id_]) or opened.index.get([id_])]
        place, model = _place(settings, index), opened.index.status().model
        with passage_library.updating_full_texts(settings, place, model, monitor) as texts:
            texts.remove(known)
        opened.index.delete(known)
        opened.table.forget(known)
    missing = [id_ for id_ in ids if id_ not in known]
    inform(f"{len(known)} removed" + (f"; not in the index: {', '.join(missing)}" if missing else ""))
    found(known)


@app.command()
def topics(
    index: str | None = INDEX,
    mine: bool = MINE,
    again: bool = typer.Option(False, "--again", help="Compute the topics again; their names may change."),
) -> None:
    """Compute topics from the papers and assign a topic to every paper (needs the extra `topics`)."""
    from texgeist_retrieval.index.topics import give_topics

    with plainly(), working("Finding topics") as monitor, _changing(index, mine, monitor) as opened:
        names = give_topics(opened.index, opened.table_path, monitor, again=again)
    echo("\n".join(names) or "No topics were found.")


@app.command()
def titles(
    source: Path = typer.Argument(
        ...,
        help="A metadata dump: JSON lines, DBLP's XML, or a text with one title per line; plain or .gz.",
    ),
    out: Path = typer.Option(..., "--out", help="The file to write, *.titles.npy."),
    force: bool = FORCE,
) -> None:
    """Write fingerprints of all titles in a collection, for `texgeist verify --titles`: four bytes a title."""
    from ..bibliography_checks.known_records import SUFFIX, write_titles

    if not out.name.endswith(SUFFIX):
        raise typer.BadParameter(f"{out} does not end in {SUFFIX}: name it, for example, dblp{SUFFIX}.")
    with plainly(), new_file(out, (".npy",), force) as target, working("Reading titles") as monitor:
        count = write_titles(source, target, monitor)
    inform(f"{number_of(count, 'title')} in {out}")


def _changing(index: str | None, mine: bool, monitor: Monitor) -> AbstractContextManager[own_index.Opened]:
    """Opens an existing index for writing."""
    keys = keys_from_environment()
    return own_index.writing(load_settings(), keys, monitor, index=index, mine=mine, create=False)


def _place(settings: Settings, index: str | None) -> Place:
    return index_place(settings, keys_from_environment(), index)


def _report(source: str, summary: Summary) -> None:
    echo(f"{source}: {syncing.sentence(summary)}")
    for text in summary.notes:
        inform(f"  {text}")
    for problem in summary.problems:
        inform(f"  left out: {problem}")
    if summary.unreadable > len(summary.problems):
        inform(f"  … and {summary.unreadable - len(summary.problems):,} more left out")


def _end_if_unanswered(summaries: dict[str, Summary]) -> None:
    """Exits with `NO_ANSWER` if abstracts were asked for and no service answered."""
    if any(summary.unanswered for summary in summaries.values()):
        warn("The papers were added, but no service that was asked answered: try again later.")
        raise typer.Exit(NO_ANSWER)
