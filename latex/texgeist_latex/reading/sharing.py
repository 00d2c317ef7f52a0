"""Which other documents live from the same entry: a bibliography in a folder of several papers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ..disk.paths import real
from ..errors import LatexError
from ..types import Draft
from .files import FileStore
from .project import Project
from .resolve import TexSearch
from .roots import Root, RootFinder


def cited_beside(draft: Draft) -> set[str]:
    """What the other documents cite, as they are on the disk, that read one of the draft's bibliographies."""
    store, search = FileStore(), TexSearch(False)

    def project_of(path: Path) -> Project | None:
        try:
            return Project(store, Root(path, "it is a document itself"), draft.gate, search)
        except LatexError:
            return None

    return {c.key for other in sharing(store, search, draft, None, project_of) for c in other.citations}


def sharing(
    store: FileStore,
    search: TexSearch,
    draft: Draft,
    key: str | None,
    project_of: Callable[..., Project | None],
) -> Iterator[Project]:
    """The other documents within the draft's bounds that read a `.bib` file of its with the entry `key`, of any where
    that is None."""
    homes = {
        real(b.path)
        for b in draft.bibliographies
        if b.kind == "bib" and (key is None or any(e.key == key for e in b.entries))
    }
    if not homes:
        return
    seen = {draft.root, *draft.files}
    for path in RootFinder(store, search).candidates(draft.gate, draft.root):
        if path in seen or (project := project_of(path)) is None or project.root.path in seen:
            continue
        seen.add(project.root.path)
        if homes & {real(index.bibliography.path) for index in project.library.read}:
            yield project
