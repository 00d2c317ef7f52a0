"""The recipes of the pipeline, and a module for each of its steps:

search -> longlist -> reading -> page scoring -> writing"""

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
