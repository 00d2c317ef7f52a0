"""The recipes over texgeist's one line of steps, and the steps themselves, one module each.

search -> longlist -> reading -> page scoring -> writing
"""

from .citations import find_citations
from .recipes import Chosen, Gathered, choose, compose, gather, related_work, search

__all__ = [
    "Chosen",
    "Gathered",
    "choose",
    "compose",
    "find_citations",
    "gather",
    "related_work",
    "search",
]
