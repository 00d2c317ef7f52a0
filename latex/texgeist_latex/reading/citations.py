"""Which keys a file cites, with which command and where."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from ..tex import citation_commands
from ..tex.arguments import Arguments, Range
from ..tex.scan import Item, Scan
from ..types import Citation, Span
from .cuts import MOST_CITATIONS
from .files import Parsed

_KEY = re.compile(r"[^\s,%]+(?:[ \t]+[^\s,%]+)*|%[^\n]*")


def citations(
    parsed: Parsed, own: Mapping[str, tuple[str, int]], defined: frozenset[str]
) -> tuple[Citation, ...]:
    """All citations of a file in order. `own` are the document's declared citation commands (with the
    argument that holds the keys), `defined` all commands that it defines."""
    scan = parsed.scan
    found: list[Citation] = []  # those beyond the bound are not read
    arguments = Arguments(scan.text, scan.braces)
    for item in scan.items:
        if item.kind == "cite" and len(found) < MOST_CITATIONS:
            groups = _key_groups(item, arguments, own, defined)
            known = item.name in citation_commands.CITE_COMMANDS or item.name in own
            for group in groups:
                found += _keys(scan, parsed.path, item, group, known)
    for name in own:
        for start in scan.others.get(name, ()):
            if start < scan.stop and len(found) < MOST_CITATIONS:
                found += _declared(scan, parsed.path, name, start, own[name][1], arguments)
    return tuple(sorted(found, key=lambda c: c.span.start)[:MOST_CITATIONS])


def _key_groups(
    item: Item, arguments: Arguments, own: Mapping[str, tuple[str, int]], defined: frozenset[str]
) -> tuple[Range, ...]:
    name = item.name
    if name in own and name not in citation_commands.CITE_COMMANDS:
        which = own[name][1]
        after = item.start + 1 + len(name) + item.star
        groups = arguments.read(after, which)[2]
        return groups[which - 1 : which]
    if name not in citation_commands.CITE_COMMANDS and name in defined:
        return ()
    if name in citation_commands.MULTI_CITES:
        return item.groups
    if name in citation_commands.SECOND_GROUP_CITES:
        return item.groups[1:2]
    return item.groups[:1]


def _declared(
    scan: Scan, path: Path, name: str, start: int, which: int, arguments: Arguments
) -> list[Citation]:
    after = start + 1 + len(name) + (scan.text[start + 1 + len(name) : start + 2 + len(name)] == "*")
    end, options, groups = arguments.read(after, which)
    if len(groups) < which:
        return []
    item = Item("cite", name, False, start, end, options, groups)
    return _keys(scan, path, item, groups[which - 1], True)


def _keys(scan: Scan, path: Path, item: Item, group: Range, known: bool) -> list[Citation]:
    text = scan.words(group)
    if "#" in text or "\\" in text or len(text) > 20_000:
        return []
    options = tuple(scan.words(option) for option in item.options)
    command = item.name + ("*" if item.star else "")
    whole = Span(path, item.start, item.end)
    keys: list[Citation] = []
    for match in _KEY.finditer(text):
        key = match[0]
        if key.startswith("%"):
            continue
        if not known and not citation_commands.could_be_keys(key):
            return []
        start = group[0] + match.start()
        span = Span(path, start, start + len(key))
        keys.append(Citation(key, command, span, whole, scan.line(start), options))
    return keys
