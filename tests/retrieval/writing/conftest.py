"""A model server, and papers with evidence."""

from __future__ import annotations

from typing import Any

import numpy as np
from texgeist_retrieval.types import Candidate, Evidence, Paper, Passage, Query, QueryPart, Selected


def make_selected(number: int, **changes: Any) -> Selected:
    """Paper `number` with its abstract and one page as evidence, ids "<number>a" and "<number>p"."""
    rng = np.random.default_rng(number)
    vector = rng.normal(size=16).astype(np.float32)
    vector /= np.linalg.norm(vector)
    paper = Paper(
        id=f"2101.{number:05d}",
        title=f"Retrieval of Kind {number}",
        abstract=f"We propose a retriever of kind {number} that ranks passages by their meaning.",
        authors=("Ada Miller", f"Ben Stone{number}"),
        year=2015 + number % 9,
    )
    paper = Paper(**{**{f: getattr(paper, f) for f in Paper.__slots__}, **changes})
    evidence = (
        Evidence(f"{number}a", Passage(paper.id, None, paper.abstract), 0.6),
        Evidence(f"{number}p", Passage(paper.id, 3, f"Page text of paper {number} on ranking."), 0.5),
    )
    return Selected(Candidate(paper, 0.6, number, vector=vector), evidence, 0.55)


def selected(count: int) -> list[Selected]:
    return [make_selected(n) for n in range(1, count + 1)]


ABSTRACT = "We introduce a system that writes related work. It retrieves papers and cites them."
QUERY = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT, "Writing Related Work")
