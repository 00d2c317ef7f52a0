"""The order of passages without a model, and what is weighed by one, over a real snapshot."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.evidence.ordering import Nearness, order
from texgeist_retrieval.evidence.search import NOTHING, PassageSearch
from texgeist_retrieval.evidence.weighing import checked
from texgeist_retrieval.index import snapshot
from texgeist_retrieval.index.full_texts import passage_of
from texgeist_retrieval.types import Evidence, Paper, Passage

from ..agent.conftest import WordEmbedder
from .conftest import loaded, silent


def test_a_passage_comes_back_as_it_went_in(found: snapshot.Snapshot) -> None:
    search = PassageSearch(found, WordEmbedder())
    evidence = search.search("resolving pronouns to antecedents by salience", silent()).evidence
    first = evidence[0].passage
    assert first.paper_id == "pronouns"
    assert {(one.passage.section, one.passage.page) for one in evidence[:2]} == {
        ("abstract", 1),
        ("results", 7),
    }
    assert [one.id for one in evidence] == [str(n) for n in range(1, len(evidence) + 1)]
    assert all(0 <= one.score <= 1 for one in evidence)


def test_a_snapshot_of_two_at_once_is_whole(tmp_path: Path) -> None:
    """What a program that died has left is gone, and nothing but the snapshot and its lock stays."""
    (tmp_path / "s.old.part").mkdir()
    (tmp_path / "s.part").mkdir()
    passages = [Passage("a", 1, f"Words {n}", None, "other", "", n + 1) for n in range(300)]
    papers = {"a": (Paper("a", "A title"), np.ones(4, np.float32))}

    def build(stamp: str) -> None:
        snapshot.build(tmp_path / "s", stamp, "m", passages, lambda ids: papers, silent())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(build, "abcdabcd"))
    there = loaded(tmp_path / "s")
    assert there.stamp in "abcd" and there.passage(299).text == "Words 299"
    assert {one.name for one in tmp_path.iterdir()} <= {"s", "s.lock"}


@pytest.mark.parametrize(("embedded", "counts"), [(True, True), (False, False)])
def test_a_cosine_that_stands_out_counts_if_passages_are_embedded(
    found: snapshot.Snapshot, embedded: bool, counts: bool
) -> None:
    """The ranks by vector are the same for both cosines."""
    scores = []
    for top in (0.31, 0.9):
        cosines = np.array([top, 0.3, 0.1], np.float32)
        known = np.full(len(found.paper), embedded)
        near = Nearness(np.where(known, cosines[found.paper], 0), known, cosines)
        ranked = order(found, "It beats all others by a tenth.", near, 3)
        scores += [one.score for one in ranked if found.paper[one.row] == 0][:1]
    assert (scores[1] > scores[0]) is counts and len(scores) == 2


@pytest.mark.parametrize("name", ["abstracts.npy", "paper.npy", "texts.npy", "passages.rows.npy"])
def test_a_snapshot_with_an_empty_file_is_none(found: snapshot.Snapshot, tmp_path: Path, name: str) -> None:
    assert snapshot.load(tmp_path / "s") is not None
    (tmp_path / "s" / name).unlink()
    (tmp_path / "s" / name).touch()
    assert snapshot.load(tmp_path / "s") is None


@pytest.mark.parametrize("number", [-1, 0, 100_000, 2**40, True, "3", 1.5, None])
def test_a_row_of_others_is_taken_for_what_it_can_be(number: Any) -> None:
    passage = passage_of("a", number, number, 7, "Re\x1b[31msults\n", "One\x07.\nTwo\x1b[2J.")
    assert (passage.page, passage.place, passage.section) == (None, 0, "other")
    assert passage.heading == "Re [31msults" and passage.text == "One .\nTwo [2J."
    assert passage_of("a", 12, 7, "results", "", "").page == 7


def test_the_words_of_a_model_steer_no_terminal() -> None:
    evidence = {"1": Evidence("1", Passage("a", 1, "A passage."), 0.5, 0.5)}
    given = {"passages": [{"id": "1", "summary": "It\x1b]0;x\x07 matters.", "relevance": 0.5}]}
    found, problems = checked(given, evidence, "sleep")
    assert found["1"][0] == "It ]0;x matters." and not problems


def test_papers_that_are_left_out_are_not_found(found: snapshot.Snapshot) -> None:
    search = PassageSearch(found, WordEmbedder())
    evidence = search.search("pronouns and antecedents", silent(), leave_out=frozenset({"pronouns"})).evidence
    assert "pronouns" not in {one.passage.paper_id for one in evidence}


@pytest.mark.parametrize("query", ["Half-lives of isotopes in a cryogenic trap", "§§§", "", "of the and"])
def test_what_no_paper_is_about_brings_nothing_and_says_so(found: snapshot.Snapshot, query: str) -> None:
    result = PassageSearch(found, WordEmbedder()).search(query, silent())
    assert result.evidence == () and result.notes == (NOTHING,)
