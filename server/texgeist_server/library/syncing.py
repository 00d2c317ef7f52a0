"""Fills and updates an index, for the command line and the worker."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import NoSource
from texgeist_retrieval.paths import expanded
from texgeist_retrieval.text.words import number_of

from ..bibliography_checks.lookups import AbstractLookup
from ..embedders import build_embedder_of_papers
from ..index_places import index_place
from ..passage_library import updating_full_texts
from .own_index import writing

if TYPE_CHECKING:
    from texgeist_retrieval.index.update import Summary
    from texgeist_retrieval.ports import Monitor

    from ..config.credentials import Keys
    from ..config.settings import Settings


def sync(settings: Settings, keys: Keys, categories: Sequence[str], monitor: Monitor) -> str:
    """Updates the index with new arXiv papers of `categories` or, without categories, from its earlier
    sources and the `.bib` files in the user's folders.

    Returns a message about what was done. Raises `NoSource` if there is no source.
    """
    from texgeist_retrieval.index.hashes import recorded_runs

    with writing(settings, keys, monitor) as opened:
        before = recorded_runs(opened.table_path)
    sources = [f"cat:{name}" for name in categories] or [*before, *_bib_files(settings)]
    if not sources:
        raise NoSource(
            "There is nothing to update from yet.",
            "Fill your library with `texgeist index add` and your .bib file, or name arXiv categories.",
        )
    messages: list[str] = []
    missing: list[NoSource] = []
    for source in dict.fromkeys(sources):
        try:
            summary = take_in(source, settings, keys, monitor)
        except NoSource as error:  # for example a file that was moved: the other sources are read
            missing.append(error)
        else:
            messages.append(f"{Path(source).name if Path(source).exists() else source}: {sentence(summary)}.")
    if missing and not messages:
        raise missing[0]
    return " ".join([*messages, *map(str, missing)])


@dataclass(frozen=True, slots=True)
class Intake:
    """Options for adding a source. `index`: None for the configured index; `mine`: the user declares this
    index as theirs. `since`: an ISO date, None for the last run, "" for everything. `sparse`: sparse vectors
    for a new index. `online`: ask registries for missing abstracts even
    if the settings name none."""

    index: str | None = None
    mine: bool = False
    since: str | None = None
    prune: bool = False
    sparse: str = ""
    online: bool = False

    def check(self) -> None:
        """Raises `NoSource` for options that would remove papers by mistake, and for a date in the future."""
        _check_day(self.since or "")
        if self.prune and self.since:
            raise NoSource(
                f"A run from {self.since} on cannot prune: older papers of the source would be removed.",
                "Leave --since out; pruning reads the whole source.",
            )


def take_in(
    source: str, settings: Settings, keys: Keys, monitor: Monitor, intake: Intake = Intake()
) -> Summary:
    """Adds a source to the index. Raises `NoSource`, the `SearchError`s and `Cancelled`."""
    from texgeist_retrieval.index.hashes import ABSTRACTS_ASKED
    from texgeist_retrieval.index.topics import load_topics
    from texgeist_retrieval.index.update import Updater

    from .harvest_sources import check_source, open_source, origin_of

    check_source(source)
    intake.check()
    since = "" if intake.prune else intake.since  # pruning reads the whole source
    with writing(
        settings, keys, monitor, index=intake.index, mine=intake.mine, sparse=intake.sparse
    ) as opened:
        abstracts = AbstractLookup(settings, monitor, intake.online)
        records = open_source(source, settings, opened.table, monitor, since, abstracts)
        topics = load_topics(opened.table_path)
        place, model = index_place(settings, keys, intake.index), opened.index.status().model
        with updating_full_texts(settings, place, model, monitor) as texts:
            updater = Updater(
                opened.index,
                opened.table,
                lambda: build_embedder_of_papers(settings),
                opened.monitor,
                topics,
                texts,
                origin_of(source),
            )
            summary = updater.run(records, prune=intake.prune)
        summary.notes += abstracts.notes
        summary.unanswered = abstracts.unanswered
        until = getattr(records, "until", "")
        if source.lower().endswith(".bib"):
            again = summary.added or abstracts.notes  # a note for each service that did not answer everything
            asked = (intake.online or settings.papers.registries) and not abstracts.notes
            before = "" if again else opened.table.last_run(_lasting(source))
            until = ABSTRACTS_ASKED if asked else before
        opened.table.record_run(_lasting(source), until)
        return summary


def _check_day(since: str) -> None:
    """Raises NoSource unless `since` is "" or a date that is not in the future."""
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


def sentence(summary: Summary) -> str:
    """A message about what an update did."""
    parts = [
        f"{summary.read:,} read",
        f"{summary.added:,} new",
        f"{summary.updated:,} changed",
        f"{summary.unchanged:,} unchanged",
        *(
            [f"{number_of(summary.full_texts, 'full paper')} as {number_of(summary.passages, 'passage')}"]
            if summary.full_texts
            else []
        ),
        *(
            [f"{summary.full_texts_unchanged:,} full papers unchanged"]
            if summary.full_texts_unchanged
            else []
        ),
        *([f"{summary.removed:,} removed"] if summary.removed else []),
        *([f"{summary.repeated:,} repeated"] if summary.repeated else []),
        *([f"{summary.unreadable:,} unreadable left out"] if summary.unreadable else []),
        *([f"{summary.repaired:,} records repaired"] if summary.repaired else []),
    ]
    return "; ".join([f"{', '.join(parts)} in {summary.seconds:,.1f} s", *_incomplete(summary)])


def _incomplete(summary: Summary) -> Iterator[str]:
    if many := summary.by_title:
        has, their = ("has", "its title") if many == 1 else ("have", "their titles")
        yield f"{many:,} {has} no abstract and can be found only by {their}"
    if many := summary.without_abstract:
        named = ", ".join(f"“{title}”" for title in summary.short_titles)
        more = ", …" if many > len(summary.short_titles) else ""
        yield f"{many:,} left out: no abstract, and a title that says too little for a search ({named}{more})"
    if many := summary.without_authors:
        have, them = ("has", "it is") if many == 1 else ("have", "they are")
        yield f"{many:,} {have} no authors, so {them} not cited in texts"


def _lasting(source: str) -> str:
    """The source; a file is named by its absolute path, because the next run may start in another folder."""
    path = expanded(source)
    return str(path.resolve()) if path.exists() else source


def _bib_files(settings: Settings) -> list[str]:
    folders = [expanded(folder) for folder in settings.papers.folders]
    files = [path for path in folders if path.suffix.lower() == ".bib"]
    files += [path for folder in folders if folder.is_dir() for path in sorted(folder.glob("*.bib"))]
    return [str(path.resolve()) for path in files if path.exists()]
