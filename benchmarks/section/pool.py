"""Drafts of DeepScholar-Bench with what their authors cite, within the papers of three collections."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.ports import Embedder, IndexStatus, PaperIndex
from texgeist_retrieval.ranking.bm25 import Bm25
from texgeist_retrieval.ranking.citation_table import title_key
from texgeist_retrieval.ranking.fusion import best
from texgeist_retrieval.text.words import query_words
from texgeist_retrieval.training.collection import load_documents, load_vectors
from texgeist_retrieval.types import Candidate, Filters, Matrix, Paper, Query, QueryPart, Vector

_AUTHORS = ("A. Writer", "B. Writer")


@dataclass(frozen=True)
class Draft:
    id: str
    query: Query
    cited: frozenset[str]  # ids of papers in the pool


class MemoryIndex(PaperIndex):
    """Exact search over vectors in memory, and BM25 where words are asked for."""

    def __init__(self, papers: Sequence[Paper], vectors: Matrix) -> None:
        self.held, self.vectors = list(papers), vectors
        self.words = Bm25.build([f"{p.title} {p.abstract}" for p in papers])

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        return [self._first(row @ self.vectors.T, top) for row in vectors]

    def search_text(
        self, texts: Sequence[str], top: int, filters: Filters = Filters()
    ) -> list[list[Candidate]]:
        return [self._first(self.words.score(query_words(text)), top) for text in texts]

    def _first(self, scores: Vector, top: int) -> list[Candidate]:
        rows = best(scores, top)
        return [
            Candidate(self.held[row], float(scores[row]), rank, vector=self.vectors[row])
            for rank, row in enumerate(rows, start=1)
        ]

    def named(self, id: str) -> Candidate:
        row = next(n for n, paper in enumerate(self.held) if paper.id == id)
        return Candidate(self.held[row], 0.0, len(self.held), vector=self.vectors[row])

    def papers(self) -> Iterator[Paper]:
        return iter(self.held)

    def status(self) -> IndexStatus:
        return IndexStatus("in memory", len(self.held), "all-mpnet-base-v2", 768, True)

    def close(self) -> None: ...


class Remembering:
    """An embedder that embeds each text once: the systems that are compared ask for the same ones."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self._known = embedder, dict[str, Vector]()
        self.name, self.dimension = embedder.name, embedder.dimension

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known |= dict(zip(new, self._embedder.embed_documents(new), strict=True))
        return np.stack([self._known[text] for text in texts])


def load(data: Path, collections: Sequence[str] = ("dev", "train")) -> tuple[list[Draft], MemoryIndex]:
    """The drafts, and every paper once: the benchmark's own with those of the collections around them."""
    folder = data / "deepscholar"
    rows = _lines(folder / "papers.jsonl.gz")
    vectors = load_vectors(folder / "papers-mpnet.npy", len(rows))
    papers: dict[int, tuple[Paper, Vector]] = {}
    by_arxiv: dict[str, str] = {}
    for row, vector in zip(rows, vectors, strict=True):
        # all of the same authors, because the collections have none: else a writer could tell whose papers these are
        paper = Paper(row["id"], row["title"], row["abstract"], _AUTHORS, row["year"])
        by_arxiv[row["id"]] = papers.setdefault(title_key(row["title"]), (paper, vector))[0].id
    for name in collections:
        documents = load_documents(data / "citations" / f"{name}-corpus.jsonl.gz")
        given = load_vectors(data / "citations" / f"{name}-corpus-mpnet.npy", len(documents))
        for document, vector in zip(documents, given, strict=True):
            paper = Paper(
                f"doi:{name}/{document.doc}", document.title, document.abstract, _AUTHORS, document.year
            )
            papers.setdefault(title_key(document.title), (paper, vector))
    held = [paper for paper, _ in papers.values()]
    index = MemoryIndex(held, np.stack([vector for _, vector in papers.values()]))
    return [_draft(task, by_arxiv) for task in _lines(folder / "tasks.jsonl.gz")], index


def _draft(task: dict[str, Any], known: dict[str, str]) -> Draft:
    abstract = " ".join(task["abstract"].split())
    cited = (c["arxiv_id"] for c in task["citations"] if c.get("arxiv_id") and not c["suspect"])
    part = QueryPart(abstract, "abstract")
    year = 2000 + int(task["arxiv_id"][:2])
    query = Query("abstract", (part,), abstract, task["title"], tuple(task["authors"]), year=year)
    return Draft(task["arxiv_id"], query, frozenset(known[id] for id in cited if id in known))


def _lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]
