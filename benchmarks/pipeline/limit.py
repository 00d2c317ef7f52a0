"""What a limit on the distance from the query costs a ranker, and what it keeps away.

    python -m benchmarks.pipeline.limit [--every 2] [--data ../shared/data/citations]

Every abstract of the dev queries: share of cited papers among the first ten, nDCG at 10, and the mean of
the least similarity among the first ten, for limits below the closest paper's similarity.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from texgeist_retrieval.pipeline import longlist
from texgeist_retrieval.pipeline.reranking import LEAST_RANKED
from texgeist_retrieval.ranking.ranker import LearnedRanker
from texgeist_retrieval.types import Candidate, Paper, Query, QueryPart

from .aggregate import measure
from .fusion import load_dev

LIMITS = (2.0, 0.45, 0.35, 0.25, 0.15)  # 2: none


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--data", type=Path, default=Path("../shared/data/citations"))
    given.add_argument("--every", type=int, default=2)
    options = given.parse_args()
    records, queries, corpus, abstracts = load_dev(options.data)
    rows = {record["doc"]: row for row, record in enumerate(records)}
    ranker = LearnedRanker.load()
    figures: dict[float, list[tuple[float, float, float]]] = {limit: [] for limit in LIMITS}
    for query, vector in list(zip(queries, abstracts, strict=True))[:: options.every]:
        gold = {rows[doc] for doc in query["cited"] if doc in rows}
        searched = np.vstack([vector, ranker.search_rows(vector)]) @ corpus.T
        found = sorted(
            {i for row in searched for i in np.argpartition(-row, LEAST_RANKED)[:LEAST_RANKED].tolist()}
        )
        candidates = [
            Candidate(
                Paper(str(i), records[i]["title"], records[i]["abstract"] or "", year=records[i].get("year")),
                float(corpus[i] @ vector), 1, vector=corpus[i],
            )
            for i in found
        ]  # fmt: skip
        about = Query("abstract", (QueryPart(query["abstract"], "abstract"),), title=query["title"])
        ranked = ranker.rank(about, vector, candidates)
        for limit in LIMITS:
            longlist.FAR = limit
            order = longlist.near_first(ranked)
            ids = np.array([int(candidate.paper.id) for candidate in order])
            precision = float(np.mean([i in gold for i in ids[:10].tolist()]))
            least = min(candidate.similarity for candidate in order[:10])
            figures[limit].append((precision, measure(ids, gold)[2], least))
    print(f"{len(figures[2.0])} abstracts\n{'limit':>8}{'P@10':>8}{'nDCG@10':>9}{'least':>8}")
    for limit, values in figures.items():
        precision, gain, least = np.mean(values, axis=0)
        print(f"{'none' if limit > 1 else limit:>8}{precision:8.3f}{gain:9.3f}{least:8.3f}")


if __name__ == "__main__":
    main()
