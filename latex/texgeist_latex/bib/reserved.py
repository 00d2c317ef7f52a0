"""What BibTeX or biber could take for an entry, whatever our own scanner makes of it.

The two disagree with each other: BibTeX reads entries inside of `@comment{...}` and behind a `%`, biber leaves both
out; biber stops at a damaged entry where BibTeX goes on. A new entry must fit both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..types import BibEntry, Bibliography
from .parser import HEAD, block_end, without_comments

_KEY = re.compile(HEAD.pattern + r"\s*+([^\s,{}@]+)")
_AT = re.compile(r"^(?P<hidden>[^\S\n]*%[^\n]*)|@(?=\s*(?:[A-Za-z]|\Z))", re.MULTILINE)


def reserved_keys(text: str) -> Iterator[str]:
    """The keys of all that looks like an entry, broken and commented entries too, in lower case."""
    for each in {text, without_comments(text)} if "%" in text else {text}:
        position = 0
        while found := _KEY.search(each, position):
            yield found[3].lower()
            position = found.end(2)  # another entry may begin right behind the brace


def aliases(entry: BibEntry) -> set[str]:
    """Keys that biblatex takes for this entry as well (field `ids`), in lower case."""
    return {key.lower() for key in re.split(r"[\s,]+", entry.fields.get("ids", "")) if key}


def damaged_tail(bibliography: Bibliography, text: str) -> int | None:
    """Where something begins, behind the last whole entry, that is not complete, so that BibTeX or biber would lose
    what is appended. Returns None if the end of the file is sound."""
    position = max((entry.span.end for entry in bibliography.entries), default=0)
    broken = [each.span.start for each in bibliography.problems if each.code == "broken-entry"]
    if behind := [start for start in broken if start >= position]:
        return min(behind)
    while at := _AT.search(text, position):
        position = at.end()
        if at["hidden"]:
            continue
        head = HEAD.match(text, at.start())
        end = block_end(text, head.end() - 1) if head else None
        if end is None:
            return at.start()
        position = end
    return None
