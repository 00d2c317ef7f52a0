"""Words in a row that draft and paper share."""

from __future__ import annotations

import numpy as np
import pytest
from texgeist_retrieval.ranking.phrases import (
    LONG_PHRASES,
    TITLE_PHRASES,
    WEIGHTS,
    in_row,
    phrase_features,
    phrase_parts,
)

DRAFT = "Deep graph matching We align the nodes of two graphs by optimal transport under noise."


def features(*papers: tuple[str, str]) -> dict[str, list[float]]:
    titles, abstracts = [title for title, _ in papers], [abstract for _, abstract in papers]
    return {name: values.tolist() for name, values in phrase_features(DRAFT, titles, abstracts).items()}


def test_words_in_a_row_count_and_the_same_words_apart_do_not():
    found = features(("Graph matching", ""), ("Matching of graphs", ""), ("Matching a deep graph", ""))[
        TITLE_PHRASES
    ]
    assert found[0] > found[1] and found[2] > found[1]  # "deep graph" is of the draft too


def test_case_plurals_and_stop_words_make_no_difference():
    assert list(in_row("the Nodes of a Graph", 2)) == list(in_row("node GRAPHS", 2)) == [("node", "graph")]


def test_a_phrase_in_few_papers_counts_for_more():
    papers = [("Graph matching", ""), ("Optimal transport", ""), ("Another one", "It does graph matching.")]
    common, rare, without = features(*papers)[TITLE_PHRASES]
    assert rare > common > without


def test_an_abstract_counts_by_its_longer_phrases():
    papers = [("A", "We align nodes of two graphs."), ("B", "Nodes and graphs, aligned."), ("C", "Noise.")]
    found = features(*papers)
    assert found[LONG_PHRASES][0] > found[LONG_PHRASES][1] == found[LONG_PHRASES][2]
    assert found[TITLE_PHRASES] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("text", ["", "the of and", "word", "∂ 数学 …"])
def test_texts_without_phrases_are_worth_nothing(text):
    assert not list(in_row(text, 2)) and not list(in_row(text, 3))
    assert all((values == 0).all() for values in phrase_features(text, ["A b c d", ""], ["", text]).values())
    assert all((values == 0).all() for values in phrase_features(DRAFT, [text], [text]).values())


def test_the_parts_are_the_features_by_their_weights():
    titles, abstracts = ["Deep graph matching", "Sorting"], ["We align nodes of two graphs.", "Of numbers."]
    found, parts = phrase_features(DRAFT, titles, abstracts), phrase_parts(DRAFT, titles, abstracts)
    assert set(parts) == set(WEIGHTS) == {TITLE_PHRASES, LONG_PHRASES}
    for name, weight in WEIGHTS.items():
        assert weight > 0 and parts[name] == pytest.approx(weight * found[name])
        assert parts[name].dtype == np.float32 and parts[name][0] > 0 > parts[name][1]
