"""A snapshot of three papers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from texgeist_retrieval.fulltext.sections import chunks_of
from texgeist_retrieval.index import snapshot
from texgeist_retrieval.index.full_papers import embed_all
from texgeist_retrieval.monitor import StopEvent
from texgeist_retrieval.types import Block, Paper, Passage, TextSection

from ..agent.conftest import WordEmbedder

TEXTS = {
    "alignment": "Word alignments between sentences of two languages are found by hidden Markov models.",
    "pronouns": "Pronouns are resolved to their antecedents by salience in the sentences before.",
    "parsing": "A chart parser with a beam finds the most likely tree of a sentence quickly.",
}


def silent() -> StopEvent:
    return StopEvent(threading.Event(), lambda *_: None)


def made(folder: Path, passages: Sequence[Passage], papers: Sequence[Paper]) -> snapshot.Snapshot:
    """A snapshot whose passages are embedded."""
    embedder = WordEmbedder()
    known = {paper.id: (paper, embedder.embed_query(paper.abstract)) for paper in papers}
    snapshot.build(folder, "1", embedder.name, passages, lambda ids: known, silent())
    embed_all(lambda: loaded(folder), folder, embedder, silent())
    return loaded(folder)


def loaded(folder: Path) -> snapshot.Snapshot:
    found = snapshot.load(folder)
    assert found is not None
    return found


@pytest.fixture
def found(tmp_path: Path) -> snapshot.Snapshot:
    papers, passages = [], []
    for number, (name, text) in enumerate(TEXTS.items()):
        papers.append(Paper(name, name.title(), text, ("Ada Lovelace",), 1990 + number))
        for chunk in chunks_of(name, [
            TextSection("Abstract", (Block(text, 1),)),
            TextSection("3 Results", (Block(f"{text} It beats all others by a tenth.", 7),)),
        ]):  # fmt: skip
            passages.append(chunk)
    return made(tmp_path / "s", passages, papers)
