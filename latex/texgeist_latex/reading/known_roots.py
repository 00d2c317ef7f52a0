"""Which root document each file belongs to, looked for once: by the user's setting, else by what is found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .background import BackgroundSearch, BackgroundStore
from .bounds import gate_of
from .documentclass import begins_document, document_class
from .files import Parsed
from .roots import Root, RootFinder


class KnownRoots:
    """`named` is the root document of a setting, None for none."""

    def __init__(
        self,
        store: BackgroundStore,
        search: BackgroundSearch,
        folders: Sequence[Path],
        named: Path | None,
    ) -> None:
        self._store = store
        self._search = search
        self._folders = tuple(folders)
        self._named = named
        self._known: dict[Path, Root] = {}

    def of(self, path: Path) -> Root:
        """Raises `NoRoot`."""
        known = self._known.get(path)
        if known is None:
            if (named := self._named_for(path)) is not None and self._may_be_root(named, path):
                known = Root(named, "named by the setting")
            else:
                known = self.found(path)
            self._known[path] = known
        return known

    def found(self, path: Path) -> Root:
        """Whatever the setting names: of another document beside the named one. Raises `NoRoot`."""
        return RootFinder(self._store, self._search).find(path, self.folder(path))

    def clear(self) -> None:
        self._known.clear()

    def check_named(self, path: Path) -> None:
        """What is typed goes on with the root that is found; what is written must not go to another document
        than the one that was named."""
        if (named := self._named_for(path)) is not None:
            RootFinder(self._store, self._search).named(named, path, self.folder(path))

    def folder(self, path: Path) -> Path | None:
        """The innermost workspace folder that `path` lies in."""
        inside = [f for f in self._folders if f == path or f in path.parents]
        return max(inside, key=lambda f: len(f.parts), default=None)

    def _named_for(self, path: Path) -> Path | None:
        """The root document that the setting names for a file: none for one of another workspace folder, or
        of none."""
        folder = self.folder(path)
        if self._named is None or folder is None:
            return None
        return self._named if self.folder(self._named) in (folder, None) else None

    def _may_be_root(self, named: Path, path: Path) -> bool:
        """Whether a setting's root is there, in the workspace folder of the file that was opened."""
        folder = self.folder(path)
        return folder is not None and self._store.exists(named) and gate_of(path, folder).may_read(named)


def shape(parsed: Parsed) -> tuple[object, ...]:
    """What decides which root a file belongs to, and which files belong to it."""
    scan = parsed.scan
    inclusions = tuple(tuple(scan.words(g) for g in i.groups) for i in scan.items if i.kind == "include")
    magic = parsed.text[:300] if "!" in parsed.text[:300] else ""
    return document_class(parsed), begins_document(parsed), inclusions, magic
