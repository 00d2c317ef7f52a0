"""Changes to the provenance record: offered sentences and renamed citation keys. The record of a section that was
removed stays, because an undo may bring the section back.

A key is renamed by texgeist, by another program or by hand. So no renaming is recorded: a reader finds the entry of
a recorded paper by what the entry says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from texgeist_latex.bib.identity import KnownPapers, normalise_title, same_paper
from texgeist_latex.tex.sentences import keys_of, renamed
from texgeist_latex.types import BibEntry, Draft, Offer, Reference
from texgeist_retrieval.types import Paper
from texgeist_retrieval.types.papers import ENTRY_TYPES

from ..references import reference_of

if TYPE_CHECKING:
    from .provenance_model import (
        CitationRecord,
        OfferRecord,
        PaperRecord,
        Provenance,
        SectionRecord,
    )


def offers_of(data: Provenance, section: str) -> list[Offer]:
    """The new sentences that texgeist offers for sentences of the author in this section, oldest first."""
    return [
        Offer(
            held.stands,
            held.new,
            tuple((key, why.paper.id) for key, why in held.papers.items() if why.paper.id),
        )
        for held in _held(data, section)
        if held.stands and held.new
    ]


def taken(old: Provenance, section: str, offer: Offer, keys: Mapping[str, str]) -> Provenance:
    """A copy of `old` in which the offer is accepted: it is no longer offered, and the reasons for its papers
    are recorded. `keys`: the citation keys in the document, by paper id."""
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
    """The papers of the offer as references, from which their entries are made."""
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
            kind=paper.kind if paper.kind in ENTRY_TYPES else "",
            details=tuple(paper.details),
        )
    )


def cited_entries(draft: Draft) -> dict[str, BibEntry]:
    """The entries that the draft cites, by key."""
    entries = {entry.key: entry for each in reversed(draft.bibliographies) for entry in each.entries}
    return {one.key: entries[one.key] for one in draft.citations if one.key in entries}


def called_now(data: Provenance, cited: Mapping[str, BibEntry]) -> Provenance:
    """A copy of `data` with the keys that the document uses now (`cited`, see `cited_entries`)."""
    return with_names(data, names_now(data, cited))


def names_now(data: Provenance, cited: Mapping[str, BibEntry]) -> dict[str, str]:
    """The keys that recorded papers have now, by recorded key, as far as they differ: the key of the cited entry
    that describes the paper, if the entry with the recorded key does not."""
    papers = {key: _reference(why.paper) for key, why in _reasons(data)}
    lost = {key: one for key, one in papers.items() if key not in cited or not same_paper(cited[key], one)}
    free = [entry for key, entry in cited.items() if key not in papers or key in lost]
    known, items = KnownPapers(free), [entry for entry in free if entry.type == "bibitem"]
    found = {key: known.find(paper) or _written_items(paper, items) for key, paper in lost.items()}
    return {key: entries[0].key for key, entries in found.items() if entries}


def _written_items(paper: Reference, items: Sequence[BibEntry]) -> list[BibEntry]:
    r"""The `\bibitem`s with the text that texgeist writes for this paper."""
    if not items:
        return []
    from texgeist_latex.writing.entries import new_item
    from texgeist_latex.writing.escape import Charset

    text = normalise_title(new_item(paper, "", Charset()).removeprefix("\\bibitem{}"))
    return [item for item in items if normalise_title(item.fields.get("text", "")) == text]


def with_names(data: Provenance, names: Mapping[str, str]) -> Provenance:
    """A copy of `data` with other keys; `names` maps old keys to new keys."""
    if not names:
        return data
    sections = {id: _called(section, names) for id, section in data.sections.items()}
    citations = _by_names(data.citations, names)
    return data.model_copy(update={"citations": citations, "sections": sections})


def _reasons(data: Provenance) -> Iterator[tuple[str, CitationRecord]]:
    for section in data.sections.values():
        for offer in section.offers:
            yield from offer.papers.items()
    yield from data.citations.items()


def _by_names(reasons: Mapping[str, CitationRecord], names: Mapping[str, str]) -> dict[str, CitationRecord]:
    """A paper that is no longer cited loses its key to the paper that has this key now."""
    left = {key: why for key, why in reasons.items() if key not in names}
    return left | {names[key]: why for key, why in reasons.items() if key in names}


def _called(section: SectionRecord, names: Mapping[str, str]) -> SectionRecord:
    def named(latex: str) -> str:
        return renamed(latex, names) if keys_of(latex) & names.keys() else latex

    offers = [
        offer.model_copy(
            update={
                "stands": named(offer.stands),
                "new": named(offer.new),
                "papers": _by_names(offer.papers, names),
            }
        )
        for offer in section.offers
    ]
    update = {
        "text": named(section.text),
        "gone": [named(text) for text in section.gone],
        "offers": offers,
    }
    return section.model_copy(
        update={name: update[name] for name in section.model_fields_set & update.keys()}
    )
