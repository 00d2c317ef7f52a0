"""The order of the candidates: by the ranker, if there is one; and the search depth that the ranker needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..ports import Embedder, Ranker
from ..ranking.query_adapter import with_title
from ..types import Candidate, Matrix, Query, QueryPart, Vector

LEAST_RANKED = 100  # results for each query row if a ranker orders them
LINES = 3  # of a reference in a printed list
FUSION = 20  # the constant of reciprocal rank fusion
MOST_EXTRA = 200  # results beyond `top`, to make up for papers that the draft already cites


def anchor_of(query: Query) -> int | None:
    """The row of `vectors` that represents the subject of the query: the abstract, which follows the draft's
    pages, or the only part. None for several parts without an abstract, such as a sentence and its
    paragraph, which count alike."""
    if query.kind == "draft" and query.abstract:
        return len(query.parts)
    return 0 if len(query.parts) == 1 else None


def asked_of_ranker(query: Query, vectors: Matrix, embedder: Embedder) -> Vector:
    """Returns the subject of the query as a unit vector: the abstract's vector mixed with the title's, else
    the mean of the parts."""
    anchor = anchor_of(query)
    if anchor is None:
        mean = vectors[: len(query.parts)].mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), dtype=np.float32)
    titled = query.kind in ("abstract", "draft") and query.title.strip()
    return with_title(vectors[anchor], embedder.embed_query(query.title) if titled else None)


def depth(query: Query, top: int, ranker: Ranker | None) -> int:
    """Number of results for each query row: one more for each paper that will be dropped later, and enough
    for a ranker to choose from."""
    cited = len(query.cited_ids) + len(query.cited_works) + query.references.count("\n") // LINES
    extra = min(cited + 2, MOST_EXTRA)
    return max(top + extra, LEAST_RANKED if ranker else 0)


def first(ranked: Sequence[Candidate], top: int) -> tuple[Candidate, ...]:
    """The first `top` papers that the draft does not cite, with the cited papers that rank among them."""
    fresh = [c.rank for c in ranked if not c.already_cited][:top]
    return tuple(c for c in ranked if fresh and c.rank <= fresh[-1]) or tuple(ranked)


def rank(
    query: Query, asked: Vector | None, candidates: Sequence[Candidate], ranker: Ranker | None
) -> list[Candidate]:
    """Orders by the ranker if there is one, else by the scores; sets ranks from 1 without gaps.

    `asked`: see `asked_of_ranker`; None without a ranker. Rankers are trained on abstracts. For a whole
    draft, reciprocal rank fusion combines the ranker's order by the abstract with the order by the closest
    pages. Measured on 64 drafts of an abstract, its related work and 4 pages of other drafts; nDCG@10: pages
    0.484, ranker by the abstract 0.529, ranker by the mean of all pages 0.506, fused 0.531; recall@60: 0.468,
    0.568, 0.552, 0.568."""
    anchor = anchor_of(query)
    if ranker is None or asked is None or not candidates:
        ordered = list(candidates)
    elif query.kind == "draft" and anchor is not None:
        about = replace(query, kind="abstract", parts=(QueryPart(query.abstract, "abstract"),))
        ordered = fuse(candidates, ranker.rank(about, asked, candidates))
    else:
        ordered = ranker.rank(query, asked, candidates)
    return [replace(candidate, rank=place) for place, candidate in enumerate(ordered, start=1)]


def fuse(by_pages: Sequence[Candidate], by_ranker: Sequence[Candidate]) -> list[Candidate]:
    """Reciprocal rank fusion (Cormack et al., 2009) of two orders of the same candidates."""
    places = {candidate.paper.id: place for place, candidate in enumerate(by_pages, start=1)}
    fused = [
        (1 / (FUSION + place) + 1 / (FUSION + places[candidate.paper.id]), candidate)
        for place, candidate in enumerate(by_ranker, start=1)
    ]
    ordered = sorted(fused, key=lambda item: -item[0])
    return [replace(candidate, score=score) for score, candidate in ordered]
