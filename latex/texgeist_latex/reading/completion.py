"""Completes citation keys by key, author, title or year, and finds the command at the cursor."""

from __future__ import annotations

import heapq
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path

from ..bib.authors import short_authors
from ..bib.index import BibIndex, folded
from ..bib.library import Library
from ..tex import command_names
from ..tex.markdown import PARENTHETICAL, completed_key, is_markdown, typed_key
from ..tex.plaintext import plain
from ..types import BibEntry, Span
from .relevance import Relevant, relevance
from .surroundings import Cited, Here

MOST = 50  # more are found by typing: editors ask again after each letter
_LOOK_BACK = 2000
_COMMAND = re.compile(r"\\([A-Za-z@]+)\*?\s*(?:\[[^\[\]]*\]\s*|<[^<>]*>\s*|\([^()]*\)\s*|\{[^{}]*\}\s*)*\Z")
_BRACE = re.compile(r"(?<!\\)[{}]|\n[ \t]*\r?\n")
_YEAR = re.compile(r"\d{4}")
_KEY_END = re.compile(r"[^\s,{}\\%]*")


@dataclass(frozen=True, slots=True)
class Completion:
    """A matching entry. `span`: the text that it replaces; `filter`: the text that the editor compares with
    the typed text; it begins with the typed text, so that the editor shows every result of the server."""

    key: str
    written: str  # the key, in Markdown with the braces that it needs
    span: Span
    authors: str  # "Smith and Jones", "Smith et al."
    year: str
    title: str  # plain
    filter: str
    rank: int  # display order, from 0
    why: str = ""  # why it is relevant at the cursor


@dataclass(frozen=True, slots=True)
class Context:
    """The key in a citation command at which the cursor is."""

    command: str
    typed: str  # from the last comma to the cursor
    start: int  # of the typed text
    end: int  # of the key at the cursor
    written: Callable[[str], str] = str  # the text that replaces the typed text, for a key


def citation_context(path: Path, text: str, offset: int, own: Container[str] = ()) -> Context | None:
    """The context if a key is expected at `offset`, even in an incomplete command; else None."""
    if is_markdown(path):
        if (key := typed_key(text, offset)) is None:
            return None
        return Context(PARENTHETICAL, *key, written=partial(completed_key, text, *key[1:]))
    low = max(0, offset - _LOOK_BACK)
    before = text[low:offset]
    line = before[before.rfind("\n") + 1 :]
    if re.search(r"(?<!\\)(?:\\\\)*%", line):
        return None
    argument = argument_at(text, offset)
    if argument is None or not is_cite(argument[0], own):
        return None
    brace = argument[1] - low - 1
    if "}" in before[brace:] or "\\" in before[brace:]:
        return None
    typed_from = max(brace, before.rfind(",")) + 1
    typed = before[typed_from:]
    start = low + typed_from + len(typed) - len(typed.lstrip())
    end = _KEY_END.match(text, offset)
    return Context(argument[0], typed.strip(), start, end.end() if end else offset)


def argument_at(text: str, offset: int) -> tuple[str, int] | None:
    """The innermost command whose last argument contains `offset`, and where that argument starts. The
    command may be incomplete; a paragraph break ends it. Looks back only a short distance."""
    low = max(0, offset - _LOOK_BACK)
    before = text[low:offset]
    depth = 0
    for sign in reversed(list(_BRACE.finditer(before))):
        if sign[0] not in "{}":
            return None
        depth += 1 if sign[0] == "}" else -1
        if depth < 0:
            command = _COMMAND.search(before[max(0, sign.start() - 600) : sign.start()])
            return (command[1], low + sign.end()) if command else None
    return None


def is_cite(name: str, own: Container[str] = ()) -> bool:
    return name in own or command_names.is_citation(name)


def complete(
    library: Library, context: Context, file: Path, here: Here | None = None, cited: Sequence[Cited] = ()
) -> list[Completion]:
    """The best entries for the typed text: keys that start with it, keys that contain it, then entries whose
    authors, title and year contain all its words. Each of these groups is sorted by relevance to the text at
    the cursor (`here`), then by key. At most `MOST`."""
    hits: dict[str, _Hit] = {}  # of entries with the same key the first counts
    for index in library.indexes:
        relevant = relevance(index, here, cited) if here is not None else {}
        for line, rank in _hits(index, context.typed, relevant).items():
            entry, known = index.sorted[line], relevant.get(line, Relevant())
            hits.setdefault(entry.key, (rank, -known.score, entry.key.lower(), entry, known.why))
    best = _copies_last(heapq.nsmallest(MOST, hits.values(), key=lambda hit: hit[:3]), cited)
    span = Span(file, context.start, context.end)
    return [_completion(hit[3], span, context, rank, hit[4]) for rank, hit in enumerate(best)]


_Hit = tuple[int, float, str, BibEntry, str]


def _copies_last(hits: Sequence[_Hit], cited: Sequence[Cited]) -> list[_Hit]:
    """Of entries with the same title and authors, the one that is cited most often takes the best place, and the
    others follow all other entries. Volumes of a book are different works."""
    uses, first = Counter(one.key for one in cited), dict[tuple[int, str, str, str], _Hit]()
    for hit in hits:
        fields = hit[3].fields
        authors = _short_authors(fields.get("author") or fields.get("editor", ""))
        volume = fields.get("volume", "") if hit[3].type == "book" else ""
        work = (hit[0], _title(hit[3]).lower() or hit[2], authors, volume)
        if uses[hit[3].key] > uses[first.setdefault(work, hit)[3].key]:
            first[work] = hit
    leading = {hit[3].key for hit in first.values()}
    return [*first.values(), *(hit for hit in hits if hit[3].key not in leading)]


def _hits(index: BibIndex, typed: str, relevant: Iterable[int]) -> dict[int, int]:
    """The ranks of matching entries of a bibliography, by their number in `index.sorted`; rank 0 is the best.
    At most `MOST`, and the entries in `relevant` whose keys begin with the typed text."""
    first = bisect_left(index.keys, typed.lower())
    last = bisect_left(index.keys, typed.lower() + "\U0010ffff", lo=first, hi=len(index.keys))
    seen = dict.fromkeys(range(first, min(last, first + MOST)), 0)
    seen |= dict.fromkeys((line for line in relevant if first <= line < last), 0)
    if words := folded(typed).split():
        by_words = index.word_lines.find([" " + word for word in words])
        for rank, lines in ((1, index.key_lines.find(["".join(words)])), (2, by_words)):
            for line in lines:
                if len(seen) >= MOST:
                    break
                seen.setdefault(line, rank)
    return seen


def _completion(entry: BibEntry, span: Span, context: Context, rank: int, why: str) -> Completion:
    fields, typed = entry.fields, context.typed
    authors = _short_authors(fields.get("author") or fields.get("editor", ""))
    given = fields.get("year") or fields.get("date", "")
    year = number[0] if (number := _YEAR.search(given)) else given[:4]
    title = _title(entry)
    shown = f"{entry.key} {authors} {title}" if typed.lower() not in entry.key.lower() else entry.key
    prefix = "" if shown.lower().startswith(typed.lower()) else f"{typed} "
    written = context.written(entry.key)
    return Completion(entry.key, written, span, authors, year, title, prefix + shown, rank, why)


_short_authors = lru_cache(20_000)(short_authors)


def _title(entry: BibEntry) -> str:
    return _plain_title(entry.fields.get("title") or entry.fields.get("text", ""))


@lru_cache(20_000)
def _plain_title(title: str) -> str:
    return " ".join(plain(title).split())
