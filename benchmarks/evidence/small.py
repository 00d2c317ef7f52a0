"""What a score says in a small library: `python -m benchmarks.evidence.small`.

Libraries of so many papers are drawn from the 1,452 for each of 300 citing sentences, half of them with the cited
paper. Told are how often the first paper is the cited one, the mean score of the first paper, and the log odds at
rest (`_base`) with which the two would agree. A scholar's own library holds tens of papers, not thousands."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from texgeist_retrieval.evidence import ordering
from texgeist_retrieval.index.snapshot import Snapshot
from texgeist_retrieval.ranking.fusion import standardise
from texgeist_retrieval.ranking.storage import load_word_vectors
from texgeist_retrieval.ranking.word_vectors import WordVectors
from texgeist_retrieval.text.words import query_words

from .__main__ import Citing, citing_sentences, library

SIZES = (1, 2, 3, 5, 10, 20, 50, 100, 200, 400, 700, 1000)
SENTENCES = 300
STEPS = 60  # halvings of the range in which the base is looked for


def main() -> None:
    embedder = load_word_vectors()
    with tempfile.TemporaryDirectory() as folder:
        found = library(Path(folder) / "snapshot", embedder)
        chance = np.random.default_rng(3)
        citing = list(citing_sentences(found))
        asked = [citing[n] for n in chance.permutation(len(citing))[:SENTENCES]]
        told = [first for one in asked for first in firsts(found, embedder, one, chance)]
    for size in SIZES:
        odds, right = np.array([(odds, right) for n, odds, right in told if n == size]).T
        base = ordering._base(size)
        print(
            f"{size:>5} papers: first in {right.mean():.2f}, score {likely(odds + base).mean():.2f}, "
            f"base {base:.1f}, would agree {agreeing(odds, right.mean()):.1f}"
        )


def firsts(
    found: Snapshot, embedder: WordVectors, one: Citing, chance: np.random.Generator
) -> list[tuple[int, float, bool]]:
    """Of each library: its size, the first paper's log odds above the base, and whether it is the cited one. Years
    are left out, which a query of one's own seldom names."""
    asked = query_words(one.text)
    words, abstracts = found.by_paper.score(asked), found.by_abstract.score(asked)
    closest = np.maximum.reduceat(found.vectors @ embedder.embed_query(one.text), found.starts)
    others = np.setdiff1d(np.arange(len(found.papers)), [one.cited, one.by])
    told = []
    for size in SIZES:
        for there in (True, False):
            rows = chance.choice(others, size, replace=False)
            rows[0] = one.cited if there else rows[0]
            odds = (
                ordering.BY_WORDS * standardise(words[rows])
                + ordering.BY_ABSTRACT * standardise(abstracts[rows])
                + ordering.BY_VECTOR * standardise(closest[rows])
            )
            first = int(np.argmax(odds))
            told.append((size, float(odds[first]), bool(rows[first] == one.cited)))
    return told


def agreeing(odds: NDArray[np.float64], share: float) -> float:
    low, high = -20.0, 10.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if likely(odds + middle).mean() < share else (low, middle)
    return low


def likely(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-odds)))


if __name__ == "__main__":
    main()
