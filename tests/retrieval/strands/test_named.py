"""A paper is the work that somebody named, or it is not: strangers with the same short name are refused."""

from __future__ import annotations

import pytest
from texgeist_retrieval.strands.searching import Wanted, believed
from texgeist_retrieval.types import Candidate, Paper, Work


def candidate(id: str, title: str, year: int | None = 2020, similarity: float = 0.5) -> Candidate:
    return Candidate(Paper(id, title, year=year), similarity, 1)


def names(work: Work, *candidates: Candidate) -> list[str]:
    return list(believed(candidates, [Wanted(work, "s")]))


ATTENTION = candidate("1", "Self-Attentive Sequential Recommendation")
DPO = candidate("2", "Direct Preference Optimization: Your Language Model is Secretly a Reward Model", 2023)


@pytest.mark.parametrize(
    ("work", "found"),
    [
        (Work("Self-attentive sequential recommendation.", "SASRec", 2018), ["1"]),
        (Work("Self-Attentive Sequential Recommendations", "SASRec", 2018), ["1"]),
        (Work("Direct preference optimization: your language model is secretly a reward model"), ["2"]),
        (Work("Sequential Recommendation", "SR"), []),
        (Work("A paper that nobody wrote about recommendation", "NOBODY"), []),
        (Work("", ""), []),
    ],
)
def test_titles(work: Work, found: list[str]) -> None:
    assert names(work, ATTENTION, DPO) == found


@pytest.mark.parametrize(
    ("title", "year", "similarity", "work", "right"),
    [
        ("SASRec: Recommending by Attention", 2018, 0.3, Work("", "SASRec", 2018), True),
        ("SASRec: Recommending by Attention", 2024, 0.6, Work("", "SASRec", 2018), False),  # years apart
        ("SASRec: Recommending by Attention", 2018, 0.1, Work("", "SASRec", 2018), False),  # another field
        ("MAN: Multi-Action Networks", 2018, 0.3, Work("", "MAN", 2018), False),  # short, and not close
        ("MAN: Multi-Action Networks", 2018, 0.5, Work("", "MAN", 2018), True),
        ("Star: A Night Sky", 2018, 0.6, Work("", "STAR", 2018), False),  # another spelling
        ("SASRec revisited", 2018, 0.9, Work("", "SASRec", 2018), False),  # not its name for itself
        ("AI: A Modern Approach", 2018, 0.9, Work("", "AI", 2018), False),  # too short to tell
    ],
)
def test_short_names_are_believed_with_year_and_closeness(
    title: str, year: int, similarity: float, work: Work, right: bool
) -> None:
    assert bool(names(work, candidate("9", title, year, similarity))) == right


def test_a_name_that_two_papers_have_is_nobodys() -> None:
    two = [candidate("8", "SPACE: One Thing"), candidate("9", "SPACE: Another Thing")]
    assert names(Work("", "SPACE", 2020), *two) == []
