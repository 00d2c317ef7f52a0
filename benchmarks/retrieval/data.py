"""The collections that are measured on."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.evaluation.collection import Collection, Topic, load_collection, load_vectors
from texgeist_retrieval.evaluation.inputs import query_vectors, title_vectors
from texgeist_retrieval.evaluation.systems import Bench
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.ranking.citation_table import title_key


def bench_of(data: Path, name: str, weights: Path | None = None) -> Bench:
    folder = data / "citations"
    collection = load_collection(folder / f"{name}-corpus.jsonl.gz", folder / f"{name}-queries.jsonl.gz")
    vectors = load_vectors(folder / f"{name}-corpus-mpnet.npy", len(collection.documents))
    queries = load_vectors(folder / f"{name}-queries-mpnet.npy", collection.lines)
    return Bench(collection, vectors, queries[[topic.line for topic in collection.topics]], weights)


def related_work_only(data: Path, bench: Bench) -> tuple[list[int], list[list[int]]]:
    """Numbers of the queries whose related-work section is known, and the papers cited *there*."""
    rows = {document.doc: row for row, document in enumerate(bench.collection.documents)}
    cited = {}
    with gzip.open(data / "citations" / "dev-queries.jsonl.gz", "rt") as file:
        for line in file:
            query = json.loads(line)
            cited[str(query["id"])] = sorted(
                {rows[str(d)] for d in query.get("related_work_docs", ()) if str(d) in rows}
            )
    kept = [i for i, topic in enumerate(bench.collection.topics) if cited.get(topic.id)]
    return kept, [cited[bench.collection.topics[i].id] for i in kept]


def latex_projects(data: Path, embedder: Callable[[], Embedder]) -> Bench | None:
    """Real LaTeX projects as queries, what they cite as truth, both sets' papers as the corpus.

    Of a project with several documents the one counts that cites most of the corpus. Most of what they cite
    is not in it: they are of other years and fields. Only the abstracts and
    titles of the projects go through `embedder`."""
    both = [bench_of(data, name) for name in ("dev", "train")]
    documents, vectors = _joined(both)
    rows = {title_key(d.title): row for row, d in enumerate(documents)}
    topics: list[Topic] = []
    for project in json.loads((data / "latex" / "index.json").read_text(encoding="utf-8")):
        drafts = [_draft(data / "latex" / project["name"] / root) for root in project["roots"]]
        known = [(d, cited) for d in drafts if d and d.abstract and (cited := _cited(d, rows))]
        if known:
            draft, cited = max(known, key=lambda pair: len(pair[1]))
            topics.append(Topic(project["name"], draft.title, draft.abstract, (), cited, len(topics)))
    if not topics:
        return None
    collection = Collection(documents, tuple(topics), len(topics))
    queries, titles = query_vectors(collection, None, 0, embedder), title_vectors(collection, embedder)
    return Bench(collection, vectors, queries, titles=titles)


def _draft(path: Path):
    from texgeist_latex.errors import LatexError
    from texgeist_latex.reading.draft import read_draft

    try:
        return read_draft(path, programs=False)
    except LatexError:
        return None


def _cited(draft, rows: dict[int, int]) -> tuple[int, ...]:
    """Rows of the corpus with the titles of those entries that the document cites."""
    keys = {citation.key for citation in draft.citations}
    entries = (e for bibliography in draft.bibliographies for e in bibliography.entries if e.key in keys)
    titles = (title_key(e.fields.get("title", "")) for e in entries)
    return tuple(sorted({rows[key] for key in titles if key in rows}))


def half_known(bench: Bench, seed: int = 0) -> tuple[list[list[int]], list[list[int]]]:
    """Each query's citations cut in half: what the draft cites already, and what is to be found."""
    random = np.random.default_rng(seed)
    given, wanted = [], []
    for topic in bench.collection.topics:
        order = random.permutation(topic.cited).tolist()
        given.append(sorted(order[: len(order) // 2]))
        wanted.append(sorted(order[len(order) // 2 :]))
    return given, wanted


def _joined(both: list[Bench]):
    known: set[int] = set()
    documents: list[Any] = []
    vectors = []
    for bench in both:
        for row, document in enumerate(bench.collection.documents):
            key = title_key(document.title)
            if key not in known:
                known.add(key)
                documents.append(replace(document, doc=str(len(documents))))
                vectors.append(bench.vectors[row])
    return tuple(documents), np.stack(vectors)
