"""Which aggregate of the similarities to several parts of a draft finds the papers that it cites?

    python -m benchmarks.pipeline.aggregate [--data ../shared/data/citations] [--model FOLDER] [--cache FILE]

Queries are real papers with the papers that they cite. Only their abstracts are to be had, and for some
the text of their related work. So a draft is made up in two ways: of the abstract's own sentences, in
windows of three (pages that all speak of the same); and of the abstract plus the chunks of the related
work, with the years and names in parentheses taken out (pages that speak of several things). A whole draft
also has pages that are not about its neighbours; `--strange` adds pages of that kind, windows of the
abstracts of other drafts in the same field. The abstract is the first row of every table. All papers of
the collection are compared, by exact search, on recall and nDCG.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float32]
DEPTH = 60  # what a search for breadth 10 asks for


def top_mean(count: int) -> Callable[[Scores], Scores]:
    def mean(table: Scores) -> Scores:
        return np.sort(table, axis=0)[-count:].mean(axis=0)

    return mean


def hits(table: Scores) -> NDArray[np.bool_]:
    """Which cells a search of `DEPTH` a part would have returned."""
    depth = min(DEPTH, table.shape[1])
    lowest = np.partition(table, -depth, axis=1)[:, -depth][:, None]
    return table >= lowest


def sum_of_hits(table: Scores) -> Scores:
    """Citegeist: similarities summed over the parts that found the paper."""
    return np.where(hits(table), table, 0).sum(axis=0)


def reciprocal_ranks(table: Scores) -> Scores:
    ranks = np.argsort(np.argsort(-table, axis=1), axis=1) + 1
    return (np.where(hits(table), 1 / (60 + ranks), 0)).sum(axis=0)


def soft_maximum(sharpness: float) -> Callable[[Scores], Scores]:
    def soft(table: Scores) -> Scores:
        return np.log(np.exp(sharpness * table).mean(axis=0)) / sharpness

    return soft


def first_half(table: Scores) -> Scores:
    """The mean of the better half of the parts."""
    return top_mean(max(-(-len(table) // 2), 1))(table)


def maximum_and_mean(table: Scores) -> Scores:
    return (table.max(axis=0) + table.mean(axis=0)) / 2


def abstract_and_closest(table: Scores) -> Scores:
    """What texgeist takes."""
    from texgeist_retrieval.pipeline.aggregate import aggregate

    return aggregate(table, anchor=0)


def abstract_and_best_two(table: Scores) -> Scores:
    return (table[0] + top_mean(2)(table[1:])) / 2 if len(table) > 1 else table[0]


AGGREGATES: dict[str, Callable[[Scores], Scores]] = {
    "abstract alone": lambda table: table[0],
    "sum of hits (Citegeist)": sum_of_hits,
    "reciprocal ranks": reciprocal_ranks,
    "maximum": lambda table: table.max(axis=0),
    "mean": lambda table: table.mean(axis=0),
    "mean of best 2": top_mean(2),
    "mean of best 3": top_mean(3),
    "mean of better half": first_half,
    "maximum and mean": maximum_and_mean,
    "abstract and closest": abstract_and_closest,
    "abstract and best 2": abstract_and_best_two,
    "soft maximum 5": soft_maximum(5),
    "soft maximum 10": soft_maximum(10),
    "soft maximum 20": soft_maximum(20),
}


def sentence_windows(text: str, size: int = 3) -> list[str]:
    from texgeist_retrieval.pipeline.windows import split_sentences, windows

    return windows(split_sentences(text), size, longest=2000)


def chunks(text: str, words: int = 250) -> list[str]:
    bare = re.sub(r"\[[\d,\s\-–]+\]|\([^()]*(?:19|20)\d\d[^()]*\)", "", text)
    split = bare.split()
    return [
        " ".join(split[i : i + words]) for i in range(0, len(split), words) if len(split[i : i + words]) > 40
    ]


def parts_of(query: dict[str, object], kind: str) -> list[str]:
    abstract, related = str(query["abstract"]), str(query["related_work"])
    return sentence_windows(abstract) if kind == "abstract" else chunks(related)


def embed(queries: list[dict[str, object]], kind: str, model: Path, cache: Path | None) -> list[Scores]:
    texts = [parts_of(query, kind) for query in queries]
    if cache and cache.exists():
        flat = np.load(cache)
    else:
        from texgeist_retrieval.embedding import load_embedder

        flat = load_embedder(model, threads=1).embed_documents([text for parts in texts for text in parts])
        if cache:
            np.save(cache, flat)
    ends = np.cumsum([len(parts) for parts in texts])
    return np.split(flat, ends[:-1])


def measure(ranked: NDArray[np.int64], gold: set[int]) -> tuple[float, float, float]:
    found = np.array([row in gold for row in ranked[:DEPTH].tolist()], dtype=float)
    ideal = (1 / np.log2(np.arange(2, min(len(gold), 10) + 2))).sum()
    gain = (found[:10] / np.log2(np.arange(2, 12))).sum()
    return found[:20].sum() / len(gold), found.sum() / len(gold), gain / ideal


def strangers(abstracts: Scores, pages: list[Scores], own: int, count: int, seed: int = 0) -> Scores:
    """Pages of `count` drafts among the forty nearest ones."""
    rng = np.random.default_rng([seed, own])
    near = [row for row in np.argsort(-(abstracts @ abstracts[own])).tolist() if row != own][:40]
    chosen = rng.choice(near, count, replace=False).tolist()
    return np.vstack([pages[row][rng.integers(len(pages[row]))] for row in chosen])


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--data", type=Path, default=Path("../shared/data/citations"))
    given.add_argument("--model", type=Path, required=True)
    given.add_argument("--cache", type=Path, help="folder for the vectors of the parts")
    given.add_argument("--strange", type=int, nargs="*", default=[0, 4, 15], help="pages of other drafts")
    options = given.parse_args()
    with gzip.open(options.data / "dev-corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = {json.loads(line)["doc"]: row for row, line in enumerate(lines)}
    with gzip.open(options.data / "dev-queries.jsonl.gz", "rt", encoding="utf-8") as lines:
        queries = [json.loads(line) for line in lines]
    corpus = np.load(options.data / "dev-corpus-mpnet.npy").astype(np.float32)
    abstracts = np.load(options.data / "dev-queries-mpnet.npy").astype(np.float32)
    everything: dict[str, list[Scores]] = {}
    for kind in ("abstract", "related work"):
        kept = [i for i, query in enumerate(queries) if parts_of(query, kind)]
        cache = options.cache / f"aggregate-{kind.replace(' ', '-')}.npy" if options.cache else None
        everything[kind] = embed([queries[i] for i in kept], kind, options.model, cache)
        golds = [{rows[doc] for doc in queries[i]["cited"] if doc in rows} for i in kept]
        for strange in options.strange:
            mean = np.mean([len(parts) for parts in everything[kind]])
            title = "sentences" if kind == "abstract" else "related work"
            print(f"\nabstract and its {title}: {len(kept)} drafts, {mean:.1f} parts each, {strange} strange")
            tables = []
            for i, parts in zip(kept, everything[kind], strict=True):
                more = [strangers(abstracts, everything["abstract"], i, strange)] if strange else []
                tables.append(np.vstack([abstracts[i], parts, *more]) @ corpus.T)
            show(tables, golds)


def show(tables: list[Scores], golds: list[set[int]]) -> None:
    print(f"{'':26}{'R@20':>7}{'R@60':>7}{'nDCG@10':>9}")
    both = [(table, gold) for table, gold in zip(tables, golds, strict=True) if gold]
    for name, score in AGGREGATES.items():
        figures = [measure(np.argsort(-score(table), kind="stable"), gold) for table, gold in both]
        means = np.mean(figures, axis=0)
        print(f"{name:26}" + "".join(f"{x:{w}.3f}" for x, w in zip(means, (7, 7, 9), strict=True)))


if __name__ == "__main__":
    main()
