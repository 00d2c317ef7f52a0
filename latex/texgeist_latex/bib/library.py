"""All bibliographies of a project, read as in BibTeX: strings of a file are valid in later files."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from texgeist_latex.bib.identity import Identity, same_paper
from texgeist_latex.bib.index import BibIndex
from texgeist_latex.types import BibEntry, Bibliography, Problem, Span

_NEAR = 0.88  # least Jaro-Winkler similarity of a key to the key that it was meant to be


def joined(indexes: Sequence[BibIndex]) -> tuple[BibIndex, ...]:
    """The indexes in the same order. An index that needs strings from earlier files is built again."""
    strings: dict[str, str] = {}
    found: list[BibIndex] = []
    for index in indexes:
        found.append(_with_strings(index, strings) if strings else index)
        strings |= index.bibliography.strings
    return tuple(found)


def _with_strings(index: BibIndex, strings: dict[str, str]) -> BibIndex:
    wanted = {name: strings[name] for name in index.bibliography.unknown if name in strings}
    if not wanted or index.again is None:
        return index
    return BibIndex(index.again(wanted), index)


class Library:
    """All bibliographies of a project. Of entries with the same key the first counts, as in BibTeX."""

    def __init__(self, indexes: Sequence[BibIndex]) -> None:
        self.read = tuple(indexes)  # each file separately
        self.indexes = joined(self.read)
        self._nearest: dict[str, str] = {}

    @cached_property
    def by_key(self) -> dict[str, tuple[Bibliography, BibEntry]]:
        """Each entry with its bibliography, by key and by the other keys in biblatex's field `ids`."""
        found: dict[str, tuple[Bibliography, BibEntry]] = {}
        for index in self.indexes:
            for entry in index.bibliography.entries:
                found.setdefault(entry.key, (index.bibliography, entry))
                for key in filter(None, map(str.strip, entry.fields.get("ids", "").split(","))):
                    found.setdefault(key, (index.bibliography, entry))
        return found

    def nearest_key(self, key: str) -> str:
        """The existing key that was probably meant by a key without an entry; "" if none is near. Measured on 992
        keys of 32 bibliographies with a slip or without their year: 94 % right, 2 % wrong; if the right entry does
        not exist, 15 % get a suggestion."""
        if key not in self._nearest:
            from rapidfuzz import distance, process

            score = distance.JaroWinkler.normalized_similarity
            near = process.extractOne(
                key, self.by_key.keys(), scorer=score, processor=str.lower, score_cutoff=_NEAR
            )
            self._nearest[key] = near[0] if near else ""
        return self._nearest[key]

    @cached_property
    def duplicates(self) -> tuple[Problem, ...]:
        first: dict[str, BibEntry] = {}
        problems: list[Problem] = []
        for index in self.indexes:
            for entry in index.bibliography.entries:
                known = first.setdefault(entry.key, entry)
                if known is not entry:
                    same = (known.type, known.fields) == (entry.type, entry.fields)
                    how = "the same fields" if same else f"another {_differing(known, entry)}"
                    message = f"{entry.key} is already an entry in {_place(known)}, with {how}."
                    problems.append(
                        Problem("repeated-entry" if same else "duplicate-key", message, head(entry))
                    )
        return tuple(problems)

    @cached_property
    def same_papers(self) -> tuple[Problem, ...]:
        """Problems for entries with different keys that are the same paper, by arXiv id, DOI, or title with
        author and year."""
        buckets: tuple[_Bucket, ...] = ({}, {}, {})
        problems: list[Problem] = []
        for index in self.indexes:
            for entry, identity in zip(index.bibliography.entries, index.identities, strict=True):
                names = (identity.arxiv, identity.doi, identity.title)
                alike: list[tuple[BibEntry, Identity]] = []
                for bucket, name in zip(buckets, names, strict=True):
                    if name:
                        known = bucket.setdefault(name, [])
                        alike += known[:50]
                        known.append((entry, identity))
                same = _same(entry, identity, alike) if alike else None
                if same is not None:
                    message = f"{entry.key} is the same paper as {same.key} in {_place(same)}."
                    problems.append(Problem("same-paper", message, head(entry)))
        return tuple(problems)

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        broken = (p for index in self.indexes for p in index.bibliography.problems)
        return (*broken, *self.duplicates, *self.same_papers)


_Bucket = dict[str, list[tuple[BibEntry, Identity]]]


def _same(entry: BibEntry, identity: Identity, others: list[tuple[BibEntry, Identity]]) -> BibEntry | None:
    """The first of `others` that is the same paper as `entry` and has another key; None if there is none. A
    thesis and a paper with the same title are different works."""
    for other, known in others:
        alike = identity.shares_id(known) or _is_thesis(other) == _is_thesis(entry)
        if other.key != entry.key and alike and same_paper(identity, known):
            return other
    return None


def _is_thesis(entry: BibEntry) -> bool:
    """Whether the entry is a thesis, by its type or the field `school`; bachelor's theses may be `@misc`."""
    return "thesis" in entry.type or bool(entry.fields.get("school"))


def _differing(one: BibEntry, other: BibEntry) -> str:
    """What differs between two entries: `year, pages`."""
    names = [name for name in (one.fields | other.fields) if one.fields.get(name) != other.fields.get(name)]
    return ", ".join(names) or "type"


def _place(entry: BibEntry) -> str:
    return f"line {entry.line} of {entry.span.file.name}"


def head(entry: BibEntry) -> Span:
    """The span of an entry's type and key, for underlining."""
    end = entry.span.start + len(entry.type) + 2 + len(entry.key)
    return Span(entry.span.file, entry.span.start, min(entry.span.end, end))
