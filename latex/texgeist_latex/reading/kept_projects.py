"""What an editor's workspace keeps: bibliographies that load in the background, root documents, and projects, valid
while their files are unchanged."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from weakref import WeakKeyDictionary

from ..bib.index import BibIndex
from ..bib.library import Library
from ..errors import LatexError, NoRoot
from ..tex.markdown import is_markdown
from ..types import Draft
from .bounds import gate_of
from .draft import with_neighbours
from .files import FileStore, Parsed, VersionCache, begins_document, document_class
from .project import Project, read_project
from .resolve import TexSearch
from .roots import Root, RootFinder

_INTERVAL = sys.getswitchinterval()
BIG_BIBLIOGRAPHY = 3_000_000  # bytes; bigger files load in the background


@contextlib.contextmanager
def _beside_others() -> Iterator[None]:
    """A context for long work in pure Python on a background thread.

    The main thread releases the interpreter lock at every file access and gets it back only after the switch
    interval: 5 ms for each access, or 0.1 s for a project of 40 files. A million new objects, none of them in
    a cycle, would also trigger several full garbage collections of 0.1 s each. Measured with 72,000 entries
    (`benchmarks.keystrokes --entries 72000`): a change takes 50 ms instead of 140 to 380 (p95).
    """
    collecting = gc.isenabled()
    sys.setswitchinterval(0.0005)
    gc.disable()
    try:
        yield
    finally:
        sys.setswitchinterval(_INTERVAL)
        if collecting:
            gc.freeze()
            gc.enable()


class BackgroundStore(FileStore):
    """Loads big bibliographies on another thread. While a file is being loaded, its path is in `pending`."""

    def __init__(self, loaded: Callable[[], None]) -> None:
        super().__init__()
        self._loaded = loaded
        self._thread: ThreadPoolExecutor | None = None

    def bibliography(self, path: Path) -> BibIndex | None:
        known = self._disk.get(path)
        try:
            big = not self.is_open(path) and path.stat().st_size > BIG_BIBLIOGRAPHY
        except OSError:
            big = False
        if not big or (known is not None and _is_done(known[1]) and self.read(path) is known[1]):
            return super().bibliography(path)
        if path not in self.pending:
            self.pending.add(path)
            self._thread = self._thread or ThreadPoolExecutor(1, "texgeist-bibliography")
            self._thread.submit(self._load_big, path)
        return None

    def _load_big(self, path: Path) -> None:
        try:
            with _beside_others():
                index = super().bibliography(path)
                if index is not None:
                    index.prepare()
                    self.loaded_library = Library([index])
                    _ = (self.loaded_library.by_key, self.loaded_library.problems)
        finally:
            self.pending.discard(path)
            self._loaded()

    def stop(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(wait=False, cancel_futures=True)


def _is_done(parsed: Parsed | None) -> bool:
    """Whether the file has been parsed or cannot be read."""
    return parsed is None or "bibliography" in parsed.__dict__


class KnownRoots:
    """A cache of root documents. `named`: the root document in the settings, if any."""

    def __init__(
        self, store: BackgroundStore, search: TexSearch, folders: Sequence[Path], named: Path | None
    ) -> None:
        self._store = store
        self._search = search
        self._folders = tuple(folders)
        self._named = named
        self._known: dict[Path, Root] = {}

    def of(self, path: Path) -> Root:
        """The root document of a file. Raises `NoRoot`."""
        known = self._known.get(path)
        if known is None:
            named = self._named_for(path)
            if (
                named is not None
                and self._store.exists(named)
                and _may_be_root(named, path, self.folder(path))
            ):
                known = Root(named)
            else:
                known = RootFinder(self._store, self._search).find(path, self.folder(path))
            self._known[path] = known
        return known

    def clear(self) -> None:
        self._known.clear()

    def check_named(self, path: Path) -> None:
        """Raises `LatexError` if the root document in the settings cannot be the root of this file."""
        if (named := self._named_for(path)) is not None:
            RootFinder(self._store, self._search).named(named, path, self.folder(path))

    def folder(self, path: Path) -> Path | None:
        """The innermost workspace folder that contains `path`; None if there is none."""
        inside = [f for f in self._folders if f == path or f in path.parents]
        return max(inside, key=lambda f: len(f.parts), default=None)

    def _named_for(self, path: Path) -> Path | None:
        """The root document in the settings, if it applies to the workspace folder of this file."""
        folder = self.folder(path)
        if self._named is None or folder is None:
            return None
        return self._named if self.folder(self._named) in (folder, None) else None


def _may_be_root(named: Path, path: Path, folder: Path | None) -> bool:
    gate = gate_of(path, folder)
    return gate.may_read(named) or (is_markdown(named) and gate.inside(named))


def shape(parsed: Parsed) -> tuple[object, ...]:
    """The properties that decide which root a file belongs to and which files it includes. Names of included
    files may contain macros."""
    scan = parsed.scan
    inclusions = tuple(tuple(scan.words(g) for g in i.groups) for i in scan.items if i.kind == "include")
    comment = parsed.root_comment
    declared = document_class(parsed), begins_document(parsed), comment and comment[1]
    return *declared, inclusions, scan.definition_texts


def _is_same(store: BackgroundStore, index: BibIndex) -> bool:
    path = index.bibliography.path
    if path in store.pending:
        return True
    if index.bibliography.kind != "bib":
        return True  # it is part of a text that was compared above
    if not index.bibliography.exists:
        return not store.exists(path)
    return store.bibliography(path) is index


_MOST = 6  # projects


class KeptProjects:
    """A cache of projects, for one thread. `own`: bibliographies from the user's settings."""

    def __init__(
        self, store: BackgroundStore, search: TexSearch, roots: KnownRoots, own: Sequence[Path]
    ) -> None:
        self._store = store
        self._search = search
        self._roots = roots
        self._own = tuple(own)
        self._projects: OrderedDict[Path, Project] = OrderedDict()
        self._drafts: WeakKeyDictionary[Project, Draft] = WeakKeyDictionary()
        self._kept = VersionCache()
        self._once = False
        self._looked: set[Path] = set()  # root documents whose files were already checked

    def look_anew(self) -> None:
        """Requires that each project's files are checked again for changes."""
        self._looked.clear()

    def look_once(self, once: bool) -> None:
        """Sets whether the files of a project are checked for changes only once, or at each access."""
        self._looked, self._once = set(), once
        self._store.look_once(once)

    def clear(self) -> None:
        self._looked.clear()
        self._projects.clear()

    def of(self, path: Path) -> Project:
        """The current project of a file. Raises `NoRoot`, `OutOfBounds`, `Unreadable`."""
        root = self._roots.of(path)
        known = self._projects.get(root.path)
        if known is not None and root.path not in self._looked:
            known = self._current(known)
        if known is not None:
            if self._once:
                self._looked.add(root.path)
            self._projects[root.path] = known
            self._projects.move_to_end(root.path)
            return known
        if self._store.read(root.path) is None:
            self._roots.clear()
            raise NoRoot(f"{root.path.name} does not exist any more.", "Name a .tex file.")
        gate = gate_of(root.path, self._roots.folder(root.path), self._own)
        version = self._search.version
        project = read_project(self._store, root, gate, self._search, self._kept)
        project.resolver.asked_in = version
        self._projects[root.path] = project
        while len(self._projects) > _MOST:
            self._projects.popitem(last=False)
        return project

    def _current(self, project: Project) -> Project | None:
        """The project with the current versions of its texts and bibliographies; None if it must be read again."""
        store, walk = self._store, project.walk
        if project.resolver.asked_in != self._search.version or any(
            store.read(p.path) is not p for p in (*walk.packages, *walk.classes)
        ):
            return None
        texts = ((text, store.read(text.path)) for text in project.texts)
        changed = [(old, new) for old, new in texts if old is not new]
        if not changed and all(_is_same(store, index) for index in project.library.read):
            return project if store.pending or not project.pending else project.with_walk(walk)
        if len(changed) > 1 or walk.missing:
            return None
        if not changed:
            return project.with_walk(walk)
        old, new = changed[0]
        is_typed = store.is_open(old.path) and project.gate.reads(store.real(old.path))
        again = walk.with_text(old, new) if new is not None and is_typed else None
        return project.with_walk(again) if again is not None else None

    def readable(self, path: Path) -> Project | None:
        """Like `of`, but returns None if there is no project or it must not be read."""
        try:
            return self.of(path)
        except LatexError:
            return None

    def draft(self, path: Path) -> Draft:
        """The draft of a file's project, cached for each version."""
        project = self.of(path)
        if project not in self._drafts:
            self._drafts[project] = with_neighbours(project.draft(), self._store)
        return self._drafts[project]
