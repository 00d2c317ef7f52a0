"""Works that a reviewer may miss: the request for a draft, and the works found, each with its place in the draft."""

from __future__ import annotations

import re
from dataclasses import dataclass

from texgeist_latex.disk.paths import seen_from
from texgeist_latex.types import Draft, TextPage
from texgeist_retrieval.text.words import number_of
from texgeist_retrieval.types import Reasons, Result

from ..plain_text import cut
from .queries import section_query
from .requests import MissingRequest
from .results import evidence_of, papers_of, reference_lines

LONGEST = 300  # characters of a quotation
_BEGINNING = 5  # words of a sentence that are searched in the source


@dataclass(frozen=True, slots=True)
class MissingWork:
    """`place`: "main.tex:12"; `said`: the sentences that a model would write about it, "" without a model."""

    reference: str
    reasons: Reasons
    place: str
    said: str


def missing_request(draft: Draft) -> MissingRequest:
    """What the generated section cites counts as cited too. Raises `NothingToAsk`."""
    return MissingRequest(section_query(draft, "abstract", section=""), tuple(_sentences(draft)))


def missing_of(draft: Draft, result: Result) -> list[MissingWork]:
    """The works of the answer to `missing_request`."""
    pages, known = _sentences(draft), evidence_of(result)
    return [
        MissingWork(
            reference,
            selected.reasons,
            _place(draft, selected.reasons.yours, pages),
            " ".join(
                s.text for s in result.section.sentences if selected.candidate.paper.id in papers_of(s, known)
            ),
        )
        for reference, selected in zip(reference_lines(result), result.selected, strict=True)
    ]


def lines_of(work: MissingWork) -> list[str]:
    """The work in lines of text: why it is expected, where it belongs, what it says, and what the draft could say."""
    reasons = work.reasons
    return [
        line
        for given, line in (
            (reasons.relation, f"Why: {reasons.relation}; {reasons.numbers}."),
            (reasons.yours, f"Where: {work.place}, “{cut(reasons.yours, LONGEST)}”"),
            (reasons.theirs, f"It says: “{cut(reasons.theirs, LONGEST)}”"),
            (work.said, f"You could write: {work.said}"),
        )
        if given
    ]


def in_words(count: int, result: Result) -> str:
    if not count:
        searched = f"{number_of(result.found, 'paper')} nearest to your draft (index: {result.index})"
        return f"No work that a reviewer would clearly miss is among the {searched}."
    return f"{number_of(count, 'work')} that a reviewer may miss in your draft."


def _sentences(draft: Draft) -> dict[str, TextPage]:
    """The sentences of the draft, each with the first page that contains it."""
    from texgeist_retrieval.text.sentences import split_sentences

    found: dict[str, TextPage] = {}
    for page in draft.pages:
        for sentence in split_sentences(page.text):
            if len(sentence.split()) >= _BEGINNING:
                found.setdefault(sentence, page)
    return found


def _place(draft: Draft, sentence: str, pages: dict[str, TextPage]) -> str:
    """The file and line of the sentence, which may be shortened. If its first words are not found in the source,
    the file and line of its page."""
    start = " ".join(sentence.split()[:_BEGINNING])
    page = next((page for known, page in pages.items() if start and known.startswith(start)), None)
    if page is None:
        return ""
    path, line = page.file, page.line
    if path in draft.sources:
        text = draft.sources[path].text
        offset = sum(len(one) for one in text.splitlines(keepends=True)[: line - 1])
        words = map(re.escape, start.split())
        match = re.compile(r"(?:\W|\\[A-Za-z]+)+".join(words)).search(text, offset)
        line = text.count("\n", 0, match.start()) + 1 if match else line
    return f"{seen_from(draft.root.parent, path)}:{line}"
