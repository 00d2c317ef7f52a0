"""The recipes over texgeist's one line of steps, and the steps themselves, one module each.

searching -> longlist -> reading -> weighing -> writing
"""

from .citations import find_citations
from .recipes import answer, related_work, search

__all__ = ["answer", "find_citations", "related_work", "search"]
