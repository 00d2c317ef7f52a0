"""Marks which of the papers found may be cited: not the draft itself, copies, what the draft cites already, papers without
authors and, in notes, papers of which only the title is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..identity import is_cited, is_own, same_paper
from ..text.words import number_of
from ..types import Candidate, Query
from ..types.papers import is_arxiv
from .candidates import without_copies

FEW_OTHERS = 6  # papers with an abstract
NO_AUTHORS = "Its authors are not known."
TITLE_ONLY = "Only its title is known, so nothing of it can be quoted."


def mark_known(candidates: Sequence[Candidate], query: Query) -> list[Candidate]:
    """Marks the papers that the draft cites, except for a question, which they may answer too, and for a sentence, which
    may cite them again. Marks as left out: the draft itself, second records of a paper and, for a text to be written,
    papers without authors, because a citation would print no name."""
    itself = "It is this draft itself."
    marked = [
        replace(c, left_out=c.left_out or (itself if is_own(c.paper, query) else "")) for c in candidates
    ]
    if query.kind != "question":
        cited, again = {c.paper.id for c in marked if is_cited(c.paper, query)}, query.kind == "sentence"
        marked = [
            replace(c, again=again, already_cited=not again) if c.paper.id in cited else c for c in marked
        ]
    single = without_copies([c for c in marked if not c.left_out])
    if query.kind != "question":
        single = [c if c.paper.authors else replace(c, left_out=c.left_out or NO_AUTHORS) for c in single]
    return [*(c for c in marked if c.left_out), *single]


def mark_titles(known: list[Candidate], query: Query, full_text: bool) -> list[Candidate]:
    """Marks the papers of which only the title is known, and of which no text can be read (`full_text`: from arXiv
    too), as left out of a section. Notes cannot quote them, so they would only take the place of other papers."""
    if query.kind not in ("abstract", "draft"):
        return known
    return [
        c
        if c.left_out
        or c.already_cited
        or c.paper.abstract
        or c.paper.files
        or (full_text and is_arxiv(c.paper.id))
        else replace(c, left_out=TITLE_ONLY)
        for c in known
    ]


def lacks_texts(known: Sequence[Candidate], wanted: int) -> bool:
    """Whether papers of which only the title is known take the places of some of the papers wanted."""
    fresh = sum(not (c.left_out or c.already_cited) for c in known)
    return fresh < wanted and any(c.left_out == TITLE_ONLY for c in known)


def citable_again(known: list[Candidate], query: Query) -> tuple[list[Candidate], tuple[str, ...]]:
    """Allows a section to cite papers that the draft cites outside its text on related work: on request, or if the
    index has few other papers, which is usual for a library made from the author's own bibliography."""
    others = sum(bool(c.paper.abstract) for c in known if not (c.already_cited or c.left_out))
    if query.kind not in ("abstract", "draft") or not (query.again or others < FEW_OTHERS):
        return known, ()
    again = {
        c.paper.id
        for c in known
        if c.already_cited and not any(same_paper(work, c.paper) for work in query.discussed)
    }
    if not query.again and not any(c.paper.abstract for c in known if c.paper.id in again):
        return known, ()
    note = (
        "Few papers were found that your draft does not cite, so the section also cites papers that you cite "
        "elsewhere."
    )
    freed = [replace(c, already_cited=False, again=True) if c.paper.id in again else c for c in known]
    return freed, () if query.again else (note,)


def notes_on_authors(known: Sequence[Candidate]) -> tuple[str, ...]:
    """A note that papers without authors were left out; empty if there are none."""
    unnamed = [c.paper.title for c in known if c.left_out == NO_AUTHORS]
    if not unnamed:
        return ()
    return (
        f"Left out because no authors are known: {number_of(len(unnamed), 'paper')}, such as “{unnamed[0]}”. "
        "A file that names the authors completes the record (`texgeist index add`).",
    )
