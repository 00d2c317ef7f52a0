"""How many papers each step takes. All follow from how many the author wants cited, the setting `breadth`:

    searched 6*breadth -> longlist 3*breadth -> cited breadth

after Citegeist (arXiv 2503.23229, section 3.1). Without a number (`auto`) enough for the longest section are searched,
and as many are cited as the strands of the draft need (`strands/how_many`). Where the strands are known the longlist is
what is cited, and a quarter more is read. How many one row of a search brings: `reranking.depth`.
"""

from __future__ import annotations

from ..defaults import BREADTH
from ..services import Options
from ..strands.how_many import MOST, decide
from ..strands.selection import fits
from ..types import Query
from .search import Found
from .strand_longlist import covers

SEARCHED = 6  # times breadth
LISTED = 3  # times breadth
SEARCHED_FOR_STRANDS = 4 * MOST  # papers, where the author names no number
SPARE = 1.25  # times the papers wanted are read, so that another choice finds them read


def searched(options: Options) -> int:
    """How many papers to search for."""
    return SEARCHED * options.breadth if options.breadth else SEARCHED_FOR_STRANDS


def wanted(query: Query, found: Found, options: Options) -> int:
    """How many papers to cite: the author's number, else as many as the strands need."""
    if options.breadth is not None:
        return options.breadth
    if not covers(found, options):
        return BREADTH
    fresh = [c for c in found.candidates if options.include_cited or not c.already_cited]
    return decide(fits(fresh, found.strands, found.strand_rows), query, sum(c.picked for c in fresh))


def to_read(cited: int, found: Found, options: Options) -> int:
    """For how many papers wanted the longlist is read."""
    return round(SPARE * cited) if covers(found, options) else cited
