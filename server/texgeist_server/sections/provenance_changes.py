"""Changes to the provenance record: offered sentences, papers dismissed as irrelevant, and removed sections,
whose reasons are kept so that an undo can restore them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from texgeist_latex.types import Offer, Reference, SourceFile
from texgeist_latex.writing.blocks import find_blocks, place_of
from texgeist_retrieval.types import Paper

from ..references import reference_of

if TYPE_CHECKING:
    from .provenance_model import OfferRecord, PaperRecord, Provenance


def offers_of(data: Provenance, section: str) -> list[Offer]:
    """The new sentences offered as alternatives to the author's, oldest first."""
    return [
        Offer(
            held.stands,
            held.new,
            tuple((key, why.paper.id) for key, why in held.papers.items() if why.paper.id),
        )
        for held in _held(data, section)
        if held.stands and held.new
    ]


def standing(data: Provenance, sources: Iterable[SourceFile]) -> list[tuple[str, Offer]]:
    """The offers whose original sentence is still in a generated section, each with the section's id."""
    found = []
    for source in sources:
        for block in find_blocks([source]):
            found += [
                (block.id, offer)
                for offer in offers_of(data, block.id)
                if place_of(source, block, offer.stands)
            ]
    return found


def taken(old: Provenance, section: str, offer: Offer, keys: Mapping[str, str]) -> Provenance:
    """A copy of `old` for when the author has accepted the offer. `keys`: the citation keys in the document,
    by paper id."""
    mine = next(held for held in _held(old, section) if _is(held, offer))
    reasons = {keys.get(why.paper.id, key): why for key, why in mine.papers.items()}
    left = [held for held in _held(old, section) if held is not mine]
    record = old.sections[section].model_copy(update={"offers": left})
    return old.model_copy(
        update={
            "citations": {**reasons, **old.citations},
            "sections": {**old.sections, section: record},
        }
    )


def references_in(data: Provenance, section: str, offer: Offer) -> list[Reference]:
    """The papers of the offer, from which their entries are made."""
    return [
        _reference(why.paper)
        for held in _held(data, section)
        if _is(held, offer)
        for why in held.papers.values()
        if why.paper.id
    ]


def _held(data: Provenance, section: str) -> list[OfferRecord]:
    return data.sections[section].offers if section in data.sections else []


def _is(held: OfferRecord, offer: Offer) -> bool:
    return (held.stands, held.new) == (offer.stands, offer.new)


def _reference(paper: PaperRecord) -> Reference:
    """The paper as it was recorded with the offer."""
    return reference_of(
        Paper(
            paper.id,
            paper.title,
            authors=tuple(paper.authors),
            year=paper.year,
            primary=paper.primary,
            venue=paper.venue,
            doi=paper.doi,
            url=paper.url,
        )
    )


def dismissed(old: Provenance, paper: str, title: str, date: str) -> Provenance:
    """A copy of `old` in which this paper is dismissed, so that it is not suggested again."""
    from .provenance_model import DismissedRecord

    held = {**old.dismissed, paper: DismissedRecord.made_of(title=title, date=date)}
    return old.model_copy(update={"dismissed": held})


def without_section(old: Provenance, section_id: str) -> Provenance:
    """A copy of `old` for when the user has removed a generated section. The section's reasons are kept, so
    that an undo can restore them."""
    from .provenance_model import VERSION, RemovedRecord

    gone = {key: why for key, why in old.citations.items() if why.section == section_id}
    removed = dict(old.removed)
    if section_id in old.sections:
        removed[section_id] = RemovedRecord(section=old.sections[section_id], citations=gone)
    return old.model_copy(
        update={
            "version": VERSION,
            "citations": {key: why for key, why in old.citations.items() if key not in gone},
            "sections": {id: held for id, held in old.sections.items() if id != section_id},
            "removed": removed,
        }
    )


def restored(data: Provenance, standing: Iterable[str]) -> Provenance:
    """A copy of `data` that restores the reasons of removed sections that are in the document again."""
    back = {id: data.removed[id] for id in standing if id not in data.sections and id in data.removed}
    if not back:
        return data
    citations = {key: why for each in back.values() for key, why in each.citations.items()}
    sections = {id: each.section for id, each in back.items() if each.section is not None}
    return data.model_copy(
        update={
            "citations": {**citations, **data.citations},
            "sections": {**data.sections, **sections},
            "removed": {id: held for id, held in data.removed.items() if id not in back},
        }
    )
