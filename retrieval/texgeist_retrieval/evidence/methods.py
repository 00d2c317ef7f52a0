"""How evidence is gathered: the numbers of texgeist's own method, and of the method that PaperQA2 describes
(arXiv 2409.13740). Both run through the same steps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GatheringMethod:
    """`fewest_queries`: if the draft gives fewer default queries, single sentences of its abstract are added.
    `results`: passages kept of a default query. `rated`: passages of a query that a model rates; `rated_alone`: each
    in its own call. `per_paper`: passages of a paper in a search. `unrated_first`: the model that searches sees
    unrated results, which are rated meanwhile. `searches`: of the model, beyond the default queries."""

    fewest_queries: int = 1
    most_queries: int = 6  # each may need a round of model calls
    results: int = 14  # more finds more than further searches do (benchmarks/evidence/agent.py)
    rated: int = 12
    rated_alone: bool = False
    per_paper: int = 3  # each from a different type of section
    unrated_first: bool = True
    searches: int = 5


TEXGEIST = GatheringMethod()
PAPERQA = GatheringMethod(
    fewest_queries=6, most_queries=8, results=8, rated=20, rated_alone=True, per_paper=1, unrated_first=False
)
METHODS = {"texgeist": TEXGEIST, "paperqa": PAPERQA}
