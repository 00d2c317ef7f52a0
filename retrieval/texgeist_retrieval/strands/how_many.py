"""How many papers a section cites where the author names no number: as many as its strands need.

Authors of the 32 open drafts of DeepScholar-Bench cite 26 on average, half of them between 15 and 32."""

from __future__ import annotations

from ..defaults import BREADTH
from ..types import Matrix, Query

FEWEST, MOST = 15, 30
FEWEST_PICKED = 10  # where a model chose fewer, the search fills up
LIKELY = 24  # before anything is found, for estimates
A_STRAND = 4  # papers that treat one strand well
GOOD = 0.5  # fit from which on a paper is counted to a strand
WORDS = 22  # of the section for each paper
LEAST_ROOM = 6  # papers, however short the draft


def decide(fit: Matrix, query: Query, picked: int = 0) -> int:
    """`fit`: shape [strands, papers], see `selection.fits`; `picked`: papers that a model chose by their titles:
    then these, and others only up to `FEWEST_PICKED`, for who writes sees more than titles. Fewer than `FEWEST` where
    the draft has no room, or where the index holds no more that fits."""
    if not len(fit):
        return BREADTH
    per_strand = (fit >= GOOD).sum(axis=1)
    needed = sum(min(int(count), A_STRAND) for count in per_strand)
    wanted = min(max(picked, FEWEST_PICKED) if picked else max(needed, FEWEST), MOST)
    room = max(query.words // WORDS, LEAST_ROOM) if query.words else MOST
    return min(wanted, room, int((fit.max(axis=0) > 0).sum()) or 1)
