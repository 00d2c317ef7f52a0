"""Whether a project that was read is still the one that is there."""

from __future__ import annotations

from ..bib.index import BibIndex
from .background import BackgroundStore
from .project import Project


def is_fresh(project: Project, store: BackgroundStore, search_version: int) -> bool:
    """Whether every file is still the version that the project was made from. `search_version` is that of the
    search for files elsewhere."""
    walk = project.walk
    return (
        all(store.read(p.path) is p for p in (*walk.parsed, *walk.packages, *walk.classes))
        and all(_is_same(store, index) for index in project.library.read)
        and not (project.pending and not store.pending)
        and project.resolver.asked_in == search_version
    )


def _is_same(store: BackgroundStore, index: BibIndex) -> bool:
    path = index.bibliography.path
    if path in store.pending:
        return True
    if index.bibliography.kind != "bib":
        return True  # its text is one of the project's own
    if not index.bibliography.exists:
        return store.exists(path) == index.shadowed
    return store.bibliography(path) is index
