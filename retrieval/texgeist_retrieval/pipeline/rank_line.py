"""A paper's place in the order, and why it is there or not, in one counted line; the sentences of why are in `reasons`."""

from __future__ import annotations

from collections.abc import Sequence

from ..ranking.depth import OUTSIDE
from ..types import Candidate, Query, Strand
from .longlist import Listed

_YOURS = {
    "abstract": "your abstract",
    "draft": "your draft",
    "sentence": "your sentence",
    "question": "your question",
}


_LONGEST_REASON = 160  # characters of what a strand comes from


def ordinal(number: int) -> str:
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def numbers_of(paper: Listed, query: Query, found: int, ranked: bool, others_read: bool = True) -> str:
    """The part of `why_selected` that is counted."""
    parts = (_place(paper, query, found, ranked), _finder(paper, query))
    pages = _pages(paper) if paper.pages or others_read else ""
    return "; ".join(filter(None, [*parts, pages]))


def why_selected(
    paper: Listed,
    query: Query,
    found: int,
    diversity: float,
    ranked: bool,
    others_read: bool = True,
    strands: Sequence[Strand] = (),
) -> str:
    """Such as "2nd of 60 by similarity to your abstract, 0.71; pages 3 and 7 stand closest".

    The one number in it is how close the paper is: any other, of its pages say, would be held against it.
    `others_read`: some paper of the run was read in full, so that it tells something if this one was not.
    """
    return "; ".join(
        part
        for part in (
            _strand(paper, strands),
            numbers_of(paper, query, found, ranked, others_read),
            _diversity(paper, diversity),
        )
        if part
    )


def _strand(paper: Listed, strands: Sequence[Strand]) -> str:
    """What of the draft the paper is there for, in the draft's or the model's words."""
    candidate = paper.candidate
    reasons = {strand.name: strand.why for strand in strands}
    name = next((name for name in candidate.strands if name in reasons), "")
    if not name:
        return ""
    why = f" ({shortened(reasons[name], _LONGEST_REASON)})" if reasons[name] else ""
    how = ", chosen by the model from its title" if candidate.picked else ""
    return f"for {name}{why}" + (how or (", where it was named" if candidate.named else ""))


def shortened(text: str, most: int) -> str:
    """Cut at a word; quotation marks that were opened are closed."""
    if len(text) <= most:
        return text
    cut = text[:most].rsplit(" ", 1)[0] + " …"
    return cut + "”" * (cut.count("“") - cut.count("”"))


def _place(paper: Listed, query: Query, found: int, ranked: bool) -> str:
    candidate = paper.candidate
    yours = "your introduction" if query.by_introduction else _YOURS[query.kind]
    if ranked:
        return (
            f"{ordinal(candidate.rank)} of {found} after reranking{_depth(candidate)}; similarity to {yours} "
            f"{candidate.similarity:.2f}"
        )
    return f"{ordinal(candidate.rank)} of {found} by similarity to {yours}, {candidate.similarity:.2f}"


def _depth(candidate: Candidate) -> str:
    """What was learned says little about such a text: people must not take the order for more than it is."""
    if OUTSIDE not in candidate.scores:
        return ""
    return ", mostly by similarity and words, since it is of another field than the order was learned from"


def _finder(paper: Listed, query: Query) -> str:
    if len(query.parts) < 2:
        return ""
    return f"closest to {query.parts[paper.candidate.found_by].label}"


def _pages(paper: Listed) -> str:
    if not paper.pages:
        return "read by its abstract alone"
    numbers = [str(page.passage.page) for page in paper.pages]
    if len(numbers) == 1:
        return f"page {numbers[0]} stands closest"
    return f"pages {', '.join(numbers[:-1])} and {numbers[-1]} stand closest"


def _diversity(paper: Listed, diversity: float) -> str:
    if diversity <= 0 or paper.nearest is None:
        return ""
    return (
        f"kept for diversity: of the papers chosen before it, it is nearest to “{paper.nearest.paper.title}”"
    )


def why_not_shortlisted(paper: Listed, shortlist: Sequence[Listed]) -> str:
    """Without a number: what papers are weighed by here is not how close they are, which is told beside it."""
    others = sorted((kept for kept in shortlist), key=lambda kept: kept.score)[-2:][::-1]
    titles = " and ".join(f"“{kept.candidate.paper.title}”" for kept in others)
    part = (
        "its pages answer to your draft less than theirs"
        if paper.pages
        else "they stand before it in the order"
    )
    return f"{titles} were preferred: {part}." if len(others) > 1 else f"Others were preferred: {part}."
