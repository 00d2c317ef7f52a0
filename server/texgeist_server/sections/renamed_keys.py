"""The record of why, when a key gets another name.

An editor shows a renaming before it takes it, and its undo takes it back: nobody tells texgeist. So nothing on
record changes its key. That two keys have meant one entry is noted, and what is on record is read by the one of
them that stands in the document.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from texgeist_latex.tex.sentences import keys_of, renamed
from texgeist_latex.types import Draft

if TYPE_CHECKING:
    from .provenance_model import PassageRecord, Provenance, SectionRecord, SentenceRecord


def with_renaming(data: Provenance, old: str, new: str) -> Provenance:
    """`data` with the reasons under another key too; itself where nothing on record names the key."""
    reasons = data.citations.get(old)
    if reasons is None and not _is_named(data, old):
        return data
    citations = {**data.citations, new: reasons} if reasons is not None else data.citations
    before = {k: v for k, v in data.renamed.items() if (k, v) != (new, old)}  # it gets its old name back
    return data.model_copy(update={"citations": citations, "renamed": {**before, old: new}})


def has_gone_on(data: Provenance, key: str, standing: Collection[str]) -> bool:
    """Whether the entry that is on record as `key` stands under a later name: who stands as `key` now is another."""
    seen = {key}
    while (now := data.renamed.get(key)) is not None and now not in seen:
        if now in standing:
            return True
        seen.add(now)
        key = now
    return False


def with_new_owners(data: Provenance, keys: Mapping[str, str]) -> Provenance:
    """`data` where these keys are given to papers (by id): what is on record by a key that another paper had before
    it was renamed is put under that one's later name, and the key is the new paper's."""
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
    """Those that stand in it: cited, or an entry's."""
    entries = {entry.key for each in draft.bibliographies for entry in each.entries}
    return entries | {citation.key for citation in draft.citations}


def called_now(data: Provenance, standing: Collection[str]) -> Provenance:
    """`data` with its sections by the keys that stand in the document."""
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
    """Rather once too often: a note that nobody needs does no harm."""
    held = [part.model_dump_json() for part in (*data.sections.values(), *data.removed.values())]
    return key in _ever(data) or any(json.dumps(key, ensure_ascii=False)[1:-1] in text for text in held)


def _ever(data: Provenance) -> set[str]:
    return {*data.renamed, *data.renamed.values()}


def _standing_name(data: Provenance, key: str, standing: Collection[str]) -> str:
    """Of the names that this entry ever had the one nearest in time that stands; `key` for none."""
    seen, names = {key}, [key]
    for name in names:  # grows
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
        "sentences": [_sentence(sentence, names) for sentence in section.sentences],
    }
    return section.model_copy(
        update={name: update[name] for name in section.model_fields_set & update.keys()}
    )


def _sentence(sentence: SentenceRecord, names: Mapping[str, str]) -> SentenceRecord:
    def named(passage: PassageRecord) -> PassageRecord:
        return passage.model_copy(update={"key": names.get(passage.key, passage.key)})

    update = {
        "keys": sorted(names.get(key, key) for key in sentence.keys),
        "evidence": [named(passage) for passage in sentence.evidence],
    }
    return sentence.model_copy(update=update)
