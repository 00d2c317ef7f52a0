"""Finds the citations in a file, and the package and commands with which the document cites."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Literal

from ..tex import command_names
from ..tex.arguments import Arguments, Range
from ..tex.scan import Item, Scan
from ..types import Citation, CitationStyle, Problem, Span
from .files import Parsed

_KEY = re.compile(r"[^\s,%]+(?:[ \t]+[^\s,%]+)*|%[^\n]*")


def citations(
    parsed: Parsed, own: Mapping[str, tuple[str, int]], defined: frozenset[str]
) -> tuple[Citation, ...]:
    """The citations of a file, in order. `own`: the document's own citation commands (with the index of the
    argument that contains the keys); `defined`: all commands that the document defines."""
    scan = parsed.scan
    found: list[Citation] = []  # at most MOST_CITATIONS
    arguments = Arguments(scan.text, scan.braces)
    for item in scan.items:
        if item.kind != "cite" or len(found) >= MOST_CITATIONS:
            continue
        known = item.name in command_names.CITE_COMMANDS
        if not known and item.name in own:
            found += _declared(scan, parsed.path, item.name, item.start, own[item.name][1], arguments)
        elif known or item.name not in defined:
            for group in _key_groups(item):
                found += _keys(scan, parsed.path, item, group, known)
    for name in own:
        for start in scan.others.get(name, ()):
            if start < scan.stop and len(found) < MOST_CITATIONS:
                found += _declared(scan, parsed.path, name, start, own[name][1], arguments)
    return tuple(sorted(found, key=lambda c: c.span.start)[:MOST_CITATIONS])


def _key_groups(item: Item) -> tuple[Range, ...]:
    if item.name in command_names.MULTI_CITES:
        return item.groups
    return item.groups[1:2] if item.name in command_names.SECOND_GROUP_CITES else item.groups[:1]


def _declared(
    scan: Scan, path: Path, name: str, start: int, which: int, arguments: Arguments
) -> list[Citation]:
    after = start + 1 + len(name)
    star = scan.text[after : after + 1] == "*"
    end, options, groups = arguments.read(after + star, which)
    if len(groups) < which:
        return []
    item = Item("cite", name, star, start, end, options, groups)
    return _keys(scan, path, item, groups[which - 1], True)


def _keys(scan: Scan, path: Path, item: Item, group: Range, known: bool) -> list[Citation]:
    text = scan.words(group)
    if "#" in text or "\\" in text or len(text) > 20_000:
        return []
    command = item.name + ("*" if item.star else "")
    whole = Span(path, item.start, item.end)
    keys: list[Citation] = []
    for match in _KEY.finditer(text):
        key = match[0]
        if key.startswith("%"):
            continue
        if not known and not command_names.could_be_keys(key):
            return []
        start = group[0] + match.start()
        span = Span(path, start, start + len(key))
        keys.append(Citation(key, command, span, whole, scan.line(start)))
    return keys


MOST_CITATIONS = 50_000  # in a file; a long book has 5,000
MOST_UNDEFINED = 1_000  # reported citations without an entry, for each project


def cut_short(parsed: Parsed, citations: int) -> Iterator[Problem]:
    """Reports the part of the file that was not read, after so many citations."""
    name, stop = parsed.path.name, parsed.scan.stop
    if parsed.scan.cut:
        yield Problem(
            "too-long",
            f"{name} is read only up to here, because it has more commands than any text.",
            Span(parsed.path, stop, min(len(parsed.text), stop + 1)),
        )
    if citations >= MOST_CITATIONS:
        yield Problem(
            "too-long",
            f"{name} cites more than {MOST_CITATIONS:,} times; the citations after those are not read.",
            Span(parsed.path, 0, min(len(parsed.text), 1)),
        )


Package = Literal["plain", "natbib", "biblatex", "apacite"]

# Classes and styles that load natbib by themselves.
_NATBIB = tuple(
    "natbib acmart revtex4 elsarticle mnras aastex neurips_ icml20 iclr20 tmlr colm20 jmlr2e copernicus "
    "sn-jnl cas-sc cas-dc".split()
)
_BIBLATEX_COMMANDS = frozenset(
    "parencite textcite autocite Parencite Textcite Autocite smartcite footfullcite parencites textcites "
    "autocites".split()
)
_BIBTEX = re.compile(r"backend\s*=\s*\{?\s*bibtex")
_NATBIB_COMMANDS = frozenset("citep citet citealp citealt Citep Citet citeyearpar".split())
_APACITE_COMMANDS = frozenset("citeA citeNP shortciteA citeauthorA".split())
_PARENTHETICAL = {
    "natbib": ("citep", "cite", "citealp"),
    "biblatex": ("parencite", "autocite", "cite", "citep", "footcite", "smartcite", "supercite"),
    "apacite": ("cite", "citep"),
    "plain": ("cite",),
}
_TEXTUAL = {
    "natbib": ("citet",),
    "biblatex": ("textcite", "citet"),
    "apacite": ("citeA", "citet"),
    "plain": ("cite",),
}


def citation_style(
    citations: Iterable[Citation],
    packages: Mapping[str, str],
    loaded: Mapping[str, str],
    commands: Set[str],
    own: Mapping[str, tuple[str, int]],
) -> CitationStyle:
    """The citation style of the document. `packages`: the packages that the document loads, with options;
    `loaded`: packages that the project's classes and packages may load; `commands`: the document's
    bibliography commands; `own`: citation commands that the document defines, which count as the commands
    that they stand for."""
    seen: set[tuple[str, int]] = set()
    used: Counter[str] = Counter()
    for citation in citations:
        where = (str(citation.span.file), citation.command_span.start)
        if where not in seen:
            seen.add(where)
            name = citation.command.rstrip("*")
            used[own[name][0] if name in own else name] += 1
    package = _package(used, packages, loaded, commands)
    parenthetical = _most_used(used, _PARENTHETICAL[package])
    textual = _most_used(used, _TEXTUAL[package])
    if package == "natbib" and used["citep"] * 5 >= used["cite"] > used["citep"] > 0:
        parenthetical = "citep"  # \cite may be of either kind; these authors also use \citep
    if package == "plain":
        return CitationStyle("plain", "cite", "cite")
    options = next(
        (given for name, given in {**loaded, **packages}.items() if name.startswith("biblatex")), ""
    )
    biber = package == "biblatex" and not _BIBTEX.search(options)
    return CitationStyle(package, parenthetical, textual, biber)


def _most_used(used: Counter[str], names: tuple[str, ...]) -> str:
    return max(names, key=lambda name: (used[name], -names.index(name)))


def _package(
    used: Counter[str], named: Mapping[str, str], loaded: Mapping[str, str], commands: Set[str]
) -> Package:
    if "biblatex" in named or {"addbibresource", "printbibliography"} & commands:
        return "biblatex"
    if "apacite" in named and "natbibapa" not in named["apacite"]:
        return "apacite"
    if any(name.startswith(_NATBIB) for name in named) or any("natbib" in given for given in named.values()):
        return "natbib"
    if any(used[name] for name in _NATBIB_COMMANDS):
        return "natbib"
    if any(used[name] for name in _BIBLATEX_COMMANDS):
        return "biblatex"
    if any(used[name] for name in _APACITE_COMMANDS):
        return "apacite"
    return "natbib" if "natbib" in loaded and "biblatex" not in loaded else "plain"
