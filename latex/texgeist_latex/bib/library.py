"""All bibliographies of a project together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ..types import BibEntry, Bibliography, Problem, Span
from .identity import Identity, same_paper
from .index import BibIndex
from .joining import joined


class Library:
    """All bibliographies of one project. Where a key stands twice, the first entry counts, as in BibTeX."""

    def __init__(self, indexes: Sequence[BibIndex]) -> None:
        self.read = tuple(indexes)  # each file by itself
        self.indexes = joined(self.read)

    @cached_property
    def by_key(self) -> dict[str, tuple[Bibliography, BibEntry]]:
        """Entries by key, biblatex's `ids` among the keys."""
        found: dict[str, tuple[Bibliography, BibEntry]] = {}
        for index in self.indexes:
            for entry in index.bibliography.entries:
                found.setdefault(entry.key, (index.bibliography, entry))
                for key in entry.fields.get("ids", "").split(","):
                    if key := key.strip():
                        found.setdefault(key, (index.bibliography, entry))
        return found

    @cached_property
    def duplicates(self) -> tuple[Problem, ...]:
        first: dict[str, BibEntry] = {}
        problems: list[Problem] = []
        for index in self.indexes:
            for entry in index.bibliography.entries:
                known = first.setdefault(entry.key, entry)
                if known is not entry:
                    message = f"{entry.key} is already an entry in {_place(known)}."
                    problems.append(Problem("duplicate-key", message, head(entry)))
        return tuple(problems)

    @cached_property
    def same_papers(self) -> tuple[Problem, ...]:
        """Entries under different keys for one paper: by arXiv id, DOI, or title with author and year."""
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
    """The first entry under another key for the same paper; a thesis and the paper made of it, often under
    one title, are two works."""
    for other, known in others:
        if other.key != entry.key and same_paper(identity, known):
            by_id = (identity.arxiv and identity.arxiv == known.arxiv) or (
                identity.doi and identity.doi == known.doi
            )
            if by_id or _is_thesis(other) == _is_thesis(entry):
                return other
    return None


def _is_thesis(entry: BibEntry) -> bool:
    """By its type, or by the field that theses alone have: bachelor's theses stand as `@misc`."""
    return "thesis" in entry.type or bool(entry.fields.get("school"))


def _place(entry: BibEntry) -> str:
    return f"line {entry.line} of {entry.span.file.name}"


def head(entry: BibEntry) -> Span:
    """The beginning of an entry, which is enough to underline."""
    end = entry.span.start + len(entry.type) + 2 + len(entry.key)
    return Span(entry.span.file, entry.span.start, min(entry.span.end, end))
