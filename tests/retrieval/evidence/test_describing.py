"""Sentences of other papers on a cited one: those that cite it, and rather none than another's."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from texgeist_retrieval.evidence.describing import describe
from texgeist_retrieval.fulltext.chunks import chunks_of
from texgeist_retrieval.index import snapshot
from texgeist_retrieval.types import Block, CitedWork, Paper, TextSection

from .conftest import made

DPR = CitedWork(
    "Dense Passage Retrieval for Open-Domain Questions", ("Karpukhin, Vladimir", "Oguz, B.", "Yih, W."), 2020
)
SMITH = CitedWork("Ancient Rivers", ("Ann Smith",), 2019)
NAMED = CitedWork("ScholarCopilot: Writing with Accurate Citations", ("Yubo Wang", "Xi Li", "P. Nie"), 2025)
BY_OTHERS = {
    "first": "We build on retrieval. Karpukhin et al. (2020) showed that dense passage vectors beat sparse ones in recall. "
    "Karpukhin et al. (2021) is another work on dense passage vectors of questions.",
    "second": "Dense retrieval of passages by two encoders was proposed [Karpukhin, Oguz and Yih, 2020b] and widely used since then. "
    "The weather in Karpukhin et al. (2020) is unrelated to everything that is said here now.",
    "third": "Rivers have been dated before (Smith, 2019), but only with wide margins of error. Smith and Jones (2019) dated rivers "
    "by their sediments in another decade. Rivers of Jones and Smith (2019) are others as well, of course. "
    "Jones & Smith (2019) followed the rivers down to the sea with boats. Rivers in deltas are seen by Lee, Jones & Smith (2019), too.",
    "fifth": "We fly with ScholarCopilot to the islands every summer and rest there for two weeks.",
    "fourth": "A system that decides when to cite is ScholarCopilot, which interleaves writing and search. "
    "ScholarCopilotX is a different one, and so is Copilot, which writes programs for people.",
}  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> snapshot.Snapshot:
    folder: Path = tmp_path_factory.mktemp("snapshot") / "s"
    itself = (
        "Dense passage retrieval (Karpukhin et al., 2020) answers questions of an open domain with passages."
    )
    papers, passages = [], []
    for number, (name, text) in enumerate({**BY_OTHERS, "itself": itself}.items()):
        title = DPR.title if name == "itself" else f"Paper {name}"
        papers.append(
            Paper(name, title, "About.", ("Patrick Lewis", "Ethan Perez", "A. Piktus"), 2020 + number)
        )
        for chunk in chunks_of(name, [TextSection("2 Related Work", (Block(text, 3),))]):
            passages.append(chunk)
    return made(folder, passages, papers)


def test_what_others_say_and_who_says_it(library: snapshot.Snapshot) -> None:
    found = describe(library, DPR)
    assert [one.text.split(" ")[0] for one in found] == ["Dense", "Karpukhin"], (
        "not its own words, nor another year's"
    )
    assert found[1].text.startswith("Karpukhin et al. (2020) showed") and found[1].by == "Lewis et al. 2020"
    assert (found[0].heading, found[0].page) == ("2 Related Work", 3)
    assert "weather" not in " ".join(one.text for one in found), "no word of the title"


def test_one_author_is_not_two(library: snapshot.Snapshot) -> None:
    assert [one.text for one in describe(library, SMITH)] == [
        "Rivers have been dated before (Smith, 2019), but only with wide margins of error."
    ]
    both = replace(SMITH, authors=("Ann Smith", "Bob Jones"))
    assert [one.text[:9] for one in describe(library, both)] == ["Smith and"]


@pytest.mark.timeout(10)
def test_a_title_of_capitals_costs_nothing(library: snapshot.Snapshot) -> None:
    begun = time.process_time()
    assert describe(library, CitedWork("A" * 20_000, (), None)) == ()
    assert time.process_time() - begun < 1


def test_the_name_that_a_title_gives(library: snapshot.Snapshot) -> None:
    assert [one.text[:8] for one in describe(library, NAMED)] == ["A system"]


@pytest.mark.parametrize(
    "work",
    [
        replace(DPR, year=1920), replace(DPR, authors=("Somebody Else",)), CitedWork("", (), None),
        CitedWork("Attention: All You Need", (), None), replace(SMITH, authors=("(((", "[a-")),
    ],
)  # fmt: skip
def test_nothing_is_better_than_another_s(library: snapshot.Snapshot, work: CitedWork) -> None:
    assert describe(library, work) == ()
