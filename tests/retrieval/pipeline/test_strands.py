"""Strands along the line of steps: searched, named works looked up, covered, and told of in the reasons."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from texgeist_retrieval.errors import IndexUnavailable, SourceUnavailable, WriterInvalid, WriterRefused
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline import choose, gather, related_work
from texgeist_retrieval.pipeline.recipes import said_plainly
from texgeist_retrieval.pipeline.selection import NOTE_WORDS
from texgeist_retrieval.ports import Monitor, Stranded
from texgeist_retrieval.services import Options
from texgeist_retrieval.strands.asking import ModelStrands, read_strands
from texgeist_retrieval.types import Paper, Query, Strand, Usage, Vector, Work

from .conftest import MemoryIndex, PagesSource, Recorder, WordEmbedder, World, about

ABSTRACT = "web query generation with preference optimization for ranking"
PAPERS = [
    *(
        Paper(f"q{n}", f"Query paper {n}", f"web query generation for ranking {n}", year=2020)
        for n in range(12)
    ),
    Paper(
        "dpo",
        "Direct Preference Optimization Is Enough",
        "preference optimization of language policies",
        year=2023,
    ),
    Paper("ppo", "Proximal Policy Methods at Scale", "policies clipped", year=2017),
    Paper("far", "Galaxies", "redshift survey of distant galaxies", year=2019),
]
STRANDS = (
    Strand("query generation", "web query generation for ranking", "it is your subject"),
    Strand(
        "preference learning",
        "preference optimization of policies",
        "your abstract names it",
        (Work("Proximal Policy Methods at Scale", "PPO", 2017), Work("No Such Paper Anywhere", "NOPE", 2020)),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Given:
    """A finder that gives what it is told."""

    strands: tuple[Strand, ...] = STRANDS

    def find(self, query: Query, monitor: Monitor) -> Stranded:
        return Stranded(self.strands, Usage(1, 10, 5))

    def preview(self, query: Query) -> str:
        return ""


OPTIONS = Options(breadth=4, full_text=False)


def test_every_strand_is_covered_and_named_works_come_in() -> None:
    six = replace(OPTIONS, breadth=8)
    plain = related_work(about(ABSTRACT), World(PAPERS).services(), six, Silent())
    covered = related_work(about(ABSTRACT), World(PAPERS).services(strands=Given()), six, Silent())
    assert "ppo" not in {s.candidate.paper.id for s in plain.selected}
    chosen = {s.candidate.paper.id: s for s in covered.selected}
    assert {"dpo", "ppo"} <= chosen.keys() and len(chosen) == 8
    assert chosen["ppo"].candidate.named and chosen["ppo"].candidate.strands[0] == "preference learning"
    relation = chosen["ppo"].reasons.relation
    assert relation == "It was found by searching for “preference learning” (your abstract names it)."
    assert covered.usage.calls == 1 and covered.strands == STRANDS


def test_without_strands_auto_cites_what_is_near_and_a_number_means_that_number() -> None:
    auto = replace(OPTIONS, breadth=None)
    gathered = gather(about(ABSTRACT), World(PAPERS).services(), auto, Silent())
    chosen = {s.candidate.paper.id for s in choose(gathered, auto).selected}
    assert {f"q{n}" for n in range(12)} <= chosen and "far" not in chosen
    assert len(choose(gathered, replace(OPTIONS, breadth=7)).selected) == 7
    short = gather(about(ABSTRACT, words=200), World(PAPERS).services(), auto, Silent())
    brief = choose(short, auto)
    assert len(brief.selected) == 200 // NOTE_WORDS, "as many as the draft has room for"
    assert brief.notes[-1].startswith(
        "9 of 15 papers were chosen, because the section has room for about 200"
    )
    assert not any("were chosen" in note for note in choose(short, replace(OPTIONS, breadth=7)).notes)
    enough = gather(about(ABSTRACT, words=12 * NOTE_WORDS), World(PAPERS).services(), auto, Silent())
    assert not any("were chosen" in note for note in choose(enough, auto).notes)


def test_what_fits_no_strand_is_left_out_with_that_reason() -> None:
    gathered = gather(about(ABSTRACT), World(PAPERS).services(strands=Given()), OPTIONS, Silent())
    chosen = choose(gathered, replace(OPTIONS, breadth=50))
    assert "far" not in {s.candidate.paper.id for s in chosen.selected}
    reasons = {left.paper.id: left.left_out for left in chosen.left_out}
    assert reasons["far"] == "It fits no part of what your draft stands on."


def test_pins_and_exclusions_hold_over_strands() -> None:
    gathered = gather(about(ABSTRACT), World(PAPERS).services(strands=Given()), OPTIONS, Silent())
    chosen = choose(gathered, OPTIONS, pinned=frozenset({"far"}), excluded=frozenset({"ppo"}))
    ids = [s.candidate.paper.id for s in chosen.selected]
    assert "far" in ids and "ppo" not in ids and len(ids) == 4


class Titled(PagesSource):
    """An arXiv that knows papers by title too."""

    def __init__(self, papers: Sequence[Paper], fails: bool = False) -> None:
        super().__init__({}, papers)
        self.titles: list[list[str]] = []
        self.fails = fails

    def titled(self, titles: Sequence[str], monitor: Monitor | None = None) -> list[Paper]:
        self.titles.append(list(titles))
        if self.fails:
            raise SourceUnavailable("arXiv does not answer.", "Try again.")
        return [paper for paper in self.known.values() if paper.title in titles]


class Bare(MemoryIndex):
    """An index of ids that is asked for ids, and does not find a work by the vector of its title."""

    def __init__(self, embedder: WordEmbedder, papers: Sequence[Paper]) -> None:
        super().__init__(embedder, papers, bare=True)
        self.got: list[list[str]] = []

    def get(self, ids: Sequence[str]) -> dict[str, tuple[Paper, Vector]]:
        self.got.append(list(ids))
        rows = {paper.id: row for row, paper in enumerate(self.held)}
        return {id: (Paper(id, ""), self.vectors[rows[id]]) for id in ids if id in rows}


def bare_services(source: Titled, papers: Sequence[Paper], **more: Any) -> Any:
    embedder = WordEmbedder()
    return World(PAPERS).services(embedder=embedder, index=Bare(embedder, papers), source=source, **more)


def test_an_index_of_ids_costs_one_request_for_all_titles() -> None:
    source = Titled(PAPERS)
    services = bare_services(source, PAPERS, strands=Given())
    result = related_work(about(ABSTRACT), services, OPTIONS, Silent())
    assert source.titles == [["Proximal Policy Methods at Scale", "No Such Paper Anywhere"]]
    assert "ppo" in {s.candidate.paper.id for s in result.selected}


def test_what_arxiv_knows_and_the_index_does_not_hold_is_not_cited() -> None:
    held = [paper for paper in PAPERS if paper.id != "ppo"]
    services = bare_services(Titled(PAPERS), held, strands=Given())
    result = related_work(about(ABSTRACT), services, OPTIONS, Silent())
    assert "ppo" not in {c.paper.id for c in result.candidates}


def test_an_arxiv_that_fails_costs_the_titles_alone() -> None:
    services = bare_services(Titled(PAPERS, fails=True), PAPERS, strands=Given())
    result = related_work(about(ABSTRACT), services, OPTIONS, Silent())
    assert len(result.selected) == 4
    assert any("not looked up by their titles" in note for note in result.notes)


def test_an_index_that_fails_on_strands_costs_the_strands_alone() -> None:
    class Tired(MemoryIndex):
        def search(self, vectors: Any, top: int, filters: Any = None) -> Any:
            if self.searches:
                raise IndexUnavailable("The index went away.", "Try again.")
            return super().search(vectors, top)

    embedder = WordEmbedder()
    services = World(PAPERS).services(index=Tired(embedder, PAPERS), strands=Given())
    result = related_work(about(ABSTRACT), services, OPTIONS, Silent())
    assert len(result.selected) == 4
    assert any("not searched for part by part" in note for note in result.notes)


class Scripted:
    """A language model that answers what it is told, or fails."""

    name, local = "scripted", False

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, str, str]] = []

    def prepare(self) -> None: ...

    def complete_json(self, system: str, user: str, schema: Any, **more: Any) -> tuple[Any, Usage]:
        self.asked.append((system, more.get("cached_prefix", ""), user))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer, Usage(1, 10, 10)


GOOD = {
    "strands": [
        {"name": "query generation", "query": "web query generation for ranking", "why": "Its subject.",
         "works": [{"title": "", "name": "", "year": 0}, {"title": "T of a work", "name": "TW", "year": 2019}]},
        {"name": "preferences", "query": "preference optimization of policies", "why": "", "works": "none"},
    ]
}  # fmt: skip


def test_a_model_names_strands_and_works_in_one_call() -> None:
    model = Scripted(GOOD)
    finder = ModelStrands(model)
    asked = about(ABSTRACT, title="A title", introduction="Introducing this. " * 20)
    found = finder.find(asked, Silent())
    assert [s.name for s in found.strands] == ["query generation", "preferences"]
    assert found.strands[0].works == (Work("T of a work", "TW", 2019),)
    system, prefix, user = model.asked[0]
    assert f"{system}\n\n{prefix}{user}" == finder.preview(asked), "the exact text"
    assert "Introducing this." in user and len(model.asked) == 1


@pytest.mark.parametrize(
    "failure", [WriterRefused("It refused.", "Try another."), WriterInvalid("No.", "Try.")]
)
def test_a_model_that_fails_costs_its_strands_alone(failure: Exception) -> None:
    found = ModelStrands(Scripted(failure, failure)).find(about("Dense retrieval of web pages."), Silent())
    assert not found.strands and "searched as a whole" in found.notes[0]


@pytest.mark.parametrize(
    "answer",
    [
        None, [], {}, {"strands": {}}, {"strands": [1, None, {"name": 3}]},
        {"strands": [{"name": "only one", "query": "one two three", "why": "", "works": []}]},
    ],
)  # fmt: skip
def test_answers_that_are_no_strands_are_sent_back(answer: Any) -> None:
    assert read_strands(answer)[1]


def test_hostile_words_of_an_answer_stay_one_short_line() -> None:
    bad = json.loads(json.dumps(GOOD))
    bad["strands"][0] |= {
        "name": "a\nb " * 100,
        "works": [{"title": "x" * 900, "name": ["y"], "year": "then"}] * 99,
    }
    strands, problems = read_strands(bad)
    assert not problems
    assert "\n" not in strands[0].name and len(strands[0].name) <= 80
    assert len(strands[0].works) == 8 and strands[0].works[0] == Work("x" * 300)


def test_an_index_with_little_on_the_subject_says_so_before_writing() -> None:
    class Calibrated(WordEmbedder):
        name = "all-mpnet-base-v2"

    far = [Paper(f"g{n}", f"Galaxies {n}", f"redshift survey of distant galaxies {n}") for n in range(12)]
    monitor = Recorder()
    result = related_work(about(ABSTRACT), World(far).services(embedder=Calibrated()), OPTIONS, monitor)
    (told,) = [note for note in result.notes if "has little on this" in note]
    assert told in monitor.messages and not result.section.paragraphs
    assert "12 are too far" in result.notes[-1] and "--discover" not in result.notes[-1]
    near = related_work(about(ABSTRACT), World(PAPERS).services(embedder=Calibrated()), OPTIONS, Silent())
    assert not any("has little on this" in note for note in near.notes)
    assert near.section.paragraphs and not any(s.aside for s in near.section.sentences)
    front, *text = said_plainly(replace(near.query, far=True), near.section).paragraphs
    assert [(s.aside, s.evidence) for s in front] == [("needs", ())] and tuple(
        text
    ) == near.section.paragraphs
    assert "the index that was searched has little on it" in front[0].text
