"""The documents that are open in the editor: text, version and line index.

pygls has a store, but it splits lines at form feeds and U+2028, where LSP does not, so that an incremental
change after such a character is applied at a wrong place. This store applies changes itself.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from lsprotocol.types import Range, TextDocumentContentChangeEvent, TextDocumentContentChangePartial
from pygls.uris import to_fs_path

from .positions import Lines, Units, edited

_NO_FILE = Path("/untitled")  # no such folder exists: the paths of documents that are not files are in it
_LONGEST_NAME, _LONGEST_PATH = 255, 4096  # bytes on Linux, else characters


@dataclass(frozen=True)
class Document:
    """An open document at a certain version."""

    uri: str
    path: Path
    text: str
    version: int | None
    units: Units

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text, self.units)


Opened = Mapping[Path, Document]


class Documents:
    """Open documents by path, changed on the event loop. Documents and the mapping `now` are immutable: a
    change creates a new document and a new mapping, so they can be given to any thread."""

    def __init__(self) -> None:
        self.units: Units = "utf-16"
        self._now: Opened = MappingProxyType({})

    @property
    def now(self) -> Opened:
        """An immutable snapshot of the open documents."""
        return self._now

    def open(self, uri: str, text: str, version: int | None) -> Document:
        path = path_of(uri)
        document = Document(uri, path, text, version, self.units)
        self._now = MappingProxyType({**self._now, path: document})
        return document

    def change(
        self, uri: str, version: int | None, changes: Sequence[TextDocumentContentChangeEvent]
    ) -> Document:
        document = self._now.get(path_of(uri)) or Document(uri, path_of(uri), "", None, self.units)
        text, edits = document.text, list[tuple[Range, str]]()
        for change in changes:
            if isinstance(change, TextDocumentContentChangePartial):
                edits.append((change.range, change.text))
            else:
                text, edits = change.text, []
        if len(edits) == 1 and text is document.text:  # typing: the line index exists already
            start, end = document.lines.offsets(edits[0][0])
            text = text[:start] + edits[0][1] + text[end:]
        else:
            text = edited(text, edits, self.units)
        return self.open(uri, text, version)

    def close(self, uri: str) -> None:
        gone = path_of(uri)
        self._now = MappingProxyType({path: it for path, it in self._now.items() if path != gone})

    def get(self, path: Path) -> Document | None:
        return self._now.get(path)


def is_file(uri: str) -> bool:
    """Whether the document is a file on this computer: not an unsaved document, nor a document of another
    scheme (`vscode-vfs:`, the schemes of Overleaf's extensions), which only the editor can read."""
    return not path_of(uri).is_relative_to(_NO_FILE)


def path_of(uri: str) -> Path:
    """The path of the file with this URI. Where `is_file` is false, and for names that are too long for a
    file system (they would raise OSError), returns a path in `_NO_FILE`."""
    path = Path((to_fs_path(uri) if uri.startswith("file:") else "") or "")
    if path.parts and _length(str(path)) < _LONGEST_PATH and max(map(_length, path.parts)) <= _LONGEST_NAME:
        return path
    name = uri.replace("/", "_").replace(":", "_")
    return _NO_FILE / (name if _length(name) <= _LONGEST_NAME else sha256(uri.encode()).hexdigest())


def _length(name: str) -> int:
    return len(name.encode("utf-8", "replace")) if sys.platform == "linux" else len(name)
