"""What a reader of the project should be told: each with a stable code that can be switched off."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .types import BibEntry, Bibliography, Citation, Problem, Span

if TYPE_CHECKING:
    from .project import Project


def project_problems(project: Project) -> list[Problem]:
    """Undefined citations and duplicate keys over the whole project, broken entries of its files."""
    bibliographies = project.bibliographies
    problems = [p for b in bibliographies for p in b.problems if p.code == "broken-entry"]
    problems += undefined(project.citations, bibliographies)
    problems += duplicates(bibliographies)
    return problems


def known_keys(bibliographies: Iterable[Bibliography]) -> set[str]:
    """All keys that a citation may name, biblatex's `ids` among them."""
    keys: set[str] = set()
    for bibliography in bibliographies:
        for entry in bibliography.entries:
            keys.add(entry.key)
            if ids := entry.fields.get("ids"):
                keys.update(key.strip() for key in ids.split(","))
    return keys


def undefined(citations: Iterable[Citation], bibliographies: Iterable[Bibliography]) -> list[Problem]:
    keys = known_keys(bibliographies)
    return [
        Problem("undefined-citation", f"No bibliography of this project has the entry {c.key}.", c.span)
        for c in citations
        if c.key not in keys and c.key != "*"
    ]


def duplicates(bibliographies: Iterable[Bibliography]) -> list[Problem]:
    first: dict[str, BibEntry] = {}
    problems: list[Problem] = []
    for bibliography in bibliographies:
        for entry in bibliography.entries:
            known = first.setdefault(entry.key, entry)
            if known is not entry:
                where = f"line {known.line} of {known.span.file.name}"
                span = key_span(entry)
                problems.append(
                    Problem("duplicate-key", f"{entry.key} is already an entry in {where}.", span)
                )
    return problems


def key_span(entry: BibEntry) -> Span:
    """The head of an entry, which is enough to underline."""
    return Span(
        entry.span.file,
        entry.span.start,
        min(entry.span.end, entry.span.start + len(entry.type) + 2 + len(entry.key)),
    )
