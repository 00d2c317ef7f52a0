"""Reads Markdown as full text. Headings begin sections; tables, code and displayed equations are units.

The file is untrusted: nothing in it is run, fetched or followed. HTML is removed; a link is replaced by its
text, a picture by its description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..text.sentences import split_sentences
from ..types import Block, TextSection

if TYPE_CHECKING:
    from markdown_it.token import Token

LARGEST = 4 << 20  # bytes of a file, the same limit as for the text of a paper
_NESTED = 20  # nesting of quotes and lists; no paper is nested deeper
_HEAD = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(?P<fields>.{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL
)
_FIELD = re.compile(r"^(?P<name>[A-Za-z][\w-]{0,40})[ \t]*:[ \t]*(?P<value>[^\r\n]{0,4000})$", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*-[ \t]+(?P<value>[^\r\n]{1,400})$", re.MULTILINE)
_EQUATION = re.compile(
    r"\s*(?:\$\$.*\$\$|\\\[.*\\\]|\\begin\{(?:equation|align|gather|multline)\*?\}.*)\s*", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class MarkdownText:
    """`title`: from the front matter, else the first level-one heading. `fields`: the values in the front
    matter between the `---` lines, by name in lower case; a list becomes a text with a line for each
    value."""

    title: str
    sections: tuple[TextSection, ...]
    fields: Mapping[str, str] = field(default_factory=dict)


def read_markdown(text: str) -> MarkdownText:
    from markdown_it import MarkdownIt

    head = _HEAD.match(text)
    fields = head_of(text)
    parser = MarkdownIt("commonmark", {"maxNesting": _NESTED, "html": True}).enable("table")
    tokens = parser.parse(text[head.end() :] if head else text)
    title, found, blocks = fields.get("title", ""), list[tuple[str, list[Block]]](), list[Block]()
    found.append(("", blocks))
    own = not title  # the first level-one heading is the paper's title, not a section
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.type == "heading_open":
            words = _words(tokens[at + 1])
            if token.tag == "h1" and own and not blocks and len(found) == 1:
                title, own = words, False
            elif not (token.tag == "h1" and words == title):
                blocks = []
                found.append((words, blocks))
            at += 3
        elif token.type == "table_open":
            end = next(n for n in range(at, len(tokens)) if tokens[n].type == "table_close")
            blocks.append(Block("\n".join(_rows(tokens[at:end])), whole=True))
            at = end + 1
        else:
            blocks += _blocks(token)
            at += 1
    return MarkdownText(title, tuple(TextSection(h, tuple(b)) for h, b in found if b), fields)


def head_of(text: str) -> Mapping[str, str]:
    """The fields of the front matter between the `---` lines."""
    head = _HEAD.match(text)
    return _fields(head["fields"]) if head else {}


def _blocks(token: Token) -> Iterator[Block]:
    """The blocks of a token. Tokens that open or close a container yield nothing, because the content has
    separate tokens."""
    if token.type in ("fence", "code_block"):
        if token.content.strip():
            yield Block(token.content.rstrip(), whole=True)
    elif token.type == "inline":
        if _EQUATION.fullmatch(token.content):
            yield Block(token.content.strip(), whole=True)
        else:
            yield from (Block(sentence) for sentence in split_sentences(_words(token)))


def _rows(tokens: Sequence[Token]) -> Iterator[str]:
    row: list[str] = []
    for token in tokens:
        if token.type == "inline":
            row.append(_words(token))
        elif token.type == "tr_close":
            yield " | ".join(row)
            row = []


def _words(token: Token) -> str:
    """The words of a paragraph or heading, without markup."""
    kept = []
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            kept.append(" ")
        elif child.type in ("text", "code_inline", "image"):  # an image's content is its description
            kept.append(child.content)
    return " ".join("".join(kept).split())


def _fields(head: str) -> dict[str, str]:
    """The fields of simple YAML, by name in lower case: a value or `[a, b]` after the colon, or a list below.
    Other YAML is not parsed."""
    found: dict[str, str] = {}
    head = head.replace("\r\n", "\n")
    places = list(_FIELD.finditer(head))
    for match, after in zip(places, [*places[1:], None], strict=False):  # the front matter may be empty
        value = match["value"].strip()
        if value in ("", "|", ">", "|-", ">-"):
            below = head[match.end() : after.start() if after else len(head)]
            items = [item["value"] for item in _ITEM.finditer(below)]
            value = "\n".join(map(_bare, items)) if items else " ".join(below.split())
        elif value.startswith("[") and value.endswith("]"):
            value = "\n".join(_bare(item) for item in value[1:-1].split(","))
        found.setdefault(match["name"].lower(), _bare(value))
    return found


def _bare(value: str) -> str:
    value = value.strip()
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value
