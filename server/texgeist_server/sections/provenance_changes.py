"""Changes to the provenance record: offered sentences, removed sections, whose reasons are kept so
that an undo can restore them, and renamed citation keys.

An editor previews a renaming before applying it and may undo it later, and texgeist is notified of neither.
So recorded keys are never changed. Instead the record notes that two keys name the same entry, and a reader
uses the key that is in the document.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from texgeist_latex.tex.sentences import keys_of, renamed
from texgeist_latex.types import Draft, Offer, Reference
from texgeist_retrieval.types import Paper

from ..references import reference_of

if TYPE_CHECKING:
    from .provenance_model import OfferRecord, PaperRecord, Provenance, SectionRecord


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
        )
    )


def without_section(old: Provenance, section_id: str) -> Provenance:
    """A copy of `old` in which a generated section is removed. The section's reasons are kept, so that an
    undo can restore them."""
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


def with_renaming(data: Provenance, old: str, new: str) -> Provenance:
    """A copy of `data` that records the renaming and has the reasons also under the new key; `data` itself if
    the old key is not recorded."""
    reasons = data.citations.get(old)
    if reasons is None and not _is_named(data, old):
        return data
    citations = {**data.citations, new: reasons} if reasons is not None else data.citations
    before = {k: v for k, v in data.renamed.items() if (k, v) != (new, old)}  # renamed back
    return data.model_copy(update={"citations": citations, "renamed": {**before, old: new}})


def has_gone_on(data: Provenance, key: str, standing: Collection[str]) -> bool:
    """Whether the entry recorded as `key` was renamed to a key in `standing`, so that `key` now belongs to
    another entry."""
    seen = {key}
    while (now := data.renamed.get(key)) is not None and now not in seen:
        if now in standing:
            return True
        seen.add(now)
        key = now
    return False


def with_new_owners(data: Provenance, keys: Mapping[str, str]) -> Provenance:
    """A copy of `data` in which `keys` (by paper id) belong to these papers. If another paper had such a key
    before its entry was renamed, its records move to its later key."""
    pairs = {
        key: data.renamed[key]
        for id, key in keys.items()
        if key in data.renamed and (key not in data.citations or data.citations[key].paper.id != id)
    }
    if not pairs:
        return data
    called = called_now(data.model_copy(update={"renamed": pairs}), set(pairs.values()))
    left = {k: v for k, v in data.renamed.items() if k not in pairs}
    return called.model_copy(update={"renamed": left})


def keys_in(draft: Draft) -> set[str]:
    """The keys in the draft: of citations and of entries."""
    entries = {entry.key for each in draft.bibliographies for entry in each.entries}
    return entries | {citation.key for citation in draft.citations}


def called_now(data: Provenance, standing: Collection[str]) -> Provenance:
    """A copy of `data` whose sections use the keys that are in the document now."""
    names = {old: now for old in _ever(data) if (now := _standing_name(data, old, standing)) != old}
    if not names:
        return data
    sections = {id: _called(section, names) for id, section in data.sections.items()}
    removed = {
        id: held.model_copy(update={"section": _called(held.section, names)}) if held.section else held
        for id, held in data.removed.items()
    }
    return data.model_copy(update={"sections": sections, "removed": removed})


def _is_named(data: Provenance, key: str) -> bool:
    """Whether the key may occur in the record. False positives are harmless: they only add a note."""
    held = [part.model_dump_json() for part in (*data.sections.values(), *data.removed.values())]
    return key in _ever(data) or any(json.dumps(key, ensure_ascii=False)[1:-1] in text for text in held)


def _ever(data: Provenance) -> set[str]:
    return {*data.renamed, *data.renamed.values()}


def _standing_name(data: Provenance, key: str, standing: Collection[str]) -> str:
    """The key of this entry that is in the document. If there are several, the nearest in the chain of
    renamings; if there is none, `key`."""
    seen, names = {key}, [key]
    for name in names:  # the list grows in the loop
        if name in standing and not has_gone_on(data, name, standing):
            return name
        pairs = data.renamed.items()
        near = [new for old, new in pairs if old == name] + [old for old, new in pairs if new == name]
        names += [one for one in dict.fromkeys(near) if one not in seen]
        seen.update(near)
    return key


def _called(section: SectionRecord, names: Mapping[str, str]) -> SectionRecord:
    def named(latex: str) -> str:
        return renamed(latex, names) if keys_of(latex) & names.keys() else latex

    offers = [
        offer.model_copy(
            update={
                "stands": named(offer.stands),
                "new": named(offer.new),
                "papers": {names.get(key, key): why for key, why in offer.papers.items()},
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
