"""Reads the arguments of commands, with braces matched once for each text."""

from __future__ import annotations

import re

Range = tuple[int, int]

_BLANK_LINE = re.compile(r"\n[ \t\r]*\n")
_SPACE = re.compile(r"(?:[ \t\r\n]|%[^\n]*\n)*")
_BLANKS = frozenset(" \t\r\n%")
_NAME = re.compile(r"\\(?:[A-Za-z@]+|.)", re.S)
_EQUALS = re.compile(r"\s*=?\s*(\\(?:[A-Za-z@]+|.)|[^\\])", re.S)
_PARAMETERS = re.compile(r"[^{}\n\\]{0,200}")
_BRACES = re.compile(r"\\(?:url|path|nolinkurl|href)[ ]?\{[^{}\n]{0,2000}\}|\\.|%[^\n]*|[{}]", re.S)
_USUAL_CLOSINGS = {"[": "]", "<": ">"}
_CLOSINGS = {**_USUAL_CLOSINGS, "(": ")"}
MAX_OPTION = 2000  # characters in [...]; a longer option counts as incomplete
MAX_MATH = 8000  # characters of a formula
# The number of groups after the defined name, for commands that do not have exactly one.
_BODIES = {
    **dict.fromkeys(
        """newenvironment renewenvironment NewDocumentCommand RenewDocumentCommand ProvideDocumentCommand
        DeclareDocumentCommand NewExpandableDocumentCommand DeclareMultiCiteCommand DeclarePairedDelimiter
        newacronym""".split(),
        2,
    ),
    "NewDocumentEnvironment": 3,
    "DeclareCiteCommand": 4,
    "excludecomment": 0,
}


def match_braces(text: str) -> dict[int, int]:
    """Maps the offset of each closed `{` to that of its `}`. Comments and escapes are ignored."""
    stack: list[int] = []
    pairs: dict[int, int] = {}
    for match in _BRACES.finditer(text):
        if match[0] == "{":
            stack.append(match.start())
        elif match[0] == "}" and stack:
            pairs[stack.pop()] = match.start()
    return pairs


class Arguments:
    """Reads the arguments of commands in a text, with its `braces` matched when they are first needed."""

    def __init__(self, text: str, braces: dict[int, int] | None = None) -> None:
        self.text = text
        self._braces = braces

    @property
    def braces(self) -> dict[int, int]:
        if self._braces is None:
            self._braces = match_braces(self.text)
        return self._braces

    def words(self, span: Range) -> str:
        return self.text[span[0] : span[1]]

    def skip(self, position: int) -> int:
        """Skips spaces, comments and at most one line break; a blank line ends a command's arguments."""
        if self.text[position : position + 1] not in _BLANKS:
            return position
        end = _SPACE.match(self.text, position, position + 4000)
        after = end.end() if end else position
        if after == position or not _BLANK_LINE.search(self.text, position, after):
            return after
        return position

    def group(self, position: int) -> Range | None:
        """The contents of the `{…}` at `position`, or None."""
        if self.text[position : position + 1] != "{" or position not in self.braces:
            return None
        return position + 1, self.braces[position]

    def option(self, position: int, opening: str = "[", closing: str = "]") -> Range | None:
        """The contents of the `[…]` at `position`, or None. Brackets inside braces are ignored."""
        if self.text[position : position + 1] != opening:
            return None
        limit = min(len(self.text), position + MAX_OPTION)
        at = position + 1
        for _ in range(64):
            end = self.text.find(closing, at, limit)
            if end < 0:
                return None
            brace = self.text.find("{", at, end)
            if brace < 0:
                return position + 1, end
            at = self.braces.get(brace, brace) + 1
        return None

    def read(self, position: int, most: int) -> tuple[int, tuple[Range, ...], tuple[Range, ...]]:
        """Reads options and at most `most` groups after `position`. Returns the end of the last argument, and
        the contents of the options and of the groups."""
        options: list[Range] = []
        groups: list[Range] = []
        end = position
        closings = _CLOSINGS if most > 4 else _USUAL_CLOSINGS
        while len(groups) < most:
            at = self.skip(end)
            mark = self.text[at : at + 1]
            if group := self.group(at) if mark == "{" else None:
                groups.append(group)
                end = group[1] + 1
            elif option := self.option(at, mark, closings[mark]) if mark in closings else None:
                options.append(option)
                end = option[1] + 1
            else:
                break
        return end, tuple(options), tuple(groups)

    def adjacent(self, position: int) -> int:
        """The end of all options and groups that directly follow `position`."""
        while inside := self.option(position) or self.group(position):
            position = inside[1] + 1
        return position

    def definition(self, name: str, position: int) -> tuple[int, tuple[Range, ...], tuple[Range, ...]]:
        r"""Reads a definition. Returns its end, options and groups. The first group is the defined name; the
        parameters of \def count as an option."""
        at = self.skip(position)
        if self.text[at : at + 1] == "\\":
            match = _NAME.match(self.text, at)
            end = match.end() if match else at
            defined = (at, end)
        elif group := self.group(at):
            defined, end = group, group[1] + 1
        else:
            return position, (), ()
        if name == "let":
            equals = _EQUALS.match(self.text, end)
            return (equals.end(), (), (defined, equals.span(1))) if equals else (end, (), ())
        if name.endswith("def"):
            parameters = _PARAMETERS.match(self.text, end)
            stop = parameters.end() if parameters else end
            body = self.group(stop)
            return (body[1] + 1, ((end, stop),), (defined, body)) if body else (end, (), ())
        end, options, rest = self.read(end, _BODIES.get(name, 1))
        return end, options, (defined, *rest)


class Seeker(Arguments):
    """`Arguments` with a search for closing marks. No failed search is repeated."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._absent: set[str] = set()
        self._vain: dict[str, Range] = {}

    def over_space(self, position: int) -> int:
        while self.text[position : position + 1] in (" ", "\t"):
            position += 1
        return position

    def dollar(self, mark: str, start: int) -> int:
        r"""The position of the closing `$` or `$$`; -1 if a blank line comes first. A `\$` does not count."""
        limit = self.text.find("\n\n", start, start + MAX_MATH)
        limit = limit if limit >= 0 and mark == "$" else min(len(self.text), start + MAX_MATH)
        at = self.near(mark, start, limit)
        while at > 0 and self.text[at - 1] == "\\":
            at = self.near(mark, at + 1, limit)
        return at

    def near(self, mark: str, start: int, limit: int) -> int:
        """Like `str.find`; many searches for incomplete formulas cost no more than one."""
        low, high = self._vain.get(mark, (0, 0))
        begin = max(start, high - len(mark) + 1) if low <= start < high else start
        at = self.text.find(mark, begin, limit) if begin < limit else -1
        if at < 0 and limit > high:
            self._vain[mark] = (low if begin > start else start, limit)
        return at

    def far(self, mark: str, start: int) -> int:
        """The position of a mark after `start`, or -1. A missing mark is searched only once."""
        at = -1 if mark in self._absent else self.text.find(mark, start)
        if at < 0:
            self._absent.add(mark)
        return at

    def undelimited(self, position: int) -> tuple[str, int]:
        """The mandatory argument (a group, a command or a character, as in TeX), and its end."""
        at = position
        while self.text[at : at + 1] in (" ", "\n", "\t", "\r"):
            at += 1
        if group := self.group(at):
            return self.words(group), group[1] + 1
        if command := _NAME.match(self.text, at):
            return command[0], command.end()
        if self.text[at : at + 1] in ("}", "{", "$", ""):
            return "", position
        return self.text[at : at + 1], at + 1
