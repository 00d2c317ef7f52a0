"""The recipes (`recipes` for sections and answers, `citations` for one sentence), and a module for each step:

search -> selection (the longlist) -> reading -> selection (the shortlist) -> writing"""

from .citations import find_citations
from .missing import missing_works
from .recipes import choose, compose, gather, related_work
from .search import SearchResult

__all__ = ["SearchResult", "choose", "compose", "find_citations", "gather", "missing_works", "related_work"]
