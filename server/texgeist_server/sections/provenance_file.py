"""How the record of why stands in its file: one record a line, sorted.

So two authors' versions merge line by line: git is told to keep the lines of both sides, and whoever merges
by hand does right by keeping them all. Commas that are too few or too many then are put right in reading (no
record holds a line end), and of two lines on one thing the younger counts.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from texgeist_latex.errors import Unreadable

from .provenance_gate import MOST_BYTES, PARTS, Record, checked

VERSION = 2  # 1 held a section's text as it stood after the edit, and nothing of what the author took out
FOLDER, NAME = ".texgeist", "provenance.json"
ATTRIBUTES = ".gitattributes", f"{NAME} merge=union\n".encode()
_APART = ",\n\n\n\n"  # git joins conflicts that fewer than four lines keep apart, and would mix the parts
_MARKS = re.compile(rb"^(?:<{7}|={7}|>{7}|\|{7})(?:[ \t\r].*)?$", re.MULTILINE)
_KEPT = "Nothing was changed."


def encoded(data: Record) -> bytes:
    """Half of a surrogate pair, which no file can hold, becomes a question mark."""
    parts = [f'"version": {VERSION}']
    for part in PARTS:
        records = [f"  {_text(name)}: {_text(one)}" for name, one in sorted(data.get(part, {}).items())]
        parts.append("\n".join(filter(None, [f"{_text(part)}: {{", ",\n".join(records), "}"])))
    return ("{\n" + _APART.join(parts) + "\n}\n").encode("utf-8", "replace")


def decoded(held: bytes) -> Record:
    """The file's contents, which nobody may change. Raises Unreadable, with what to do, where it is damaged
    or of a later version."""
    found = _read(held)
    if isinstance(found, Unreadable):
        raise Unreadable(str(found), found.help)
    return found


@lru_cache(maxsize=4)  # asked for on every cursor move in a generated section, of a damaged file too
def _read(held: bytes) -> Record | Unreadable:
    if not held.strip():
        return {}
    if _MARKS.search(held):
        return Unreadable(
            f"{FOLDER}/{NAME} holds a conflict that git has left. {_KEPT}",
            "Take out the lines that begin with <<<<<<<, ||||||| , ======= and >>>>>>>, keep all others, and "
            "try again.",
        )
    if len(held) > MOST_BYTES:
        return Unreadable(f"{FOLDER}/{NAME} is too large to be texgeist's own. {_KEPT}", "Move it away.")
    found = checked(_with_commas(held), _younger)
    if found is None:
        return Unreadable(
            f"{FOLDER}/{NAME} is damaged. {_KEPT}",
            "Bring an earlier version of it back, or move it away: the reasons that it holds are lost then.",
        )
    if found.get("version", 0) > VERSION:
        return Unreadable(
            f"{FOLDER}/{NAME} was written by a later version of texgeist. {_KEPT}", "Update texgeist."
        )
    return found


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _with_commas(held: bytes) -> bytes:
    """What a union of lines has left of them, put right."""
    held = re.sub(rb"(?<=[}\]\"0-9])[ \t]*\r?\n(?=\s*\")", b",\n", held)
    return re.sub(rb",(\s*)}", lambda found: found[0][1:] if b"\n" in found[1] else found[0], held)


def _younger(pairs: list[tuple[str, Any]]) -> Record:
    """Of records of one name the one of the later date, of two of one day the last."""
    found: Record = {}
    for name, value in pairs:
        if name not in found or _date(value) >= _date(found[name]):
            found[name] = value
    return found


def _date(value: Any) -> str:
    """Of a record, or of a removed section's."""
    if not isinstance(value, dict):
        return ""
    date = value.get("date", "")
    return date if isinstance(date, str) and date else _date(value.get("section"))
