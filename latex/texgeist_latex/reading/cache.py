"""What a workspace keeps from one version of a project for the next, since it is mostly the same."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_

from ..bib.index import BibIndex
from ..bib.library import Library
from ..tex.macros import Definitions, read_definitions
from ..tex.scan import Scan

_LIBRARIES = 6
_TEXTS = 60_000  # pieces of plain text


class Kept:
    """Not thread-safe: its workspace belongs to one thread."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._texts_of: Definitions | None = None
        self._definitions: tuple[tuple[tuple[str, ...], ...], Definitions] | None = None
        self._libraries: dict[tuple[int, ...], Library] = {}

    def definitions_of(self, scans: Sequence[Scan], packages: Sequence[Scan]) -> Definitions:
        """The definitions of the version before, when no definition was touched since."""
        key = tuple(scan.definition_texts for scan in (*packages, *scans))
        if self._definitions is None or self._definitions[0] != key:
            self._definitions = (key, read_definitions(scans, packages))
        return self._definitions[1]

    def library_of(self, indexes: Sequence[BibIndex], loaded: Library | None) -> Library:
        """The library of the version before, or the `loaded` one, when it is of just these."""
        key = tuple(id(index) for index in indexes)
        for known in (self._libraries.get(key), loaded):
            if known is not None and len(known.read) == len(indexes) and all(map(is_, known.read, indexes)):
                self._libraries[key] = known
                return known
        if len(self._libraries) > _LIBRARIES:
            self._libraries.clear()
        self._libraries[key] = Library(indexes)
        return self._libraries[key]

    def texts_for(self, definitions: Definitions) -> dict[str, str]:
        """Plain texts that were made with these definitions, to be used and filled."""
        if self._texts_of is not definitions or len(self._texts) > _TEXTS:
            self._texts, self._texts_of = {}, definitions
        return self._texts
