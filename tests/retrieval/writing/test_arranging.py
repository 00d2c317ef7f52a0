"""Paragraphs: which papers, in what order."""

from __future__ import annotations

import numpy as np
import pytest
from texgeist_retrieval.types import Evidence, Passage
from texgeist_retrieval.writing.extractive.english.arranging import arranged
from texgeist_retrieval.writing.extractive.english.background import background
from texgeist_retrieval.writing.extractive.english.composing import Used, paragraph_sentences
from texgeist_retrieval.writing.extractive.english.facts import Fact
from texgeist_retrieval.writing.extractive.english.in_common import in_common
from texgeist_retrieval.writing.extractive.english.saying import Source
from texgeist_retrieval.writing.extractive.english.strands import Gathered


def source(title: str, text: str = "", year: int | None = 2020, says: str = "study birds.") -> Source:
    first = Fact("study", says, True, verb="study", evidence=title) if says else None
    passage = Evidence(title, Passage(title, None, text), 0.5)
    return Source(title, text, year, True, True, (passage,), (), first, (first,) if first else ())


def rows(*groups: int) -> np.ndarray:
    """Papers of the same number are alike, others have nothing in common."""
    return np.eye(max(groups) + 1, dtype=np.float32)[list(groups)]


def test_papers_of_a_theme_stand_in_the_order_of_their_years_the_nearest_theme_first() -> None:
    chosen = [source(f"P{n}", year=year) for n, year in enumerate((2021, 2015, 2019, 2011))]
    strands = [Gathered("old maps", (1, 3), (1, 3)), Gathered("bird song", (0, 2), (0, 2))]
    themes = arranged(strands, chosen, rows(0, 1, 0, 1))
    assert [(t.phrase, t.members) for t in themes] == [("bird song", (2, 0)), ("old maps", (3, 1))]


def test_a_late_paper_that_is_like_no_theme_is_left_out_and_an_early_one_is_not() -> None:
    chosen = [source(f"P{n}") for n in range(12)]
    strands = [Gathered("bird song", (0, 1), tuple(range(10))), Gathered("", (), (10, 11))]
    near = rows(*[0] * 10, 1, 0)
    alone = [
        Gathered("bird song", (0, 1), (0, *range(2, 10))),
        Gathered("all", (0, 1), (1, 10), general=True),
    ]
    assert {i for t in arranged(alone, chosen, rows(0, 1, *[0] * 8, 2, 0)) for i in t.members} == set(
        range(10)
    )
    assert {i for t in arranged(strands, chosen, near) for i in t.members} == set(range(12))


def test_themes_that_say_the_same_are_one_or_the_second_has_no_name() -> None:
    few = [source(f"P{n}") for n in range(4)]
    same = [
        Gathered("tumor segmentation", (2, 3), (2, 3)),
        Gathered("brain tumor segmentation", (0, 1), (0, 1)),
    ]
    (theme,) = arranged(same, few, rows(0, 0, 1, 1))
    assert theme.using == (0, 1, 2, 3) and theme.members == (0, 1, 2, 3)
    many = [source(f"P{n}") for n in range(10)]
    same = [
        Gathered("tumor segmentation", (5, 6), tuple(range(5, 10))),
        Gathered("brain tumor segmentation", (0, 1), tuple(range(5))),
    ]
    assert [t.phrase for t in arranged(same, many, rows(*[0] * 5, *[1] * 5))] == [
        "brain tumor segmentation",
        "",
    ]


def test_a_paper_of_which_nothing_can_be_told_makes_no_paragraph() -> None:
    chosen = [source("A"), source("B"), source("C"), source("D", says="")]
    strands = [Gathered("old maps", (2, 3), (2, 3)), Gathered("bird song", (0, 1), (0, 1))]
    assert [t.members for t in arranged(strands, chosen, rows(0, 0, 1, 1))] == [(0, 1, 2, 3)]


def test_what_most_are_about_opens_the_papers_that_share_no_more() -> None:
    chosen = [source(f"P{n}") for n in range(6)]
    strands = [
        Gathered("", (), (2, 3)), Gathered("bird song", (0, 1), (0, 1)), Gathered("old maps", (4, 5), (4, 5)),
        Gathered("river valleys", (0, 1, 2, 3, 4), (), general=True),
    ]  # fmt: skip
    first = arranged(strands, chosen, rows(0, 0, 1, 1, 2, 2))[0]
    assert (first.phrase, first.members, first.using) == ("river valleys", (2, 3), (0, 1, 2, 3, 4))


def test_what_the_closest_paper_shares_is_in_both_texts_and_not_in_all() -> None:
    draft = "We treat noisy annotations and bird song recordings with local perplexities."
    near = "Noisy annotations hurt. Local perplexities find noisy annotations."
    assert in_common(near, draft, ["Bird song.", "Old maps."]) == ["noisy annotations", "local perplexities"]
    assert in_common(near, draft, [near, near]) == []
    one = "Noisy annotations hurt."  # a single thing that is rare: the other two have local perplexities
    assert in_common(near, draft, ["Local perplexities are low."] * 2) == []
    assert in_common(one, draft, ["Old maps."]) == []
    assert in_common("Old maps.", draft, ["Bird song."]) == []


GENERAL = "Bird song is vital for the diagnosis and prognosis of forests with many species."


def test_what_a_field_takes_for_granted_opens_a_paragraph_in_other_words() -> None:
    told = background([source("Bird Song", f"{GENERAL} We propose an ear.")], "bird song", "Ears", "")
    assert told and not told.quoted and told.evidence == "Bird Song"
    assert told.text.startswith("Bird song is") and told.text != GENERAL


@pytest.mark.parametrize(
    "text",
    [
        "We propose an ear. " + GENERAL,  # it speaks of their work, perhaps
        "Recently, bird song is of interest to most people in the forests of the north.",
        "It is known that bird song is loud in all the forests of the far north.",
        "Old maps are vital for the diagnosis and prognosis of rivers with many bends.",
    ],
)
def test_what_is_of_a_time_or_of_something_else_opens_none(text: str) -> None:
    assert background([source("Bird Song", text)], "bird song", "Ears", "") is None


def test_time_passes_between_papers_and_what_is_alike_is_said_to_be() -> None:
    papers = [
        source("A", year=2010, says="compare feathers of owls."),
        source("B", year=2014, says="compare maps of rivers."),
        source("C", year=2015, says="compare coins of kings."),
        source("D", year=2019, says="compare castles."),
    ]
    leads = [s.lead for s in paragraph_sentences(papers, Used())]
    assert leads == ["", "Later,", "", "More recently,"]
    assert not any(s.lead for s in paragraph_sentences(papers, Used(), in_time=False))
    alike = [source(n, year=2015, says="compare maps of frozen rivers and ruined castles.") for n in "AB"]
    assert [s.lead for s in paragraph_sentences(alike, Used())] == ["", "Similarly,"]


def test_what_was_done_and_what_came_of_it_is_one_sentence_where_both_are_short() -> None:
    offer = Fact("offer", "propose a planner of drafts.", True, verb="propose", evidence="1")
    result = Fact(
        "find",
        "show that outlines with headings shorten long chapters of novels.",
        True,
        verb="show",
        evidence="1",
    )
    paper = Source("T", "t", None, True, True, (), (), offer, (offer, result))
    (said,) = paragraph_sentences([paper], Used())
    assert (
        said.text
        == "propose a planner of drafts, and show that outlines with headings shorten long chapters of novels."
    )
