"""Generated text in a document: it stands between two comments, so that it can be found again.

% texgeist:begin related-work
...
% texgeist:end related-work
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from texgeist_latex.types import SourceFile, Span

_MARK = re.compile(r"^[ \t]*%[ \t]*texgeist:(begin|end)[ \t]+([\w.:-]+)[ \t]*\r?$", re.MULTILINE)
_HEAD = re.compile(
    r"\A\s*\\(?:chapter|section|subsection|subsubsection|paragraph)\b[^\n]*"
    r"(?:\n[ \t]*\\label\{[^{}\n]*\}[ \t]*(?=\r?\n|\Z))*"
)


@dataclass(frozen=True, slots=True)
class Block:
    """One generated block: `span` from the first sign of its begin line to the last of its end line."""

    id: str
    span: Span
    body: Span  # between the two lines

    def heading(self, text: str) -> str:
        """The heading of the block with its labels, "" where it has none: the user may have renamed it."""
        match = _HEAD.match(text[self.body.start : self.body.end])
        return match[0].strip() if match else ""


def begin(identifier: str) -> str:
    return f"% texgeist:begin {identifier}"


def end(identifier: str) -> str:
    return f"% texgeist:end {identifier}"


def find_blocks(sources: Iterable[SourceFile]) -> list[Block]:
    """All well-formed blocks. A begin without its end is none: what it held can no longer be told."""
    return [block for source in sources if "texgeist:begin" in source.text for block in _blocks(source)]


def _blocks(source: SourceFile) -> list[Block]:
    found: list[Block] = []
    opened: re.Match[str] | None = None
    for mark in _MARK.finditer(source.text):
        if mark[1] == "begin":
            opened = mark
        elif opened is not None and opened[2] == mark[2]:
            line_end = mark.end() - (source.text[mark.end() - 1] == "\r")
            span = Span(source.path, opened.start(), line_end)
            found.append(Block(mark[2], span, Span(source.path, opened.end(), mark.start())))
            opened = None
    return found
