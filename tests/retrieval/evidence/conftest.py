"""A snapshot of three papers."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from texgeist_retrieval.fulltext.chunks import chunks_of
from texgeist_retrieval.index import snapshot
from texgeist_retrieval.monitor import StopEvent
from texgeist_retrieval.ranking.storage import load_word_vectors
from texgeist_retrieval.types import Block, Paper, TextSection

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
