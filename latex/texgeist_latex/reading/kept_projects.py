"""The projects that the files of an editor belong to: read when they are asked for, and kept while their files stay
as they are."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from ..bib.index import BibIndex
from ..bib.library import Library
from ..errors import LatexError, NoRoot
from ..types import Draft
from .background import BackgroundSearch, BackgroundStore
from .bounds import gate_of
from .cache import Kept
from .freshness import is_fresh
from .known_roots import KnownRoots
from .project import Project
from .sharing import with_neighbours

_MOST = 6  # projects


class KeptProjects:
    """Not thread-safe: its workspace belongs to one thread. `own` are bibliographies outside that the user's own
    settings name."""

    def __init__(
        self, store: BackgroundStore, search: BackgroundSearch, roots: KnownRoots, own: Sequence[Path]
    ) -> None:
        self._store = store
        self._search = search
        self._roots = roots
        self._own = tuple(own)
        self._projects: OrderedDict[Path, Project] = OrderedDict()
        self._drafts: dict[int, tuple[Project, Draft]] = {}
        self._kept = Kept()
        self._once = False
        self._looked: set[Path] = set()  # root documents whose files were found unchanged in this look

    def look_anew(self) -> None:
        """Something has changed: each project's files are looked at again."""
        self._looked.clear()

    def look_once(self, once: bool) -> None:
        """From here on whether files have changed is looked at once a project, or else at every question."""
        self._looked, self._once = set(), once

    def clear(self) -> None:
        self._looked.clear()
        self._projects.clear()

    def of(self, path: Path) -> Project:
        """The project of a file, as it is now. Raises `NoRoot`, `OutOfBounds`, `Unreadable`."""
        root = self._roots.of(path)
        known = self._projects.get(root.path)
        if known is not None and (
            root.path in self._looked or is_fresh(known, self._store, self._search.version)
        ):
            if self._once:
                self._looked.add(root.path)
            self._projects.move_to_end(root.path)
            return known
        if self._store.read(root.path) is None:
            self._roots.clear()
            raise NoRoot(f"{root.path.name} is not there any more.", "Open a .tex file that exists.")
        gate = gate_of(root.path, self._roots.folder(root.path), self._own)
        version = self._search.version
        project = Project(
            self._store, root, gate, self._search, None, self._kept.definitions_of, self._library_of
        )
        project.resolver.asked_in = version
        project.keep_texts(self._kept.texts_for(project.definitions))
        self._projects[root.path] = project
        while len(self._projects) > _MOST:
            self._projects.popitem(last=False)
        return project

    def readable(self, path: Path) -> Project | None:
        """As `of`; None where there is none, or none that may be read."""
        try:
            return self.of(path)
        except LatexError:
            return None

    def draft(self, path: Path) -> Draft:
        """Of the project of a file, made once per version of it."""
        project = self.of(path)
        known = self._drafts.get(id(project))
        if known is None or known[0] is not project:
            self._drafts = {k: v for k, v in self._drafts.items() if v[0] in self._projects.values()}
            known = self._drafts[id(project)] = (project, with_neighbours(project.draft(), self._store))
        return known[1]

    def apart(self, path: Path) -> Project | None:
        """The document that a text belongs to by what is found, whatever one the setting names; not kept."""
        try:
            root = self._roots.found(path)
            gate = gate_of(root.path, self._roots.folder(root.path), self._own)
            return Project(self._store, root, gate, self._search, libraries=self._library_of)
        except LatexError:
            return None

    def _library_of(self, indexes: Sequence[BibIndex]) -> Library:
        return self._kept.library_of(indexes, self._store.loaded_library)
