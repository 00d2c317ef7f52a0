"""What of the author's is never touched unasked: checked before any search, for editor and command line."""

from __future__ import annotations

import difflib
from pathlib import Path

from texgeist_latex.errors import Uncertain
from texgeist_latex.types import Draft, EditPlan, SourceFile
from texgeist_latex.writing.blocks import find_blocks, written_lines

from ..errors import NothingToCite, SectionEdited
from . import provenance

_SHOWN = 12  # lines of a difference that go into a message


def check_certain(draft: Draft) -> None:
    """Raises Uncertain where the draft may not be the document that was meant: its text is not sent, and it
    is not written to."""
    if draft.doubt:
        raise Uncertain(
            draft.doubt,
            "Open (or name) the document itself, or put “% !TEX root = …” with its name into the file's first "
            "line.",
        )


def check_as_written(draft: Draft, section: str) -> None:
    """Raises SectionEdited where the generated section that is to be replaced is not, or not known to be, as
    it was written."""
    if (difference := _difference(draft, section)) is None:
        return
    if not difference:
        raise SectionEdited(
            f"It is not on record how texgeist wrote the section {section}, so it may hold your own words, and "
            "it was kept.",
            "",
        )
    raise SectionEdited(
        f"The section {section} was edited since texgeist wrote it, so it was kept.", difference
    )


def check_cites(plan: EditPlan) -> None:
    """Raises NothingToCite for a plan that would write, or replace, text that stands neither on papers nor on the
    author's own words."""
    if not plan.keys and not plan.founded:
        raise NothingToCite


def shortened(difference: str) -> str:
    """Its first lines."""
    lines = difference.splitlines()
    more = f"\n… and {len(lines) - _SHOWN} more lines" if len(lines) > _SHOWN else ""
    return "\n".join(lines[:_SHOWN]) + more


def _difference(draft: Draft, section: str) -> str | None:
    """From the section as it was written to the section as it is; "" where the former is not known, None
    where they agree, or no such section stands in the document."""
    block = next((block for block in find_blocks(draft.sources.values()) if block.id == section), None)
    if block is None:
        return None
    now = written_lines(draft.sources[block.span.file].text, block)
    record = provenance.restored(provenance.read(draft.root), [section])["sections"].get(section, {})
    was = _recorded(record.get("text"), section)
    if was is None:
        return ""
    return None if was == now else "\n".join(_changes(was, now))


def _recorded(text: object, section: str) -> list[str] | None:
    """The lines of a section's record; None in one that was made before texts were kept."""
    if not isinstance(text, str):
        return None
    blocks = find_blocks([SourceFile(Path(), text)])
    return next((written_lines(text, block) for block in blocks if block.id == section), None)


def _changes(was: list[str], now: list[str]) -> list[str]:
    compared = difflib.unified_diff(was, now, "as texgeist wrote it", "as it is", n=0, lineterm="")
    return [line for line in compared if not line.startswith("@@")]
