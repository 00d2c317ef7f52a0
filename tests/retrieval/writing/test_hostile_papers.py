"""Abstracts and titles of strangers, quoted without a model: nothing but prose, and no citation but of the papers."""

from __future__ import annotations

import random
import re
import time
from dataclasses import replace

import pytest
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.types import Evidence, Passage, Query, QueryKind, QueryPart, Selected
from texgeist_retrieval.writing import ExtractiveWriter
from texgeist_retrieval.writing.extractive import key_sentences
from texgeist_retrieval.writing.model import plain
from texgeist_retrieval.writing.model.checks import Material

from . import hostile
from .test_extractive import ABSTRACT, TOPICS, WordEmbedder, paper

SENTENCES = [text for topic in TOPICS.values() for text in topic]
NAMES = ["ModelX", "\\Foo", "F_oo", "Fo{o", "Fo\u202eo", "$F$", "x" * 3000]
KINDS: tuple[QueryKind, ...] = ("abstract", "abstract", "sentence", "question")
AUTHORS = ["{{{", "", "others", "\\", "Ada Miller", "\u202eX", "Doe, {Jane"]


def spoiled(chance: random.Random, text: str, most: int) -> str:
    for _ in range(chance.randint(0, most)):
        words = text.split(" ")
        words.insert(chance.randint(0, len(words)), chance.choice(hostile.HOSTILE))
        text = " ".join(words)
    return text


def abstract(chance: random.Random, number: int) -> str:
    drawn = (chance.choice(SENTENCES) for _ in range(chance.randint(1, 4)))
    filled = (each.format(name=chance.choice(NAMES), n=f"q{number}") for each in drawn)
    return " ".join(spoiled(chance, each, 2) for each in filled)


def stranger(chance: random.Random, number: int) -> Selected:
    given = paper(number)
    title = spoiled(chance, given.candidate.paper.title, 1)
    authors = tuple(chance.sample(AUTHORS, 2))
    made = replace(given.candidate.paper, abstract=abstract(chance, number), title=title, authors=authors)
    evidence = (Evidence(f"{number}.0", Passage(made.id, None, made.abstract), 0.6),)
    return replace(given, candidate=replace(given.candidate, paper=made), evidence=evidence)


def leads_away(text: str) -> bool:
    found = plain.has_address(text) or plain.has_identifier(text)
    return found or bool(
        re.search(r"\[\d+[\],]|\bet al\b|\(\w+,? 20\d\d\)|[\u200e\u200f\u202a-\u202e]", text)
    )


def attack(count: int, seed: int) -> tuple[hostile.Tally, list[str]]:
    """What was written of so many groups of papers, and the sentences that lead to something else."""
    tally, away = hostile.Tally(), []
    writer = ExtractiveWriter(WordEmbedder())
    for number in range(count):
        chance = random.Random(f"{seed}:{number}")
        selected = [stranger(chance, n) for n in range(chance.randint(1, 4))]
        draft = ABSTRACT if chance.random() < 0.7 else abstract(chance, 9)
        kind = chance.choice(KINDS)
        query = Query(kind, (QueryPart(draft, "abstract"),), draft, "Scribe: Writing")
        section = writer.write(query, selected, Silent()).section
        said = list(section.sentences)
        known = {e.id for each in selected for e in each.evidence}
        tally.foreign += [id for s in said for id in s.evidence if id not in known]
        away += [s.text for s in said if s.evidence and leads_away(s.text)]
        hostile.write(said, selected, Material.of(selected, draft), tally)
    return tally, away


def test_hostile_papers_bring_no_command_and_no_citation_of_their_own() -> None:
    tally, away = attack(120, 3)
    assert not tally.failed, (tally.foreign, tally.commands)
    assert tally.written > 250
    assert away == []


def test_the_attack_notices_a_gate_that_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_sentences, "_is_whole", lambda text: len(text.split()) > 5)
    assert len(attack(40, 3)[1]) > 2


@pytest.mark.parametrize(
    "filler",
    [
        "{\\em  ", " ", '"a', "$", "*", "_a", "\\emph{", "a- ", "A. ", "We propose ", "that ", ", ", "(",
        "“", "e.g., ", "a.", "a-",
    ],
)  # fmt: skip
def test_an_abstract_as_long_as_any_costs_time_in_proportion(filler: str) -> None:
    writer = ExtractiveWriter(WordEmbedder())
    text = "We propose a method that learns " + filler * (20_000 // len(filler)) + " things."
    made = paper(1, abstract=text)
    made = replace(made, evidence=(Evidence("1.0", Passage("1", None, text), 0.6),))
    # a question, because for a section the paper would be left out as too far from the draft
    query = Query("question", (QueryPart(ABSTRACT, "question"),), text=ABSTRACT)
    begun = time.process_time()
    writer.write(query, [paper(0), made, paper(2)], Silent())
    assert time.process_time() - begun < 2
