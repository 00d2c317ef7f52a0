"""What speaks for and against a statement, as a page to read: like that of evidence, without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from texgeist_retrieval.types import SIDES, JudgedPassage, Sides

from .evidence_page import passage_block, put, whole

HEADINGS = {
    "supports": "For it",
    "contradicts": "Against it",
    "neither": "On the matter, but neither for nor against",
    "not judged": "Not judged",
}


def write_sides(folder: Path, file: Path, sides: Sides) -> Path:
    """Writes the page for this statement of this document."""
    return put(folder, f"{file}\0sides\0{sides.statement}", sides_page(file.name, sides))


def sides_page(file: str, sides: Sides) -> str:
    title = f"For and against a statement of {file}"
    return whole(title, _body(title, sides))


def counted(sides: Sides) -> str:
    """In one line for people."""
    counts = {side: len(sides.of(side)) for side in SIDES.values()}
    if counts["not judged"] == len(sides.found):
        found = f"Passages on the matter: {len(sides.found)}." if sides.found else ""
    else:
        found = f"For the statement: {_passages(counts['supports'])}; against it: {_passages(counts['contradicts'])}."
    return " ".join(filter(None, [found, *sides.notes]))


def _passages(count: int) -> str:
    return "one passage" if count == 1 else f"{count} passages"


def _body(title: str, sides: Sides) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1><blockquote>{escape(sides.statement)}</blockquote>"
    yield f"<p>{escape(counted(sides))}</p>"
    if len(sides.queries) > 1:
        yield f'<p class="why">Also searched for: {escape(" · ".join(sides.queries[1:]))}</p>'
    papers = {paper.id: paper for paper in sides.papers}
    for side, heading in HEADINGS.items():
        if found := sides.of(side):
            yield f"<h2>{heading}</h2>"
            for one in found:
                yield from passage_block(one.evidence, papers.get(one.evidence.passage.paper_id), _told(one))


def _told(one: JudgedPassage) -> str:
    """How sure the judge is, and what the passage does not say."""
    score = one.support.score
    sure = (f"sure {score:.1f}" if one.side != "not judged" else f"too unsure, {score:.1f}") if score else ""
    return "; ".join(filter(None, [sure, f"missing: {one.support.missing}" if one.support.missing else ""]))
