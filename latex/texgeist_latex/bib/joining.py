"""Bibliographies as BibTeX reads them, one after the other into one: strings of an earlier file hold in
the later ones, and a crossref reaches an entry of any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..types import BibEntry
from .index import BibIndex
from .parser import with_parent


def joined(indexes: Sequence[BibIndex]) -> tuple[BibIndex, ...]:
    """The same indexes in their order; those that need something of another are made anew."""
    strings: dict[str, str] = {}
    found: list[BibIndex] = []
    for index in indexes:
        found.append(_with_strings(index, strings) if strings else index)
        strings |= index.bibliography.strings
    orphans = [_orphans(index) for index in found]
    if not any(orphans):
        return tuple(found)
    parents: dict[str, BibEntry] = {}
    for index in found:
        for entry in index.bibliography.entries:
            parents.setdefault(entry.key.lower(), entry)
    return tuple(
        _with_parents(index, lost, parents) if lost else index
        for index, lost in zip(found, orphans, strict=True)
    )


def _with_strings(index: BibIndex, strings: dict[str, str]) -> BibIndex:
    wanted = {name: strings[name] for name in index.bibliography.unknown if name in strings}
    if not wanted or index.again is None:
        return index
    return BibIndex(index.again(wanted), index)


def _orphans(index: BibIndex) -> dict[int, str]:
    """Entries (by their place in the file) whose parent is not in their own file, with its key."""
    entries = index.bibliography.entries
    wanted = {i: e.fields["crossref"].lower() for i, e in enumerate(entries) if "crossref" in e.fields}
    if not wanted:
        return {}
    own = {entry.key.lower() for entry in entries}
    return {place: key for place, key in wanted.items() if key not in own}


def _with_parents(index: BibIndex, lost: dict[int, str], parents: dict[str, BibEntry]) -> BibIndex:
    entries = list(index.bibliography.entries)
    for place, key in lost.items():
        entries[place] = with_parent(entries[place], parents.get(key))
    return BibIndex(replace(index.bibliography, entries=tuple(entries)), index)
