"""The order of passages without a model, and what is weighed by one, over a real snapshot."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.errors import Cancelled, WriterInvalid
from texgeist_retrieval.evidence.marks import years_in
from texgeist_retrieval.evidence.search import NOTHING, PassageSearch
from texgeist_retrieval.evidence.weighing import ModelWeigher, checked
from texgeist_retrieval.evidence_score import evidence_score
from texgeist_retrieval.fulltext.chunks import chunks_of
from texgeist_retrieval.index import snapshot
from texgeist_retrieval.index.passages import passage_of
from texgeist_retrieval.monitor import StopEvent
from texgeist_retrieval.ranking.storage import load_word_vectors
from texgeist_retrieval.types import Block, Evidence, Paper, Passage, TextSection, Usage

TEXTS = {
    "alignment": "Word alignments between sentences of two languages are found by hidden Markov models.",
    "pronouns": "Pronouns are resolved to their antecedents by salience in the sentences before.",
    "parsing": "A chart parser with a beam finds the most likely tree of a sentence quickly.",
}


def silent() -> StopEvent:
    return StopEvent(threading.Event(), lambda *_: None)


@pytest.fixture
def found(tmp_path: Path) -> snapshot.Snapshot:
    embedder = load_word_vectors()
    papers, passages = [], []
    for number, (name, text) in enumerate(TEXTS.items()):
        papers.append(Paper(name, name.title(), text, ("Ada Lovelace",), 1990 + number))
        for chunk in chunks_of(name, [
            TextSection("Abstract", (Block(text, 1),)),
            TextSection("3 Results", (Block(f"{text} It beats all others by a tenth.", 7),)),
        ]):  # fmt: skip
            passages.append(replace(chunk, vector=embedder.embed_query(chunk.text)))
    snapshot.build(tmp_path / "s", "1", embedder.name, passages, papers, silent())
    loaded = snapshot.load(tmp_path / "s")
    assert loaded is not None
    return loaded


def test_a_passage_comes_back_as_it_went_in(found: snapshot.Snapshot) -> None:
    search = PassageSearch(found, load_word_vectors())
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
    passages = [Passage("a", 1, f"Words {n}", np.ones(4, np.float32), "other", "", n + 1) for n in range(300)]

    def build(stamp: str) -> None:
        snapshot.build(tmp_path / "s", stamp, "m", passages, [Paper("a", "A title")], silent())

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(build, "abcdabcd"))
    loaded = snapshot.load(tmp_path / "s")
    assert loaded is not None and loaded.stamp in "abcd" and loaded.passage(299).text == "Words 299"
    assert {one.name for one in tmp_path.iterdir()} <= {"s", "s.lock"}


@pytest.mark.parametrize("name", ["vectors.npy", "paper.npy", "texts.npy", "passages.rows.npy"])
def test_a_snapshot_with_an_empty_file_is_none(found: snapshot.Snapshot, tmp_path: Path, name: str) -> None:
    assert snapshot.load(tmp_path / "s") is not None
    (tmp_path / "s" / name).unlink()
    (tmp_path / "s" / name).touch()
    assert snapshot.load(tmp_path / "s") is None


@pytest.mark.parametrize("number", [-1, 0, 100_000, 2**40, True, "3", 1.5, None])
def test_a_row_of_others_is_taken_for_what_it_can_be(number: Any) -> None:
    row = {
        "paper": "a",
        "page": number,
        "place": number,
        "heading": "Re\x1b[31msults\n",
        "text": "One\x07.\nTwo\x1b[2J.",
    }
    passage = passage_of(row)
    assert (passage.page, passage.place) == (None, 0)
    assert passage.heading == "Re [31msults" and passage.text == "One .\nTwo [2J."
    assert passage_of(row | {"page": 7, "place": 12}).page == 7


def test_the_words_of_a_model_steer_no_terminal() -> None:
    (summary, _), problems = checked({"summary": "It\x1b]0;x\x07 matters.", "relevance": 0.5})
    assert summary == "It ]0;x matters." and not problems


def test_papers_that_are_left_out_are_not_found(found: snapshot.Snapshot) -> None:
    search = PassageSearch(found, load_word_vectors())
    evidence = search.search("pronouns and antecedents", silent(), leave_out=frozenset({"pronouns"})).evidence
    assert "pronouns" not in {one.passage.paper_id for one in evidence}


@pytest.mark.parametrize("query", ["Half-lives of isotopes in a cryogenic trap", "§§§", "", "of the and"])
def test_what_no_paper_is_about_brings_nothing_and_says_so(found: snapshot.Snapshot, query: str) -> None:
    result = PassageSearch(found, load_word_vectors()).search(query, silent())
    assert result.evidence == () and result.notes == (NOTHING,)


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("as shown (Tillmann and Ney, 2000; Och et al., 1999a)", {2000, 1999}),
        ("Levin [1995;1998] and 2006", {1995, 1998, 2006}),
        ("pages 1995-2003, 12000 words, 1.1998 and x2001", set()),
        ("no year", set()),
    ],
)
def test_years_are_read_from_marks(text: str, years: set[int]) -> None:
    assert years_in(text) == years


class Scripted:
    """A model that gives the relevance that is written for a word of the passage, and counts its calls."""

    name, local, price = "scripted", True, None

    def __init__(self, relevance: Mapping[str, Any]) -> None:
        self.relevance = relevance
        self.calls = 0
        self._lock = threading.Lock()

    def prepare(self) -> None: ...

    def complete_json(self, system: str, user: str, schema: Any, **_: Any) -> tuple[Any, Usage]:
        with self._lock:
            self.calls += 1
        said = next(value for word, value in self.relevance.items() if word in user)
        if isinstance(said, Exception):
            raise said
        return {"summary": "It  matters.", "relevance": said}, Usage(1, 10, 5)


QUERY = "sentences of a language, their pronouns, alignments and trees"


def weighed(found: snapshot.Snapshot, model: Scripted) -> PassageSearch:
    return PassageSearch(found, load_word_vectors(), ModelWeigher(model))


def test_the_score_of_a_model_orders_drops_and_is_shown(found: snapshot.Snapshot) -> None:
    result = weighed(found, Scripted({"Pronouns": 0.0, "alignments": 0.9, "chart": 0.5})).search(
        QUERY, silent()
    )
    papers = [one.passage.paper_id for one in result.evidence]
    assert papers[0] == "alignment" and "parsing" in papers and "pronouns" not in papers
    for one in result.evidence:
        assert one.relevance is not None and one.summary == "It matters."
        assert one.score == pytest.approx(evidence_score(one.similarity, one.relevance))
    assert [one.score for one in result.evidence] == sorted(
        (one.score for one in result.evidence), reverse=True
    )


def test_the_same_is_not_asked_twice_and_its_opposite_is_asked_anew(
    found: snapshot.Snapshot,
) -> None:
    model = Scripted({"Pronouns": 0.7, "alignments": 0.9, "chart": 0.5})
    search = weighed(found, model)
    first = search.search(QUERY, silent())
    asked = model.calls
    assert asked == len({(one.passage.paper_id, one.passage.place) for one in first.evidence}) > 0
    assert search.search(QUERY, silent()).usage.calls == 0
    search.search(f"“{QUERY.upper()}” ?", silent())
    assert model.calls == asked
    assert search.search(QUERY.replace("their", "not their"), silent()).usage.calls > 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("X improves Y", "X does not improve Y"),
        ("p < .05", "p > .05"),
        ("by 12.5", "by 12, 5"),
        ("r = -0.4", "r = 0.4"),
    ],
)
def test_what_differs_in_a_sign_is_not_the_same(one: str, other: str) -> None:
    passage = Evidence("1", Passage("a", 1, "A passage."), 0.5, 0.5)
    papers = {"a": Paper("a", "A title")}
    model = Scripted({"": 0.5})
    weigher = ModelWeigher(model)
    for query, calls in ((one, 1), (f"{one}.", 1), (other, 2)):
        weigher.weigh(query, [passage], papers, silent())
        assert model.calls == calls


@pytest.mark.parametrize("wrong", [7, -1, "high", None, True, float("nan")])
def test_a_relevance_beyond_its_range_is_no_relevance(found: snapshot.Snapshot, wrong: Any) -> None:
    model = Scripted({"Pronouns": wrong, "alignments": 0.9, "chart": 0.5})
    result = weighed(found, model).search(QUERY, silent())
    assert "pronouns" not in {one.passage.paper_id for one in result.evidence}
    assert any("did not weigh" in note for note in result.notes)


def test_where_every_call_fails_words_and_vectors_choose(found: snapshot.Snapshot) -> None:
    failure = WriterInvalid("It answered in prose.", "Try again.")
    result = weighed(found, Scripted({"": failure})).search(QUERY, silent())
    assert result.evidence and all(one.relevance is None for one in result.evidence)
    assert any("words and vectors alone" in note for note in result.notes)


def test_a_cancelled_search_ends(found: snapshot.Snapshot) -> None:
    event = threading.Event()
    event.set()
    with pytest.raises(Cancelled):
        weighed(found, Scripted({"": 0.5})).search(QUERY, StopEvent(event, lambda *_: None))
