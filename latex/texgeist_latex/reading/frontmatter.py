"""Reads title, authors and abstract in the forms of common classes, and chooses among the abstracts that
`structure` collected."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..tex.arguments import Range, match_braces
from ..tex.command_names import AUTHORS, TITLES
from ..tex.scan import without_comments
from ..tex.wordlists import guess_language
from ..types import Span
from .structure import AbstractText, Flow
from .walk import Frame, Step

_MATH = re.compile(r"\$[^$]*\$")
_BREAK = re.compile(
    r"\\\\|\\and\b|\\And\b|\\AND\b|\\quad\b|\\qquad\b|(?:~\s*){2,}|,|;|\\newline\b|\\hspace\*?\{[^{}]*\}"
)
_PERSON = re.compile(r"[^\W\d_][^\d@:/()\[\]{}<>=+|]{2,60}")
_NO_PERSON = re.compile(
    r"universi|institut|departm|laborator|school|facult|college|center|centre|research|academy|company|inc\.|gmbh"
    r"|address|corresponding|authors?\s+name|anonymous|member|ieee|student|email|e-mail|corporation|street|china|usa|germany|univ\.|lab$|group|team"
    r"|science|engineering|project|technolog|print",
    re.I,
)


def title_and_authors(steps: Sequence[Step], show: Callable[[str], str]) -> tuple[str, tuple[str, ...]]:
    """Title and authors. As in TeX, the last non-empty title wins."""
    title, authors = "", list[str]()
    included = {id(step.frame.at): step.frame for step in steps if step.kind == "enter" and step.frame.at}
    for step in steps:
        item = step.item
        if item is None or item.kind != "front" or not item.groups:
            continue
        latex = _whole(step.frame, item.groups[0], included)
        if item.name in TITLES and (text := show(latex)):
            title = text if item.name != "ctitle" or not title else title
        elif item.name in AUTHORS:
            given = " ".join(step.frame.parsed.scan.words(group) for group in item.groups[1:])
            authors += people(f"{latex} {given}" if item.name == "Author" else latex, show)
    if not title or not authors:
        kept_title, kept_authors = _from_settings(steps, show)
        title, authors = title or kept_title, authors or kept_authors
    return " ".join(title.split()), tuple(dict.fromkeys(authors))


def _whole(frame: Frame, group: Range, included: dict[int, Frame]) -> str:
    """The text of an argument, including files that are input in it."""
    scan = frame.parsed.scan
    latex = scan.words(group)
    if "\\in" not in latex:
        return latex
    inside = [
        i for i in scan.items if i.kind == "include" and group[0] <= i.start < group[1] and id(i) in included
    ]
    return " ".join([latex, *(included[id(i)].parsed.text[:2000] for i in inside)])


_SETTING = re.compile(
    r"(?:^|[,{\s])(title\*?|etitle|题目|标题|论文题目|author\*?|姓名|作者)\s*=\s*(?=\{)", re.M
)


def _from_settings(steps: Sequence[Step], show: Callable[[str], str]) -> tuple[str, list[str]]:
    """Title and author from key-value settings, as in many university classes. If a value is given in several
    languages, the last text in Latin letters is used."""
    found: dict[str, str] = {}
    for step in steps:
        if step.item is not None and step.item.kind == "begin" and step.item.name == "document":
            break
        if step.kind != "enter":
            continue
        scan = step.frame.parsed.scan
        for match in _SETTING.finditer(scan.text[:100_000]):
            if match.end() in scan.braces:
                value = scan.text[match.end() + 1 : scan.braces[match.end()]]
                options = (
                    re.findall(r"\{((?:[^{}]|\{[^{}]*\})*)\}", value)
                    if value.strip().startswith("{")
                    else [value]
                )
                shown = [text for option in options if (text := show(option))]
                latin = [text for text in shown if text[0].isascii()]
                kind = "author" if match[1].rstrip("*") in ("author", "姓名", "作者") else "title"
                found.setdefault(kind, " ".join(((latin or shown or [""])[-1]).split()))
    author = found.get("author", "")
    return found.get("title", ""), people(author, show) if author else []


_ADDRESS = frozenset(
    """affaddr addr email IEEEauthorblockA affiliation affil address institute inst thanks footnote
    footnotetext orcid textsuperscript href url institution department IEEEauthorrefmark IEEEmembership
    thanksref authornote corref fnref footnotemark texttt orcidID orcidlink orcidA orcidB
    orcidC tnoteref""".split()
)
_NEXT = re.compile(r"\\(?:and|And|AND|alignauthor|IEEEauthorblockN|name|authorname|qand)\b")
_PLAIN_ADDRESS = re.compile(
    r"\\(?:addr|email|affaddr|institute)\b(?!\s*\{).*?(?=\\(?:and|And|AND|name)\b|\Z)", re.S
)


def people(latex: str, show: Callable[[str], str]) -> list[str]:
    r"""The names in an `\author` argument, without marks, addresses and e-mail. Within an author's block,
    text after an address is not a name."""
    latex = _PLAIN_ADDRESS.sub("", _without_groups(without_comments(latex[:20_000]), _ADDRESS))
    found: list[str] = []
    for block in _NEXT.split(latex):
        for bit in _BREAK.split(_MATH.sub("", block)):
            shown = show(re.sub(r"^\s*[{}]+|[{}]+\s*$", "", bit)).strip()
            name = re.sub(r"^(?:and|und|et|y|e|и)\s+|[*†‡§¶∗\d]+", " ", shown).strip(" ,.&-")
            singles = [single.strip() for single in re.split(r"\s+(?:and|und|&)\s+", name) if single.strip()]
            if any(_NO_PERSON.search(single) for single in singles) and found:
                break
            found += [" ".join(single.split()) for single in singles if _is_person(single)]
    return found


def _without_groups(latex: str, commands: frozenset[str]) -> str:
    braces = match_braces(latex)
    kept, position = [], 0
    for match in re.finditer(r"\\([A-Za-z]+)\*?\s*(?:\[[^\[\]]*\]\s*)?(?=\{)", latex):
        if match[1] in commands and match.start() >= position and match.end() in braces:
            kept.append(latex[position : match.start()])
            position = braces[match.end()] + 1
    return "".join([*kept, latex[position:]])


def _is_person(name: str) -> bool:
    parts = name.split()
    return (
        bool(_PERSON.fullmatch(name))
        and (2 <= len(parts) <= 6 or (len(parts) == 1 and ord(name[0]) >= 0x2E80))
        and not _NO_PERSON.search(name)
        and sum(p[0].isupper() or ord(p[0]) >= 0x2E80 for p in parts) >= min(2, len(parts))
    )


@dataclass(frozen=True, slots=True)
class Abstract:
    text: str
    span: Span | None


def choose_abstract(flow: Flow, show: Callable[[str], str]) -> Abstract:
    """The abstract to search with: English if possible, as arXiv's; else the first that has text."""
    shown: list[tuple[AbstractText, str]] = []
    for candidate in flow.abstracts:
        text = abstract_text(candidate, show)
        if len(text) > 20:
            shown.append((candidate, text))
    if not shown:
        return Abstract("", None)
    best = next((pair for pair in shown if guess_language(pair[1]) == "en" and len(pair[1]) > 200), shown[0])
    candidate, text = best
    return Abstract(text, Span(candidate.frame.parsed.path, candidate.start, candidate.end))


def abstract_text(candidate: AbstractText, show: Callable[[str], str]) -> str:
    parts = [show(s.frame.parsed.text[s.start : s.end]) for s in candidate.segments]
    text = "\n\n".join(part for part in parts if part)
    return re.sub(r"^(?:Abstract|ABSTRACT)\s*[.:—–-]*\s+(?=[A-Z])", "", text)
