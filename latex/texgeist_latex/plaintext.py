"""LaTeX to plain text, for people and for embedding: prose stays, commands become what they show.

One pass over the text; symbols come from pylatexenc's tables. Whatever is not understood loses its
backslash name and keeps its words, so that nothing the author wrote gets lost. Never raises; expansion
of the author's macros is bounded, so that a macro that doubles itself ends.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from . import names
from .macros import Definitions, Macro
from .words import DROP, JOINED, KEEP_LAST, MATH_ENVIRONMENTS, OPERATORS, SPACES

EMPTY = Definitions({}, {}, frozenset(), {})
_TOKEN = re.compile(
    r"""%[^\n]*\n?[ \t]*
      | \\(?:(?P<edge>begin|end)[ \t]*\{(?P<env>[^{}\n\\]{1,80})\}
          | verb(?![A-Za-z])\*?(?P<bar>[^A-Za-z\s*])(?P<code>[^\n]{0,1000}?)(?P=bar)
          | (?P<name>[A-Za-z@]+|[^\W\d_a-zA-Z]+)\*?
          | (?P<sign>.))
      | (?P<math>\$\$?) | (?P<brace>[{}]) | ~ | ---? | ``|''|<<|>> | (?P<script>[_^]) | &
    """,
    re.VERBOSE | re.DOTALL,
)
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "d": "\u0323", "b": "\u0331", "k": "\u0328",
    "r": "\u030a",
}  # fmt: skip
_MARKUP = re.compile(r"[\\$%{}~&_^]|--|``|''|<<|>>")
_MAX_EXPANSIONS = 4000
_MAX_DEPTH = 12
_MAX_MATH = 8000


@lru_cache(maxsize=1)
def symbols() -> dict[str, str]:
    """Command to character, from pylatexenc (imported only when the first text is wanted)."""
    from pylatexenc.latex2text import get_default_latex_context_db

    table: dict[str, str] = {}
    for spec in get_default_latex_context_db().iter_macro_specs():
        if isinstance(spec.simplify_repl, str) and spec.macroname and "%" not in spec.simplify_repl:
            table.setdefault(spec.macroname, spec.simplify_repl)
    table.update({"newline": " ", "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "slash": "/"})
    return table


def plain(latex: str, definitions: Definitions = EMPTY) -> str:
    """Text of a piece of LaTeX: paragraphs apart by a blank line, other white space made single."""
    return tidy(_Renderer(definitions).render(latex, False, 0))


_GAPS = re.compile(r"[ \t\r\f\v]*\n[ \t\r\f\v]*(\n\s*)?|[ \t\r\f\v\u00a0]+")
_BEFORE_STOP = re.compile(r"[ \n]+([.,;:!?](?:\s|$))")
_EMPTY_PAIR = re.compile(r" ?\((?:\s|[,;])*\)| ?\[(?:\s|[,;])*\]")


def tidy(text: str) -> str:
    text = _GAPS.sub(lambda m: "\n\n" if m[1] is not None else "\n" if "\n" in m[0] else " ", text)
    text = _EMPTY_PAIR.sub("", text)
    text = "\n\n".join(" ".join(p.split("\n")) for p in text.split("\n\n"))
    text = re.sub(r"  +", " ", text)
    return _BEFORE_STOP.sub(r"\1", text).strip()


def match_braces(text: str) -> dict[int, int]:
    stack: list[int] = []
    pairs: dict[int, int] = {}
    for match in re.finditer(r"\\.|%[^\n]*|[{}]", text, re.S):
        if match[0] == "{":
            stack.append(match.start())
        elif match[0] == "}" and stack:
            pairs[stack.pop()] = match.start()
    return pairs


class _Renderer:
    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions
        self.macros: Mapping[str, Macro] = definitions.macros
        self.cites = definitions.cite_commands
        self.expansions = 0

    def render(self, text: str, math: bool, depth: int) -> str:
        if not math and not _MARKUP.search(text):
            return text
        if depth > _MAX_DEPTH:
            return ""
        reader = _Arguments(text)
        out: list[str] = []
        position = 0
        while match := _TOKEN.search(text, position):
            out.append(text[position : match.start()])
            shown, position = self._token(match, reader, math, depth)
            out.append(shown)
        out.append(text[position:])
        return "".join(out)

    def _token(self, match: re.Match[str], reader: _Arguments, math: bool, depth: int) -> tuple[str, int]:
        end = match.end()
        if name := match["name"]:
            return self._command(name, end, reader, math, depth)
        if match["brace"]:  # of an unknown command's arguments each is a word of its own
            return (" " if not math and match[0] == "}" and reader.text[end : end + 1] == "{" else ""), end
        if match["math"]:
            return self._dollars(match[0], end, reader, depth)
        if sign := match["sign"]:
            return self._sign(sign, end, reader, math, depth)
        if match["edge"]:
            return self._environment(match, reader, math, depth)
        if match["bar"]:
            return match["code"], end
        token = match[0]
        if token.startswith("%"):
            return ("\n" if token.count("\n") and reader.text[end : end + 1] == "\n" else ""), end
        if match["script"]:
            return token, end
        return {"~": " ", "---": "—", "--": "–", "``": "“", "''": "”", "<<": "«", ">>": "»", "&": " "}.get(
            token, token
        ), end

    def _dollars(self, mark: str, start: int, reader: _Arguments, depth: int) -> tuple[str, int]:
        end = reader.find(mark, start)
        if end < 0:
            return "", start
        return self._math(reader.text[start:end], depth), end + len(mark)

    def _math(self, body: str, depth: int) -> str:
        shown = self.render(body, True, depth + 1)
        return re.sub(r"\s+", " ", re.sub(r"([_^]) +", r"\1", shown)).strip()

    def _sign(self, sign: str, end: int, reader: _Arguments, math: bool, depth: int) -> tuple[str, int]:
        if sign in "([" and not math:
            closing = reader.near("\\" + ")]"["([".index(sign)], end, end + _MAX_MATH)
            if closing >= 0:
                return " " + self._math(reader.text[end:closing], depth) + " ", closing + 2
            return "", end
        if sign in _ACCENTS and not math:
            return self._accent(sign, end, reader, depth)
        if sign == "\\":
            option = reader.option(end + (reader.text[end : end + 1] == "*"))
            return "\n" if not math else " ", option[1] + 1 if option else end + (
                reader.text[end : end + 1] == "*"
            )
        return {",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "!": "", "/": "", "-": "", "@": "",
                ">": " ", ")": "", "]": ""}.get(sign, sign), end  # fmt: skip

    def _accent(self, sign: str, end: int, reader: _Arguments, depth: int) -> tuple[str, int]:
        group = reader.group(end)
        if group:
            letter, after = self.render(reader.text[group[0] : group[1]], False, depth + 1), group[1] + 1
        else:
            at = end
            while reader.text[at : at + 1] == " ":
                at += 1
            letter, after = reader.text[at : at + 1], at + 1
            if letter == "\\":
                letter, after = reader.text[at + 1 : at + 2], at + 2
        letter = {"ı": "i", "ȷ": "j"}.get(letter, letter)
        if not letter or not letter[0].isalpha():
            return letter, after
        return unicodedata.normalize("NFC", letter[0] + _ACCENTS[sign]) + letter[1:], after

    def _environment(
        self, match: re.Match[str], reader: _Arguments, math: bool, depth: int
    ) -> tuple[str, int]:
        env, end = match["env"].strip(), match.end()
        if match["edge"] == "end":
            return ("\n\n" if not math else ""), end
        closing = "\\end{" + env + "}"
        if env in MATH_ENVIRONMENTS or env in names.DROPPED_ENVIRONMENTS or env in names.VERBATIM:
            stop = reader.find_long(closing, end)
            if stop >= 0:
                body = reader.text[end:stop]
                shown = (
                    self._math(re.sub(r"\\label\s*\{[^{}]*\}", "", body), depth)
                    if env in MATH_ENVIRONMENTS
                    else ""
                )
                return f" {shown} ", stop + len(closing)
        _, _, end = reader.arguments(end, 9, adjacent=True)
        return ("\n\n" if not math else ""), end

    def _command(self, name: str, end: int, reader: _Arguments, math: bool, depth: int) -> tuple[str, int]:
        if name in _ACCENTS and not math:
            return self._accent(name, end, reader, depth)
        macro = self.macros.get(name)
        if name in names.CITE_COMMANDS or name in self.cites:
            _, _, end = reader.arguments(end, 20 if name in names.MULTI_CITES else 2 if "vol" in name else 1)
            return "", end
        if macro is not None and name not in _KNOWN_BEFORE_MACROS:
            return self._expand(macro, end, reader, math, depth)
        if name in names.HEADINGS:
            _, groups, end = reader.arguments(end, 1)
            return "\n\n" + "".join(self._inside(g, reader, False, depth) for g in groups) + ".\n\n", end
        if name in DROP:
            return "", reader.arguments(end, DROP[name])[2]
        if name in KEEP_LAST:
            _, groups, end = reader.arguments(end, KEEP_LAST[name])
            chosen = groups[-1:]
            is_math = name == "ensuremath" or (math and name not in ("text", "mbox", "textrm", "intertext"))
            return "".join(self._inside(g, reader, is_math, depth) for g in chosen), end
        if name in JOINED:
            _, groups, end = reader.arguments(end, JOINED[name])
            return "".join(self._inside(g, reader, math, depth) for g in groups), end
        if name.lower() in _GLOSSARY:
            _, groups, end = reader.arguments(end, 1)
            key = reader.words(groups[0]) if groups else ""
            words = self.render(self.definitions.glossary.get(key, key), False, depth + 1)
            return words + ("s" if name.endswith("pl") else ""), end
        return self._symbol(name, end, reader, math, depth)

    def _symbol(self, name: str, end: int, reader: _Arguments, math: bool, depth: int) -> tuple[str, int]:
        if math and name in ("frac", "dfrac", "tfrac", "nicefrac", "sfrac"):
            _, groups, end = reader.arguments(end, 2)
            return "/".join(self._bracketed(g, reader, depth) for g in groups), end
        if math and name == "sqrt":
            _, groups, end = reader.arguments(end, 1)
            return "√" + "".join(self._bracketed(g, reader, depth) for g in groups), end
        if name in SPACES:
            return SPACES[name], end
        known = symbols().get(name, OPERATORS.get(name))
        after = end if math else reader.over_space(end)
        if known is not None:
            return known + (" " if math and known.isalpha() and len(known) > 1 else ""), after
        return "", reader.over_space(reader.arguments(end, 0)[2])

    def _bracketed(self, group: tuple[int, int], reader: _Arguments, depth: int) -> str:
        inside = self._math(reader.words(group), depth)
        return inside if len(inside) < 2 or inside.isalnum() else f"({inside})"

    def _inside(self, group: tuple[int, int], reader: _Arguments, math: bool, depth: int) -> str:
        return self.render(reader.words(group), math, depth + 1)

    def _expand(self, macro: Macro, end: int, reader: _Arguments, math: bool, depth: int) -> tuple[str, int]:
        values: list[str] = []
        for index, letter in enumerate(macro.letters):
            if letter == "s":
                star = reader.text[end : end + 1] == "*"
                values.append("")
                end += star
            elif letter == "o":
                option = reader.option(end)
                values.append(reader.words(option) if option else macro.default or "")
                end = option[1] + 1 if option else end
            else:
                value, end = reader.undelimited(end)
                values.append(value)
            if index > 8:
                break
        self.expansions += 1
        if self.expansions > _MAX_EXPANSIONS or len(macro.body) > 4000:
            return " ".join(values), end
        body = re.sub(
            r"#(\d)", lambda m: values[int(m[1]) - 1] if 0 < int(m[1]) <= len(values) else "", macro.body
        )
        if len(body) > 20_000 or "@" in body[:400]:
            return " ".join(self.render(v, math, depth + 1) for v in values), end
        swallowed = end if math or macro.letters else reader.over_space(end)
        shown = self.render(body, math, depth + 2)
        if "xspace" in macro.body and re.match(r"[A-Za-z(0-9]", reader.text[swallowed : swallowed + 1]):
            shown += " "
        return shown, swallowed


_KNOWN_BEFORE_MACROS = frozenset(
    ["emph", "textbf", "textit", "ldots", "item", "par", "footnote", "label", "ref"]
)
_GLOSSARY = frozenset("gls glspl glsentrylong glstext ac acs acl acf acp acrshort acrlong acrfull".split())


class _Arguments:
    """Argument reading inside one piece of text; braces are matched when the first one is wanted."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._braces: dict[int, int] | None = None
        self._absent: set[str] = set()
        self._vain: dict[str, tuple[int, int]] = {}

    def words(self, span: tuple[int, int]) -> str:
        return self.text[span[0] : span[1]]

    def over_space(self, position: int) -> int:
        while self.text[position : position + 1] in (" ", "\t"):
            position += 1
        return position

    def find(self, mark: str, start: int) -> int:
        """The closing `$` or `$$`, not behind a backslash and not beyond a blank line."""
        limit = self.text.find("\n\n", start, start + _MAX_MATH)
        limit = limit if limit >= 0 and mark == "$" else min(len(self.text), start + _MAX_MATH)
        at = self.near(mark, start, limit)
        while at > 0 and self.text[at - 1] == "\\":
            at = self.near(mark, at + 1, limit)
        return at

    def near(self, mark: str, start: int, limit: int) -> int:
        """`find` that remembers where it looked in vain, so that many half-typed formulas cost no more
        than one."""
        low, high = self._vain.get(mark, (0, 0))
        begin = max(start, high - len(mark) + 1) if low <= start < high else start
        at = self.text.find(mark, begin, limit) if begin < limit else -1
        if at < 0 and limit > high:
            self._vain[mark] = (low if begin > start else start, limit)
        return at

    def find_long(self, closing: str, start: int) -> int:
        """A far closing mark; one that is not there is looked for once only."""
        if closing in self._absent:
            return -1
        at = self.text.find(closing, start)
        if at < 0:
            self._absent.add(closing)
        return at

    def group(self, position: int) -> tuple[int, int] | None:
        if self.text[position : position + 1] != "{":
            return None
        if self._braces is None:
            self._braces = match_braces(self.text)
        end = self._braces.get(position)
        return (position + 1, end) if end is not None else None

    def option(self, position: int) -> tuple[int, int] | None:
        if self.text[position : position + 1] != "[":
            return None
        at = position + 1
        for _ in range(32):
            end = self.text.find("]", at, position + 2000)
            if end < 0:
                return None
            brace = self.text.find("{", at, end)
            if brace < 0:
                return position + 1, end
            group = self.group(brace)
            at = group[1] + 1 if group else brace + 1
        return None

    def undelimited(self, position: int) -> tuple[str, int]:
        at = position
        while self.text[at : at + 1] in (" ", "\n", "\t", "\r"):
            at += 1
        if group := self.group(at):
            return self.words(group), group[1] + 1
        command = re.compile(r"\\(?:[A-Za-z@]+|.)", re.S).match(self.text, at)
        if command:
            return command[0], command.end()
        if self.text[at : at + 1] in ("}", "{", "$", ""):
            return "", position
        return self.text[at : at + 1], at + 1

    def arguments(
        self, position: int, most: int, adjacent: bool = False
    ) -> tuple[list[tuple[int, int]], list[tuple[int, int]], int]:
        options: list[tuple[int, int]] = []
        groups: list[tuple[int, int]] = []
        end = position
        while True:
            at = end
            if not adjacent:
                while self.text[at : at + 1] in (" ", "\t", "\n") and at < end + 40:
                    at += 1
            option = self.option(at)
            group = self.group(at) if not option and len(groups) < most else None
            if option and (len(groups) < most or most == 0):
                options.append(option)
                end = option[1] + 1
                if most == 0:
                    break
            elif group:
                groups.append(group)
                end = group[1] + 1
            else:
                break
        return options, groups, end
