"""A test collection: papers, queries, and the papers that each query cites.

Both are JSON lines, plain or gzipped. A line of the corpus has `doc`, `title` and `abstract`; a line of the
queries has `id`, `title`, `abstract`, `cited` (a list of `doc`) and optionally `keywords`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import RetrievalError, cause
from ..ports import Embedder, Monitor
from ..types import Matrix


@dataclass(frozen=True, slots=True)
class CollectionFiles:
    """`vectors`, `query_vectors`: .npy files with a row for each line of `corpus` and of `queries`; None: the texts
    are embedded."""

    corpus: Path
    queries: Path
    vectors: Path | None = None
    query_vectors: Path | None = None


class BadCollection(RetrievalError):
    """A file of the collection is invalid; the message names the file and the line."""


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
    """A query: title, abstract and keywords of a draft. `cited`: the rows of the corpus that the draft
    cites."""

    id: str
    title: str
    abstract: str
    keywords: tuple[str, ...]
    cited: tuple[int, ...]
    line: int  # line number in the file, from 0

    @property
    def text(self) -> str:
        """Title, abstract and keywords as one text."""
        return " ".join((self.title, self.abstract, *self.keywords))


@dataclass(frozen=True, slots=True)
class CitationCollection:
    documents: tuple[CorpusDocument, ...]
    topics: tuple[Topic, ...]
    lines: int  # lines of the query file, including queries without citations in the corpus


def load_collection(corpus: Path, queries: Path) -> CitationCollection:
    """Reads a collection. Cited papers that are not in the corpus are left out, and so are queries without a
    cited paper in the corpus. Raises `BadCollection` for unreadable files, or if no query is left."""
    documents = load_documents(corpus)
    rows = {document.doc: row for row, document in enumerate(documents)}
    lines = enumerate(_lines(queries, ("id", "abstract", "cited")))
    topics = tuple(_topic(line, number, rows) for number, line in lines)
    known = tuple(topic for topic in topics if topic.cited)
    if not known:
        raise BadCollection(
            f"No query of {queries.name} cites a paper of {corpus.name}.",
            "`cited` must list values of `doc` in the corpus.",
        )
    return CitationCollection(documents, known, len(topics))


def load_documents(path: Path) -> tuple[CorpusDocument, ...]:
    documents = tuple(_document(line) for line in _lines(path, ("doc", "title", "abstract")))
    if not documents:
        raise BadCollection(f"{path.name} holds no paper.", "It needs one JSON object a line.")
    return documents


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
        raise BadCollection(f"{where} has no {', '.join(missing)}.", "See `texgeist eval retrieval --help`.")
    return dict(value)


def _document(line: Mapping[str, Any]) -> CorpusDocument:
    year = line.get("year")
    return CorpusDocument(
        str(line["doc"]),
        str(line["title"] or ""),
        str(line["abstract"] or ""),
        year if isinstance(year, int) else None,
    )


def _topic(line: Mapping[str, Any], number: int, rows: Mapping[str, int]) -> Topic:
    cited = sorted({rows[str(doc)] for doc in line["cited"] or () if str(doc) in rows})
    return Topic(
        str(line["id"]),
        str(line.get("title") or ""),
        str(line["abstract"] or ""),
        tuple(str(word) for word in line.get("keywords") or ()),
        tuple(cited),
        number,
    )


# The vectors for an evaluation are loaded from files or embedded here.

_BATCH = 64

Opener = Callable[[], Embedder]


def document_vectors(
    documents: Sequence[CorpusDocument], given: Path | None, embedder: Opener, monitor: Monitor
) -> Matrix:
    """Unit rows of the abstracts (of the title for a paper without abstract), read from the file `given`; if
    it is None, they are embedded. `embedder` is called only then."""
    if given is not None:
        return load_vectors(given, len(documents))
    return _embed([d.abstract or d.title for d in documents], embedder(), "papers", monitor)


def query_vectors(
    collection: CitationCollection, given: Path | None, embedder: Opener, monitor: Monitor
) -> Matrix:
    """Unit rows of the queries' abstracts. The file `given` has a row for each line of the query file; rows of
    queries without citations in the corpus are skipped. If it is None, the abstracts are embedded."""
    if given is not None:
        return load_vectors(given, collection.lines)[[topic.line for topic in collection.topics]]
    return _embed([topic.abstract for topic in collection.topics], embedder(), "queries", monitor)


def title_vectors(collection: CitationCollection, embedder: Opener, monitor: Monitor) -> Matrix:
    """Unit rows of the queries' titles, zeros for a query without a title."""
    titles = [topic.title for topic in collection.topics]
    rows = _embed(titles, embedder(), "titles", monitor)
    return rows * np.array([[bool(title.strip())] for title in titles], dtype=np.float32)


def _embed(texts: Sequence[str], embedder: Embedder, what: str, monitor: Monitor) -> Matrix:
    parts = []
    for start in range(0, len(texts), _BATCH):
        monitor.check()
        monitor.report(f"Embedding {what}", start, len(texts))
        parts.append(embedder.embed_documents(texts[start : start + _BATCH]))
    return unit(np.vstack(parts))
