"""What a check found, and where it stands by now. On the keystroke path: imports nothing heavy."""

from __future__ import annotations

from dataclasses import dataclass

from texgeist_latex.types import Reference


@dataclass(frozen=True, slots=True)
class Find:
    """`anchor`, at `start` of `file`, is what the find is about, `shown` the part of it that is
    underlined, from its beginning. `fix` replaces the anchor; "" where there is none."""

    file: str
    start: int
    anchor: str
    shown: int
    code: str
    message: str
    severity: str
    title: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Identified:
    """The paper that an id means, who knew it, and what is to be said of it."""

    reference: Reference
    source: str
    notes: tuple[str, ...] = ()


def place(find: Find, text: str, moved: int = 0) -> int | None:
    """Where the find stands in the text as it is now, None where its words are gone. `moved`: by how much
    the one before it had moved, which is mostly right for this one too."""
    anchor, start = find.anchor, find.start
    for at in (start + moved, start):
        if at >= 0 and text.startswith(anchor, at):
            return at
    at = text.find(anchor)
    return at if at >= 0 else None
