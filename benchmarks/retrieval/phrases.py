"""How much shared phrases should count: `python -m benchmarks.retrieval.phrases [--data ../shared/data]`.

First what training queries teach: the weights of a linear order over what needs no training (similarity, words,
neighbours and the like), learned with and without the phrases, by the loss of the order for questions. Then what
the weights do on the test queries and on drafts of other fields, around those that are shipped. Minutes.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from texgeist_retrieval.evaluation.inputs import title_vectors
from texgeist_retrieval.evaluation.systems import Bench, first_orders, pool_of
from texgeist_retrieval.ranking.features import (
    COLON,
    CROWD,
    DENSE,
    LENGTH,
    NEIGHBOURS,
    TITLE_WORDS,
    WORDS,
    YEAR,
    features,
)
from texgeist_retrieval.ranking.fusion import best
from texgeist_retrieval.ranking.phrases import LONG_PHRASES, TITLE_PHRASES, WEIGHTS, phrase_features
from texgeist_retrieval.ranking.pools import total
from texgeist_retrieval.ranking.ranker import POOL
from texgeist_retrieval.training.short_queries import Asked, fit, recall

from . import data, sets
from .inputs import embedder_at
from .show import compare

UNTAUGHT = (DENSE, WORDS, TITLE_WORDS, NEIGHBOURS, LENGTH, COLON, YEAR, CROWD)
PHRASES = (TITLE_PHRASES, LONG_PHRASES)
QUERIES = 500  # training queries that are learned from
GRID = ((0.0, 0.0), (0.1, 0.1), (0.2, 0.0), (0.0, 0.15), (0.2, 0.15), (0.2, 0.3), (0.3, 0.15))


def learned(bench: Bench, rows: list[int]) -> None:
    """The adapter has seen the training queries, so it takes no part: the pool is by similarity and words."""
    tables: dict[str, list[Asked]] = {"without": [], "with": []}
    for number in rows:
        topic = bench.collection.topics[number]
        pool = _pool(bench, number)
        found = {**_features(bench, number, pool), **_phrases(bench, number, pool)}
        for name, columns in (("without", UNTAUGHT), ("with", (*UNTAUGHT, *PHRASES))):
            values = np.stack([found[column] for column in columns], axis=1).astype(np.float64)
            tables[name].append(Asked(values, np.isin(pool, topic.cited), len(topic.cited)))
    for name, columns in (("without", UNTAUGHT), ("with", (*UNTAUGHT, *PHRASES))):
        weights = fit([tables[name]])
        shown = ", ".join(f"{c} {w:.2f}" for c, w in zip(columns, weights, strict=True))
        at = ", ".join(f"{100 * recall(tables[name], weights, k):.1f} at {k}" for k in (10, 20))
        print(f"{name} phrases: recall {at}; {shown}", flush=True)


def _pool(bench: Bench, number: int) -> list[int]:
    near, words = bench.vectors @ bench.queries[number], bench.lexical[number]
    return best(0.5 * near / near.std() + 0.35 * words / max(float(words.std()), 1e-9), POOL)


def _features(bench: Bench, number: int, pool: list[int]) -> Mapping[str, np.ndarray]:
    topic, parts = bench.collection.topics[number], bench.ranker.parts
    return features(bench.queries[number], topic.text, pool_of(bench, pool), parts)


def _phrases(bench: Bench, number: int, pool: list[int]) -> Mapping[str, np.ndarray]:
    papers = pool_of(bench, pool)
    return phrase_features(bench.collection.topics[number].text, papers.titles, papers.abstracts)


def tried(bench: Bench) -> None:
    """Orders by the shipped ranker with other weights for the phrases."""
    orders: dict[str, list[list[int]]] = {}
    for number, first in enumerate(first_orders(bench)):
        pool, text = best(first, POOL), bench.collection.topics[number].text
        parts = bench.ranker.score(bench.asked[number], text, pool_of(bench, pool))
        rest = total({name: part for name, part in parts.items() if name not in WEIGHTS})
        found = _phrases(bench, number, pool)
        for by_title, by_text in GRID:
            scores = rest + by_title * found[TITLE_PHRASES] + by_text * found[LONG_PHRASES]
            row = orders.setdefault(f"titles {by_title}, longer {by_text}", [])
            row.append([pool[i] for i in np.argsort(-scores, kind="stable")])
    compare(orders, [topic.cited for topic in bench.collection.topics])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--model", type=Path, help="the embedding model's folder (default: texgeist's own)")
    options = parser.parse_args()
    bench = data.bench_of(options.data, "train")
    rows = np.random.default_rng(0).permutation(len(bench.collection.topics))[:QUERIES]
    learned(bench, rows.tolist())
    for name, tested in (
        ("NeurIPS", data.bench_of(options.data, "dev")),
        ("other fields", sets.drafts(options.data, lambda: embedder_at(options.model))),
    ):
        if tested.titles is None:
            tested.titles = title_vectors(tested.collection, lambda: embedder_at(options.model))
        print(f"\n{name}\n")
        tried(tested)


if __name__ == "__main__":
    main()
