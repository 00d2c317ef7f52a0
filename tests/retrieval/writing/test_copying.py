"""Whose words a sentence may use: its source's in short runs, no other paper's, and not the draft's at length."""

from __future__ import annotations

import pytest
from texgeist_retrieval.writing.model.belonging import Sources

ONE = (
    "Late interaction keeps a vector for every token of a passage and sums the best matches of each query token, "
    "which costs more space than one vector."
)
OTHER = "Learned sparse models expand a passage with words that it does not hold and weigh each of them by context."
TITLE = "Late Interaction for the Efficient Search of Large Collections of Short Texts on the Web"
DRAFT = (
    "We study how compressed token vectors change the order of passages in legal search, and find that the first "
    "ten stay as they are."
)


@pytest.fixture
def sources() -> Sources:
    return Sources.of({"1": ONE, "2": OTHER}, [TITLE], DRAFT)


def test_a_passage_of_the_cited_paper_is_told_apart_from_anothers(sources: Sources) -> None:
    assert "copies its source word for word" in sources.problem(ONE, ["1"])
    assert "copies passage 1 word for word and does not cite it" in sources.problem(ONE, ["2"])
    assert "copies passage 2 word for word" in sources.problem(OTHER, [])


WRITTEN = "Compressed vectors were first tried on news. Of their cost in legal search nothing was known until lately."


def test_what_the_author_has_written_is_not_said_again() -> None:
    sources = Sources.of({"1": ONE}, [TITLE], DRAFT, f"{WRITTEN} Two follow {TITLE}.")
    for text in ("Compressed vectors were first tried on news.", WRITTEN):
        assert "stands in the section already" in sources.problem(text, ["1"])
    assert not sources.problem("Compressed vectors were first tried on maps.", ["1"])
    assert not sources.problem("Compressed vectors were first tried.", ["1"])
    assert not sources.problem(f"{TITLE}.", ["1"]), "a title is no repetition"


def test_a_short_sentence_that_is_anothers_as_a_whole_is_noticed(sources: Sources) -> None:
    short = "Learned sparse models expand a passage with words."
    assert "copies passage 2" in sources.problem(short, ["1"])
    assert not sources.problem(short, ["2"])


def test_short_runs_and_titles_are_free(sources: Sources) -> None:
    assert not sources.problem("Late interaction keeps a vector for every token, and others keep one.", ["2"])
    assert not sources.problem(f"One of them is called {TITLE}.", ["2"])


def test_words_are_compared_whole() -> None:
    sources = Sources.of({"1": "start one two three four five six seven eight cat", "2": "x"}, [], "")
    assert not sources.problem("art one two three four five six seven eight cats", ["2"])
    assert sources.problem("start one two three four five six seven eight cat", ["2"])


def test_the_draft_is_not_repeated_at_length(sources: Sources) -> None:
    assert "repeats the draft's abstract" in sources.problem(DRAFT, [])
    assert "for what the draft says of itself" in sources.problem(DRAFT, ["1"])
    assert not sources.problem("Here too, compressed token vectors are studied in legal search.", [])
