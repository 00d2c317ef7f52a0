"""Finds the commands in a file in a single pass, fast enough for every keystroke.

The scanner does not interpret TeX; it knows comments, verbatim text, braces and certain command names. It
never raises, takes linear time, and returns only offsets within the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from . import command_names
from .arguments import Arguments, Range

Kind = Literal[
    "heading", "cite", "include", "begin", "end", "label", "bib", "define", "preamble", "front", "mark"
]


class Item(NamedTuple):
    """A command that is relevant for reading. `groups` and `options` are the contents of its arguments."""

    kind: Kind
    name: str  # for begin and end, the environment's name
    star: bool
    start: int
    end: int  # after the last argument
    options: tuple[Range, ...] = ()
    groups: tuple[Range, ...] = ()


_TOKEN = re.compile(
    r"""\\(?:
        (?P<edge>begin|end)[ \t]*\{(?P<env>[^{}\n\\]{1,80})\}
      | (?P<url>(?:url|path|nolinkurl)\ ?\{[^{}\n]{0,2000}\}
          | href[ ]?(?:\[[^\]\n{}]{0,200}\])?\{[^{}\n]{0,2000}\})
      | (?:verb(?![A-Za-z])\*?|lstinline(?:\[[^\]\n]{0,200}\])?
          |mintinline(?:\[[^\]\n]{0,200}\])?\{[^{}\n]{0,40}\})
          (?P<bar>[^A-Za-z\s*\[{\\])[^\n]{0,1000}?(?P=bar)
      | (?P<name>[A-Za-z@]+|[^\W\d_a-zA-Z]+)(?P<star>\*?)
      | .
    ) | %[^\n]* | [{}]""",
    re.VERBOSE | re.DOTALL,
)
_CONDITIONAL = re.compile(
    r"%[^\n]*|\\(?:(if(?!f\b|thenelse\b)[A-Za-z@]*|fi)(?![A-Za-z@])|(else)(?![A-Za-z@])|.)", re.S
)

_KINDS: dict[str, Kind] = {
    **dict.fromkeys(command_names.HEADINGS, "heading"),
    **dict.fromkeys(command_names.INCLUSIONS, "include"),
    **dict.fromkeys(command_names.BIBLIOGRAPHY_COMMANDS, "bib"),
    **dict.fromkeys(command_names.DEFINITIONS, "define"),
    **dict.fromkeys(command_names.PREAMBLE, "preamble"),
    **dict.fromkeys(command_names.FRONT_MATTER, "front"),
    **dict.fromkeys(command_names.MARKS, "mark"),
    **dict.fromkeys(command_names.BIBLIOGRAPHY_PRINTERS, "mark"),
    **dict.fromkeys(command_names.CITE_COMMANDS, "cite"),
    "label": "label",
}
MAX_TOKENS = 150_000  # a megabyte of real LaTeX has 60,000


@dataclass(frozen=True)
class Scan:
    """The result of scanning a text. `others`: positions of other commands, by name."""

    text: str
    items: tuple[Item, ...]
    braces: dict[int, int] = field(repr=False)  # offset of { to offset of its }
    others: dict[str, list[int]] = field(repr=False)  # positions of the backslashes, by name
    dead: tuple[Range, ...]  # verbatim text, comment environments, \iffalse
    stop: int  # where TeX stops reading: \end{document}, \endinput, or the end
    definitions: tuple[Item, ...]
    cut: bool = False  # more than MAX_TOKENS: the text after `stop` was not read

    @cached_property
    def line_starts(self) -> list[int]:
        return [0, *(m.end() for m in re.finditer(r"\r\n|\n|\r", self.text))]

    @cached_property
    def leading(self) -> tuple[Item, ...]:
        """The commands that refer to other files, and those of the preamble."""
        return tuple(item for item in self.items if item.kind in ("include", "preamble", "bib"))

    @cached_property
    def document(self) -> Item | None:
        """The first `\\begin{document}`."""
        return next((i for i in self.items if i.kind == "begin" and i.name == "document"), None)

    @cached_property
    def definition_texts(self) -> tuple[str, ...]:
        """The text of each definition. If these texts are unchanged, the defined commands are unchanged."""
        return tuple(self.text[item.start : item.end] for item in self.definitions)

    def line(self, offset: int) -> int:
        """The line number of an offset, from 1."""
        return bisect_right(self.line_starts, offset)

    def words(self, span: Range) -> str:
        return self.text[span[0] : span[1]]


def scan(text: str) -> Scan:
    """Scans a file's text. Linear in its length; never raises."""
    reader = _Scanner(text)
    reader.read()
    braces = reader.braces
    items, definitions = _with_arguments(Arguments(text, braces), reader.found)
    stop = min((at for at, inside in reader.stops if inside not in braces), default=len(text))
    kept = tuple(d for d in definitions if d.start < stop)
    live = _hide(items, definitions, stop)
    return Scan(text, live, braces, reader.others, tuple(reader.dead), stop, kept, reader.is_cut)


class _Scanner:
    """Collects braces, commands and dead text, which TeX skips or shows verbatim, from a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[tuple[Kind, str, bool, int, int]] = []
        self.braces: dict[int, int] = {}
        self.others: dict[str, list[int]] = {}
        self.dead: list[Range] = []
        self.stops: list[tuple[int, int]] = []  # where TeX stops reading, with the innermost open brace or -1
        self.is_cut = False
        self._open: list[int] = []  # the open braces
        self._unclosed: set[str] = set()  # environments without an end; `\fi` if there is none
        self._tokens = 0  # the number of tokens before the last dead text

    def read(self) -> None:
        position: int | None = 0
        while position is not None:
            position = self._read_from(position)

    def _read_from(self, position: int) -> int | None:
        """Reads up to the next dead text. Returns the position after it, or None at the end."""
        for count, match in enumerate(_TOKEN.finditer(self.text, position), self._tokens):
            if count >= MAX_TOKENS:
                self.stops.append((match.start(), -1))
                self.is_cut = True
                return None
            shown, behind = match[0], None
            if shown == "{":
                self._open.append(match.start())
            elif shown == "}":
                if self._open:
                    self.braces[self._open.pop()] = match.start()
            elif name := match["name"]:
                behind = self._command(match, name)
            elif match["edge"]:
                behind = self._edge(match)
            elif url := match["url"]:
                self.braces[match.start() + 1 + url.rindex("{")] = match.end() - 1
            if behind is not None:
                self.dead.append((match.start(), behind))
                self._tokens = count
                return behind
        return None

    def _command(self, match: re.Match[str], name: str) -> int | None:
        """Records the command. Returns the end of the dead text that it begins, or None."""
        start, end = match.span()
        kind = _KINDS.get(name)
        if kind is None:
            if not command_names.is_citation(name):
                self.others.setdefault(name, []).append(start)
                return None
            kind = "cite"
        elif name == "endinput":
            if not self.text[end : end + 40].lstrip().startswith(("\\fi", "\\else")):  # of an include guard
                self._stop(start)
        elif name == "iffalse" or (name == "if" and self.text[end : end + 1] == "0"):
            return _conditional_end(self.text, end, self._unclosed)
        self.found.append((kind, name, bool(match["star"]), start, end))
        return None

    def _edge(self, match: re.Match[str]) -> int | None:
        """Records the start or end of an environment. Returns the end of verbatim text, else None."""
        start, end = match.span()
        begins, name = match["edge"] == "begin", match["env"].strip()
        if begins and name in command_names.VERBATIM and name not in self._unclosed:
            closing = self.text.find("\\end{" + name + "}", end)
            if closing >= 0:
                return closing + len(name) + 6
            self._unclosed.add(name)
        if not begins and name == "document":
            self._stop(start)
        self.found.append(("begin" if begins else "end", name, False, start, end))
        return None

    def _stop(self, at: int) -> None:
        self.stops.append((at, self._open[-1] if self._open else -1))


def _conditional_end(text: str, start: int, unclosed: set[str]) -> int | None:
    r"""The end of the branch at `start` that TeX skips: after its `\fi` or `\else`. None if there is none."""
    if "\\fi" in unclosed:
        return None
    depth = 1
    for match in _CONDITIONAL.finditer(text, start):
        if match[1] == "fi":
            depth -= 1
        elif match[1]:
            depth += 1
        elif match[2] and depth == 1:
            return match.end()
        if depth == 0:
            return match.end()
    unclosed.add("\\fi")
    return None


def _with_arguments(
    arguments: Arguments, found: list[tuple[Kind, str, bool, int, int]]
) -> tuple[list[Item], list[Item]]:
    items: list[Item] = []
    definitions: list[Item] = []
    for kind, name, star, start, after in found:
        if kind == "define":
            end, options, groups = arguments.definition(name, after)
            definitions.append(Item(kind, name, star, start, end, options, groups))
        elif kind == "end":
            items.append(Item(kind, name, star, start, after))
        else:
            end, options, groups = _arguments_of(arguments, kind, name, after)
            items.append(Item(kind, name, star, start, end, options, groups))
    return items, definitions


_BARE_FILE = re.compile(r"[ \t]*([^\s{}\\%\[\]~#]{1,300})")


def _arguments_of(
    arguments: Arguments, kind: Kind, name: str, after: int
) -> tuple[int, tuple[Range, ...], tuple[Range, ...]]:
    if kind == "begin":
        return after, (), ()
    if kind == "mark":
        return (after, (), ()) if name not in ("bibitem", "bibliographystyle") else arguments.read(after, 1)
    if kind == "cite":
        return arguments.read(after, command_names.groups_of(name))
    if kind == "include":
        end, options, groups = arguments.read(after, command_names.INCLUSIONS[name])
        bare = None if groups or name != "input" else _BARE_FILE.match(arguments.text, after)
        return (bare.end(1), (), (bare.span(1),)) if bare else (end, options, groups)
    return arguments.read(after, 2 if name in ("icmlauthor", "Author") else 1)


def _hide(items: list[Item], definitions: list[Item], stop: int) -> tuple[Item, ...]:
    """Leaves out items inside definitions (except citations) and after the end of the document."""
    bodies = iter(sorted((d.start, d.end) for d in definitions if d.groups))
    body = next(bodies, None)
    live: list[Item] = []
    covered = -1
    for item in items:
        if item.start > stop:
            break
        while body is not None and body[0] < item.start:
            covered = max(covered, body[1])
            body = next(bodies, None)
        if item.start >= covered or item.kind == "cite":
            live.append(item)
    return tuple(live)


def pieces(scan: Scan, start: int, end: int) -> Iterator[Range]:
    """The ranges between `start` and `end` that are not dead text."""
    for dead_start, dead_end in scan.dead:
        if dead_end <= start:
            continue
        if dead_start >= end:
            break
        if dead_start > start:
            yield start, dead_start
        start = max(start, dead_end)
    if start < end:
        yield start, end


_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")


def without_comments(text: str) -> str:
    """The text with comments replaced by spaces, so that offsets are kept."""
    return _COMMENT.sub(lambda match: match[1] + " " * (len(match[0]) - len(match[1])), text)


def makes_file(text: str, name: str) -> bool:
    """Whether LaTeX writes the file `name` from the text (`filecontents`)."""
    begin = r"\\begin\s*\{filecontents\*?\}\s*(?:\[[^\]]*\])?\s*\{"
    return "{filecontents" in text and bool(re.search(begin + re.escape(name) + r"\}", text))
