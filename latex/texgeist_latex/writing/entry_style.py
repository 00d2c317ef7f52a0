"""Learns the style of a `.bib` file from its last entries, so that new entries look like the others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from texgeist_latex.types import BibEntry, Bibliography

_SAMPLE = 40  # the newest entries, which show the present style
_FIELD_LINE = re.compile(r"^([ \t]*)([A-Za-z][\w-]*)([ \t]*)=([ \t]*)([{\"]*)", re.MULTILINE)
_TYPE = re.compile(r"@[ \t]*([A-Za-z]+)")

Case = Literal["lower", "title", "upper"]


@dataclass(frozen=True, slots=True)
class BibStyle:
    """The style of the entries in a file."""

    indent: str = "  "
    align: int = 0  # width to which field names are padded, 0 for none
    before_equals: str = " "
    after_equals: str = " "
    quotes: bool = False  # values in "…" rather than {…}
    double_title: bool = False  # title = {{…}}
    field_case: Case = "lower"
    type_case: Case = "lower"
    trailing_comma: bool = True
    blank_line: bool = True  # between entries
    order: tuple[str, ...] = ()  # field names in their usual order
    last_first: bool = False  # authors as "Last, First"
    raw_letters: bool = False  # é rather than {\'e}
    date_field: bool = False  # date rather than year
    journaltitle: bool = False  # journaltitle rather than journal


def learn_style(bibliography: Bibliography, text: str) -> BibStyle:
    """The most frequent style in the file; the default style if the file has no entries."""
    entries = bibliography.entries[-_SAMPLE:]
    blocks = [text[entry.span.start : entry.span.end] for entry in entries]
    fields = [match for block in blocks for match in _FIELD_LINE.finditer(block)]
    if not fields:
        return BibStyle(raw_letters=not text.isascii())
    names = [match[2] for match in fields]
    align, before = _alignment(fields)
    return BibStyle(
        indent=_most([match[1] for match in fields]),
        align=align,
        before_equals=before,
        after_equals=_most([match[4] for match in fields]),
        quotes=sum(match[5] == '"' for match in fields) * 2 > len(fields),
        double_title=_share(match[5] == "{{" for match in fields if match[2].lower() == "title") > 0.6,
        field_case=_case(names),
        type_case=_case([match[1] for block in blocks if (match := _TYPE.match(block))]),
        trailing_comma=_share(bool(re.search(r",\s*[})]$", block)) for block in blocks) >= 0.5,
        blank_line=_blank_between(entries, text),
        order=_order(entries),
        last_first=_last_first(entries),
        raw_letters=any(not block.isascii() for block in blocks) or _any_raw(bibliography, text),
        date_field=_prefers(entries, "date", "year"),
        journaltitle=_prefers(entries, "journaltitle", "journal"),
    )


def apply_case(name: str, case: Case) -> str:
    """Changes the case of a field name. In lower case, `archivePrefix` keeps its capital, as on arXiv."""
    if case == "upper":
        return name.upper()
    return name[:1].upper() + name[1:] if case == "title" else name


def _most(values: Sequence[str]) -> str:
    return Counter(values).most_common(1)[0][0]


def _share(values: Iterable[bool]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def _case(names: Sequence[str]) -> Case:
    upper = sum(name.isupper() and len(name) > 1 for name in names)
    lower = sum(name[:1].islower() for name in names)
    if lower * 2 >= len(names):
        return "lower"
    return "upper" if upper * 2 > len(names) else "title"


def _alignment(fields: Sequence[re.Match[str]]) -> tuple[int, str]:
    """The column of the equals signs (0 if they are not aligned), and the space before them."""
    columns = Counter(len(match[2]) + len(match[3]) for match in fields)
    column, count = columns.most_common(1)[0]
    gaps = Counter(match[3] for match in fields)
    if count >= 0.8 * len(fields) and len(gaps) > 2:
        return column, ""
    return 0, gaps.most_common(1)[0][0]


def _blank_between(entries: Sequence[BibEntry], text: str) -> bool:
    gaps = [text[a.span.end : b.span.start] for a, b in pairwise(entries)]
    return _share(gap.count("\n") >= 2 for gap in gaps) >= 0.5 if gaps else True


def _order(entries: Sequence[BibEntry]) -> tuple[str, ...]:
    """Field names by their mean position within an entry."""
    places: dict[str, list[float]] = {}
    for entry in entries:
        for place, name in enumerate(entry.fields):
            places.setdefault(name, []).append(place / max(1, len(entry.fields)))
    return tuple(sorted(places, key=lambda name: sum(places[name]) / len(places[name])))


def _last_first(entries: Sequence[BibEntry]) -> bool:
    authors = [entry.fields["author"] for entry in entries if " " in entry.fields.get("author", "")]
    return _share("," in author for author in authors) > 0.5


def _any_raw(bibliography: Bibliography, text: str) -> bool:
    return not text.isascii() and any(
        not text[entry.span.start : entry.span.end].isascii() for entry in bibliography.entries
    )


def _prefers(entries: Sequence[BibEntry], name: str, usual: str) -> bool:
    return sum(name in entry.fields for entry in entries) > sum(usual in entry.fields for entry in entries)
