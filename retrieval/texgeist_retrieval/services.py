"""The ports and options that a recipe runs with."""

from __future__ import annotations

from dataclasses import dataclass

from .defaults import BREADTH, DEPTH, DIVERSITY
from .ports import (
    Discoverer,
    Embedder,
    Expander,
    FullPapers,
    LanguageModel,
    PaperIndex,
    PaperSource,
    Picker,
    Ranker,
    StrandFinder,
    Writer,
)
from .types import Filters


@dataclass(frozen=True, slots=True)
class Services:
    embedder: Embedder
    index: PaperIndex
    source: PaperSource
    writer: Writer
    model: LanguageModel | None = None  # for summaries, expansion and questions
    ranker: Ranker | None = None  # None: papers are ordered by similarity
    expander: Expander | None = None
    strands: StrandFinder | None = None  # None: the draft is searched as a whole
    picker: Picker | None = None  # None: papers are chosen so that they cover the strands
    library: FullPapers | None = None  # full papers of the index, read before the papers of `source`
    discovery: Discoverer | None = None  # None: only the index is searched, and nothing is sent
    notes: tuple[str, ...] = ()  # sentences on unavailable services, which are copied into the result


@dataclass(frozen=True, slots=True)
class Options:
    """The user's numbers and limits. `breadth`: number of papers cited. `depth`: number of pages kept of each paper.
    `diversity`: the weight w of Equation 1, from 0 to 1."""

    breadth: int | None = BREADTH  # None: as many as the draft needs
    depth: int = DEPTH
    diversity: float = DIVERSITY
    full_text: bool = True  # False: read only the abstracts
    filters: Filters = Filters()
