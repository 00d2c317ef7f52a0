"""From which closeness on a library supports a sentence: `python -m benchmarks.retrieval support`.

Citing sentences of related-work sections (DeepScholar-Bench) are asked of libraries that hold the papers that they
cite, and of the same libraries without these. `with`: the cited papers, the others that the same draft cites, and
papers that other drafts cite. Printed is, by threshold on the cosine of sentence and nearest abstract, how often
"nothing supports this" is said: wrongly of sentences that have a cited paper among the nearest three, rightly of
libraries without the cited papers, of those of other drafts, and of NeurIPS papers.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from texgeist_retrieval.evaluation.collection import load_vectors, unit
from texgeist_retrieval.ports import Embedder

from . import sets
from .show import print_rows

SIZES, REPEATS = (50, 150, 300), 4
THRESHOLDS = (0.28, 0.29, 0.30, 0.315, 0.335, 0.36, 0.40)


def show(data: Path, embedder: Callable[[], Embedder]) -> None:
    papers = sets.Papers()
    sets.add_cited(papers, data)
    asked = [one for one in sets.asked_of("deepscholar", data) if rows_of(papers, one)]
    sentences = unit(embedder().embed_documents([one.text for one in asked]))
    vectors = np.stack(papers.vectors).astype(np.float32)
    strangers = load_vectors(data / "citations" / "dev-corpus-mpnet.npy", 0)
    draft_of = [one.id.rsplit("-", 1)[0] for one in asked]
    cited_by: dict[str, set[int]] = {}
    for one, draft in zip(asked, draft_of, strict=True):
        cited_by.setdefault(draft, set()).update(rows_of(papers, one))
    chance = np.random.default_rng(0)
    for size in SIZES:
        found = np.array(
            [
                nearest(set(rows_of(papers, one)), cited_by[draft], row, vectors, strangers, size, chance)
                for _ in range(REPEATS)
                for one, draft, row in zip(asked, draft_of, sentences, strict=True)
            ]
        )
        hits = found[found[:, 1] == 1, 0]
        print(
            f"\nlibraries of {size} papers, {len(found)} cases, {len(hits)} with a cited paper among the nearest three"
        )
        header = ["threshold", "wrongly", "without the cited", "of other drafts", "NeurIPS"]
        print_rows([header, *([f"{t:.3f}", *rates(t, hits, *found[:, 2:].T)] for t in THRESHOLDS)])


def rows_of(papers: sets.Papers, one: sets.Asked) -> list[int]:
    return [row for title in one.titles if (row := papers.row(title)) is not None]


def nearest(
    cited: set[int],
    of_draft: set[int],
    sentence: np.ndarray,
    vectors: np.ndarray,
    strangers: np.ndarray,
    size: int,
    chance: np.random.Generator,
) -> tuple[float, float, float, float, float]:
    """Cosine of the nearest paper with the cited ones, 1 if a cited one is among the nearest three, and the cosine
    without them, among the papers of other drafts, and among strangers."""
    near = vectors @ sentence
    drawn = chance.permutation(len(vectors))
    others = [row for row in drawn if row not in of_draft][:size]
    without = [*(of_draft - cited), *(row for row in drawn if row not in of_draft)][:size]
    whole = np.array([*cited, *without])
    first = whole[np.argsort(-near[whole])][:3]
    far = strangers[chance.choice(len(strangers), size, replace=False)] @ sentence
    hit = float(bool(cited & set(first.tolist())))
    return (
        float(near[whole].max()),
        hit,
        float(near[without].max()),
        float(near[others].max()),
        float(far.max()),
    )


def rates(threshold: float, *columns: np.ndarray) -> list[str]:
    return [f"{100 * float((column < threshold).mean()):.1f} %" for column in columns]
