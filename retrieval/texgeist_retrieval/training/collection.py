"""A collection with known citations: papers, and drafts (*topics*) with the papers that they cite.

Both files are JSON lines, plain or gzipped. A line of the corpus has `doc`, `title`, `abstract` and optionally
`year`; a line of the queries has `id`, `title`, `abstract`, `cited` (a list of `doc`) and optionally `keywords`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import RetrievalError, cause
from ..ports import Embedder, Monitor
from ..ranking.bm25 import Bm25
from ..ranking.features import CandidatePool, first_order
from ..ranking.fusion import standardise
from ..ranking.query_adapter import Adapter, with_titles
from ..text.words import query_words
from ..types import Matrix, Vector

_BATCH = 64

Opener = Callable[[], Embedder]


class BadCollection(RetrievalError):
    """A file of the collection is invalid; the message names the file and the line."""


@dataclass(frozen=True, slots=True)
class CollectionFiles:
    """`vectors`, `query_vectors`: .npy files with a row for each line of `corpus` and of `queries`; None: the texts
    are embedded."""

    corpus: Path
    queries: Path
    vectors: Path | None = None
    query_vectors: Path | None = None


@dataclass(frozen=True, slots=True)
class CorpusDocument:
    doc: str
    title: str
    abstract: str
    year: int | None = None

    @property
    def text(self) -> str:
        return f"{self.title} {self.abstract}"


@dataclass(frozen=True, slots=True)
class Topic:
    """Title, abstract and keywords of a draft. `cited`: the rows of the corpus that the draft cites."""

    id: str
    title: str
    abstract: str
    keywords: tuple[str, ...]
    cited: tuple[int, ...]

    @property
    def text(self) -> str:
        return " ".join((self.title, self.abstract, *self.keywords))


@dataclass(frozen=True)
class CitationCollection:
    """`vectors`: a unit row for each document. `queries`: a unit row for each topic's abstract. `titles`: rows for
    the topics' titles, zeros for a missing title; None to search with the abstracts alone."""

    documents: tuple[CorpusDocument, ...]
    topics: tuple[Topic, ...]
    vectors: Matrix
    queries: Matrix
    titles: Matrix | None = None

    @classmethod
    def load(
        cls, files: CollectionFiles, embedder: Opener, monitor: Monitor, titled: bool = False
    ) -> CitationCollection:
        """Reads the files; `embedder` opens the model for vectors that no file holds. `titled`: also embed
        the topics' titles. Leaves out cited papers that are not in the corpus, and topics without any other.
        Raises `BadCollection` for invalid files, or if no topic is left."""
        documents = load_documents(files.corpus)
        rows = {document.doc: row for row, document in enumerate(documents)}
        topics = [_topic(line, rows) for line in _lines(files.queries, ("id", "abstract", "cited"))]
        kept = [number for number, topic in enumerate(topics) if topic.cited]
        if not kept:
            raise BadCollection(
                f"No query of {files.queries.name} cites a paper of {files.corpus.name}.",
                "`cited` must list values of `doc` in the corpus.",
            )
        vectors = document_vectors(documents, files.vectors, embedder, monitor)
        if files.query_vectors is not None:
            queries = load_vectors(files.query_vectors, len(topics))[kept]
        else:
            queries = _embed([topics[i].abstract for i in kept], embedder(), "queries", monitor)
        made = cls(documents, tuple(topics[i] for i in kept), vectors, queries)
        return made.with_titles(embedder, monitor) if titled else made

    def with_titles(self, embedder: Opener, monitor: Monitor) -> CitationCollection:
        """The collection with the vectors of the topics' titles."""
        texts = [topic.title for topic in self.topics]
        rows = _embed(texts, embedder(), "titles", monitor)
        return replace(self, titles=rows * np.array([[bool(text.strip())] for text in texts], np.float32))

    def part(self, rows: Sequence[int]) -> CitationCollection:
        """The same papers with some of the topics."""
        topics = tuple(self.topics[i] for i in rows)
        titles = None if self.titles is None else self.titles[list(rows)]
        return replace(self, topics=topics, queries=self.queries[list(rows)], titles=titles)

    @cached_property
    def asked(self) -> Matrix:
        """The vectors to search with: abstract and title."""
        return with_titles(self.queries, self.titles)

    @cached_property
    def bm25(self) -> Bm25:
        return Bm25.build([document.text for document in self.documents])

    def first_orders(self, adapter: Adapter) -> Iterator[Vector]:
        """For each topic, the scores of all documents before reranking."""
        for topic, query in zip(self.topics, self.asked, strict=True):
            words = self.bm25.score(query_words(topic.text))
            near, adapted = self.vectors @ query, adapter.score(query, self.vectors)
            yield first_order(standardise(near), standardise(adapted), standardise(words))

    def pool(self, rows: list[int]) -> CandidatePool:
        documents = [self.documents[row] for row in rows]
        return CandidatePool(
            [d.title for d in documents],
            [d.abstract for d in documents],
            self.vectors[rows],
            np.array([np.nan if d.year is None else d.year for d in documents], dtype=np.float32),
        )


def load_documents(path: Path) -> tuple[CorpusDocument, ...]:
    documents = tuple(_document(line) for line in _lines(path, ("doc", "title", "abstract")))
    if not documents:
        raise BadCollection(f"{path.name} holds no paper.", "It needs one JSON object a line.")
    return documents


def document_vectors(
    documents: Sequence[CorpusDocument], given: Path | None, embedder: Opener, monitor: Monitor
) -> Matrix:
    """Unit rows of the abstracts (of the title for a paper without abstract), read from the file `given`; if
    it is None, they are embedded. `embedder` is called only then."""
    if given is not None:
        return load_vectors(given, len(documents))
    return _embed([d.abstract or d.title for d in documents], embedder(), "papers", monitor)


def load_vectors(path: Path, rows: int) -> Matrix:
    """Float32 unit rows from a `.npy` file. Raises `BadCollection` if it does not have `rows` rows."""
    try:
        vectors = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise BadCollection(
            f"{path.name} cannot be read as vectors: {cause(error)}.", "Give a .npy file."
        ) from None
    if vectors.ndim != 2 or vectors.shape[0] != rows:
        raise BadCollection(
            f"{path.name} has shape {vectors.shape}, but {rows} rows are needed.",
            "It must hold one vector for each line of the file it belongs to.",
        )
    return unit(vectors.astype(np.float32))


def unit(vectors: Matrix) -> Matrix:
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)


def _embed(texts: Sequence[str], embedder: Embedder, what: str, monitor: Monitor) -> Matrix:
    parts = []
    for start in range(0, len(texts), _BATCH):
        monitor.check()
        monitor.report(f"Embedding {what}", start, len(texts))
        parts.append(embedder.embed_documents(texts[start : start + _BATCH]))
    return unit(np.vstack(parts))


def _lines(path: Path, needed: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield _parse(line, f"{path.name}, line {number}", needed)
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise BadCollection(
            f"{path} cannot be read: {cause(error)}.", "Give a .jsonl or .jsonl.gz file."
        ) from None


def _parse(line: str, where: str, needed: Sequence[str]) -> Mapping[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadCollection(f"{where} is not JSON: {error}.", "Each line must be one object.") from None
    missing = [name for name in needed if not isinstance(value, dict) or name not in value]
    if missing:
        raise BadCollection(f"{where} has no {', '.join(missing)}.", "See `texgeist train --help`.")
    return dict(value)


def _document(line: Mapping[str, Any]) -> CorpusDocument:
    year = line.get("year")
    return CorpusDocument(
        str(line["doc"]),
        str(line["title"] or ""),
        str(line["abstract"] or ""),
        year if isinstance(year, int) else None,
    )


def _topic(line: Mapping[str, Any], rows: Mapping[str, int]) -> Topic:
    return Topic(
        str(line["id"]),
        str(line.get("title") or ""),
        str(line["abstract"] or ""),
        tuple(str(word) for word in line.get("keywords") or ()),
        tuple(sorted({rows[str(doc)] for doc in line["cited"] or () if str(doc) in rows})),
    )
