"""Lexicon-enhanced dense retrieval (UR3WG, section 4.3) part by part, and what Appendix A.1 loses."""

from __future__ import annotations

import numpy as np
from texgeist_retrieval.evaluation.measures import DEPTH
from texgeist_retrieval.evaluation.systems import Bench, Order
from texgeist_retrieval.ranking.fusion import best
from texgeist_retrieval.ranking.lexicon import keep_largest
from texgeist_retrieval.ranking.storage import load_lexicon

CHUNK = 1000  # documents at once


def parts(bench: Bench) -> tuple[dict[str, Order], dict[str, float]]:
    """Orders by each part of the score, and how far the approximation is from it."""
    learned = load_lexicon(bench.weights)
    shares = learned.distributions()
    asked = np.stack(
        [keep_largest(learned.importance(t.text, shares), learned.group) for t in bench.collection.topics]
    )
    exact, near = [], []
    for start in range(0, len(bench.vectors), CHUNK):
        documents = bench.collection.documents[start : start + CHUNK]
        held = np.stack([learned.importance(d.text, shares) for d in documents])
        exact.append(asked @ held.T)
        near.append(asked @ extremes_of(held, learned.group).T)
    lexical, approximate = np.hstack(exact), np.hstack(near)
    dense = learned.compressed(bench.queries) @ learned.compressed(bench.vectors).T
    orders = {
        "dense": np.stack(bench.dense),
        "compressed vectors (S_s)": dense,
        "words (S_l)": lexical,
        "words, approximated (A.1)": approximate,
        "S_s + S_l": dense + learned.weight * lexical,
        "S_s + S_l, approximated (A.1)": dense + learned.weight * approximate,
    }
    error = np.abs(lexical - approximate).mean() / max(float(np.abs(lexical).mean()), 1e-12)
    kept = 3 / learned.group  # maximum, its place and minimum for each group
    figures = {"mean relative error of S_l": float(error), "numbers kept of a document": kept}
    return {name: [best(row, DEPTH) for row in rows] for name, rows in orders.items()}, figures


def extremes_of(importance: np.ndarray, group: int) -> np.ndarray:
    """Each document's weights as A.1 sees them: of a group the largest where it is, elsewhere the smallest."""
    count, size = importance.shape
    padded = np.pad(importance, ((0, 0), (0, -size % group)), mode="edge")
    groups = padded.reshape(count, -1, group)
    at_largest = np.arange(group) == groups.argmax(axis=2)[..., None]
    seen = np.where(at_largest, groups, groups.min(axis=2)[..., None])
    return seen.reshape(count, -1)[:, :size].astype(np.float32)
