"""Pandoc's Markdown, as Quarto and R Markdown use it, read into the same `Scan` as LaTeX.

Only what citations need is read: `[see @key, p. 3; -@other]` and `@key`, headings, and the YAML block with title,
abstract, authors and bibliographies (https://pandoc.org/MANUAL.html, "Citation syntax"). Code, comments and
formulas are dead text, in which nothing is cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..disk.gate import MARKDOWN
from ..types import SourceFile
from .arguments import Range
from .plaintext import tidy
from .scan import Item, Scan, scan, without_comments

QUARTO = "_quarto.yml"  # of a Quarto project; it may name bibliographies for all its documents
PARENTHETICAL, TEXTUAL = "@", "@text"  # the two kinds of citation, in place of LaTeX's commands

_YAML = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S | re.M)
_VALUE = re.compile(
    r"^(title|abstract|author|bibliography)[ \t]*:(.*(?:\r?\n(?:[ \t]+\S|-[ \t]|[ \t]*$).*)*)", re.M
)
_BIB = re.compile(r"(?<=[\"'])[^\"'\n]+?\.bib(?=[\"'])|[^\s,\[\]\"'{}#]+\.bib\b")
_NAME = re.compile(
    r"^(?P<before>[ \t]*(?:-[ \t]+)?)(?:name:[ \t]*)?[\"']?([^\W\d_][^\n:\"'\[\]{}]{1,200})[\"']?[ \t]*$",
    re.M,
)
_NAME_IN_LINE = re.compile(
    r"(?:^|[\[,])\s*(?:\{\s*name:)?\s*[\"']?([^\W\d_][^:,\"'\[\]{}]{1,200})(?=[\"']?\s*(?:[,\]}]|\Z))"
)
_SCALAR = re.compile(r"\A\s*(?:[|>][+-]?\d?[ \t]*\n)?\s*[\"']?(.*?)[\"']?\Z", re.S)
_KEY = r"(?<![\w@\\])-?@(\{[^{}\s]{1,200}\}|\w(?:\w|[:.#$%&\-+?<>~/](?=\w)){0,200})"
_CITED = re.compile(_KEY)
_TOKEN = re.compile(
    rf"""(?P<dead>^[ ]{{0,3}}(?P<fence>(?:`{{3,12}}(?!`)|~{{3,12}}(?!~)))[^\n]*\n(?:.*?^[ ]{{0,3}}(?P=fence)|.*)
        | <!--.*?(?:-->|\Z) | \]\([^()\n]{{0,500}}\) | https?://[^\s<>()]{{1,500}}
        | (?<!`)(?P<ticks>`{{1,3}})(?!`)[^\n]{{1,500}}?(?<!`)(?P=ticks)(?!`)
        | \$\$.{{1,5000}}?\$\$ | (?<![\\$\w])\$(?=\S)[^$\n]{{1,500}}(?<=\S)\$(?!\d))
      | ^(?P<marks>\#{{1,6}})[ \t]+(?=(?P<title>[^\n]*))
      | (?<!\^)\[(?P<group>[^\[\]@]{{0,2000}}@[^\[\]]{{1,2000}})\](?!\()
      | {_KEY}""",
    re.X | re.S | re.M,
)
_HEADINGS = ("section", "subsection", "subsubsection", "paragraph", "subparagraph", "subparagraph")
# Quarto's cross-references, which are written like citations.
_NO_KEY = re.compile(
    r"(?:fig|tbl|eq|sec|lst|tip|nte|wrn|imp|cau|thm|lem|cor|prp|cnj|def|exm|exr|sol|rem|alg)-"
)
_TYPED = re.compile(r"(?<![\w@\\])@(?:\{([^{}\s]{0,200})|((?:\w|[:.#$%&\-+?<>~/]){0,200}))\Z")
_REST = re.compile(r"(?:\w|[:.#$%&\-+?<>~/](?=\w))*")
_REST_IN_BRACES = re.compile(r"[^{}\s]*(?=\})|")


def is_markdown(path: Path) -> bool:
    return path.suffix.lower() in MARKDOWN


def scan_markdown(text: str) -> Scan:
    """Scans a Markdown file. Linear in its length; never raises."""
    items: list[Item] = []
    dead: list[Range] = []
    position = 0
    if yaml := _YAML.match(text):
        items += _of_yaml(text, yaml.start(1), yaml.end(1))
        dead.append((0, yaml.end()))
        position = yaml.end()
    for match in _TOKEN.finditer(text, position):
        if match["dead"]:
            dead.append(match.span())
        elif match["marks"]:
            name = _HEADINGS[len(match["marks"]) - 1]
            start, end = match.span("title")
            title = (start, start + len(_title(match["title"])))
            items.append(Item("heading", name, False, match.start(), end, (), (title,)))
        elif match["group"]:
            items += _cited(_CITED.finditer(text, *match.span("group")), match.span())
        else:
            items += _cited([match], None)
    return _scan(text, items, dead)


def _title(line: str) -> str:
    """The text of a heading without attributes and number signs at its end."""
    text = line.rstrip()
    if text.endswith("}") and "{" in text:
        text = text[: text.rindex("{")].rstrip()
    return text.rstrip("#").rstrip()


def scan_quarto(text: str) -> Scan:
    """Scans Quarto's project file, which is YAML as a whole."""
    return _scan(
        text, [item for item in _of_yaml(text, 0, len(text)) if item.kind == "bib"], [(0, len(text))]
    )


def _scan(text: str, items: Sequence[Item], dead: Sequence[Range]) -> Scan:
    return Scan(text, tuple(items), {}, {}, tuple(dead), len(text), ())


def _of_yaml(text: str, start: int, end: int) -> Iterator[Item]:
    """The items of the YAML in `text[start:end]`: bibliographies, title, authors and abstract."""
    for match in _VALUE.finditer(text, start, end):
        name, low, high = match[1], match.start(2), match.end(2)
        if name == "bibliography":
            for file in _BIB.finditer(text, low, high):
                yield Item("bib", name, False, *match.span(), (), (file.span(),))
        elif name == "author":
            groups = _authors(text, low, high)
            yield from (Item("front", name, False, *match.span(), (), (group,)) for group in groups)
        elif scalar := _SCALAR.match(text[low:high].rstrip()):
            yield Item(
                "front", name, False, *match.span(), (), ((low + scalar.start(1), low + scalar.end(1)),)
            )


def _authors(text: str, low: int, high: int) -> list[Range]:
    """The names in the value of `author`: those in its line, else the list below it. A name of the list begins in
    the same column as the first, because lines further in are about affiliations."""
    value = text[low:high]
    first_line = value.partition("\n")[0]
    if first_line.strip():
        value = value if value.lstrip().startswith("[") else first_line
        return [(low + name.start(1), low + name.end(1)) for name in _NAME_IN_LINE.finditer(value)]
    names = list(_NAME.finditer(text, low + len(first_line) + 1, high))
    return [name.span(2) for name in names if len(name["before"]) == len(names[0]["before"])]


def _cited(keys: Sequence[re.Match[str]] | Iterator[re.Match[str]], group: Range | None) -> Iterator[Item]:
    """The citations in square brackets (`group`), or in the text if `group` is None."""
    for match in keys:
        start, end = match.span(match.lastindex or 1)
        if match.string[start] == "{":
            start, end = start + 1, end - 1
        if not _NO_KEY.match(match.string, start):
            low, high = group or match.span()
            yield Item("cite", PARENTHETICAL if group else TEXTUAL, False, low, high, (), ((start, end),))


def cited_key(key: str) -> str:
    """The key with its sign, in braces if Pandoc would otherwise read only a part of it."""
    return f"@{key}" if _CITED.fullmatch(f"@{key}") else f"@{{{key}}}"


def typed_key(text: str, offset: int) -> tuple[str, int, int] | None:
    """The key that is being typed at `offset`: what was typed, and the range of the key. None if no key is
    expected, as in code, where `@` begins a decorator."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    if before.count("`") % 2 or (match := _TYPED.search(before)) is None:
        return None
    if any(start < offset <= end for start, end in scan_markdown(text).dead):
        return None
    typed = match[match.lastindex or 1]
    rest = (_REST if match.lastindex == 2 else _REST_IN_BRACES).match(text, offset)
    return typed, offset - len(typed), rest.end() if rest else offset


def completed_key(text: str, start: int, end: int, key: str) -> str:
    """The text that replaces `text[start:end]`, which follows `@` or `@{`, by `key`."""
    if text[start - 1 : start] != "{":
        return cited_key(key)[1:]
    return key if text[end : end + 1] == "}" else key + "}"


_MARKS = re.compile(
    r"(?P<image>!\[[^\[\]]*\]\([^()]{0,500}\))|\[(?P<link>[^\[\]]*)\]\([^()]{0,500}\)|(?P<group>\[[^\[\]@]*@[^\[\]]*\])"
    r"|(?P<emphasis>\*{1,3}|(?<!\w)_{1,3}|_{1,3}(?!\w)|`+)|^[ \t]*(?P<line>>+|[-*+]|\d+[.)]|:::.*$)[ \t]*|\\(?P<sign>[^\w\s])"
    r"|(?P<div>\{[#.][^{}\n]*\})",
    re.M,
)


def plain_markdown(text: str) -> str:
    """The text without marks and citations; paragraphs are separated by a blank line."""
    shown = _MARKS.sub(lambda match: match["link"] or match["sign"] or "", text)
    return tidy(shown)


def scan_of(path: Path, text: str) -> Scan:
    """Scans a file as what it is: LaTeX, Markdown or Quarto's project file."""
    if path.name == QUARTO:
        return scan_quarto(text)
    return scan_markdown(text) if is_markdown(path) else scan(text)


def prose_of(source: SourceFile) -> str:
    """The text for LaTeX's splitter of sentences, with the same offsets: comments are blank. In Markdown,
    citations, dead text and characters that are special in LaTeX are replaced, and items, headings, rows and code
    begin after a blank line."""
    if not is_markdown(source.path):
        return without_comments(source.text)
    read = scan_markdown(source.text)
    cited = (
        (item.start, _LOCATOR.match(source.text, item.end)) for item in read.items if item.kind == "cite"
    )
    text = list(source.text.translate(_ONLY_LATEX))
    for match in _EDGE.finditer(source.text):
        begins = match["sign"] is not None
        text[match.start("sign") if begins else match.end() - 1] = "\n" if begins else "&"
        for at in range(*match.span("cells")):
            text[at] = "&" if text[at] == "|" else text[at]
    for start, end in (*read.dead, *((start, match.end()) for start, match in cited if match)):
        old = source.text[start:end]
        if "\n" in old and old.lstrip().startswith(("---", "```", "~~~")):
            text[start:end] = "\n" + "_" * (len(old) - 3) + "\n\n"
        else:
            text[start:end] = ("&" if text[start] == "&" else "_") + "_" * (len(old) - 1)
    return "".join(text)


_LOCATOR = re.compile(r"(?:[ \t]?\[[^\[\]\n]{1,200}\](?!\())?")  # as in `@key [p. 3]`
_EDGE = re.compile(
    r"^[ \t>]*(?P<sign>(?:[-*+]|\d{1,9}[.)]|#{1,6}|:{3,})(?=[ \t])|\|(?P<cells>[^\n]*))"
    r"|^!\[[^\[\]]{0,2000}\]",
    re.M,
)
_ONLY_LATEX = str.maketrans("%&~\\$", "_____")
