"""A bibliography after a small change, without reading all of it again: someone is typing in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ..types import Bibliography
from .embedded import moved_entry, moved_problem
from .parser import read_bib


def reread(
    before: Bibliography, old: str, new: str, strings: Mapping[str, str] | None = None
) -> Bibliography | None:
    """What `read_bib` gives for `new`, made from what it gave for `old` (both with these `strings` of
    other files): entries before the change stay, those behind it move. None where a change may reach further than its own place (strings, crossrefs,
    something broken), or touches most of the file."""
    if (
        before.kind != "bib"
        or before.comments
        or "@string" in old.lower()
        or any("crossref" in e.fields for e in before.entries)
    ):
        return None
    head, tail = _same_ends(old, new)
    kept = [e for e in before.entries if e.span.end < head]
    moved = [e for e in before.entries if e.span.start > len(old) - tail]
    start = kept[-1].span.end if kept else 0
    stop = moved[0].span.start if moved else len(old)
    if len(kept) + len(moved) < len(before.entries) // 2 or any(
        start <= p.span.end <= stop for p in before.problems
    ):
        return None
    shift = len(new) - len(old)
    middle = new[start : stop + shift]
    read = read_bib(before.path, middle, strings=strings)
    if (
        read.problems
        or read.comments
        or "@string" in middle.lower()
        or any("crossref" in e.fields for e in read.entries)
    ):
        return None
    first = new.count("\n", 0, start)
    down = new.count("\n", start, stop + shift) - old.count("\n", start, stop)
    entries = [
        *kept,
        *(moved_entry(e, start, first) for e in read.entries),
        *(moved_entry(e, shift, down) for e in moved),
    ]
    problems = tuple(p if p.span.end < start else moved_problem(p, shift) for p in before.problems)
    return replace(before, entries=tuple(entries), problems=problems, unknown=before.unknown | read.unknown)


def _same_ends(old: str, new: str) -> tuple[int, int]:
    """How many characters agree at the beginning and, of what is left, at the end."""
    most = min(len(old), len(new))
    head = _longest(most, lambda n: old[:n] == new[:n])
    tail = _longest(most - head, lambda n: n == 0 or old[-n:] == new[-n:])
    return head, tail


def _longest(most: int, agree: Callable[[int], bool]) -> int:
    """The greatest length up to `most` that agrees, where all shorter ones do."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if agree(middle) else (low, middle - 1)
    return low
