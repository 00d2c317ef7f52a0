"""Findings of checks, and their place in the current text. Used on every keystroke, so it imports nothing
heavy."""

from __future__ import annotations

from dataclasses import dataclass

from texgeist_latex.types import Reference

NO_JUDGE = ("extractive", "local")  # writers with no model, or one that is too small to judge sentences


@dataclass(frozen=True, slots=True)
class Find:
    """A finding about the text `anchor` at `start` of `file`. `shown`: the number of characters to underline,
    from the beginning of the anchor. `fix`: the text that replaces the anchor, "" if there is no quick
    fix."""

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
    """A paper that was looked up by its id, the name of the source that knew it, and notes for the user."""

    reference: Reference
    source: str
    notes: tuple[str, ...] = ()


def place(find: Find, text: str, moved: int = 0) -> int | None:
    """The offset of the finding in the current `text`; None if its anchor is gone. `moved`: the number of
    characters by which the previous finding has moved; usually this finding has moved as far."""
    anchor, start = find.anchor, find.start
    for at in (start + moved, start):
        if at >= 0 and text.startswith(anchor, at):
            return at
    at = text.find(anchor)
    return at if at >= 0 else None
