"""How a ranker made for abstracts should rank for a whole draft.

    python -m benchmarks.pipeline.fusion --model FOLDER [--every 2] [--strange 0 4 15] [--cache FOLDER]

Drafts as in `aggregate.py`: an abstract, the chunks of its related work, and pages of other drafts.
Candidates are what one search with all rows finds, a hundred a row.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.pipeline.aggregate import aggregate
from texgeist_retrieval.pipeline.reranking import LEAST_RANKED, fuse
from texgeist_retrieval.ranking.ranker import LearnedRanker
from texgeist_retrieval.types import Candidate, Paper, Query, QueryPart

from .aggregate import chunks, embed, measure, parts_of, strangers

KINDS = ("related-work", "abstract")


def unit(rows: Any) -> Any:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def load_dev(folder: Path) -> tuple[list[Any], list[Any], Any, Any]:
    """Papers and queries as in the files, and the unit vectors of either's abstracts."""
    found = []
    for name in ("corpus", "queries"):
        with gzip.open(folder / f"dev-{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            found.append([json.loads(line) for line in lines])
    corpus, abstracts = (
        unit(np.load(folder / f"dev-{name}-mpnet.npy").astype(np.float32)) for name in ("corpus", "queries")
    )
    return found[0], found[1], corpus, abstracts


def orders(
    ranker: LearnedRanker, record: Any, abstract: Any, pages: Any, papers: list[Paper], corpus: Any
) -> dict[str, list[Candidate]]:
    rows = np.vstack([abstract, pages, ranker.search_rows(abstract)])
    found = (np.argpartition(-row, LEAST_RANKED)[:LEAST_RANKED].tolist() for row in rows @ corpus.T)
    ids = sorted({i for row in found for i in row})
    scores = aggregate(np.vstack([abstract, pages]) @ corpus[ids].T, anchor=0)
    best = np.argsort(-scores, kind="stable")
    by_pages = [
        Candidate(papers[ids[i]], float(scores[i]), place, score=float(scores[i]), vector=corpus[ids[i]])
        for place, i in enumerate(best.tolist(), start=1)
    ]
    text = QueryPart(record["abstract"], "abstract")
    about = Query("abstract", (text,), abstract=record["abstract"], title=record["title"])
    written = [QueryPart(chunk, "page") for chunk in chunks(record["related_work"])]
    parts = (*written, *(text for _ in range(len(pages) - len(written))))
    whole = Query("draft", parts, abstract=record["abstract"], title=record["title"])
    by_ranker = ranker.rank(about, abstract, by_pages)
    return {
        "closest pages": by_pages,
        "ranker, by the abstract": by_ranker,
        "ranker, by all pages": ranker.rank(whole, unit(pages.mean(axis=0, keepdims=True))[0], by_pages),
        "fused": fuse(by_pages, by_ranker),
    }


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--data", type=Path, default=Path("../shared/data/citations"))
    given.add_argument("--model", type=Path, required=True)
    given.add_argument("--cache", type=Path)
    given.add_argument("--every", type=int, default=2)
    given.add_argument("--strange", type=int, nargs="*", default=[0, 4, 15])
    options = given.parse_args()
    records, queries, corpus, abstracts = load_dev(options.data)
    rows = {record["doc"]: row for row, record in enumerate(records)}
    papers = [
        Paper(str(row), record["title"], record["abstract"] or "", year=record.get("year"))
        for row, record in enumerate(records)
    ]
    kept = [i for i, query in enumerate(queries) if parts_of(query, "related work")]
    files = {kind: options.cache / f"aggregate-{kind}.npy" if options.cache else None for kind in KINDS}
    related = embed([queries[i] for i in kept], "related work", options.model, files["related-work"])
    windows = embed(queries, "abstract", options.model, files["abstract"])
    ranker = LearnedRanker.load()
    for strange in options.strange:
        figures: dict[str, list[tuple[float, float, float]]] = {}
        for i, pages in list(zip(kept, related, strict=True))[:: options.every]:
            gold = {rows[doc] for doc in queries[i]["cited"] if doc in rows}
            more = [strangers(abstracts, windows, i, strange)] if strange else []
            found = orders(ranker, queries[i], abstracts[i], np.vstack([pages, *more]), papers, corpus)
            for name, order in found.items():
                ids = np.array([int(candidate.paper.id) for candidate in order])
                figures.setdefault(name, []).append(measure(ids, gold))
        print(f"\n{len(figures['fused'])} drafts, {strange} strange pages")
        print(f"{'':26}{'R@20':>7}{'R@60':>7}{'nDCG@10':>9}")
        for name, values in figures.items():
            means = np.mean(values, axis=0)
            print(f"{name:26}{means[0]:7.3f}{means[1]:7.3f}{means[2]:9.3f}")


if __name__ == "__main__":
    main()
