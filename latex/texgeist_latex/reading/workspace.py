"""The reading model for an editor: open buffers, their projects, and quick answers about them.

Each version of a file is scanned once, each paragraph is converted once, and each bibliography is indexed
once. A change costs a scan of one file and a pass over the commands of the others. Big bibliographies load in
the background. A workspace may be used only on the thread that created it; on other threads it raises
WrongThread. Offsets are code points.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ..disk.paths import tidy
from ..errors import LatexError, WrongThread
from ..tex.markdown import is_markdown
from ..types import BibEntry, Bibliography, Citation, Draft, Problem, SourceFile, Span
from .citations import citations
from .completion import Completion, citation_context, complete
from .draft import homes_of, loose_texts, sharing
from .kept_projects import BackgroundStore, KeptProjects, KnownRoots, shape
from .offers import OfferedEntry, may_need, offered
from .resolve import TexSearch
from .surroundings import here_at

__all__ = ["Completion", "Workspace"]
T = TypeVar("T")


class Workspace:
    """`folders`: the editor's workspace folders; `root`: the root document in the settings, if any; `own`:
    bibliographies outside the project, from the user's settings; `programs=False` does not run kpsewhich;
    `loaded` is called, on another thread, when a big bibliography or an answer of kpsewhich has arrived, so
    that diagnostics can be updated. `frequent`: words that are no reason to cite."""

    def __init__(
        self,
        folders: Sequence[Path] = (),
        root: Path | None = None,
        programs: bool = True,
        loaded: Callable[[], None] | None = None,
        own: Sequence[Path] = (),
        frequent: Container[str] = (),
    ) -> None:
        self._owner, self._frequent = threading.current_thread(), frequent
        tell = loaded or (lambda: None)
        self._files = BackgroundStore(tell)
        self._search = TexSearch(programs, tell)
        named = tidy(root) if root is not None else None
        self._roots = KnownRoots(self._files, self._search, [tidy(folder) for folder in folders], named)
        self._kept = KeptProjects(self._files, self._search, self._roots, own)

    @property
    def _store(self) -> BackgroundStore:
        return self._mine(self._files)

    @property
    def _projects(self) -> KeptProjects:
        return self._mine(self._kept)

    def _mine(self, value: T) -> T:
        """The value, on the thread that created the workspace. Raises `WrongThread` on others."""
        if threading.current_thread() is not self._owner:
            raise WrongThread(self._owner.name)
        return value

    # -- notifications from the editor -----------------------------------------------------------------

    def open(self, path: Path, text: str) -> None:
        self._store.open(path, text)
        self._forget()

    def change(self, path: Path, text: str) -> None:
        """Stores a new version of an open buffer."""
        path = tidy(path)
        self._projects.look_anew()
        before = self._store.read(path)
        self._store.open(path, text)
        after = self._store.read(path)
        bibliography = path.suffix.lower() == ".bib" and before is not None
        if not bibliography and (before is None or after is None or shape(before) != shape(after)):
            self._roots.clear()

    def close(self, path: Path) -> None:
        """Closes a buffer. From now on, the version on disk is used."""
        self._store.close(path)
        self._forget()

    def changed_on_disk(self, path: Path) -> None:
        """Handles a file that was changed, created or deleted outside the editor."""
        self._store.forget(path)
        self._forget()

    def look_again(self) -> None:
        """Checks all files again, because not every editor reports changes made elsewhere."""
        self._forget()

    def stop(self) -> None:
        self._files.stop()
        self._search.stop()

    def _forget(self) -> None:
        self._roots.clear()
        self._projects.clear()

    # -- questions from the editor ---------------------------------------------------------------------

    @contextlib.contextmanager
    def one_look(self) -> Iterator[Workspace]:
        """A context in which files on disk are checked for changes only once."""
        self._projects.look_once(True)
        try:
            yield self
        finally:
            self._projects.look_once(False)

    def text(self, path: Path) -> str | None:
        """A file's text, from its buffer if open; None if it cannot be read."""
        parsed = self._store.read(tidy(path))
        return parsed.text if parsed is not None else None

    def root(self, path: Path) -> Path:
        """The root document of a file. Raises NoRoot."""
        return self._mine(self._roots).of(tidy(path)).path

    def draft(self, path: Path) -> Draft:
        """The draft of the file's project, cached for each version. Raises NoRoot, OutOfBounds or Unreadable,
        also if the root document in the settings cannot be the root of this file. Check `is_settled` before
        acting on a draft, because the draft may be incomplete."""
        self._roots.check_named(tidy(path))
        return self._projects.draft(tidy(path))

    def sharing(self, draft: Draft, key: str | None) -> list[Draft]:
        """The other documents within the bounds that use the entry `key` (None: any of the draft's `.bib`
        files), read completely. The root document in the settings is ignored."""
        found = sharing(self._store, self._search, draft, homes_of(draft, key))
        return [project.draft() for project in found]

    def loose(self, draft: Draft, key: str) -> list[SourceFile]:
        """The texts within the bounds that contain the key and that no document includes."""
        found = loose_texts(self._store, self._search, draft)
        return [source for source in found if key in source.text]

    @property
    def is_settled(self) -> bool:
        """Whether no requested file is still being loaded in the background."""
        return not self._store.pending and not self._search.asking

    def abstract_span(self, path: Path) -> Span | None:
        """The span of the abstract, without computing the rest of the draft."""
        return self._projects.of(tidy(path)).abstract.span

    def problems(self, *paths: Path) -> list[Problem]:
        """The problems of all projects that `paths` belong to. Never raises because of file contents."""
        found: dict[Path, tuple[Problem, ...]] = {}
        for path in map(tidy, paths):
            with contextlib.suppress(LatexError):
                root = self._roots.of(path).path
                if root not in found:
                    found[root] = self._projects.of(path).problems
        return [problem for problems in found.values() for problem in problems]

    def complete(self, path: Path, offset: int) -> list[Completion]:
        """Completions for the text before `offset`; empty if no key is expected."""
        path = tidy(path)
        parsed = self._store.read(path)
        if parsed is None or (project := self._projects.readable(path)) is None:
            return []
        context = citation_context(path, parsed.text, offset, project.own_citations)
        if context is None:
            return []
        here = here_at(parsed.text, parsed.path, context.start, context.end, project.citations_of(parsed))
        telling = {stem: word for stem, word in here.sentence.items() if word not in self._frequent}
        here = replace(here, sentence=telling)
        return complete(project.library, context, parsed.path, here, project.cited)

    def prepare(self, path: Path) -> None:
        """Computes what the first completion in the project of `path` needs, so that it need not wait."""
        if (project := self._projects.readable(tidy(path))) is not None:
            _ = ([index.terms for index in project.library.indexes], project.cited)

    def offer(self, path: Path, offset: int) -> OfferedEntry | None:
        """The citation that the sentence before `offset` needs; None if it needs none, or has one."""
        path = tidy(path)
        parsed = self._store.read(path)
        if parsed is None or _offers_nothing(path) or not may_need(parsed.text, offset):
            return None
        if (project := self._projects.readable(path)) is None:
            return None
        here = project.citations_of(parsed)
        found = offered(project.library, parsed.text, parsed.path, offset, here, project.cited)
        return replace(found, command=project.style.parenthetical) if found else None

    def citation_at(self, path: Path, offset: int) -> Citation | None:
        """The citation whose key is at `offset`. If `offset` is elsewhere in a citation command with a single
        key, its citation is returned. None if there is none."""
        path = tidy(path)
        parsed = self._store.read(path)
        if parsed is None or path.suffix.lower() == ".bib":
            return None
        try:
            found = self._projects.of(path).citations_of(parsed)
        except LatexError:
            found = citations(parsed, {}, frozenset())
        on_key = next((c for c in found if c.span.start <= offset <= c.span.end), None)
        if on_key is not None:
            return on_key
        around = [c for c in found if c.command_span.start <= offset < c.command_span.end]
        return around[0] if len(around) == 1 else None

    def citations_in(self, path: Path) -> list[Citation]:
        """The citations of a text, in order; empty if it belongs to no project."""
        path = tidy(path)
        parsed, project = self._store.read(path), self._projects.readable(path)
        if parsed is None or project is None or path.suffix.lower() == ".bib":
            return []
        return list(project.citations_of(parsed))

    def key_at(self, path: Path, offset: int) -> str:
        """The citation key at `offset`, in a text or in an entry; "" if there is none."""
        path = tidy(path)
        if path.suffix.lower() == ".bib":
            index = self._store.bibliography(path)
        elif (citation := self.citation_at(path, offset)) is not None:
            return citation.key
        else:
            parsed = self._store.read(path)
            index = parsed.item_bibliography if parsed is not None else None
        entries = index.bibliography.entries if index is not None else ()
        return next((e.key for e in entries if e.span.start <= offset <= e.span.end), "")

    def entry(self, path: Path, key: str) -> tuple[Bibliography, BibEntry] | None:
        """The entry with this key in the project of `path`."""
        project = self._projects.readable(tidy(path))
        return project.library.by_key.get(key) if project is not None else None

    def cited_at(self, path: Path, key: str) -> list[tuple[Path, int]]:
        """The files and lines of all citations of this key in the project of `path`."""
        project = self._projects.readable(tidy(path))
        return [(c.span.file, c.line) for c in project.citations if c.key == key] if project else []

    def cited_entries(self, path: Path) -> dict[str, BibEntry]:
        """The entries that a text cites, by key."""
        if (project := self._projects.readable(tidy(path))) is None:
            return {}
        entries = project.library.by_key
        return {one.key: entries[one.key][1] for one in self.citations_in(path) if one.key in entries}

    def definition(self, path: Path, offset: int) -> list[Span]:
        """The spans of all entries with the key at `offset`; usually there is a single entry."""
        key = self.key_at(path, offset)
        return self._entries(tidy(path), key) if key else []

    def references(self, path: Path, offset: int) -> list[Span]:
        """All citations of the key at `offset`, in a text or an entry, then its entries."""
        key = self.key_at(path, offset)
        if not key or (project := self._projects.readable(tidy(path))) is None:
            return []
        return [*(c.span for c in project.citations if c.key == key), *self._entries(tidy(path), key)]

    # -- helpers ---------------------------------------------------------------------------------------

    def _entries(self, path: Path, key: str) -> list[Span]:
        if (project := self._projects.readable(path)) is None:
            return []
        found = [e.span for b in project.bibliographies for e in b.entries if e.key == key]
        known = project.library.by_key.get(key)
        return found or ([known[1].span] if known else [])


def _offers_nothing(path: Path) -> bool:
    """Whether no citations are offered in files of this kind: the offers were learned from LaTeX alone."""
    return path.suffix.lower() == ".bib" or is_markdown(path)
