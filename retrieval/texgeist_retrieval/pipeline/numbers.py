"""How many papers each step takes. All follow from how many the author wants cited, the setting `breadth`:

    searched 6*breadth -> longlist 3*breadth, which is read -> cited breadth

after Citegeist (arXiv 2503.23229, section 3.1). With `auto` a section cites `LIKELY` papers, or as many as the
strands of the draft need where a model named them; fewer where the draft has no room or the index no more that is
near. Then a quarter more than are cited is read. How many one row of a search brings: `reranking.depth`.

Authors of the 32 open drafts of DeepScholar-Bench cite 26 papers on average, half of them between 15 and 32.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..defaults import BREADTH
from ..services import Options
from ..strands.finders import KINDS
from ..strands.selection import LEAST
from ..types import Candidate, Matrix, Query
from .longlist import FAR
from .search import SearchResult

SEARCHED = 6  # times breadth
LISTED = 3  # times breadth
SPARE = 1.25  # times the papers cited are read with `auto`, so that another choice finds them read
FEWEST, LIKELY, MOST = 15, 24, 30
FEWEST_PICKED = 10  # where a model chose fewer, the search fills up
SEARCHED_WITH_AUTO = 4 * MOST
A_STRAND = 4  # papers that treat one strand well
GOOD = 0.5  # fit from which on a paper is counted to a strand
WORDS = 22  # of the section for each paper
LEAST_ROOM = 6  # papers, however short the draft


def searched(options: Options) -> int:
    """How many papers to search for."""
    return SEARCHED * options.breadth if options.breadth else SEARCHED_WITH_AUTO


def wanted(query: Query, found: SearchResult, fit: Matrix, options: Options) -> int:
    """How many papers to cite. `fit`: shape [strands, candidates], see `selection.fits`."""
    if options.breadth is not None:
        return options.breadth
    if query.kind not in KINDS:
        return BREADTH
    rows = [n for n, c in enumerate(found.candidates) if options.include_cited or not c.already_cited]
    fresh = [found.candidates[n] for n in rows]
    if found.strands:
        fit = fit[:, rows]
        number, held = needed(fit, sum(c.picked for c in fresh)), int((fit.max(axis=0) > 0).sum())
    else:
        number, held = LIKELY, near(fresh)
    room = max(query.words // WORDS, LEAST_ROOM) if query.words else MOST
    return min(number, room, held) or 1


def needed(fit: Matrix, picked: int) -> int:
    """How many papers the strands need. `fit`: shape [strands, papers], see `selection.fits`; `picked`: papers that
    a model chose by their titles: then these, and others only up to `FEWEST_PICKED`."""
    if picked:
        return min(max(picked, FEWEST_PICKED), MOST)
    per_strand = (fit >= GOOD).sum(axis=1)
    return min(max(sum(min(int(count), A_STRAND) for count in per_strand), FEWEST), MOST)


def near(candidates: Sequence[Candidate]) -> int:
    """How many are no further from the draft than papers on its subject are. All, where the index gives no
    vectors."""
    similarities = np.array([c.similarity for c in candidates if c.vector is not None])
    if not similarities.size:
        return len(candidates)
    return int((similarities >= max(similarities.max() - FAR, LEAST)).sum())


def listed(cited: int, query: Query, found: SearchResult, options: Options) -> int:
    """How many papers are read for so many that are cited."""
    auto = options.breadth is None and query.kind in KINDS
    return round(SPARE * cited) if found.strands or auto else LISTED * cited
