"""The current versions of files, from open buffers or else the disk. Each version is read and scanned
once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import is_
from pathlib import Path
from typing import Any, TypeVar

from ..bib.embedded import read_thebibliography, reread
from ..bib.index import BibIndex
from ..bib.library import Library
from ..bib.parser import read_bib
from ..disk.paths import limit_of, real, regular, tidy, unread_because
from ..tex.encodings import decode
from ..tex.macros import Definitions, read_definitions
from ..tex.markdown import scan_of
from ..tex.scan import Scan
from ..types import Bibliography, SourceFile

T = TypeVar("T")
_DOCUMENTS = 3  # that include a file, and for which results are cached
_ROOT_COMMENT = re.compile(r"^[ \t]*%+[ \t]*!\s*TEX\s+root\s*=\s*(.+?)[ \t\r]*$", re.I | re.M)


@dataclass(frozen=True, slots=True)
class _WithStrings:
    """A bibliography that was read with the `@string` definitions of other files, and its source text."""

    strings: Mapping[str, str]
    bibliography: Bibliography
    text: str = field(repr=False)


@dataclass(frozen=True, eq=False)
class Parsed:
    """A version of a file, with cached results of parsing it. Compared by identity."""

    source: SourceFile
    before: list[Parsed] = field(default_factory=list, repr=False)  # the version before the last edit
    results: dict[str, list[tuple[tuple[object, ...], Any]]] = field(default_factory=dict, repr=False)
    with_strings: list[_WithStrings] = field(default_factory=list, repr=False)  # the last result

    def keep(self, name: str, sources: tuple[object, ...], make: Callable[[], T]) -> T:
        """The result of `make`, cached by `name` for the objects `sources` that it is made from; for the last few, as
        several documents may include the file."""
        results = self.results.setdefault(name, [])
        for known, result in results:
            if all(map(is_, known, sources)):
                kept: T = result
                return kept
        results[:] = [(sources, made := make()), *results[: _DOCUMENTS - 1]]
        return made

    @property
    def path(self) -> Path:
        return self.source.path

    @property
    def text(self) -> str:
        return self.source.text

    @cached_property
    def scan(self) -> Scan:
        return scan_of(self.source.path, self.source.text)

    @cached_property
    def root_comment(self) -> re.Match[str] | None:
        """The comment that names the root document (`% !TEX root = ../main.tex`); the name is group 1."""
        return _ROOT_COMMENT.search(self.text[:3000])

    @cached_property
    def bibliography(self) -> BibIndex:
        """The entries of a `.bib` file."""
        before = self.before.pop() if self.before else None
        self.with_strings[:] = before.with_strings if before is not None else ()
        if before is not None and "bibliography" in before.__dict__:
            known = before.bibliography
            found = reread(known.bibliography, before.text, self.text)
            if found is not None:
                return BibIndex(found, known, self._again)
        return BibIndex(read_bib(self.source.path, self.source.text), again=self._again)

    def _again(self, strings: Mapping[str, str]) -> Bibliography:
        """Reads the file again with strings that other files define; after an edit, only the changed part."""
        found = None
        for known in self.with_strings:
            if known.strings == strings:
                found = reread(known.bibliography, known.text, self.text, strings)
        found = found or read_bib(self.source.path, self.source.text, strings=strings)
        self.with_strings[:] = [_WithStrings(dict(strings), found, self.text)]
        return found

    @cached_property
    def item_bibliography(self) -> BibIndex | None:
        """The `thebibliography` of a `.tex` file."""
        if "thebibliography" not in self.source.text:
            return None
        found = read_thebibliography(self.source.path, self.source.text)
        return BibIndex(found) if found is not None else None


class FileStore:
    """Reads files. `overlay` holds the open buffers. Only regular files are read."""

    def __init__(self, overlay: Mapping[Path, str] | None = None) -> None:
        self._open: dict[str, Parsed] = {}  # by real path, because editors and TeX may use different names
        self._disk: dict[Path, tuple[tuple[int, int, int], Parsed | None]] = {}
        self._formats: dict[Path, tuple[str, bool]] = {}
        # resolved paths, with the identity of the file
        self._ends: dict[Path, tuple[tuple[int, int, int], str]] = {}
        self._states: dict[Path, os.stat_result | None] | None = None  # while files are checked only once
        self.pending: set[Path] = set()  # bibliographies being loaded
        # With the last bibliography that was loaded in the background.
        self.loaded_library: Library | None = None
        self.refused: dict[Path, str] = {}  # existing files that cannot be read, with reasons
        for path, text in (overlay or {}).items():
            self.open(path, text)

    def open(self, path: Path, text: str) -> None:
        """From now on, uses the editor's text instead of the file on disk. A BOM in the text is ignored."""
        path = tidy(path)
        before = self._open.get(real(path))
        if before is not None and before.text == text:
            return
        encoding, bom = self._format_on_disk(path)
        newline = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
        parsed = Parsed(SourceFile(path, text, encoding, bom, newline))
        if before is not None and path.suffix.lower() == ".bib":
            before.before.clear()
            parsed.before.append(before)
        self._open[real(path)] = parsed

    def close(self, path: Path) -> None:
        path = tidy(path)
        self._open.pop(real(path), None)
        self._formats.pop(path, None)

    def forget(self, path: Path) -> None:
        self._disk.pop(tidy(path), None)

    def is_open(self, path: Path) -> bool:
        return bool(self._open) and real(path) in self._open

    def buffers(self) -> dict[Path, str]:
        """The text of each open buffer by path, to be given to a store on another thread."""
        return {parsed.path: parsed.text for parsed in list(self._open.values())}

    def bibliography(self, path: Path) -> BibIndex | None:
        """The entries of a `.bib` file; None if it cannot be read."""
        parsed = self.read(path)
        return parsed.bibliography if parsed is not None else None

    def look_once(self, once: bool) -> None:
        """Sets whether each file is checked for changes only once from now on, or at each access."""
        self._states = {} if once else None

    def _state(self, path: Path) -> os.stat_result | None:
        if self._states is None:
            return regular(path)
        if path not in self._states:
            self._states[path] = regular(path)
        return self._states[path]

    def exists(self, path: Path) -> bool:
        """Whether a regular file or an open buffer exists."""
        return self._state(path) is not None or self.is_open(path)

    def real(self, path: Path) -> str:
        """The resolved path (`paths.real`), cached while the path leads to the same file."""
        return self._real(path, self._state(path))

    def read(self, path: Path) -> Parsed | None:
        """The current version of the file; None if it does not exist or must not be read."""
        state = self._state(path)
        if self._open and (parsed := self._open.get(self._real(path, state))) is not None:
            return parsed
        if state is None:
            self._disk.pop(path, None)
            return None
        stamp = (state.st_mtime_ns, state.st_size, state.st_ino)
        known = self._disk.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        parsed = self._load(path, state.st_size)
        self._disk[path] = (stamp, parsed)
        return parsed

    def _real(self, path: Path, state: os.stat_result | None) -> str:
        if state is None:
            return real(path)
        file = (state.st_dev, state.st_ino, state.st_ctime_ns)  # an inode number may be reused
        known = self._ends.get(path)
        if known is None or known[0] != file:
            known = self._ends[path] = (file, real(path))
        return known[1]

    def _load(self, path: Path, size: int) -> Parsed | None:
        limit = limit_of(path)
        self.refused.pop(path, None)
        if size > limit:
            self.refused[path] = unread_because(path)
            return None
        try:
            return Parsed(decode(path, path.read_bytes()))
        except OSError as error:
            self.refused[path] = f"cannot be read ({error.strerror or error})"
            return None

    def _format_on_disk(self, path: Path) -> tuple[str, bool]:
        """The encoding of an open buffer's file, and whether the file has a BOM, for writing it back."""
        if path not in self._formats:
            known = self._disk.get(path)
            state = regular(path) if known is None else None
            parsed = known[1] if known else self._load(path, state.st_size) if state else None
            self._formats[path] = (parsed.source.encoding, parsed.source.bom) if parsed else ("utf-8", False)
        return self._formats[path]


_LIBRARIES = 6
_TEXTS = 60_000  # plain texts in the cache


class VersionCache:
    """Caches results for several versions of a project. Not thread-safe."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._texts_of: Definitions | None = None
        self._definitions: list[tuple[tuple[tuple[str, ...], ...], Definitions]] = []
        self._libraries: dict[tuple[int, ...], Library] = {}

    def definitions_of(self, scans: Sequence[Scan], packages: Sequence[Scan]) -> Definitions:
        """The definitions in these texts; a previous object if no definition has changed since."""
        key = tuple(scan.definition_texts for scan in (*packages, *scans))
        found = next((definitions for known, definitions in self._definitions if known == key), None)
        if found is None:
            found = read_definitions(scans, packages)
            self._definitions = [(key, found), *self._definitions[: _DOCUMENTS - 1]]
        return found

    def library_of(self, indexes: Sequence[BibIndex], loaded: Library | None) -> Library:
        """A library with exactly these indexes: a previous one or `loaded` if possible."""
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
        """A cache of plain texts for these definitions, to be read and filled."""
        if self._texts_of is not definitions or len(self._texts) > _TEXTS:
            self._texts, self._texts_of = {}, definitions
        return self._texts


def document_class(parsed: Parsed) -> str:
    """The document class; "" if the text is not a document."""
    if "\\documentclass" not in parsed.text and "\\documentstyle" not in parsed.text:
        return ""
    for item in parsed.scan.items:
        if item.name in ("documentclass", "documentstyle") and item.kind == "preamble" and item.groups:
            return parsed.scan.words(item.groups[0]).strip() or "?"
    return ""


def begins_document(parsed: Parsed) -> bool:
    r"""Whether \begin{document} occurs in the text itself, not in a definition."""
    return "{document}" in parsed.text and parsed.scan.document is not None
