"""Parses `.bib` files.

A linear scanner with exact positions, because editors need it after every change, and files of 72,000 entries
exist. It never raises: an unreadable entry becomes a `Problem`, and parsing continues at the next line that
opens an entry. It follows BibTeX (braces count even after a backslash, text outside entries is comment, `#`
joins values, names are strings), except in three cases in which it follows biber: `@comment{...}` hides its
contents, a `%` before the `@` hides the entry, and a `%` between fields hides the rest of its line (BibTeX
stops there and loses the following fields).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from texgeist_latex.types import BibEntry, Bibliography, Problem, Span

_TYPE = r"@\s*+([A-Za-z][\w.:+/-]*+)\s*+"  # any name that may be used as a type
HEAD = re.compile(_TYPE + r"([{(])")
_LINE_HEAD = re.compile(r"^[ \t]*" + _TYPE + r"[{(]\s*[^\s,{}()=\"#%]+\s*,", re.MULTILINE)
_GAP = r"\s*+(?:%[^\n]*+\s*+)*+"
_KEY = re.compile(_GAP + r"((?:[^\s,{}%]++(?:%[^\s,{}]*+(?=\s*,))?)?)" + _GAP)
_GAPS = r"[\s,]*+(?:%[^\n]*+[\s,]*+)*+"
_FIELD = re.compile(_GAPS + r"([^\s=,{}\"#()%]++)" + _GAP + "=" + _GAP)
_BRACED = re.compile(r"\{([^{}]*+(?:\{[^{}]*+(?:\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}[^{}]*+)*+\}[^{}]*+)*+)\}")
_QUOTED = re.compile(r"\"([^\"{}]*+(?:\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}[^\"{}]*+)*+)\"")
_BARE = re.compile(r"[^\s,#{}()\"=@%]++")
_JOIN = re.compile(_GAP + "#" + _GAP)
_END = re.compile(_GAPS + "[})]")
_SPACES = re.compile(r"\s{2,}|[\n\r\t]")
_BRACE = re.compile(r"[{}]")
_CLOSING = {"{": "brace", "(": "parenthesis"}

_MOST_EXPANDED = 1_000_000  # code points that strings may add to a file's length
QUOTED = 100  # characters behind a broken entry that its message may show
_MOST_INHERITED = 60  # fields that an entry inherits from another

_MONTHS = {
    month[:3].lower(): month
    for month in (
        "January February March April May June July August September October November December".split()
    )
}
# Fields that an entry does not inherit from the cross-referenced entry.
_OWN = frozenset("title crossref xref doi eprint url abstract key keywords note pages file".split())


def read_bib(path: Path, text: str, *, strings: Mapping[str, str] | None = None) -> Bibliography:
    """Parses a `.bib` file, expanding strings and following crossrefs. `strings`: the strings of earlier
    files, which are valid in this file too. Linear in the text's length."""
    reader = _Parser(path, text, {**_MONTHS, **(strings or {})})
    reader.read()
    return Bibliography(
        path,
        tuple(_follow_crossrefs(reader.entries)),
        "bib",
        True,
        tuple(reader.problems),
        reader.defined,
        frozenset(reader.unknown),
        tuple(reader.comments),
    )


class _Broken(Exception):
    """The reason why an entry cannot be read, and the position."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


class _Parser:
    def __init__(self, path: Path, text: str, strings: dict[str, str]) -> None:
        self.path = path
        self.text = text
        self.strings = strings
        self.defined: dict[str, str] = {}
        self.unknown: set[str] = set()
        self.entries: list[BibEntry] = []
        self.problems: list[Problem] = []
        self.comments: list[Span] = []
        self.names: dict[str, str] = {}  # field names in lower case, by spelling
        self.heads = [match.start() for match in _LINE_HEAD.finditer(text)] + [len(text)]
        self.next_head = 0
        self.comments_close = True
        self.room = len(text) + _MOST_EXPANDED  # for expanded strings, because each may double the last
        self.line, self.line_at = 1, 0

    def read(self) -> None:
        position = 0
        while head := HEAD.search(self.text, position):
            position = self._read_block(head)

    def _limit(self, start: int) -> int:
        """The start of the next line that opens an entry. No entry is read beyond it, so a missing brace
        damages only a single entry."""
        while self.heads[self.next_head] <= start and self.next_head < len(self.heads) - 1:
            self.next_head += 1
        return max(self.heads[self.next_head], start)

    def _read_block(self, head: re.Match[str]) -> int:
        start = head.start()
        if self._hidden(start):
            return head.end()
        kind = head[1].lower()
        if kind == "comment":
            return self._skip_comment(head)
        limit = self._limit(start)
        try:
            if kind == "preamble":
                return self._skip_balanced(head.end() - 1, limit)
            if kind == "string":
                return self._read_string(head.end(), limit)
            return self._read_entry(kind, start, head.end(), limit)
        except _Broken as broken:
            end = min(max(broken.position, head.end()), limit)
            self.problems.append(Problem("broken-entry", str(broken), Span(self.path, start, end)))
            return end

    def _hidden(self, start: int) -> bool:
        line_start = self.text.rfind("\n", max(0, start - 200), start) + 1
        before = self.text[line_start:start]
        return before.lstrip().startswith("%") if len(before) < 200 else False

    def _skip_comment(self, head: re.Match[str]) -> int:
        if not self.comments_close:
            return head.end()
        try:
            return self._skip_balanced(head.end() - 1, len(self.text))
        except _Broken:
            self.comments_close = False  # search for the end only once
            return head.end()

    def _skip_balanced(self, start: int, limit: int) -> int:
        end = block_end(self.text, start, limit)
        if end is None:
            raise _Broken(
                f"This block is never closed: a closing {_CLOSING[self.text[start]]} is missing.", limit
            )
        return end

    def _read_string(self, position: int, limit: int) -> int:
        field = _FIELD.match(self.text, position, limit)
        if not field:
            raise _Broken("A string needs a name, an equals sign and a value.", position)
        value, position = self._read_value(field.end(), limit)
        self.strings[field[1].lower()] = self.defined[field[1].lower()] = value
        end = _END.match(self.text, position, limit)
        if not end:
            raise _Broken(f"The string '{field[1]}' is not closed.", position)
        return end.end()

    def _read_entry(self, kind: str, start: int, position: int, limit: int) -> int:
        text = self.text
        key_match = _KEY.match(text, position, limit)
        key = key_match[1] if key_match else ""
        comment = text.find("%", position, key_match.end()) if key_match else -1
        position = key_match.end() if key_match else position
        if not key:
            raise _Broken("This entry has no key.", position)
        if position >= limit:
            raise _Broken(f"The entry '{key}' is cut off.", limit)
        if text[position] not in ",})":
            raise _Broken(f"After the key '{key}' a comma is missing.", position)
        fields: dict[str, str] = {}
        while field := _FIELD.match(text, position, limit):
            value, position = self._read_value(field.end(), limit)
            if comment < 0:
                comment = text.find("%", field.start(), field.end())
            spelling = field[1]
            name = self.names.get(spelling)
            if name is None:
                name = self.names[spelling] = spelling.lower()
            if name not in fields:  # BibTeX uses the first value
                fields[name] = value
        end = _END.match(text, position, limit)
        if not end:
            raise _Broken(self._complaint(key, position, limit), position)
        comment = comment if comment >= 0 else text.find("%", end.start(), end.end())
        if comment >= 0:
            self.comments.append(Span(self.path, comment, comment + 1))
        self.entries.append(
            BibEntry(key, kind, fields, Span(self.path, start, end.end()), self._line_of(start))
        )
        return end.end()

    def _complaint(self, key: str, position: int, limit: int) -> str:
        rest = self.text[position : min(limit, position + QUOTED)].strip()
        if not rest:
            return f"The entry '{key}' is never closed: a closing brace is missing."
        return f"The entry '{key}' cannot be read from “{rest[:30].splitlines()[0]}” on."

    def _read_value(self, position: int, limit: int) -> tuple[str, int]:
        parts: list[str] = []
        while True:
            part, position = self._read_part(position, limit)
            parts.append(part)
            join = _JOIN.match(self.text, position, limit)
            if not join:
                break
            position = join.end()
        value = parts[0] if len(parts) == 1 else "".join(parts)
        if _SPACES.search(value):
            value = " ".join(value.split())
        return value.strip(), position

    def _read_part(self, position: int, limit: int) -> tuple[str, int]:
        text = self.text
        opening = text[position : position + 1] if position < limit else ""
        if opening == "{":
            if match := _BRACED.match(text, position, limit):
                return match[1], match.end()
            end = self._skip_balanced(position, limit)
            return text[position + 1 : end - 1], end
        if opening == '"':
            if match := _QUOTED.match(text, position, limit):
                return match[1], match.end()
            return self._read_deep_quote(position, limit)
        if match := _BARE.match(text, position, limit):
            known = self.strings.get(match[0].lower())
            if known is None and not match[0].isdigit():
                self.unknown.add(match[0].lower())
            self.room -= len(known or "")
            if self.room < 0:
                raise _Broken(
                    "The strings of this file would make it many times as long, so no more are expanded.",
                    position,
                )
            return match[0] if known is None else known, match.end()
        raise _Broken("A value is missing after the equals sign.", position)

    def _read_deep_quote(self, position: int, limit: int) -> tuple[str, int]:
        depth = 0
        for index in range(position + 1, limit):
            char = self.text[index]
            if char == '"' and depth == 0:
                return self.text[position + 1 : index], index + 1
            depth += (char == "{") - (char == "}")
            if depth < 0:
                break
        raise _Broken("A quotation mark is never closed.", limit)

    def _line_of(self, position: int) -> int:
        self.line += self.text.count("\n", self.line_at, position)
        self.line_at = position
        return self.line


def block_end(text: str, start: int, limit: int | None = None) -> int | None:
    """The end of the block whose `{` or `(` is at `start`. Returns None if it is not closed before
    `limit`."""
    limit = len(text) if limit is None else limit
    if match := _BRACED.match(text, start, limit):
        return match.end()
    if text[start] == "(":
        end = text.find(")", start, limit)
        return None if end < 0 else end + 1
    depth = 0
    for brace in _BRACE.finditer(text, start, limit):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.end()
    return None


def _follow_crossrefs(entries: list[BibEntry]) -> list[BibEntry]:
    """All entries. Those with a crossref to an entry of the same file get its fields."""
    if not any("crossref" in entry.fields for entry in entries):
        return entries
    by_key = {entry.key.lower(): entry for entry in entries}
    return [with_parent(entry, by_key.get(entry.fields.get("crossref", "").lower())) for entry in entries]


def with_parent(entry: BibEntry, parent: BibEntry | None) -> BibEntry:
    """The entry with fields inherited by crossref: fields of the parent that the entry lacks, and the
    parent's title as booktitle."""
    if parent is None or parent is entry:
        return entry
    given = ((name, value) for name, value in parent.fields.items() if name not in _OWN)
    inherited = dict(islice(given, _MOST_INHERITED))
    if "title" in parent.fields:
        inherited.setdefault("booktitle", parent.fields["title"])
    return BibEntry(entry.key, entry.type, {**inherited, **entry.fields}, entry.span, entry.line)
