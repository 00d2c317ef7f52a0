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


def test_what_is_further_shared_is_shared() -> None:
    _, texts, found = strands_of(*TITLES)
    for strand in found:
        assert all(strand.shared.rstrip("s").lower() in texts[i].lower() for i in strand.sharing)
        assert len(strand.sharing) < len(strand.members) and set(strand.sharing) <= set(strand.members)


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
