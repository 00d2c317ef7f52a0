"""A library of full papers that is searched by words, a model server, and a draft's section."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.errors import IndexUnavailable
from texgeist_retrieval.evidence.agent import gather_evidence
from texgeist_retrieval.evidence.search import NOTHING
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import EvidenceResults, Monitor
from texgeist_retrieval.ranking.bm25 import Bm25
from texgeist_retrieval.text.words import words
from texgeist_retrieval.types import (
    Evidence,
    EvidenceRun,
    Matrix,
    Note,
    Paper,
    Passage,
    Query,
    QueryPart,
    SectionBrief,
    SectionType,
    Vector,
)
from texgeist_retrieval.writing import AnthropicModel, OpenAIModel

from ..model_server import ModelServer, model_at

DIMENSION = 256
DRAFTED: tuple[SectionType, ...] = (
    "introduction", "methods", "results", "discussion", "conclusion", "abstract",
)  # fmt: skip
CHUNKS: dict[str, tuple[str, SectionType, str]] = {
    "sleep": ("Sleep and Recall", "results", "Sleep after learning improves recall of word pairs by a fifth in healthy adults of all ages."),
    "naps": ("Short Naps", "results", "Naps of twenty minutes leave recall of word pairs as it was in children."),
    "spindles": ("Spindles", "methods", "Spindles were counted in the electroencephalogram between eleven and fifteen hertz."),
    "caffeine": ("Caffeine at Night", "discussion", "Caffeine before bed shortens deep sleep and delays consolidation of memory."),
    "age": ("Older Sleepers", "results", "Older adults gain nothing from a night between learning and test."),
    "replay": ("Replay", "introduction", "The hippocampus replays what was learned while the animal sleeps."),
}  # fmt: skip


class WordEmbedder:
    """Bags of words, each word in a place of its own: texts with the same words are near."""

    name, dimension = "words", DIMENSION

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        rows = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                row[int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % DIMENSION] += 1.0
            row /= max(float(np.linalg.norm(row)), 1e-6)
        return rows


@dataclass
class BM25Search:
    """An `EvidenceSearch` over chunks in memory. `dies_after`: searches that are answered."""

    chunks: dict[str, tuple[str, SectionType, str]] = field(default_factory=lambda: dict(CHUNKS))
    dies_after: int | None = None
    asked: list[str] = field(default_factory=list)

    def search(
        self, query: str, monitor: Monitor, *, top: int = 8, leave_out: frozenset[str] = frozenset()
    ) -> EvidenceResults:
        monitor.check()
        self.asked.append(query)
        if self.dies_after is not None and len(self.asked) > self.dies_after:
            raise IndexUnavailable("The index does not answer.", "Start it, then try again.")
        ids = list(self.chunks)
        index = Bm25.build([self.chunks[id][2] for id in ids])
        scores = index.score(dict.fromkeys(words(query), 1.0))
        best = [int(i) for i in np.argsort(-scores) if scores[i] > 0.5 and ids[int(i)] not in leave_out]
        found = tuple(
            Evidence(str(n), self._passage(ids[i]), 0.5, float(scores[i]) / 20)
            for n, i in enumerate(best[: min(top, 2)], 1)
        )
        return EvidenceResults(
            found, {ids[i]: self.paper(ids[i]) for i in best}, notes=() if found else (NOTHING,)
        )

    def _passage(self, id: str) -> Passage:
        _, section, text = self.chunks[id]
        return Passage(id, 3, text, None, section, section.title(), 1)

    def paper(self, id: str) -> Paper:
        return Paper(id, self.chunks[id][0], authors=("Ada Miller", "Ben Stone"), year=2019)


@pytest.fixture
def library() -> BM25Search:
    return BM25Search()


@pytest.fixture
def make_model(provider: str, server: ModelServer) -> Callable[[], AnthropicModel | OpenAIModel]:
    return lambda: model_at(provider, server.url)


@pytest.fixture
def run_agent(make_model: Callable[[], Any], library: BM25Search) -> Callable[..., EvidenceRun]:
    """Gathers evidence for the section, with the model of the server."""
    return lambda monitor=None: gather_evidence(
        SECTION, library, WordEmbedder(), monitor or Silent(), make_model()
    )


ABSTRACT = (
    "Learning is followed by sleep in most lives. We taught forty adults word pairs before a night of sleep. "
    "Recall was 12.4 points better after sleep than after a day awake."
)
WRITTEN = (
    "Sleep after learning is said to improve recall of word pairs. We ask whether it does in a large sample."
)
BRIEF = SectionBrief(
    "discussion",
    "Discussion",
    neighbours=(("Results", "Recall was 12.4 points better after sleep (p = 0.003)."),),
    captions=("Recall by group, with 95 % intervals.",),
    tables=("Group | Recall\nSleep | 71.2\nAwake | 58.8",),
    notes=(Note("findings", "recall of word pairs is better after sleep"),),
)
SECTION = Query(
    "section",
    (QueryPart(ABSTRACT, "abstract"),),
    ABSTRACT,
    "Sleep and Word Pairs",
    written=WRITTEN,
    brief=BRIEF,
)
