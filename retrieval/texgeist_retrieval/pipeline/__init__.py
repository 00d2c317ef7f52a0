"""The recipes (`recipes` for sections and answers, `citations` for one sentence), and a module for each step:

search -> longlist -> reading -> page scoring -> writing"""

from .citations import find_citations
from .longlist import Selection
from .missing import missing_works
from .recipes import ReadingList, choose, compose, gather, related_work, search

__all__ = [
    "ReadingList",
    "Selection",
    "choose",
    "compose",
    "find_citations",
    "gather",
    "missing_works",
    "related_work",
    "search",
]
