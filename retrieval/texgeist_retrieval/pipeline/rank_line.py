"""A paper's rank and why it was chosen or not, in one line with numbers. The sentences are in `reasons`."""

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
    """The part of `why_selected` that consists of numbers."""
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
    """Such as "2nd of 60 by similarity to your abstract, 0.71; pages 3 and 7 are the most similar".

    It has one similarity only, the paper's: readers would compare any other, such as a page's, with it.
    `others_read`: some papers of the run were read in full, so that the line says if this one was not.
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
    """The strand that the paper was chosen for, in the words of the draft or the model."""
    candidate = paper.candidate
    reasons = {strand.name: strand.why for strand in strands}
    name = next((name for name in candidate.strands if name in reasons), "")
    if not name:
        return ""
    why = f" ({shortened(reasons[name], _LONGEST_REASON)})" if reasons[name] else ""
    how = "; the language model chose this paper by its title" if candidate.picked else ""
    return f"for {name}{why}" + (
        how or ("; the language model suggested this paper" if candidate.named else "")
    )


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
    """The ranker is less reliable for such a draft, and the user should know."""
    if OUTSIDE not in candidate.scores:
        return ""
    return " (the ranker knows few papers of your field, so it relies mostly on similarity and shared words)"


def _finder(paper: Listed, query: Query) -> str:
    if len(query.parts) < 2:
        return ""
    return f"closest to {query.parts[paper.candidate.found_by].label}"


def _pages(paper: Listed) -> str:
    if not paper.pages:
        return "only its abstract was read"
    numbers = [str(page.passage.page) for page in paper.pages]
    if len(numbers) == 1:
        return f"page {numbers[0]} is the most similar"
    return f"pages {', '.join(numbers[:-1])} and {numbers[-1]} are the most similar"


def _diversity(paper: Listed, diversity: float) -> str:
    if diversity <= 0 or paper.nearest is None:
        return ""
    return (
        "chosen also for diversity: of the papers chosen before it, even the most similar is "
        f"“{paper.nearest.paper.title}”"
    )


def why_not_shortlisted(paper: Listed, shortlist: Sequence[Listed]) -> str:
    """Has no number: the score used here is not the similarity, which is shown next to it."""
    others = sorted((kept for kept in shortlist), key=lambda kept: kept.score)[-2:][::-1]
    titles = " and ".join(f"“{kept.candidate.paper.title}”" for kept in others)
    reason = (
        "because their pages are more relevant to your draft" if paper.pages else "because they rank higher"
    )
    return f"{titles if len(others) > 1 else 'Other papers'} were preferred {reason}."
