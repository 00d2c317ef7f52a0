"""Which paper an id means: a DOI, an arXiv id, or a web address that holds one. The user's own index is asked first;
others are asked where the settings name them, or the user says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from texgeist_latex.bib.pasted import PaperId, paper_id
from texgeist_retrieval.errors import SearchError, SourceError
from texgeist_retrieval.ports import IdIndex
from texgeist_retrieval.types import Paper

from ..errors import EditRefused
from ..references import reference_of
from .chosen_registries import ALL, open_registry
from .places import Identified

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.sources.registered import Registered

    from ..config.settings import Settings

_WORDS = {
    "retracted": "It has been retracted.",
    "withdrawn": "It has been withdrawn.",
    "concern": "Its publisher has expressed concern about it.",
    "corrected": "A correction of it has appeared.",
}


def identify(text: str, settings: Settings, online: bool, monitor: Monitor) -> Identified:
    """Raises EditRefused for what is no id, for a paper that nobody knows, and where nobody may be asked."""
    if (wanted := paper_id(text)) is None:
        raise EditRefused(
            f"“{text.strip()[:60]}” holds no DOI and no arXiv id.",
            "Give one, or a web address that holds one.",
        )
    if (own := _in_own_index(wanted, settings)) is not None:
        return Identified(reference_of(own), "your own library")
    asked, failures = [], []
    for name in _who(wanted, settings, online):
        asked.append(name)
        try:
            with_it = _ask(name, wanted, settings, monitor)
        except SourceError as error:
            failures.append(error.sentence())
            continue
        if with_it is not None:
            return Identified(reference_of(with_it.paper, with_it.kind), name, tuple(_notes(with_it)))
    if failures:
        raise EditRefused(" ".join(failures), "Nothing was added.")
    if asked:
        raise EditRefused(
            f"{wanted.named} was not found at {' and '.join(asked)}.", "Look whether it is whole."
        )
    raise EditRefused(
        f"{wanted.named} is not in your library, and nobody else may be asked.",
        "Name whom to ask in papers.registries, or say `texgeist add --online`.",
    )


def _in_own_index(wanted: PaperId, settings: Settings) -> Paper | None:
    """Of a library on this machine, with a title."""
    from ..config.credentials import Keys
    from ..index_places import index_place, open_as_it_is

    place = index_place(settings, Keys())
    if not place.on_this_disk:
        return None
    try:
        index = open_as_it_is(settings, place)
    except SearchError:
        return None
    try:
        if not isinstance(index, IdIndex):
            return None
        ids = [id if wanted.kind == "arxiv" else f"doi:{id}" for id in wanted.ids]
        held = index.get(ids)
        return next((held[id][0] for id in ids if id in held and held[id][0].title), None)
    except SearchError:
        return None
    finally:
        index.close()


def _who(wanted: PaperId, settings: Settings, online: bool) -> list[str]:
    allowed = settings.papers.registries or (ALL if online else ())
    by_id = ("arxiv",) if wanted.kind == "arxiv" else ("crossref", "openalex")
    return [name for name in by_id if name in allowed]


def _ask(name: str, wanted: PaperId, settings: Settings, monitor: Monitor) -> Registered | None:
    registry = open_registry(name)
    try:
        known = registry.with_ids(wanted.ids, monitor)
        return next((known[id] for id in wanted.ids if id in known), None)
    finally:
        registry.close()


def _notes(found: Registered) -> list[str]:
    notes = [_WORDS[notice] for notice in found.notices]
    if found.published:
        notes.append(f"It has been published as {found.published}: that can be cited in its place.")
    return notes
