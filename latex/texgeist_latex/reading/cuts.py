"""How much of a text is read at most: beyond that it is data, and it is said where reading stopped."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Problem, Span
from .files import Parsed

MOST_CITATIONS = 50_000  # of one file; a long book has 5,000
MOST_UNDEFINED = 1_000  # citations without an entry that are listed, of one project


def cut_short(parsed: Parsed, citations: int) -> Iterator[Problem]:
    """What of the file was not read, in words; `citations` are as many as were found in it."""
    name, stop = parsed.path.name, parsed.scan.stop
    if parsed.scan.cut:
        yield Problem(
            "too-long",
            f"{name} is read only up to here: it has more commands than a text has.",
            Span(parsed.path, stop, min(len(parsed.text), stop + 1)),
        )
    if citations >= MOST_CITATIONS:
        yield Problem(
            "too-long",
            f"{name} cites more than {MOST_CITATIONS:,} times; the citations after those are not read.",
            Span(parsed.path, 0, min(len(parsed.text), 1)),
        )
