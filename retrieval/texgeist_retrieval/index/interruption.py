"""Long work on an index that is broken off, and what it leaves behind."""

from __future__ import annotations

from ..errors import Cancelled


def broken_off(*done: tuple[str, int]) -> Cancelled:
    """What an interruption leaves behind, in words: what was done, to how many papers."""
    parts = [f"{_papers(count)} {what}" for what, count in done if count]
    if not parts:
        return Cancelled()
    return Cancelled(f"Cancelled. Until then: {', '.join(parts)}.", "The same command goes on from there.")


def _papers(count: int) -> str:
    return "1 paper" if count == 1 else f"{count:,} papers"
