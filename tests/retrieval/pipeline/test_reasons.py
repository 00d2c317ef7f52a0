"""What people are told of a choice: true by the texts, one number for closeness, and nothing guessed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.pipeline import choose, gather, related_work
from texgeist_retrieval.pipeline.reading import (
    DraftSentences,
    read_draft_sentences,
    relevant_passage,
    relevant_sentence,
)
from texgeist_retrieval.pipeline.reasons import preferred, rival_of
from texgeist_retrieval.ranking.phrases import LONG_PHRASES, TITLE_PHRASES
from texgeist_retrieval.services import Options
from texgeist_retrieval.types import Candidate, Paper, Passage, Query, QueryPart, Strand

from .conftest import QUERY, Recorder, World, about, library, pages_for

FISH = (Strand("fish", "q", "You count fish."),)


def candidate(id: str, *numbers: float, rank: int = 1, similarity: float = 0.5, **more: Any) -> Candidate:
    paper = Paper(id, more.pop("title", f"Title {id}"), more.pop("abstract", f"Of {id}."))
    vector = np.array(numbers, dtype=np.float32) if numbers else None
    return Candidate(paper, similarity, rank, vector=vector, **more)


def test_every_paper_is_told_of_in_the_words_of_both_texts() -> None:
    papers = library()
    query = replace(
        about(QUERY), abstract="Red fish swim in deep cold water. Nobody counts the w3 and x3 at night."
    )
    services = World(papers, pages_for(papers)).services()
    result = related_work(query, services, Options(breadth=4, depth=1), Recorder())
    for one in result.selected:
        texts = {" ".join(e.passage.text.split()): e.passage.page for e in one.evidence}
        assert one.reasons.yours in query.abstract
        held = [page for text, page in texts.items() if one.reasons.theirs in text]
        assert one.reasons.page in held
        assert one.reasons.against.startswith("Chosen before “Title ")
        assert f"{one.candidate.similarity:.2f}" in one.reasons.numbers
    titles = {one.candidate.paper.title for one in result.selected}
    for left in result.left_out:
        assert left.paper.abstract in left.added
        assert [title for title in titles if f"“{title}”" in left.added]


def test_what_was_left_out_by_the_author_is_no_rival() -> None:
    papers = library(3)
    gathered = gather(about(QUERY), World(papers).services(), Options(breadth=1), Recorder())
    chosen = choose(gathered, Options(breadth=1), excluded=frozenset({papers[1].id, papers[2].id}))
    assert [one.reasons.against for one in chosen.selected] == [""]


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (
            candidate("a", similarity=0.7),
            candidate("b", rank=2, similarity=0.5),
            "this paper is closer to your draft overall.",
        ),
        (
            candidate("a", similarity=0.5, scores={"words": 1.0}),
            candidate("b", rank=2, similarity=0.7, scores={"words": 0.5}),
            "this paper shares more words with your draft, although the other paper is closer to your draft overall.",
        ),
        (
            candidate("a", similarity=0.5, scores={TITLE_PHRASES: 0.5}),
            candidate("b", rank=2, similarity=0.505, scores={TITLE_PHRASES: -0.1}),
            "this paper has more phrases of your draft in its title.",
        ),
        (
            candidate("a", similarity=0.5, scores={LONG_PHRASES: 0.5}),
            candidate("b", rank=2, similarity=0.505, scores={LONG_PHRASES: -0.1}),
            "this paper shares more and longer phrases with your draft.",
        ),
        (
            candidate("a", similarity=0.5),
            candidate("b", rank=2, similarity=0.505),
            "this paper ranked higher.",
        ),
        (
            candidate("a", named=True),
            candidate("b", rank=2),
            "this paper was suggested by the language model.",
        ),
    ],
)
def test_why_this_one_and_not_that_one(one: Candidate, other: Candidate, words: str) -> None:
    told = preferred(one, other)
    assert told.startswith("Chosen before “Title b”: this paper ") and told.endswith(words)


def test_the_rival_is_of_the_same_part_of_the_draft() -> None:
    one = candidate("a", strands=("fish",))
    rivals = [candidate("b", rank=2, strands=("birds",)), candidate("c", rank=5, strands=("fish", "birds"))]
    assert rival_of(one, rivals) is rivals[1]
    assert rival_of(candidate("a", strands=("bees",)), rivals) is rivals[0]
    assert rival_of(one, []) is None


def test_a_paper_answers_to_the_sentence_that_is_near_to_it_above_all() -> None:
    rows = np.array([[0.8, 0.0], [0.75, 0.3], [0.1, 0.0]], dtype=np.float32)
    yours = DraftSentences(
        ("What all is about.", "What this one is about.", "Far."), rows, np.array([0.8, 0.4, 0.1], np.float32)
    )
    assert relevant_sentence(candidate("a", 1.0, 0.0), yours) == "What this one is about."
    assert relevant_sentence(candidate("a", 1.0, 0.0), replace(yours, usual=None)) == "What all is about."
    assert relevant_sentence(candidate("a", 0.0, 0.1), yours) == ""
    assert relevant_sentence(candidate("a"), yours) == ""
    assert relevant_sentence(candidate("a", 1.0), yours) == ""  # of another model


def test_the_passage_is_theirs_with_its_page() -> None:
    passages = [
        Passage("a", None, "Trees grow. Stones rest."),
        Passage("a", 7, "So it is. Red fish swim. Bees fly."),
    ]
    found = relevant_passage(passages, "Do red fish swim?")
    assert found is not None and found.page == 7 and "Red fish swim." in found.text
    assert relevant_passage([], "Fish.") is None


def test_a_sentence_that_lost_a_name_is_not_quoted() -> None:
    """Also if the next sentence, which then begins with a small letter, is read as a part of it."""
    text = "Red fish swim in deep water. For this, cast the fish in a net as in. established that fish swim."
    damaged = ("For this, cast the fish in a net as in.",)
    query = Query("abstract", (QueryPart(text, "abstract"),), text, unquotable=damaged)
    yours = read_draft_sentences(query, World(library(2)).services().embedder, Recorder())
    assert yours.sentences == ("Red fish swim in deep water.",)


def test_the_rival_is_the_most_similar_of_the_best_papers_left_out() -> None:
    """The best paper left out was named beside every paper of a section."""
    first, second = np.eye(2, dtype=np.float32)
    one = replace(candidate("a"), vector=second)
    rivals = [replace(candidate("b", rank=2), vector=first), replace(candidate("c", rank=3), vector=second)]
    assert rival_of(one, rivals) is rivals[1]
    assert rival_of(one, rivals[:1]) is None  # of another subject
