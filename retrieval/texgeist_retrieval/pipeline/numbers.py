"""The number of papers in each step. All numbers follow from the setting `breadth`, the number of papers to
cite:

    search for 6*breadth papers -> read 3*breadth papers (the longlist) -> cite breadth papers

after Citegeist (arXiv 2503.23229, section 3.1). With `auto`, a section cites `LIKELY` papers; if a model
named the strands of the draft, it cites as many papers as the strands need. It cites fewer if the draft has
too little space, or the index too few near papers. With `auto`, the number of papers read is `SPARE` times
the number of papers cited. `search.search_depth` gives the number of results of one query row.

The authors of 32 drafts of DeepScholar-Bench cite 26 papers on average; half of them cite between 15 and 32.
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
SPARE = 1.25  # with `auto`, papers read for each cited paper, so that the user can change the choice at once
FEWEST, LIKELY, MOST = 15, 24, 30
FEWEST_PICKED = 10  # if a model chose fewer papers, search results are added up to this number
SEARCHED_WITH_AUTO = 4 * MOST
A_STRAND = 4  # papers that one strand needs, if they fit well
GOOD = 0.5  # least fit of a paper that counts for a strand
WORDS = 28  # words of the section for each cited paper, with its beginning and end
NOTE_WORDS = 22  # words of a quoted sentence with its citation
LEAST_ROOM = 6  # papers that even a short draft has space for


def search_size(options: Options) -> int:
    """The number of papers to search for."""
    return SEARCHED * options.breadth if options.breadth else SEARCHED_WITH_AUTO


def citation_count(query: Query, found: SearchResult, fit: Matrix, options: Options) -> int:
    """The number of papers to cite. `fit`: shape [strands, candidates], see `selection.fits`."""
    if options.breadth is not None:
        return options.breadth
    if query.kind not in KINDS:
        return BREADTH
    rows = [n for n, c in enumerate(found.candidates) if not c.already_cited]
    fresh = [found.candidates[n] for n in rows]
    if found.strands:
        fit = fit[:, rows]
        number = count_for_strands(fit, sum(c.picked for c in fresh))
        available = int((fit.max(axis=0) > 0).sum())
    else:
        number, available = LIKELY, count_near(fresh)
    each = WORDS if found.strands else NOTE_WORDS
    room = max(query.words // each, LEAST_ROOM) if query.words else MOST
    return min(number, room, available) or 1


def count_for_strands(fit: Matrix, picked: int) -> int:
    """The number of papers that the strands need. `fit`: shape [strands, papers], see `selection.fits`.
    `picked`: number of papers that a model chose by title. If it is not 0, it is the result, but at least
    `FEWEST_PICKED` and at most `MOST`."""
    if picked:
        return min(max(picked, FEWEST_PICKED), MOST)
    per_strand = (fit >= GOOD).sum(axis=1)
    return min(max(sum(min(int(count), A_STRAND) for count in per_strand), FEWEST), MOST)


def count_near(candidates: Sequence[Candidate]) -> int:
    """The number of candidates whose similarity to the draft is high enough for the same subject. If the
    index returns no vectors, all candidates are counted."""
    similarities = np.array([c.similarity for c in candidates if c.vector is not None])
    if not similarities.size:
        return len(candidates)
    return int((similarities >= max(similarities.max() - FAR, LEAST)).sum())


def longlist_size(cited: int, query: Query, found: SearchResult, options: Options) -> int:
    """The number of papers to read in order to cite `cited` papers."""
    auto = options.breadth is None and query.kind in KINDS
    return round(SPARE * cited) if found.strands or auto else LISTED * cited
