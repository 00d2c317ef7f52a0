"""The documents that the editor has open: text, version and line index.

pygls keeps its own, but splits lines at form feeds and U+2028, where LSP does not, so an incremental
change after such a character lands in the wrong place. This store applies changes itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lsprotocol.types import (
    TextDocumentContentChangeEvent,
    TextDocumentContentChangePartial,
)
from pygls.uris import to_fs_path

from .positions import Lines, Units


@dataclass(frozen=True)
class Document:
    """One open document at one version."""

    uri: str
    path: Path
    text: str
    version: int | None
    units: Units

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text, self.units)


class Documents:
    """Open documents by path. Documents are values: a change makes a new one."""

    def __init__(self) -> None:
        self.units: Units = "utf-16"
        self._open: dict[Path, Document] = {}

    def open(self, uri: str, text: str, version: int | None) -> Document:
        path = path_of(uri)
        document = Document(uri, path, text, version, self.units)
        self._open[path] = document
        return document

    def change(
        self, uri: str, version: int | None, changes: Sequence[TextDocumentContentChangeEvent]
    ) -> Document:
        document = self._open.get(path_of(uri)) or Document(uri, path_of(uri), "", None, self.units)
        text = document.text
        for change in changes:
            if isinstance(change, TextDocumentContentChangePartial):
                start, end = Lines(text, self.units).offsets(change.range)
                text = text[:start] + change.text + text[end:]
            else:
                text = change.text
        return self.open(uri, text, version)

    def close(self, uri: str) -> None:
        self._open.pop(path_of(uri), None)

    def get(self, path: Path) -> Document | None:
        return self._open.get(path)

    def texts(self) -> Mapping[Path, str]:
        """A copy, so that a job reads the state at one moment."""
        return {path: document.text for path, document in self._open.items()}

    def all(self) -> list[Document]:
        return list(self._open.values())


_UNSAVED = Path("/untitled")


def is_unsaved(path: Path) -> bool:
    """Whether this is the path of a document that is on no disk."""
    return path.parent == _UNSAVED


def path_of(uri: str) -> Path:
    """The path that a URI names; for other schemes than `file:` a path that is on no disk."""
    named = to_fs_path(uri)
    if named is None or not uri.startswith("file:"):
        return _UNSAVED / uri.replace("/", "_").replace(":", "_")
    return Path(named)
