"""The entries of a project's bibliographies, ready to be looked up: made once per version of a file."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from .identity import Identity, identity_of, same_paper
from .types import BibEntry, Bibliography, Problem, Span


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as completion looks for it; everything in lower case, without accents."""

    entry: BibEntry
    key: str
    words: str  # " author words title words year", each word after a space


class BibIndex:
    """One bibliography with what is derived from it."""

    def __init__(self, bibliography: Bibliography) -> None:
        self.bibliography = bibliography

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        return tuple(_row(entry) for entry in self.bibliography.entries)

    @cached_property
    def identities(self) -> tuple[Identity, ...]:
        return tuple(identity_of(entry) for entry in self.bibliography.entries)


class Library:
    """All bibliographies of one project. Where a key stands twice, the first entry counts, as in BibTeX."""

    def __init__(self, indexes: Sequence[BibIndex]) -> None:
        self.indexes = tuple(indexes)

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
        buckets: dict[str, list[tuple[BibEntry, Identity]]] = {}
        problems: list[Problem] = []
        for index in self.indexes:
            for entry, identity in zip(index.bibliography.entries, index.identities, strict=True):
                names = [name for name in _buckets(identity) if name]
                same = self._same(
                    entry, identity, (other for name in names for other in buckets.get(name, ()))
                )
                if same is not None:
                    message = f"{entry.key} is the same paper as {same.key} in {_place(same)}."
                    problems.append(Problem("same-paper", message, head(entry), "information"))
                for name in names:
                    buckets.setdefault(name, []).append((entry, identity))
        return tuple(problems)

    @staticmethod
    def _same(
        entry: BibEntry, identity: Identity, others: Iterable[tuple[BibEntry, Identity]]
    ) -> BibEntry | None:
        for count, (other, known) in enumerate(others):
            if count > 50:
                break
            if other.key != entry.key and same_paper(identity, known):
                return other
        return None

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        broken = (p for index in self.indexes for p in index.bibliography.problems)
        return (*broken, *self.duplicates, *self.same_papers)


def _buckets(identity: Identity) -> tuple[str, ...]:
    return (
        f"a:{identity.arxiv}" if identity.arxiv else "",
        f"d:{identity.doi}" if identity.doi else "",
        f"t:{identity.title}" if identity.title else "",
    )


def _place(entry: BibEntry) -> str:
    return f"line {entry.line} of {entry.span.file.name}"


def head(entry: BibEntry) -> Span:
    """The beginning of an entry, which is enough to underline."""
    end = entry.span.start + len(entry.type) + 2 + len(entry.key)
    return Span(entry.span.file, entry.span.start, min(entry.span.end, end))


_NOT_WORDS = re.compile(r"[^\w]+")
_COMMANDS = re.compile(r"\\[A-Za-z]+\s*|\\.|[{}$]")


def _row(entry: BibEntry) -> Row:
    fields = entry.fields
    names = fields.get("author") or fields.get("editor") or ""
    year = fields.get("year") or fields.get("date", "")[:4]
    title = fields.get("title") or fields.get("text", "")
    return Row(entry, folded(entry.key), " " + folded(f"{names} {title} {year}"))


@lru_cache(maxsize=4096)
def _fold_query(text: str) -> str:
    return _fold(text)


def folded(text: str) -> str:
    """Lower case, without accents and LaTeX, words apart by single spaces."""
    return _fold(text)


def _fold(text: str) -> str:
    if "\\" in text or "{" in text:
        text = _COMMANDS.sub("", text)
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _NOT_WORDS.sub(" ", text).strip().lower()
