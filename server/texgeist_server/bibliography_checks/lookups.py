"""Looks up papers by id, and abstracts for entries that have none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from texgeist_latex.bib.pasted import PaperId, paper_id
from texgeist_latex.entry_checks.comparison import relate_titles
from texgeist_latex.entry_checks.findings import findings_of
from texgeist_latex.types import BibEntry
from texgeist_retrieval.errors import SearchError, SourceError
from texgeist_retrieval.text.words import in_series
from texgeist_retrieval.types import Paper

from ..errors import EditRefused
from ..references import reference_of
from .known_records import record_of
from .places import Identified
from .registries import ALL, ask_registries, facts_of, open_registry

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.sources.registered import Registered

    from ..config.settings import Settings


def identify(text: str, settings: Settings, online: bool, monitor: Monitor) -> Identified:
    """The paper whose id `text` contains. Raises EditRefused if the text has no id, the paper is unknown, or
    no registry may be asked."""
    if (wanted := paper_id(text)) is None:
        raise EditRefused(
            f"“{text.strip()[:60]}” contains no DOI and no arXiv id.",
            "Give one, or a web address that contains one.",
        )
    if (own := _in_own_index(wanted, settings)) is not None:
        return Identified(reference_of(own), "your own library")
    asked, failures = [], []
    allowed = settings.papers.registries or (ALL if online else ())
    by_id = ("arxiv",) if wanted.kind == "arxiv" else ("crossref", "openalex")
    for registry in (open_registry(name) for name in by_id if name in allowed):
        asked.append(name := registry.name)
        try:
            with closing(registry):
                known = registry.with_ids(wanted.ids, monitor)
        except SourceError as error:
            failures.append(error.sentence())
            continue
        if (with_it := next((known[id] for id in wanted.ids if id in known), None)) is not None:
            return Identified(reference_of(with_it.paper, with_it.kind), name, tuple(_notes(with_it, name)))
    if failures:
        raise EditRefused(" ".join(failures), "Nothing was added.")
    if asked:
        raise EditRefused(
            f"{wanted.named} was not found at {in_series(asked)}.", "Check that the id is complete."
        )
    raise EditRefused(
        f"{wanted.named} is not in your library, and no registry may be asked.",
        "Name registries in papers.registries, or use `texgeist add --online`.",
    )


def _in_own_index(wanted: PaperId, settings: Settings) -> Paper | None:
    """The paper from the user's local index or the discovered papers; None if neither has the paper with a
    title."""
    from ..config.credentials import Keys
    from ..index_places import discovered_papers, index_place, open_as_it_is

    ids = [id if wanted.kind == "arxiv" else f"doi:{id}" for id in wanted.ids]
    papers, place = discovered_papers(), index_place(settings, Keys())
    if place.on_this_disk:
        with suppress(SearchError), closing(open_as_it_is(settings, place)) as index:
            papers |= {id: paper for id, (paper, _) in index.get(ids).items()}
    return next((papers[id] for id in ids if id in papers and papers[id].title), None)


def _notes(found: Registered, source: str) -> list[str]:
    known = findings_of(record_of(found.paper, found), facts_of(found), source)
    notes = [finding.message for finding in known]
    if found.published:
        notes.append(f"It has been published as {found.published}: that can be cited in its place.")
    return notes


@dataclass
class AbstractLookup:
    """Looks up abstracts for the entries of bibliographies. `online`: ask the registries even if the settings
    name none. If no registry may be asked, only cached answers are used. `notes`: messages on registries that
    did not answer. `unanswered`: whether registries were asked and none answered."""

    settings: Settings
    monitor: Monitor
    online: bool = False
    notes: list[str] = field(default_factory=list)
    unanswered: bool = False

    def of(self, entries: Sequence[BibEntry]) -> dict[str, str]:
        """Abstracts for the entries that have none, by entry key. The title of a record must agree with the
        title of the entry, because the id in an entry may be wrong. Raises `Cancelled`."""
        without = [entry for entry in entries if not entry.fields.get("abstract", "").strip()]
        looked_up = ask_registries(without, self.settings, self.online, self.monitor, for_abstracts=True)
        self.notes += looked_up.notes
        self.unanswered |= looked_up.unanswered
        found: dict[str, str] = {}
        for entry in without:
            for source in looked_up.sources:
                for record in source.find(entry):
                    title = record.fields.get("title", "")
                    agrees = relate_titles(entry.fields.get("title", ""), title) in ("same", "shortened")
                    if agrees and (abstract := looked_up.abstracts.get(record.key)):
                        found.setdefault(entry.key, abstract)
        return found
