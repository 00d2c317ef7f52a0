"""Reads a project from the disk, for the command line and the worker. Also reads other documents in the
project's folder that use the same bibliographies."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict, Unpack

from ..disk.paths import real, tidy, unread_because
from ..errors import LatexError, Unreadable
from ..types import Draft, SourceFile
from .bounds import gate_of
from .files import FileStore
from .project import Project, read_project
from .resolve import TexSearch
from .roots import RootFinder, root_of_document


class Opening(TypedDict, total=False):
    """Options for reading a project."""

    overlay: Mapping[Path, str] | None  # open buffers, used instead of files
    root: Path | None  # the root document, inside the workspace; None: find it
    workspace: Path | None  # files outside it (or outside the project's folder) are not read as text
    programs: bool  # False: do not run kpsewhich
    own: Sequence[Path]  # bibliographies outside the project, from the user's settings


def read_draft(path: Path, **how: Unpack[Opening]) -> Draft:
    """Reads the project of `path`. Raises NoRoot, OutOfBounds or Unreadable."""
    project = open_project(path, **how)
    return with_neighbours(project.draft(), project.store)


def open_project(path: Path, **how: Unpack[Opening]) -> Project:
    """Like `read_draft`, but returns the project, and reads only the files that it consists of."""
    store, search = FileStore(how.get("overlay")), TexSearch(how.get("programs", True))
    workspace = how.get("workspace")
    finder = RootFinder(store, search)
    path, named = tidy(path), how.get("root")
    found = finder.find(path, workspace) if named is None else finder.named(tidy(named), path, workspace)
    return read_project(store, found, gate_of(found.path, workspace, how.get("own", ())), search)


def draft_of_bibliography(bib: Path) -> Draft:
    """A draft for a bibliography that belongs to no known document. Raises Unreadable."""
    path = bib.absolute()
    if path.suffix.lower() != ".bib" or not path.is_file():
        raise Unreadable(f"{bib} is no .bib file that is there.", "Name a .bib file.")
    store = FileStore()
    parsed = store.read(path)
    if parsed is None:
        raise Unreadable(f"{bib} {store.refused.get(path) or unread_because(path)}.", "Check the path.")
    draft = Draft(path, bibliographies=(parsed.bibliography.bibliography,), gate=gate_of(path, None))
    return with_neighbours(draft, store)


def cited_beside(draft: Draft) -> set[str]:
    """The keys cited by other documents on disk that use one of the draft's bibliographies."""
    found = sharing(FileStore(), TexSearch(False), draft, homes_of(draft, None))
    return {citation.key for other in found for citation in other.citations}


def with_neighbours(draft: Draft, store: FileStore) -> Draft:
    """A copy of the draft with a function that reads the other documents that use a bibliography. The
    function may be called on any thread: it copies the open texts of `store` and uses its own store."""

    def neighbours(bibliography: Path) -> tuple[Draft, ...]:
        found = sharing(FileStore(store.buffers()), TexSearch(False), draft, {real(bibliography)})
        return tuple(project.draft() for project in found)

    return replace(draft, neighbours=neighbours)


def homes_of(draft: Draft, key: str | None) -> set[str]:
    """The real paths of the draft's `.bib` files: those with the entry `key`, or all if `key` is None."""
    return {
        real(b.path)
        for b in draft.bibliographies
        if b.kind == "bib" and (key is None or any(e.key == key for e in b.entries))
    }


def sharing(store: FileStore, search: TexSearch, draft: Draft, homes: set[str]) -> Iterator[Project]:
    """The other documents within the bounds that use one of the bibliographies `homes` (real paths)."""
    if not homes:
        return
    finder, seen = RootFinder(store, search), {draft.root, *draft.files}
    documents = (*finder.candidates(draft.gate, draft.root), *finder.markdown(draft.gate, draft.root))
    for project in _projects(store, search, draft, [path for path in documents if path not in seen]):
        if homes & {real(index.bibliography.path) for index in project.library.read}:
            yield project


def loose_texts(store: FileStore, search: TexSearch, draft: Draft) -> Iterator[SourceFile]:
    """The texts within the bounds that no document includes."""
    finder = RootFinder(store, search)
    projects = _projects(store, search, draft, finder.candidates(draft.gate, draft.root))
    included = {real(text.path) for project in projects for text in project.texts}
    included |= {real(path) for path in (draft.root, *draft.files)}
    for path in finder.texts(draft.gate, draft.root):
        if real(path) not in included and (parsed := store.read(path)) is not None:
            yield parsed.source


def _projects(
    store: FileStore, search: TexSearch, draft: Draft, documents: Iterable[Path]
) -> Iterator[Project]:
    for path in documents:
        with contextlib.suppress(LatexError):
            yield read_project(store, root_of_document(path, draft.gate), draft.gate, search)
