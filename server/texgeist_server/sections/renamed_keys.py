"""The reasons for a citation, when its key gets another name."""

from __future__ import annotations

from pathlib import Path

from . import provenance


def rename(root: Path, old: str, new: str) -> None:
    """The reasons under another key too. They stay under the old one: an editor that asks its user first may not
    take the renaming. Raises Unreadable, OutOfBounds, OSError."""
    from texgeist_latex.writing.renaming import renamed_in

    data = provenance.read_to_write(root)
    if (reasons := data["citations"].get(old)) is None:
        return
    sections = {
        id: {**section, "text": renamed_in(str(section.get("text", "")), old, new)}
        if "text" in section
        else section
        for id, section in data["sections"].items()
    }
    provenance.write(root, {**data, "citations": {**data["citations"], new: reasons}, "sections": sections})
