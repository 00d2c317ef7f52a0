"""The reasons of a generated section that was taken out of the document: laid aside, and back with an undo."""

from __future__ import annotations

from collections.abc import Iterable

from .provenance_file import VERSION
from .provenance_gate import Record


def without_section(old: Record, section_id: str) -> Record:
    """`old` after the user has taken a generated section out again. Its reasons are laid aside, for when an
    undo brings the text back."""
    gone = {k: v for k, v in old["citations"].items() if v.get("section") == section_id}
    removed = dict(old.get("removed", {}))
    if section_id in old["sections"]:
        removed[section_id] = {"section": old["sections"][section_id], "citations": gone}
    return {
        **old,
        "version": VERSION,
        "citations": {k: v for k, v in old["citations"].items() if k not in gone},
        "sections": {k: v for k, v in old["sections"].items() if k != section_id},
        "removed": removed,
    }


def restored(data: Record, standing: Iterable[str]) -> Record:
    """`data` with the reasons of those removed sections that stand in the document again."""
    back = {k: v for k in standing if k not in data["sections"] and (v := data["removed"].get(k))}
    if not back:
        return data
    citations = {k: v for each in back.values() for k, v in each.get("citations", {}).items()}
    sections = {k: each["section"] for k, each in back.items() if "section" in each}
    return {
        **data,
        "citations": {**citations, **data["citations"]},
        "sections": {**data["sections"], **sections},
        "removed": {k: v for k, v in data["removed"].items() if k not in back},
    }
