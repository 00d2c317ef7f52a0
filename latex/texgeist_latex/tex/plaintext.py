r"""Converts LaTeX to plain text, for display and embedding: prose is kept, and commands are replaced by the
text that they show.

A single pass over the text. Symbol tables come from pylatexenc, but its parser is not used: on 7,290 titles,
names and abstracts the parser is 21 times slower (4.6 s against 0.2 s), and it converts an incomplete
`\frac{a` to `%s/%sa`. Unknown commands lose their names and keep their arguments, so that no text is lost.
The conversion never raises. Macro expansion is bounded, so recursive macros end.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache

from . import command_names
from .accents import COMBINING
from .arguments import MAX_MATH, Seeker
from .macros import Definitions, Macro
from .wordlists import DROP, JOINED, KEEP_LAST, MATH_ENVIRONMENTS, OPERATORS, SPACES

EMPTY = Definitions({}, frozenset(), {})
_TOKEN = re.compile(
    r"""%[^\n]*\n?[ \t]*
      | \\(?:(?P<edge>begin|end)[ \t]*\{(?P<env>[^{}\n\\]{1,80})\}
          | (?:verb(?![A-Za-z])\*?|lstinline(?:\[[^\]\n]{0,200}\])?)
              (?P<bar>[^A-Za-z\s*{\[])(?P<code>[^\n]{0,1000}?)(?P=bar)
          | (?:url|path|nolinkurl)[ ]?\{(?P<link>[^{}\n]{0,2000})\}
          | (?P<href>href[ ]?\{[^{}\n]{0,2000}\})
          | (?P<name>[A-Za-z@]+|[^\W\d_a-zA-Z]+)\*?
          | (?P<sign>.))
      | (?P<math>\$\$?) | (?P<brace>[{}]) | ~ | ---? | ``|''|<<|>> | (?P<script>[_^]) | &
    """,
    re.VERBOSE | re.DOTALL,
)
_MARKUP = re.compile(r"[\\$%{}~&_^]|--|``|''|<<|>>")
_MAX_EXPANSIONS = 4000
_MAX_DEPTH = 12


@lru_cache(maxsize=1)
def symbols() -> dict[str, str]:
    """The characters that commands show, by command, from pylatexenc, which is imported when first needed."""
    from pylatexenc.latex2text import get_default_latex_context_db

    table: dict[str, str] = {}
    for spec in get_default_latex_context_db().iter_macro_specs():
        if isinstance(spec.simplify_repl, str) and spec.macroname and "%" not in spec.simplify_repl:
            table.setdefault(spec.macroname, spec.simplify_repl)
    table.update({"newline": " ", "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "slash": "/"})
    return table


def plain(latex: str, definitions: Definitions = EMPTY) -> str:
    """The plain text: paragraphs are separated by a blank line, other white space is a single space."""
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
        reader = Seeker(text)
        out: list[str] = []
        position = 0
        while match := _TOKEN.search(text, position):
            out.append(text[position : match.start()])
            shown, position = self._token(match, reader, math, depth)
            out.append(shown)
        out.append(text[position:])
        return "".join(out)

    def _token(self, match: re.Match[str], reader: Seeker, math: bool, depth: int) -> tuple[str, int]:
        end = match.end()
        if name := match["name"]:
            return self._command(name, end, reader, math, depth)
        if match["brace"]:  # separates the arguments of an unknown command
            return (" " if not math and match[0] == "}" and reader.text[end : end + 1] == "{" else ""), end
        if match["math"]:
            return self._dollars(match[0], end, reader, depth)
        if sign := match["sign"]:
            return self._sign(sign, end, reader, math, depth)
        if match["edge"]:
            return self._environment(match, reader, math, depth)
        if match["bar"]:
            return match["code"], end
        if match["link"] is not None:
            return match["link"], end
        if match["href"]:
            return "", end
        token = match[0]
        if token.startswith("%"):
            return ("\n" if token.count("\n") and reader.text[end : end + 1] == "\n" else ""), end
        if match["script"]:
            return token, end
        return {"~": " ", "---": "—", "--": "–", "``": "“", "''": "”", "<<": "«", ">>": "»", "&": " "}.get(
            token, token
        ), end

    def _dollars(self, mark: str, start: int, reader: Seeker, depth: int) -> tuple[str, int]:
        end = reader.dollar(mark, start)
        if end < 0:
            return "", start
        return self._math(reader.text[start:end], depth), end + len(mark)

    def _math(self, body: str, depth: int) -> str:
        shown = self.render(body, True, depth + 1)
        return re.sub(r"\s+", " ", re.sub(r"([_^]) +", r"\1", shown)).strip()

    def _sign(self, sign: str, end: int, reader: Seeker, math: bool, depth: int) -> tuple[str, int]:
        if sign in "([" and not math:
            closing = reader.near("\\" + ")]"["([".index(sign)], end, end + MAX_MATH)
            if closing >= 0:
                return " " + self._math(reader.text[end:closing], depth) + " ", closing + 2
            return "", end
        if sign in COMBINING and not math:
            return self._accent(sign, end, reader, depth)
        if sign == "\\":
            option = reader.option(end + (reader.text[end : end + 1] == "*"))
            return "\n" if not math else " ", option[1] + 1 if option else end + (
                reader.text[end : end + 1] == "*"
            )
        return {",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "!": "", "/": "", "-": "", "@": "",
                ">": " ", ")": "", "]": "", "|": "‖"}.get(sign, sign), end  # fmt: skip

    def _accent(self, sign: str, end: int, reader: Seeker, depth: int) -> tuple[str, int]:
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
        return unicodedata.normalize("NFC", letter[0] + COMBINING[sign]) + letter[1:], after

    def _environment(self, match: re.Match[str], reader: Seeker, math: bool, depth: int) -> tuple[str, int]:
        env, end = match["env"].strip(), match.end()
        if match["edge"] == "end":
            return ("\n\n" if not math else ""), end
        closing = "\\end{" + env + "}"
        if (
            env in MATH_ENVIRONMENTS
            or env in command_names.DROPPED_ENVIRONMENTS
            or env in command_names.VERBATIM
        ):
            stop = reader.far(closing, end)
            if stop >= 0:
                body = reader.text[end:stop]
                shown = (
                    self._math(re.sub(r"\\label\s*\{[^{}]*\}", "", body), depth)
                    if env in MATH_ENVIRONMENTS
                    else ""
                )
                return f" {shown} ", stop + len(closing)
        end = reader.adjacent(end)
        return ("\n\n" if not math else ""), end

    def _command(self, name: str, end: int, reader: Seeker, math: bool, depth: int) -> tuple[str, int]:
        if name in COMBINING and not math and reader.text[end : end + 1] != "\\":
            return self._accent(name, end, reader, depth)
        if name in command_names.DEFINITIONS:
            return "", reader.definition(name, end)[0]
        if name == "ifx":
            return "", reader.undelimited(reader.undelimited(end)[1])[1]
        if name == "item":
            option = reader.option(reader.over_space(end))
            label = self.render(reader.words(option), False, depth + 1) + " " if option else ""
            return "\n\n" + label, option[1] + 1 if option else end
        macro = self.macros.get(name)
        if name in command_names.CITE_COMMANDS or name in self.cites:
            return "", reader.read(end, command_names.groups_of(name))[0]
        if macro is not None and name not in _KNOWN_BEFORE_MACROS:
            return self._expand(macro, end, reader, math, depth)
        if name in command_names.HEADINGS:
            end, _, groups = reader.read(end, 1)
            heading = "".join(self._inside(g, reader, False, depth) for g in groups).rstrip()
            return f"\n\n{heading}{'' if heading.endswith(('.', '?', '!', ':')) else '.'}\n\n", end
        if name in DROP:
            return "", reader.read(end, DROP[name])[0]
        if name in KEEP_LAST:
            end, _, groups = reader.read(end, KEEP_LAST[name])
            chosen = groups[-1:]
            is_math = name == "ensuremath" or (math and name not in ("text", "mbox", "textrm", "intertext"))
            return "".join(self._inside(g, reader, is_math, depth) for g in chosen), end
        if name in ("SI", "qty"):
            end, _, groups = reader.read(end, 2)
            return " ".join(_UNIT.sub(r" \1", reader.words(g)).strip() for g in groups), end
        if name in JOINED:
            end, _, groups = reader.read(end, JOINED[name])
            return "".join(self._inside(g, reader, math, depth) for g in groups), end
        if command_names.is_citation(name):
            after, _, groups = reader.read(end, 1)
            if groups and command_names.could_be_keys(reader.words(groups[0])):
                return "", after
        return self._symbol(name, end, reader, math, depth)

    def _symbol(self, name: str, end: int, reader: Seeker, math: bool, depth: int) -> tuple[str, int]:
        if math and name in ("frac", "dfrac", "tfrac", "nicefrac", "sfrac"):
            end, _, groups = reader.read(end, 2)
            return "/".join(self._bracketed(g, reader, depth) for g in groups), end
        if math and name == "sqrt":
            end, _, groups = reader.read(end, 1)
            return "√" + "".join(self._bracketed(g, reader, depth) for g in groups), end
        if name in SPACES:
            return SPACES[name], end
        known = symbols().get(name, OPERATORS.get(name))
        after = end if math else reader.over_space(end)
        if known is not None:
            return known + (" " if math and known.isalpha() and len(known) > 1 else ""), after
        option = reader.option(end)
        return "", reader.over_space(option[1] + 1 if option else end)

    def _bracketed(self, group: tuple[int, int], reader: Seeker, depth: int) -> str:
        inside = self._math(reader.words(group), depth)
        return inside if len(inside) < 2 or inside.isalnum() else f"({inside})"

    def _inside(self, group: tuple[int, int], reader: Seeker, math: bool, depth: int) -> str:
        return self.render(reader.words(group), math, depth + 1)

    def _expand(self, macro: Macro, end: int, reader: Seeker, math: bool, depth: int) -> tuple[str, int]:
        values: list[str] = []
        for index, letter in enumerate(macro.letters):
            if letter == "s":
                star = reader.text[end : end + 1] == "*"
                values.append("")
                end += star
            elif letter == "o":
                option = reader.option(end)
                values.append(reader.words(option) if option else macro.default)
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


_UNIT = re.compile(r"\\([A-Za-z]+)")
_KNOWN_BEFORE_MACROS = frozenset(
    ["emph", "textbf", "textit", "ldots", "item", "par", "footnote", "label", "ref"]
)
