"""Splits LaTeX into sentences without loss: the joined pieces equal the text.

A wrong split is harmless if the same words are always split in the same way: two versions of a text are
compared by pieces, which are kept or replaced as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from .scan import scan

_TOKEN = re.compile(
    r"""(?P<blank>\s*\n[ \t]*\r?\n\s*)
      | (?P<space>\s+)
      | (?P<comment>%[^\n]*)
      | (?P<verb>\\(?:verb(?![A-Za-z])\*?|lstinline)(?P<bar>[^A-Za-z\s*\[{\\])[^\n]{0,1000}?(?P=bar))
      | (?P<begin>\\begin[ \t]*\{(?P<env>[^{}\n\\]{1,80})\})
      | (?P<math>\\[(\[]|\$\$?)
      | (?P<command>\\(?:[A-Za-z@]+\*?(?:[ \t]*\[[^\[\]]{0,300}\])*|[^\r\n]))
      | (?P<open>\{)
      | (?P<stop>[.!?]+|[。！？])
      | (?P<closer>''|[)\]"'’”»~])
      | (?P<word>[^\W\d_]+)
      | .
    """,
    re.VERBOSE | re.DOTALL,
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|vs|al|etc|Fig|Figs|Eq|Eqs|Sec|Tab|Ref|Refs|resp|approx|No|Dr|Mr|Mrs|Prof|St|ca|viz"
    r"|pp|Vol|Ch|Thm|Prop|Lem|Def|w\.r\.t|a\.k\.a|[A-Z]))$"
)
_OF_ITS_OWN = re.compile(
    r"\\(?:(?:part|chapter|section|subsection|subsubsection|paragraph|subparagraph|label|vspace|hspace|input|"
    r"include)(?![A-Za-z])\*?|(?:noindent|par|smallskip|medskip|bigskip|newpage|clearpage|pagebreak|FloatBarrier)"
    r"(?=\s|%|\Z))"
)
_MATH_END = {"$": re.compile(r"(?<!\\)\$"), "$$": re.compile(r"\$\$")} | {
    sign: re.compile(re.escape(end)) for sign, end in ((r"\(", r"\)"), (r"\[", r"\]"))
}
_PARAGRAPH = re.compile(r"\n[ \t]*\r?\n")


@dataclass(frozen=True)
class Piece:
    """A sentence, or an `aside` (a comment, an environment, a heading), and the white space after it. Only
    the first piece of a text may be empty."""

    text: str
    gap: str
    kind: Literal["sentence", "aside"] = "sentence"

    @cached_property
    def normal(self) -> str:
        """The text for comparison, without line breaks."""
        return normal(self.text)

    @cached_property
    def keys(self) -> frozenset[str]:
        return keys_of(self.text)

    @property
    def ends_paragraph(self) -> bool:
        return bool(_PARAGRAPH.search(self.gap))


def normal(text: str) -> str:
    return " ".join(text.split())


def keys_of(latex: str) -> frozenset[str]:
    """The citation keys in a piece of LaTeX."""
    cites = (item for item in scan(latex).items if item.kind == "cite")
    groups = (latex[low:high] for item in cites for low, high in item.groups)
    return frozenset(key for group in groups for key in map(str.strip, group.split(",")) if key)


def renamed(latex: str, keys: Mapping[str, str]) -> str:
    """The LaTeX with its citation keys replaced; `keys` maps old keys to new keys."""
    cites = (item for item in scan(latex).items if item.kind == "cite")
    for low, high in sorted((group for item in cites for group in item.groups), reverse=True):
        group = re.sub(r"[^\s,]+", lambda key: keys.get(key[0], key[0]), latex[low:high])
        latex = latex[:low] + group + latex[high:]
    return latex


def ends_in_comment(text: str) -> bool:
    """Whether text appended on the same line would be commented out."""
    return bool(re.search(r"(?<!\\)(?:\\\\)*%[^\n]*\Z", text))


def holds_comment(text: str) -> bool:
    """Whether joining these lines would comment out a part of them."""
    return bool(re.search(r"(?<!\\)(?:\\\\)*%[^\n]*\n", text))


def joined(pieces: Iterable[Piece]) -> str:
    return "".join(piece.text + piece.gap for piece in pieces)


def split(text: str) -> list[Piece]:
    """The pieces of the text in order; `joined` restores the text."""
    pieces: list[Piece] = []
    read = scan(text)
    braces, dead = read.braces, dict(read.dead)
    at = _space_end(text, 0)
    if at or not text:
        pieces.append(Piece("", text[:at], "aside"))
    while at < len(text):
        end = _aside_end(text, at, braces, dead)
        kind: Literal["sentence", "aside"] = "aside" if end > at else "sentence"
        end = end if end > at else _sentence_end(text, at, braces, dead)
        after = _space_end(text, end)
        pieces.append(Piece(text[at:end], text[end:after], kind))
        at = after
    return pieces


def is_abbreviation(text: str, stop: int, start: int = 0) -> bool:
    """Whether the full stop at `stop` only ends an abbreviation. The full stop of "etc." also ends the
    sentence if a capital letter follows; the result is then False. `start`: the earliest start of the
    sentence."""
    before, behind = text[max(start, stop - 12) : stop], text[stop + 1 : stop + 80]
    ends = before.endswith("etc") and behind[:1].isspace() and behind.lstrip()[:1].isupper()
    return not ends and bool(_ABBREVIATION.search(before))


def paragraphs(pieces: Sequence[Piece]) -> list[list[int]]:
    """The indices of the pieces in each paragraph; an empty first piece is left out."""
    found: list[list[int]] = [[]]
    for place, piece in enumerate(pieces):
        if piece.text:
            found[-1].append(place)
        if piece.ends_paragraph and found[-1]:
            found.append([])
    return [places for places in found if places]


def _space_end(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _aside_end(text: str, at: int, braces: dict[int, int], dead: dict[int, int]) -> int:
    """The end of the comment, environment, formula, heading or false branch at `at`, else `at`."""
    if at in dead:
        return dead[at]
    match = _TOKEN.match(text, at)
    if match is None:
        return at
    if match["comment"] is not None:
        return len(match[0].rstrip()) + at
    if match["begin"]:
        return _environment_end(text, match, at)
    if match["math"] in (r"\[", "$$"):
        return _math_end(text, match, at)
    if own := _OF_ITS_OWN.match(text, at):
        end = own.end()
        while match := re.compile(r"\[[^\]\n]*\]|\{").match(text, end):
            if match[0] == "{" and match.start() not in braces:
                break
            end = braces[match.start()] + 1 if match[0] == "{" else match.end()
        return end
    return at


def _sentence_end(text: str, at: int, braces: dict[int, int], dead: dict[int, int]) -> int:
    """The end of the sentence that starts at `at`, at the latest at the end of its paragraph."""
    stopped = False
    end = at
    while end < len(text):
        match = _TOKEN.match(text, end)
        assert match
        if match["blank"] or (match.end() == len(text) and match["space"]):
            return end
        if match["space"]:
            behind = text[match.end() : match.end() + 1]
            if (stopped and not behind.islower()) or (behind == "%" and "\n" in match[0]):
                return end  # a comment on its own line is not part of the sentence
            end = match.end()
            continue
        if match["comment"] is not None:
            if stopped:
                return end
            end += len(match[0].rstrip())
        elif end in dead:
            if stopped:
                return end
            end = dead[end]
        elif match["begin"]:
            if (after := _environment_end(text, match, end)) > match.end() and stopped:
                return end
            end, stopped = max(after, match.end()), False
        elif match["math"]:
            end, stopped = max(_math_end(text, match, end), match.end()), False
        elif match["open"]:
            end = braces.get(end, end) + 1
        elif match["stop"]:
            stopped = not is_abbreviation(text, end, at) or len(match[0]) > 1
            end = match.end()
            if match["stop"] in "。！？":
                return end
        else:
            stopped = stopped and bool(match["closer"] or match["command"] or match["verb"])
            end = match.end()
    return end


def _environment_end(text: str, begin: re.Match[str], at: int) -> int:
    """The end of the environment; `at` if it is not closed."""
    name, depth = re.escape(begin["env"]), 1
    for edge in re.compile(rf"(?<!\\)\\(begin|end)[ \t]*\{{{name}\}}").finditer(text, begin.end()):
        depth += 1 if edge[1] == "begin" else -1
        if not depth:
            return edge.end()
    return at


def _math_end(text: str, sign: re.Match[str], at: int) -> int:
    """The end of the formula; `at` if it does not end in its paragraph."""
    blank = _PARAGRAPH.search(text, sign.end())
    end = _MATH_END[sign["math"]].search(text, sign.end(), blank.start() if blank else len(text))
    return end.end() if end else at
