r"""The documents that are open in the editor (text, version and line index), and positions in them.

pygls has a store, but it splits lines at form feeds and U+2028, unlike LSP, and then applies incremental
changes at a wrong place. This store applies changes itself: lines end only at `\n`, `\r\n` or `\r` (LSP 3.17,
"Text Documents"). No other module knows UTF-16.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from lsprotocol.types import Position, Range, TextDocumentContentChangeEvent, TextDocumentContentChangePartial
from pygls.uris import to_fs_path

Units = Literal["utf-8", "utf-16", "utf-32"]
_BREAK = re.compile(r"\r\n|\n|\r")


class Lines:
    """The line index of a text, built once for each version."""

    __slots__ = ("_ascii", "_starts", "_units", "text")

    def __init__(self, text: str, units: Units = "utf-16") -> None:
        self.text = text
        self._units = units
        self._starts = _starts(text)
        self._ascii = text.isascii() or units == "utf-32"

    def offset(self, position: Position) -> int:
        """The offset of `position`. A position past the end of a line or of the text becomes that end."""
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self._bounds(max(position.line, 0))
        if self._ascii:
            return min(start + max(position.character, 0), end)
        return start + self._code_points(self.text[start:end], position.character)

    def position(self, offset: int) -> Position:
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        if self._ascii:
            return Position(line, offset - start)
        return Position(line, self._length(self.text[start:offset]))

    def range(self, start: int, end: int) -> Range:
        return Range(self.position(start), self.position(end))

    def offsets(self, range_: Range) -> tuple[int, int]:
        start, end = self.offset(range_.start), self.offset(range_.end)
        return min(start, end), max(start, end)

    def _bounds(self, line: int) -> tuple[int, int]:
        start = self._starts[line]
        if line + 1 == len(self._starts):
            return start, len(self.text)
        end = self._starts[line + 1]
        return start, end - (2 if self.text[max(start, end - 2) : end] == "\r\n" else 1)

    def _length(self, piece: str) -> int:
        if piece.isascii():
            return len(piece)
        if self._units == "utf-8":
            return len(piece.encode("utf-8", "surrogatepass"))
        return len(piece) + sum(1 for character in piece if character > "\uffff")

    def _code_points(self, line: str, units: int) -> int:
        """The number of code points in `units` units; a part of a character is not counted."""
        if line.isascii():
            return min(max(units, 0), len(line))
        taken = 0
        for count, character in enumerate(line):
            taken += self._length(character)
            if taken > units:
                return count
        return len(line)


def edited(text: str, edits: Iterable[tuple[Range, str]], units: Units) -> str:
    """The text after the edits; each edit refers to the text after the previous edits. For each edit only a
    few lines are processed. A new line index for each edit would process the whole text each time, and
    editors may send 20,000 edits at once."""
    lines = _split(text)

    def place(position: Position) -> tuple[int, int]:
        if position.line >= len(lines):
            return len(lines) - 1, len(lines[-1])
        line = max(position.line, 0)
        return line, Lines(lines[line], units).offset(Position(0, position.character))

    for range_, new in edits:
        (first, start), (last, end) = sorted((place(range_.start), place(range_.end)))
        before, behind = max(first - 1, 0), last + 2  # an edit may join \r and \n into a single line break
        parts = (
            *lines[before:first],
            lines[first][:start],
            new,
            lines[last][end:],
            *lines[last + 1 : behind],
        )
        made = _split("".join(parts))
        lines[before:behind] = made if behind >= len(lines) else made[:-1]
    return "".join(lines)


def _split(text: str) -> list[str]:
    """The lines of the text, each with its line break; the last line has none."""
    starts = _starts(text)
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


@lru_cache(maxsize=64)
def lines_of(text: str, units: Units) -> Lines:
    """The line index of a text that is not open in the editor, cached."""
    return Lines(text, units)


def _starts(text: str) -> array[int]:
    if "\r" in text:
        return array("L", [0, *(match.end() for match in _BREAK.finditer(text))])
    starts = array("L", accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
    starts.pop()
    return starts


_NO_FILE = Path("/untitled")  # does not exist; stands for the folder of documents that are not files
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
    """Whether the document is a file on this computer, not an unsaved document or a document that only the
    editor can read (`vscode-vfs:`, the schemes of Overleaf's extensions)."""
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
