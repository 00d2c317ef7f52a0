"""Whether a paper that was found is the draft itself, or cited by it: a title alone never decides."""

from __future__ import annotations

from dataclasses import replace

import pytest
from texgeist_retrieval.identity import is_cited, is_own, same_paper
from texgeist_retrieval.types import Paper, Query, QueryPart

BOOK = Paper(
    "2005.00001", "Introduction to Machine Learning", authors=("Laurent Younes", "B. Second"), year=2020
)
NAMELESS = Paper("2005.00002", "Introduction to Machine Learning", year=2020)


def draft(*works: Paper, title: str = "Ours", authors: tuple[str, ...] = ()) -> Query:
    return Query(
        "abstract", (QueryPart("words", "abstract"),), title=title, authors=authors, cited_works=works
    )


@pytest.mark.parametrize(
    ("work", "cited"),
    [
        (Paper("", "{I}ntroduction to Machine-Learning", authors=("Younes, Laurent",), year=2020), True),
        (Paper("", "Introduction to Machine Learning", authors=("L. Younes",), year=2022), True),
        (Paper("", "Introduction to Machine Learning", authors=("L. Younes",)), True),
        (Paper("", "Introduction to Machine Learning", authors=("L. Younes",), year=2015), False),
        (Paper("", "Introduction to Machine Learning", authors=("Ethem Alpaydin",), year=2020), False),
        (Paper("", "Introduction to Machine Learning", authors=("B. Second",), year=2020), False),
        (Paper("", "Introduction to Machine Learning", year=2020), True),
        (Paper("", "Introduction to Machine Learning", year=2015), False),
        (Paper("", "Introduction to Machine Learning II", authors=("L. Younes",), year=2020), False),
        (Paper("", "", authors=("L. Younes",), year=2020), False),
    ],
)
def test_what_a_bibliography_describes(work: Paper, cited: bool) -> None:
    assert is_cited(BOOK, draft(work)) is cited


def test_without_authors_the_year_must_agree_and_the_title_be_long() -> None:
    assert is_cited(NAMELESS, draft(Paper("", "Introduction to machine learning", year=2020)))
    assert not is_cited(NAMELESS, draft(Paper("", "Introduction to machine learning", year=2021)))
    assert not is_cited(NAMELESS, draft(Paper("", "Introduction to machine learning")))
    short = Paper("2005.00003", "Machine Learning", year=2020)
    assert not is_cited(short, draft(Paper("", "Machine Learning", year=2020)))


def test_the_draft_itself() -> None:
    near = "Introduction to Machine Learning, Revised"
    assert is_own(BOOK, draft(title="Introduction to Machine Learning", authors=("B. Second",)))
    assert is_own(BOOK, draft(title=near, authors=("L. Younes",)))
    assert not is_own(BOOK, draft(title="Introduction to Machine Learning", authors=("E. Alpaydin",)))
    assert is_own(BOOK, draft(title="Introduction to Machine-Learning", authors=("Anonymous",)))
    assert not is_own(BOOK, draft(title="Introductions to Machine Learning"))
    assert not is_own(Paper("2005.00003", "Machine Learning"), draft(title="Machine Learning"))


def test_ids_decide_before_titles() -> None:
    assert same_paper(BOOK, Paper("2005.00001v2", "Another Title"))
    assert not same_paper(BOOK, replace(BOOK, id="2005.00009"))
    one, other = (replace(BOOK, id=f"bib:{n}", doi=f"10.1/{n}") for n in "ab")
    assert not same_paper(one, other) and same_paper(one, replace(NAMELESS, title="Another", doi="10.1/A"))
