"""The record of why, when a key gets another name.

An editor shows a renaming before it takes it, and its undo takes it back: nobody tells texgeist. So nothing on
record changes its key. That two keys have meant one entry is noted, and what is on record is read by the one of
them that stands in the document.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from texgeist_latex.types import Draft
from texgeist_latex.writing.sentences import keys_of, renamed

from .provenance_gate import Record


def with_renaming(data: Record, old: str, new: str) -> Record:
    """`data` with the reasons under another key too; itself where nothing on record names the key."""
    reasons = data["citations"].get(old)
    if reasons is None and not _is_named(data, old):
        return data
    citations = {**data["citations"], new: reasons} if reasons is not None else data["citations"]
    before = {k: v for k, v in data["renamed"].items() if (k, v) != (new, old)}  # it gets its old name back
    return {**data, "citations": citations, "renamed": {**before, old: new}}


def has_gone_on(data: Record, key: str, standing: Collection[str]) -> bool:
    """Whether the entry that is on record as `key` stands under a later name: who stands as `key` now is another."""
    seen = {key}
    while (now := data["renamed"].get(key)) is not None and now not in seen:
        if now in standing:
            return True
        seen.add(now)
        key = now
    return False


def with_new_owners(data: Record, keys: Mapping[str, str]) -> Record:
    """`data` where these keys are given to papers (by id): what is on record by a key that another paper had before
    it was renamed is put under that one's later name, and the key is the new paper's."""
    citations = data["citations"]
    pairs = {
        key: data["renamed"][key]
        for id, key in keys.items()
        if key in data["renamed"] and citations.get(key, {}).get("paper", {}).get("id") != id
    }
    if not pairs:
        return data
    called = called_now({**data, "renamed": pairs}, set(pairs.values()))
    return {**called, "renamed": {k: v for k, v in data["renamed"].items() if k not in pairs}}


def keys_in(draft: Draft) -> set[str]:
    """Those that stand in it: cited, or an entry's."""
    entries = {entry.key for each in draft.bibliographies for entry in each.entries}
    return entries | {citation.key for citation in draft.citations}


def called_now(data: Record, standing: Collection[str]) -> Record:
    """`data` with its sections by the keys that stand in the document."""
    names = {old: now for old in _ever(data) if (now := _standing_name(data, old, standing)) != old}
    if not names:
        return data
    sections = {id: _called(section, names) for id, section in data["sections"].items()}
    removed = {
        id: {**one, "section": _called(one["section"], names)} if "section" in one else one
        for id, one in data["removed"].items()
    }
    return {**data, "sections": sections, "removed": removed}


def _is_named(data: Record, key: str) -> bool:
    """Rather once too often: a note that nobody needs does no harm."""
    held = [part for part in (data["sections"], data["removed"], data["renamed"]) if part]
    return bool(held) and json.dumps(key, ensure_ascii=False)[1:-1] in json.dumps(held, ensure_ascii=False)


def _ever(data: Record) -> set[str]:
    return {*data["renamed"], *data["renamed"].values()}


def _standing_name(data: Record, key: str, standing: Collection[str]) -> str:
    """Of the names that this entry ever had the one nearest in time that stands; `key` for none."""
    seen, names = {key}, [key]
    for name in names:  # grows
        if name in standing and not has_gone_on(data, name, standing):
            return name
        pairs = data["renamed"].items()
        near = [new for old, new in pairs if old == name] + [old for old, new in pairs if new == name]
        names += [one for one in dict.fromkeys(near) if one not in seen]
        seen.update(near)
    return key


def _called(section: Record, names: Mapping[str, str]) -> Record:
    def named(latex: str) -> str:
        return renamed(latex, names) if keys_of(latex) & names.keys() else latex

    def texts(one: Record, *fields: str) -> Record:
        return {field: named(str(one[field])) for field in fields if field in one}

    made: dict[str, Any] = dict(section)
    if "text" in made:
        made["text"] = named(str(made["text"]))
    if "gone" in made:
        made["gone"] = [named(text) for text in made["gone"]]
    if "offers" in made:
        made["offers"] = [
            {
                **offer,
                **texts(offer, "stands", "new"),
                "papers": {names.get(key, key): why for key, why in offer.get("papers", {}).items()},
            }
            for offer in made["offers"]
        ]
    if "sentences" in made:
        made["sentences"] = [_sentence(one, names) for one in made["sentences"]]
    return made


def _sentence(sentence: Record, names: Mapping[str, str]) -> Record:
    made = {**sentence, "keys": sorted(names.get(key, key) for key in sentence.get("keys", ()))}
    evidence = [
        {**one, "key": names.get(one.get("key", ""), one.get("key", ""))}
        for one in sentence.get("evidence", ())
    ]
    return {**made, "evidence": evidence} if "evidence" in sentence else made
