"""A small world for the recipes: an embedder that counts words, an index in memory, papers with pages."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.errors import Cancelled, PaperUnreadable
from texgeist_retrieval.ports import IndexStatus, Monitor, PaperIndex, PaperSource, Written
from texgeist_retrieval.services import Services
from texgeist_retrieval.types import (
    Candidate,
    Filters,
    Matrix,
    Paper,
    Query,
    QueryPart,
    Section,
    Selected,
    Sentence,
    Vector,
)

DIMENSION = 256


class WordEmbedder:
    """A bag of words as a unit vector: similar texts share words, and every value can be foreseen."""

    name = "words"
    dimension = DIMENSION

    def __init__(self) -> None:
        self.batches: list[int] = []

    def embed_query(self, text: str) -> Vector:
        return self._rows([text])[0]

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        self.batches.append(len(texts))
        return self._rows(texts)

    def _rows(self, texts: Sequence[str]) -> Matrix:
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.encode()) % self.dimension] += 1
            row /= np.linalg.norm(row) or 1
        return rows


def with_authors(papers: Sequence[Paper]) -> list[Paper]:
    """The papers with an author where the test gives none: papers without authors are not cited in a text."""
    return [replace(paper, authors=paper.authors or ("A. Author",)) for paper in papers]


class MemoryIndex(PaperIndex):
    """Exact search over what it is given, as any index does it."""

    def __init__(self, embedder: WordEmbedder, papers: Sequence[Paper], bare: bool = False) -> None:
        self.held = with_authors(papers)
        self.bare = bare
        self.searches: list[tuple[int, int]] = []
        self.vectors = embedder._rows([paper.abstract or paper.title for paper in papers])

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        self.searches.append((len(vectors), top))
        return [self._one(vector, top) for vector in vectors]

    def _one(self, vector: Vector, top: int) -> list[Candidate]:
        similarities = self.vectors @ vector
        order = np.argsort(-similarities, kind="stable")[:top]
        return [
            Candidate(
                Paper(self.held[i].id, "") if self.bare else self.held[i],
                float(similarities[i]),
                rank,
                vector=self.vectors[i],
            )
            for rank, i in enumerate(order.tolist(), start=1)
        ]

    def papers(self) -> Iterator[Paper]:
        return iter(self.held)

    def status(self) -> IndexStatus:
        return IndexStatus("memory", len(self.held), "words", DIMENSION, not self.bare)

    def close(self) -> None: ...


class PagesSource(PaperSource):
    """Pages by paper id; an exception in their place is raised."""

    def __init__(self, pages: Mapping[str, list[str] | Exception], papers: Sequence[Paper] = ()) -> None:
        self.held = pages
        self.known = {paper.id: paper for paper in with_authors(papers)}
        self.asked: list[str] = []
        self.requests: list[list[str]] = []

    def metadata(self, ids: Sequence[str], monitor: Monitor | None = None) -> dict[str, Paper]:
        self.requests.append(list(ids))
        return {id: self.known[id] for id in ids if id in self.known}

    def pages(self, paper: Paper, monitor: Monitor | None = None) -> list[str]:
        self.asked.append(paper.id)
        held = self.held.get(paper.id, PaperUnreadable("arXiv has no PDF of it."))
        if isinstance(held, Exception):
            raise held
        return held


class OneSentenceEach:
    """Writes one sentence a paper, standing on all its evidence; leaves out what it is told to."""

    name = "test"
    local = True

    def __init__(self, leave_out: Sequence[str] = ()) -> None:
        self.leave_out = leave_out
        self.given: Sequence[Selected] = ()

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        self.given = selected
        sentences = tuple(
            Sentence(f"{paper.candidate.paper.title} says so.", tuple(e.id for e in paper.evidence))
            for paper in selected
            if paper.candidate.paper.id not in self.leave_out
        )
        summaries = tuple((p.candidate.paper.id, f"About {p.candidate.paper.title}") for p in selected)
        weights = tuple((e.id, 0.25) for paper in selected for e in paper.evidence[:1])
        section = Section("Related Work", (sentences,))
        return Written(section, summaries=summaries, weights=weights)

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        return ""

    def estimate(self, query: Query, selected: Sequence[Selected]) -> None: ...


class Recorder:
    """A monitor that remembers, and stops the job at a message that holds the given words."""

    def __init__(self, stop_at: str = "") -> None:
        self.messages: list[str] = []
        self.stop = threading.Event()
        self.stop_at = stop_at

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        self.check()
        self.messages.append(message)
        if self.stop_at and self.stop_at in message:
            self.stop.set()

    def check(self) -> None:
        if self.stop.is_set():
            raise Cancelled


@dataclass
class World:
    """Everything a recipe needs, to be changed by the test before it runs."""

    papers: Sequence[Paper]
    pages: Mapping[str, Any] = field(default_factory=dict)
    bare: bool = False
    leave_out: tuple[str, ...] = ()

    def services(self, **changes: Any) -> Any:
        embedder = WordEmbedder()
        made = Services(
            embedder=embedder,
            index=MemoryIndex(embedder, self.papers, self.bare),
            source=PagesSource(self.pages, self.papers),
            writer=OneSentenceEach(self.leave_out),
        )
        return replace(made, **changes)


QUERY = "red fish swim in deep cold water"


def library(count: int = 24) -> list[Paper]:
    """Papers that share fewer and fewer words with `QUERY`."""
    words = QUERY.split()
    return [
        Paper(
            f"2401.{i:05d}",
            f"Title {i} of a paper",
            " ".join([*words[: max(1, 7 - i // 4)], f"w{i}", f"x{i}"]),
            (f"A. Author{i}",),
            2024,
        )
        for i in range(count)
    ]


def pages_for(papers: Sequence[Paper]) -> dict[str, Any]:
    return {
        p.id: [f"{p.abstract} page one {p.id}", f"{p.abstract} page two {p.id}", f"nothing of it {p.id}"]
        for p in papers
    }


def about(text: str, **changes: Any) -> Query:
    return replace(Query("abstract", (QueryPart(text, "abstract"),), abstract=text), **changes)


@pytest.fixture
def words() -> WordEmbedder:
    return WordEmbedder()
