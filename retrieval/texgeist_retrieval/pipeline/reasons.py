"""Why a paper is there, or is not, in one line for people."""

from __future__ import annotations

from collections.abc import Sequence

from ..types import Query, Strand
from .page_scoring import Weighed

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


def why_selected(
    paper: Weighed,
    query: Query,
    found: int,
    diversity: float,
    ranked: bool,
    others_read: bool = True,
    strands: Sequence[Strand] = (),
) -> str:
    """Such as "2nd of 60 by similarity to your abstract, 0.71; pages 3 and 7 stand closest (0.66)".

    `others_read`: some paper of the run was read in full, so that it tells something if this one was not.
    """
    return "; ".join(
        part
        for part in (
            _strand(paper, strands),
            _place(paper, query, found, ranked),
            _finder(paper, query),
            _pages(paper) if paper.pages or others_read else "",
            _diversity(paper, diversity),
        )
        if part
    )


def _strand(paper: Weighed, strands: Sequence[Strand]) -> str:
    """What of the draft the paper is there for, in the draft's or the model's words."""
    candidate = paper.listed.candidate
    reasons = {strand.name: strand.why for strand in strands}
    name = next((name for name in candidate.strands if name in reasons), "")
    if not name:
        return ""
    why = f" ({shortened(reasons[name], _LONGEST_REASON)})" if reasons[name] else ""
    return f"for {name}{why}" + (", where it was named" if candidate.named else "")


def shortened(text: str, most: int) -> str:
    """Cut at a word; quotation marks that were opened are closed."""
    if len(text) <= most:
        return text
    cut = text[:most].rsplit(" ", 1)[0] + " …"
    return cut + "”" * (cut.count("“") - cut.count("”"))


def _place(paper: Weighed, query: Query, found: int, ranked: bool) -> str:
    candidate = paper.listed.candidate
    yours = _YOURS[query.kind]
    if ranked:
        return (
            f"{ordinal(candidate.rank)} of {found} after reranking; similarity to {yours} "
            f"{candidate.similarity:.2f}"
        )
    return f"{ordinal(candidate.rank)} of {found} by similarity to {yours}, {candidate.similarity:.2f}"


def _finder(paper: Weighed, query: Query) -> str:
    if len(query.parts) < 2:
        return ""
    return f"closest to {query.parts[paper.listed.candidate.found_by].label}"


def _pages(paper: Weighed) -> str:
    if not paper.pages:
        return "read by its abstract alone"
    numbers = [str(page.passage.page) for page in paper.pages]
    if len(numbers) == 1:
        return f"page {numbers[0]} stands closest ({paper.pages[0].similarity:.2f})"
    mean = sum(page.similarity for page in paper.pages) / len(numbers)
    return f"pages {', '.join(numbers[:-1])} and {numbers[-1]} stand closest ({mean:.2f} on average)"


def _diversity(paper: Weighed, diversity: float) -> str:
    listed = paper.listed
    if diversity <= 0 or listed.nearest is None:
        return ""
    return (
        f"kept for diversity: of the papers chosen before it, it is nearest to "
        f"“{listed.nearest.paper.title}” ({listed.pick.redundancy:.2f})"
    )


def why_not_shortlisted(paper: Weighed, shortlist: Sequence[Weighed]) -> str:
    lowest = min((kept.score for kept in shortlist), default=0.0)
    read = "Its pages are" if paper.pages else "By its abstract it is"
    return f"{read} less close to yours ({paper.score:.2f}) than those chosen ({lowest:.2f} at least)."
