"""Which other documents read the same bibliographies: a folder of several papers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from pathlib import Path

from ..disk.gate import Gate
from ..disk.paths import real
from ..errors import LatexError
from ..types import Draft, SourceFile
from .files import FileStore
from .project import Project
from .resolve import TexSearch
from .roots import Root, RootFinder


def cited_beside(draft: Draft) -> set[str]:
    """What the other documents cite, as they are on the disk, that read one of the draft's bibliographies."""
    found = _on_disk(FileStore(), draft.gate, [draft.root, *draft.files], homes_of(draft, None))
    return {citation.key for other in found for citation in other.citations}


def with_neighbours(draft: Draft, store: FileStore) -> Draft:
    """The draft with the way to the other documents that read a file. They are looked for when they are asked for,
    on whatever thread: with the texts that are open in `store` at that time, and readers of their own."""

    def neighbours(bibliography: Path) -> tuple[Draft, ...]:
        known = [draft.root, *draft.files]
        found = _on_disk(FileStore(store.buffers()), draft.gate, known, {real(bibliography)})
        return tuple(project.draft() for project in found)

    return replace(draft, neighbours=neighbours)


def _on_disk(store: FileStore, gate: Gate, known: Collection[Path], homes: set[str]) -> Iterator[Project]:
    search = TexSearch(False)

    def project_of(path: Path) -> Project | None:
        try:
            return Project(store, Root(path, "it is a document itself"), gate, search)
        except LatexError:
            return None

    return sharing(RootFinder(store, search), gate, known, homes, project_of)


def homes_of(draft: Draft, key: str | None) -> set[str]:
    """The draft's `.bib` files, by their real paths: those with the entry `key`, or all if that is None."""
    return {
        real(b.path)
        for b in draft.bibliographies
        if b.kind == "bib" and (key is None or any(e.key == key for e in b.entries))
    }


def sharing(
    finder: RootFinder,
    gate: Gate,
    known: Collection[Path],
    homes: set[str],
    project_of: Callable[[Path], Project | None],
) -> Iterator[Project]:
    """The documents within the bounds that read one of the bibliographies `homes` (real paths); `known` are the texts
    of the document that asks, its root first."""
    if not homes:
        return
    seen = set(known)
    for path in finder.candidates(gate, next(iter(known))):
        if path in seen or (project := project_of(path)) is None or project.root.path in seen:
            continue
        seen.add(project.root.path)
        if homes & {real(index.bibliography.path) for index in project.library.read}:
            yield project


def loose_texts(
    finder: RootFinder, gate: Gate, known: Collection[Path], project_of: Callable[[Path], Project | None]
) -> Iterator[SourceFile]:
    """The texts within the bounds that no document there includes."""
    near = next(iter(known))
    projects = (project for path in finder.candidates(gate, near) if (project := project_of(path)))
    included = {real(text.path) for project in projects for text in project.texts} | {
        real(path) for path in known
    }
    for path in finder.texts(gate, near):
        if real(path) not in included and (parsed := finder.store.read(path)) is not None:
            yield parsed.source
