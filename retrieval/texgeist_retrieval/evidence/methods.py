"""The numbers of two methods that gather evidence: texgeist's own method, and the method of PaperQA2
(arXiv 2409.13740). Both methods have the same steps."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GatheringMethod:
    """`fewest_queries`: if the draft gives fewer default queries, single sentences of its abstract are added.
    `results`: passages kept for a default query. `rated`: passages of a query that a model rates; `rated_alone`:
    each passage is rated in a separate call. `per_paper`: the most passages of one paper in a search.
    `searches`: the most queries that the model adds to the default queries."""

    fewest_queries: int = 1
    most_queries: int = 6  # each may need a round of model calls
    results: int = 14  # a larger number finds more than further searches do
    rated: int = 12
    rated_alone: bool = False
    per_paper: int = 3  # each from a different type of section
    searches: int = 5


TEXGEIST = GatheringMethod()
PAPERQA = GatheringMethod(
    fewest_queries=6, most_queries=8, results=8, rated=20, rated_alone=True, per_paper=1
)
METHODS = {"texgeist": TEXGEIST, "paperqa": PAPERQA}
