"""What `texgeist missing` finds: two cited works of each draft are hidden, and the others stay cited.

    python -m benchmarks.missing

Drafts are title and abstract: NeurIPS (an index of 15,000 papers) and DeepScholar (an index of the 436 papers that
its drafts cite). A false alarm is a reported work that is not hidden; papers that a reviewer would accept are among
them. Three draws a draft. For the threshold `LEAST_SCORE` and for those around it.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from unittest import mock

import numpy as np
from texgeist_retrieval.pipeline import missing
from texgeist_retrieval.ranking.fusion import best
from texgeist_retrieval.ranking.ranker import POOL, LearnedRanker
from texgeist_retrieval.training.collection import CitationCollection
from texgeist_retrieval.types import Candidate, Paper, Query, QueryPart

from benchmarks.__main__ import DATA
from benchmarks.retrieval.__main__ import titled_collection
from benchmarks.retrieval.sets import drafts, embedder_at

LEAST, HIDDEN, DRAWS = 4, 2, 3
THRESHOLDS = (5.1, 5.3, missing.LEAST_SCORE, 5.7, 5.9)


def ranked(collection: CitationCollection) -> Iterator[tuple[list[Candidate], set[int]]]:
    """For each draft and draw the ranked candidates, of which those still cited are marked, and the rows of
    the hidden works."""
    ranker = LearnedRanker.load()
    firsts = collection.first_orders(ranker.parts.adapter)
    for topic, asked, first in zip(collection.topics, collection.asked, firsts, strict=True):
        if len(topic.cited) < LEAST:
            continue
        query = Query("abstract", (QueryPart(topic.abstract, "abstract"),), topic.abstract, topic.title)
        for draw in range(DRAWS):
            hidden = set(random.Random(f"{topic.id}{draw}").sample(sorted(topic.cited), HIDDEN))
            cited = set(topic.cited) - hidden
            pool = [_candidate(collection, row, row in cited) for row in best(first, POOL)]
            yield ranker.rank(query, asked, pool), hidden


def _candidate(collection: CitationCollection, row: int, cited: bool) -> Candidate:
    document, vector = collection.documents[row], collection.vectors[row]
    paper = Paper(str(row), document.title, document.abstract, year=document.year)
    return Candidate(paper, 0.0, 1, already_cited=cited, vector=np.asarray(vector, dtype=np.float32))


def tell(name: str, draws: Sequence[tuple[list[Candidate], set[int]]]) -> None:
    print(f"{name}: {len(draws) // DRAWS} drafts")
    for threshold in THRESHOLDS:
        with mock.patch.object(missing, "LEAST_SCORE", threshold):
            told = [({int(c.paper.id) for c in missing.missing_in(found)}, hidden) for found, hidden in draws]
        hits = sum(len(works & hidden) for works, hidden in told)
        false = sum(len(works - hidden) for works, hidden in told)
        silent = sum(not works for works, _ in told)
        print(
            f"  score >= {threshold}: found {hits / HIDDEN / len(draws):.3f}, "
            f"false alarms a draft {false / len(draws):.2f}, silent {silent / len(draws):.2f}"
        )


def main() -> int:
    given = argparse.Namespace(data=DATA, weights=None, model=None)
    tell("NeurIPS", list(ranked(titled_collection(given))))
    tell("DeepScholar", list(ranked(drafts(DATA, lambda: embedder_at(None), LEAST, corpora=False))))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
