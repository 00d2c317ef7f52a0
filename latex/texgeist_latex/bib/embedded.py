"""Reads the `thebibliography` of a `.tex` file, and parses a bibliography incrementally while it is edited."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from pathlib import Path

from texgeist_latex.bib.parser import QUOTED, read_bib
from texgeist_latex.tex.arguments import Arguments, Range
from texgeist_latex.tex.scan import without_comments
from texgeist_latex.types import BibEntry, Bibliography, Span

_LIST = re.compile(r"\\begin\s*\{thebibliography\}(?:\s*\{[^{}]*\})?")
_LIST_END = re.compile(r"\\end\s*\{thebibliography\}")
BIBITEM = re.compile(r"\\bibitem(?=\s*[\[{])")
_MARK = re.compile(r"[{\]]")


def read_thebibliography(path: Path, text: str) -> Bibliography | None:
    r"""The `\bibitem`s of all `thebibliography`s in the text; None if there is none. A key that an earlier list
    has is left out, because each chapter may have a list. An item has the type `bibitem`, its text in the
    field `text`, and its optional label in `label`."""
    if "thebibliography" not in text:
        return None
    live = without_comments(text)
    starts, entries = [match.end() for match in _LIST.finditer(live)], list[BibEntry]()
    for start, after in pairwise([*starts, len(live)]):
        end = _LIST_END.search(live, start, after)
        limit = end.start() if end else after
        items = list(item_heads(live, start, limit))
        stops = ([item.start for item in items] + [limit])[1:]
        listed = [_bibitem(path, live, item, stop) for item, stop in zip(items, stops, strict=True)]
        earlier = {entry.key for entry in entries}
        entries += [entry for entry in listed if entry.key not in earlier]
    return Bibliography(path, tuple(entries), "thebibliography") if starts else None


def end_of_list(text: str) -> int | None:
    """The offset at which the line that closes the first `thebibliography` starts. Returns None if it is not
    closed."""
    live = without_comments(text)
    start = _LIST.search(live)
    end = _LIST_END.search(live, start.end()) if start else None
    return len(live[: end.start()].rstrip(" \t")) if end else None


@dataclass(frozen=True, slots=True)
class ItemHead:
    r"""The offsets of a `\bibitem[label]{key}`. `label`: None if there is none; `key`: without spaces around it."""

    start: int
    label: Range | None
    key: Range
    end: int


def item_heads(live: str, start: int, limit: int) -> Iterator[ItemHead]:
    r"""The `\bibitem`s with a key in a text without comments. Labels may contain nested braces."""
    arguments, commands = Arguments(live), list(BIBITEM.finditer(live, start, limit))
    for command, after in zip_longest(commands, commands[1:]):
        at = arguments.skip(command.end())
        label = _label(arguments, at, after.start() if after else limit)
        key = arguments.group(arguments.skip(label[1] + 1) if label else at)
        words = arguments.words(key) if key else "{"
        if key and "{" not in words:
            named = key[0] + len(words) - len(words.lstrip())
            yield ItemHead(command.start(), label, (named, named + len(words.strip())), key[1] + 1)


def _label(arguments: Arguments, start: int, limit: int) -> Range | None:
    """The contents of the `[…]` at `start`. Unlike other options, it may be long: natbib's contains all authors."""
    if arguments.text[start : start + 1] != "[":
        return None
    at = start + 1
    while mark := _MARK.search(arguments.text, at, limit):
        if mark[0] == "]":
            return start + 1, mark.start()
        at = arguments.braces.get(mark.start(), mark.start()) + 1
    return None


def _bibitem(path: Path, text: str, item: ItemHead, stop: int) -> BibEntry:
    body = text[item.end : stop]
    fields = {"text": " ".join(body.split())}
    if item.label and (label := " ".join(text[slice(*item.label)].split())):
        fields["label"] = label
    span = Span(path, item.start, item.end + len(body.rstrip()))
    key = text[slice(*item.key)]
    return BibEntry(key, "bibitem", fields, span, text.count("\n", 0, item.start) + 1)


def moved_entry(entry: BibEntry, by: int, lines: int) -> BibEntry:
    return replace(entry, span=moved(entry.span, by), line=entry.line + lines)


def moved(span: Span, by: int) -> Span:
    return Span(span.file, span.start + by, span.end + by)


def reread(
    before: Bibliography, old: str, new: str, strings: Mapping[str, str] | None = None
) -> Bibliography | None:
    """The bibliography that `read_bib` would return for the text `new`, computed from `before`, the
    bibliography of the text `old` (`strings` of other files are the same for both). Entries before the change
    are kept, entries after it are shifted. Returns None if the change may affect other entries (strings,
    crossrefs, a broken entry), or covers most of the file."""
    if (
        before.kind != "bib"
        or "@string" in old.lower()
        or any("crossref" in e.fields for e in before.entries)
    ):
        return None
    head, tail = _same_ends(old, new)
    kept = [e for e in before.entries if e.span.end < head]
    behind = [e for e in before.entries if e.span.start > len(old) - tail]
    start = kept[-1].span.end if kept else 0
    stop = behind[0].span.start if behind else len(old)
    if len(kept) + len(behind) < len(before.entries) // 2 or any(
        start - QUOTED <= p.span.end <= stop for p in before.problems
    ):
        return None
    shift = len(new) - len(old)
    middle = new[start : stop + shift]
    read = read_bib(before.path, middle, strings=strings)
    if read.problems or "@string" in middle.lower() or any("crossref" in e.fields for e in read.entries):
        return None
    first = new.count("\n", 0, start)
    down = new.count("\n", start, stop + shift) - old.count("\n", start, stop)
    entries = [
        *kept,
        *(moved_entry(e, start, first) for e in read.entries),
        *(moved_entry(e, shift, down) for e in behind),
    ]
    problems = tuple(
        p if p.span.end < start else replace(p, span=moved(p.span, shift)) for p in before.problems
    )
    comments = (
        *(comment for comment in before.comments if comment.end <= start),
        *(moved(comment, start) for comment in read.comments),
        *(moved(comment, shift) for comment in before.comments if comment.start >= stop),
    )
    unknown = before.unknown | read.unknown
    return replace(before, entries=tuple(entries), problems=problems, comments=comments, unknown=unknown)


def _same_ends(old: str, new: str) -> tuple[int, int]:
    """The lengths of the longest common beginning of both texts and, after it, of their longest common
    end."""
    most = min(len(old), len(new))
    head = _longest(most, lambda n: old[:n] == new[:n])
    tail = _longest(most - head, lambda n: n == 0 or old[-n:] == new[-n:])
    return head, tail


def _longest(most: int, agree: Callable[[int], bool]) -> int:
    """The greatest length up to `most` for which `agree` is true, by binary search."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if agree(middle) else (low, middle - 1)
    return low
