"""Papers by what they share: a strand is named only after papers that use its phrase."""

from __future__ import annotations

import numpy as np
import pytest
from texgeist_retrieval.writing.extractive.english.strands import gather

from .test_extractive import WordEmbedder

TITLES = {
    "active learning": "Active Learning for {}",
    "knowledge graph": "Completing a Knowledge Graph of {}",
    "speech synthesis": "Speech Synthesis for {}",
}
THINGS = ("birds", "rivers", "castles", "engines", "flowers")


def papers(*topics: str) -> tuple[list[str], list[str]]:
    titles = [TITLES[topic].format(thing) for topic in topics for thing in THINGS]
    return titles, [f"{title}. This is about {title.lower()}." for title in titles]


def strands_of(*topics: str, draft: str = "Active learning of speech synthesis from a knowledge graph."):
    titles, texts = papers(*topics)
    embedder = WordEmbedder()
    found = gather(
        titles, texts, draft, embedder.embed_documents(texts), embedder.embed_query(draft), embedder
    )
    return titles, texts, found


@pytest.mark.parametrize("topics", [("active learning", "speech synthesis"), tuple(TITLES)])
def test_every_paper_stands_in_one_strand(topics: tuple[str, ...]) -> None:
    titles, _, found = strands_of(*topics)
    assert sorted(i for strand in found for i in strand.members) == list(range(len(titles)))


def test_a_strand_is_named_after_papers_that_use_its_phrase() -> None:
    _, texts, found = strands_of(*TITLES)
    assert len(found) == 3
    for strand in found:
        assert strand.phrase and set(strand.using) <= set(strand.members)
        for i in strand.using:
            assert strand.phrase.rstrip("s").lower() in texts[i].lower()


def test_what_all_papers_are_about_names_those_of_no_strand() -> None:
    """Four groups of which two have a phrase of their own: the others are on the subject of all."""
    titles = [f"Active Learning of Speech Synthesis for {thing}" for thing in THINGS]
    titles += [f"Active Learning of a Knowledge Graph of {thing}" for thing in THINGS]
    titles += [
        f"Active Learning with {word}" for word in ("Hydraulic Presses", "Ancient Coins", "Sailing Boats")
    ]
    texts = [f"{title}. {title}." for title in titles]
    embedder, draft = WordEmbedder(), "Active learning with little text."
    rows = embedder.embed_documents(texts)
    found = gather(titles, texts, draft, rows, embedder.embed_query(draft), embedder)
    assert sorted(i for strand in found for i in strand.members) == list(range(len(titles)))
    for strand in found:
        for i in strand.using:
            assert strand.phrase.rstrip("s").lower() in texts[i].lower()


@pytest.mark.parametrize("count", [4, 5, 9, 24])
def test_papers_that_are_alike_stand_together(count: int) -> None:
    topics = ("speech synthesis of birds", "knowledge graph of rivers")
    titles = [f"{topics[n % 2].title()} {n}" for n in range(count)]
    texts = [f"{title}. We treat {topics[n % 2]} once more, number q{n}." for n, title in enumerate(titles)]
    embedder = WordEmbedder()
    rows = embedder.embed_documents(texts)
    found = gather(titles, texts, texts[0], rows, rows[0], embedder)
    for strand in found:
        assert len({i % 2 for i in strand.members}) == 1
    groups = [strand for strand in found if len(strand.members) > 1]
    assert 0 in groups[-1].members  # the closest to the draft is last, but for papers by themselves


def test_papers_without_a_common_phrase_are_one_strand_without_a_name() -> None:
    texts = [
        "We study birds.",
        "We study rivers.",
        "We study castles.",
        "We study engines.",
        "We study flowers.",
    ]
    embedder = WordEmbedder()
    rows = embedder.embed_documents(texts)
    found = gather(
        [t.removeprefix("We study ") for t in texts], texts, "Nothing of it.", rows, rows[0], embedder
    )
    assert [(s.phrase, s.members) for s in found] == [("", (0, 1, 2, 3, 4))]
    assert gather([], [], "", np.zeros((0, 256), np.float32), rows[0], embedder) == []
