"""Several papers in one sentence: of one form, each cited at its own end, and never of anybody else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from texgeist_retrieval.writing.extractive.english.composing import Used, paragraph_sentences
from texgeist_retrieval.writing.extractive.english.facts import Fact
from texgeist_retrieval.writing.extractive.english.joining import joined, kind_of
from texgeist_retrieval.writing.extractive.english.saying import Source, names_only

PLAN = Fact("name", "PlanTree is a planner of drafts.", False, evidence="1")
NOTE = Fact("name", "NoteNet is a reader of notes.", False, evidence="2")
OFFER = Fact("offer", "proposes a parser of long notes.", True, verb="propose", evidence="3")
OTHER = Fact("offer", "propose an outline for chapters.", True, verb="propose", evidence="4")
STUDY = Fact("study", "study the length of chapters.", True, verb="study", evidence="5")
TITLE = Fact("title", "work on reading by candlelight.", True, verb="work", evidence="6")
ABOUT = Fact("title", "ReadNet addresses reading at night.", False, evidence="7")


def parts(*facts: Fact) -> list[tuple[str, tuple[str, ...]]]:
    return [(c.text, c.evidence) for c in joined(facts, 0).clauses]


def test_each_statement_is_cited_at_its_own_end() -> None:
    assert parts(PLAN, NOTE) == [
        ("PlanTree is a planner of drafts,", ("1",)),
        ("and NoteNet a reader of notes.", ("2",)),
    ]
    assert parts(OFFER, OTHER) == [
        ("Others propose a parser of long notes", ("3",)),
        ("and an outline for chapters.", ("4",)),
    ]
    assert parts(TITLE, replace(TITLE, text="works on sleep.", evidence="8")) == [
        ("Also related is work on reading by candlelight", ("6",)),
        ("and sleep.", ("8",)),
    ]
    assert parts(ABOUT, replace(ABOUT, text="DayNet addresses days.", evidence="8")) == [
        ("ReadNet addresses reading at night,", ("7",)),
        ("and DayNet addresses days.", ("8",)),
    ]


def test_the_clauses_together_are_the_sentence() -> None:
    sentence = joined([OFFER, OTHER, OFFER], 1)
    assert sentence.text == " ".join(clause.text for clause in sentence.clauses)
    assert sentence.text.startswith("Further papers propose a parser of long notes, an outline")
    assert sentence.evidence == ("3", "4", "3") and not sentence.textual


@pytest.mark.parametrize(
    "fact",
    [
        replace(OFFER, text="propose “a parser of long notes”."),
        replace(OFFER, lead="For notes,"),
        replace(OFFER, text="propose a parser of notes and show that they lose them."),
        replace(STUDY, kind="find", text="show that chapters are long.", verb="show"),
        replace(PLAN, text="PlanTree plans drafts."),
        replace(OFFER, text="propose the longest parser of notes."),
        replace(OFFER, text=f"propose a parser {'of very long notes ' * 6}."),
    ],
)
def test_what_is_quoted_led_long_or_double_stands_alone(fact: Fact) -> None:
    assert kind_of(fact) == ""


def source(fact: Fact, authored: bool = True) -> Source:
    return Source("T", "t", None, True, authored, (), (), fact, (fact,))


def test_others_are_others_than_the_first_of_the_paragraph() -> None:
    said = paragraph_sentences([source(OTHER), source(OFFER), source(STUDY), source(OTHER)], Used())
    assert [s.textual for s in said] == [True, False, True]
    assert said[1].text == "Others propose a parser of long notes and an outline for chapters."


def test_every_paper_is_told_once_and_the_forms_vary() -> None:
    facts = [OTHER, OFFER, OTHER, STUDY, replace(STUDY, evidence="9"), TITLE, TITLE]
    facts = [replace(fact, evidence=str(n)) for n, fact in enumerate(facts)]
    said = paragraph_sentences([source(fact) for fact in facts], Used())
    assert sorted(id for s in said for id in s.evidence) == [str(n) for n in range(len(facts))]
    starts = [" ".join(s.text.split()[:2]) for s in said if s.clauses]
    assert len(set(starts)) == len(starts) == 3


@pytest.mark.parametrize(
    ("text", "only"),
    [
        ("describes a semantic segmentation network.", True),
        ("presents NoteNet, a new, more powerful architecture.", True),
        ("describes a network for the segmentation of notes.", False),
        ("propose PlanTree, a planner that cuts drafts.", False),
        ("propose a planner cutting drafts.", False),
    ],
)
def test_an_offer_that_is_named_and_nothing_else_gives_way_to_the_title(text: str, only: bool) -> None:
    assert names_only(replace(OFFER, text=text)) is only
    assert not names_only(replace(STUDY, text="study the length."))
