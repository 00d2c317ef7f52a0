"""Default numbers of the settings, the recipes and the writers. Imports nothing heavy, since settings are
read at start-up."""

from __future__ import annotations

from dataclasses import dataclass

BREADTH, DEPTH, DIVERSITY = 10, 2, 0.0  # as in Citegeist (arXiv 2503.23229, section 3.1)
MOST_BREADTH, MOST_DEPTH = 60, 10  # the largest values in the settings
CONCURRENCY = 10  # parallel model calls, so that the summaries of a section take one round


@dataclass(frozen=True, slots=True)
class Numbers:
    """`breadth`: number of papers cited. `depth`: number of pages kept of each paper. `diversity`: the weight
    w of Equation 1, from 0 to 1."""

    breadth: int | None = BREADTH  # None: as many as the draft needs
    depth: int = DEPTH
    diversity: float = DIVERSITY


UNSUPPORTED = "Nothing in your library supports this sentence."  # note for such a sentence
