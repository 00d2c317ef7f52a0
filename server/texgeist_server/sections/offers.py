"""Sentences that were written anew beside the author's own, as the record of why keeps them until one is taken."""

from __future__ import annotations

from collections.abc import Iterable

from texgeist_latex.types import Offer, Reference, SourceFile
from texgeist_latex.writing.blocks import find_blocks
from texgeist_retrieval.types import Paper

from ..references import reference_of
from .provenance_gate import Record


def offers_of(data: Record, section: str) -> list[Offer]:
    """The new sentences that stand beside the author's, oldest first."""
    return [
        Offer(
            one["stands"],
            one["new"],
            tuple((key, id) for key, why in one.get("papers", {}).items() if (id := _paper_id(why))),
        )
        for one in data["sections"].get(section, {}).get("offers", ())
        if one.get("stands") and one.get("new")
    ]


def standing(data: Record, sources: Iterable[SourceFile]) -> list[tuple[str, Offer]]:
    """The offers beside sentences that still stand in a generated section, each with the section's id."""
    from texgeist_latex.writing.blocks import place_of  # not on the keystroke path

    found = []
    for source in sources:
        for block in find_blocks([source]):
            found += [
                (block.id, offer)
                for offer in offers_of(data, block.id)
                if place_of(source, block, offer.stands)
            ]
    return found


def taken(old: Record, section: str, offer: Offer, keys: dict[str, str]) -> Record:
    """`old` after the author has taken the new sentence; `keys` are those in the document, by paper id."""
    record = old["sections"][section]
    mine = next(o for o in record["offers"] if (o.get("stands"), o.get("new")) == (offer.stands, offer.new))
    reasons = {keys.get(_paper_id(why), key): why for key, why in mine.get("papers", {}).items()}
    left = {**record, "offers": [one for one in record["offers"] if one is not mine]}
    return {
        **old,
        "citations": {**reasons, **old["citations"]},
        "sections": {**old["sections"], section: left},
    }


def _paper_id(why: Record) -> str:
    return str(why.get("paper", {}).get("id", ""))


def references_in(data: Record, section: str, offer: Offer) -> list[Reference]:
    """The offer's papers, for their entries."""
    found = []
    for one in data["sections"].get(section, {}).get("offers", ()):
        if (one.get("stands"), one.get("new")) == (offer.stands, offer.new):
            found += [_reference(why["paper"]) for why in one.get("papers", {}).values() if _paper_id(why)]
    return found


def _reference(paper: Record) -> Reference:
    """As it was when the sentence was offered."""
    return reference_of(
        Paper(
            paper["id"],
            paper.get("title", ""),
            authors=tuple(paper.get("authors", ())),
            year=paper.get("year"),
            primary=paper.get("primary", ""),
            venue=paper.get("venue", ""),
            doi=paper.get("doi", ""),
            url=paper.get("url", ""),
        )
    )
