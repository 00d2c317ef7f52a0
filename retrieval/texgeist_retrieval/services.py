"""What a recipe runs with: the ports, filled, and the numbers that the user may turn."""

from __future__ import annotations

from dataclasses import dataclass

from .defaults import Numbers
from .ports import (
    Embedder,
    Expander,
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
    model: LanguageModel | None = None  # for summaries, expansion and questions; None: no model
    ranker: Ranker | None = None  # None: by similarity alone
    expander: Expander | None = None
    strands: StrandFinder | None = None  # None: the draft is one thing, searched as a whole
    picker: Picker | None = None  # None: chosen by how the papers cover the strands
    fallback_writer: Writer | None = None  # writes when `writer` fails
    notes: tuple[str, ...] = ()  # what could not be had, in sentences: goes into the result


@dataclass(frozen=True, slots=True)
class Options(Numbers):
    """The user's numbers and limits."""

    full_text: bool = True  # False: read the abstracts alone
    include_cited: bool = False
    filters: Filters = Filters()
