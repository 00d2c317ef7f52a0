"""Where a find of `in_editor` stands by now. On the keystroke path: imports nothing."""

from __future__ import annotations

from collections.abc import Mapping


def place(find: Mapping[str, object], text: str, moved: int = 0) -> int | None:
    """Where the find stands in the text as it is now, None where its words are gone. `moved`: by how much
    the one before it had moved, which is mostly right for this one too."""
    anchor, start = str(find["anchor"]), int(str(find["start"]))
    for at in (start + moved, start):
        if at >= 0 and text.startswith(anchor, at):
            return at
    at = text.find(anchor)
    return at if at >= 0 else None
