"""Parts of the score beside the trees: drafts of other fields, feedback, and phrases that draft and paper share."""

from __future__ import annotations

import numpy as np
import pytest
from texgeist_retrieval.pipeline.reasons import figures
from texgeist_retrieval.pipeline.search import SearchResult
from texgeist_retrieval.ranking.depth import OUTSIDE, at_depth, feedback, lift
from texgeist_retrieval.ranking.features import ADAPTED, DENSE, FEATURES, KNOWN, WORDS, YEAR
from texgeist_retrieval.ranking.phrases import TITLE_PHRASES, in_row, phrase_features
from texgeist_retrieval.types import Candidate, Paper, Query, QueryPart, Selected


def found(known: list[float]) -> dict[str, np.ndarray]:
    """Candidates from the nearest to the farthest, known to the table of citations or not."""
    values = {name: np.zeros(len(known), dtype=np.float32) for name in FEATURES}
    for name in (DENSE, ADAPTED, WORDS):
        values[name] = np.linspace(2, -2, len(known), dtype=np.float32)
    return {**values, KNOWN: np.array(known, dtype=np.float32)}


AT_HOME = found([1.0] * 15 + [0.0] * 85)
ABROAD = found([0.0] * 50 + [1.0] * 50)
PARTS = {name: np.ones(100, dtype=np.float32) for name in FEATURES}


def test_the_lift_says_where_the_known_papers_stand():
    assert lift(AT_HOME) > 1 and lift(ABROAD) < -1
    assert lift(found([1.0, 0.0] * 50)) == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("known", [[], [1.0], [0.0] * 20, [1.0] * 100, [0.0] * 100])
def test_nothing_to_compare_changes_nothing(known):
    values = found(known)
    parts = {name: np.ones(len(known), dtype=np.float32) for name in FEATURES}
    counted = at_depth(parts, values)
    assert set(counted) == set(parts)
    assert all((counted[name] == 1).all() for name in parts)


def test_abroad_taste_fades_and_the_known_fall():
    counted = at_depth(PARTS, ABROAD)
    assert (counted[OUTSIDE][50:] < -1).all() and (counted[OUTSIDE][:50] == 0).all()
    assert (counted[YEAR] < 0.6).all() and (counted[YEAR] >= 0).all()
    assert (counted[DENSE] == 1).all() and (counted[KNOWN] == 1).all()


def test_what_is_like_the_nearest_comes_nearer():
    vectors = np.zeros((100, 8), dtype=np.float32)
    vectors[:, 1] = 1.0
    vectors[[0, 1, 2, 3, 4, 60]] = np.eye(8, dtype=np.float32)[0]
    lifted = feedback(ABROAD, vectors)
    assert lifted[60] == pytest.approx(lifted[0]) and lifted[60] > 0 > lifted[50]


def test_people_are_told_when_the_order_is_out_of_its_depth():
    def line(scores: dict[str, float]) -> str:
        paper = Selected(Candidate(Paper("1", "T"), 0.5, 2, scores=scores))
        query = Query("abstract", (QueryPart("a", "abstract"),))
        empty = np.empty((0, 0), dtype=np.float32)
        found = SearchResult(query, (paper.candidate,) * 60, (), empty, (), "", "", ranked=True)
        return figures(paper, found, 0.0)

    assert "in your field mostly by similarity and shared words" in line({OUTSIDE: 0.0, DENSE: 1.0})
    assert line({DENSE: 1.0}) == "2nd of 60 after reranking; similarity to your abstract 0.50"


DRAFT = "Deep graph matching We align the nodes of two graphs by optimal transport under noise."


def features(*papers: tuple[str, str]) -> dict[str, list[float]]:
    titles, abstracts = [title for title, _ in papers], [abstract for _, abstract in papers]
    return {name: values.tolist() for name, values in phrase_features(DRAFT, titles, abstracts).items()}


def test_words_in_a_row_count_and_the_same_words_apart_do_not():
    found = features(("Graph matching", ""), ("Matching of graphs", ""), ("Matching a deep graph", ""))[
        TITLE_PHRASES
    ]
    assert found[0] > found[1] and found[2] > found[1]  # "deep graph" is of the draft too


def test_a_phrase_in_few_papers_counts_for_more():
    papers = [("Graph matching", ""), ("Optimal transport", ""), ("Another one", "It does graph matching.")]
    common, rare, without = features(*papers)[TITLE_PHRASES]
    assert rare > common > without


@pytest.mark.parametrize("text", ["", "the of and", "word", "∂ 数学 …"])
def test_texts_without_phrases_are_worth_nothing(text):
    assert not list(in_row(text, 2)) and not list(in_row(text, 3))
    assert all((values == 0).all() for values in phrase_features(text, ["A b c d", ""], ["", text]).values())
    assert all((values == 0).all() for values in phrase_features(DRAFT, [text], [text]).values())
