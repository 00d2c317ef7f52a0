"""The types of the provenance record, and functions to read and write its file. The file is validated only
here.

A project may come from strangers, and people merge this file by hand. So every value is validated against its
type and bounds, and invalid values are left out. Text in fields that this version does not know is kept,
because a later version may have written it. Records are never changed in place.

The file has a record on each line, sorted, so that two authors' versions merge line by line. Git is
configured to keep the lines of both sides, and people who merge by hand should do the same. Missing or
superfluous commas are then repaired on reading (no record contains a line break). If two lines have the same
name, the later record is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WrapValidator
from texgeist_latex.errors import Unreadable

MOST_BYTES = 50_000_000  # of the file; with 300 citations it has about 500,000
MOST_ITEMS = 2_000  # of a list
_MOST_TEXT = 200_000  # code points of a value
_MOST_NUMBER = 10**12  # the largest counts are of tokens
_ROUNDS = 20  # attempts to leave out invalid values: an invalid value may hide others
_HALF = re.compile("[\ud800-\udfff]")  # unpaired surrogates
Place = tuple[int | str, ...]  # the path of a value in a record
T = TypeVar("T")


def _bounded(value: Any) -> Any:
    return value[:MOST_ITEMS] if isinstance(value, list) else value


def _as_it_stands(value: Any, check: Callable[[Any], float]) -> Any:
    """Validates a number and returns it as it is: 3 does not become 3.0, so that a line that nobody changed
    stays the same in the file."""
    check(value)
    return value


Text = Annotated[str, Field(max_length=_MOST_TEXT)]
Number = Annotated[
    float, Field(ge=-_MOST_NUMBER, le=_MOST_NUMBER, allow_inf_nan=False), WrapValidator(_as_it_stands)
]
Count = Annotated[int, Field(ge=0, le=_MOST_NUMBER)]
Listed = Annotated[list[T], BeforeValidator(_bounded)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, frozen=True)
    __pydantic_extra__: dict[str, Text] = Field(init=False)

    @classmethod
    def made_of(cls, **values: Any) -> Self:
        """Builds a record from untrusted values, from papers and models: unpaired surrogates become question
        marks, and invalid values are left out."""
        return _without_wrong(cls, {name: _writable(value) for name, value in values.items()}) or cls()


class PaperRecord(_Record):
    id: Text = ""
    title: Text = ""
    authors: Listed[Text] = []
    year: Count | None = None
    venue: Text = ""
    arxiv: Text = ""
    doi: Text = ""
    url: Text = ""


class PassageRecord(_Record):
    """A passage. `page` and `heading` are empty for the abstract."""

    page: Count | None = None
    heading: Text = ""
    similarity: Number = 0.0
    summary: Text = ""
    text: Text = ""


class ReasonsRecord(_Record):
    """See `texgeist_retrieval.types.Reasons`."""

    yours: Text = ""
    theirs: Text = ""
    page: Count | None = None
    heading: Text = ""
    relation: Text = ""
    against: Text = ""
    numbers: Text = ""
    discovered: Text = ""


class CitationRecord(_Record):
    """The reasons for citing a paper."""

    paper: PaperRecord = PaperRecord()
    why: Text = ""
    reasons: ReasonsRecord = ReasonsRecord()
    summary: Text = ""
    evidence: Listed[PassageRecord] = []
    date: Text = ""  # ISO
    writer: Text = ""
    index: Text = ""
    model: Text = ""
    section: Text = ""


class SectionRecord(_Record):
    """How a section was written. `text`: the generated text before merging, to find the author's edits.
    `gone`: sentences that the author removed."""

    query: Text = ""
    papers: Count = 0
    date: Text = ""  # ISO
    text: Text = ""
    abstract: Text = ""
    gone: Listed[Text] = []


class Provenance(_Record):
    """The reasons for each citation, by key; sections by section id."""

    version: Count = 0
    citations: dict[Text, CitationRecord]
    sections: dict[Text, SectionRecord] = {}


VERSION = 2  # version 1 stored a section's merged text, and did not store sentences that the author removed
_FILE = ".texgeist/provenance.json"
_APART = ",\n\n\n\n"  # git joins conflicts that are less than four lines apart; this would mix the parts
_MARKS = re.compile(rb"^(?:<{7}|={7}|>{7}|\|{7})(?:[ \t\r].*)?$", re.MULTILINE)
_KEPT = "Nothing was changed."


NOTHING = Provenance(version=VERSION, citations={})
PARTS = ("citations", "sections")


def encoded(data: Provenance) -> bytes:
    """Encodes the record as JSON in UTF-8. Unpaired surrogates become question marks."""
    parts = [f'"version": {VERSION}']
    held = data.model_dump(exclude_unset=True)
    for part in PARTS:
        records = [f"  {_text(name)}: {_text(one)}" for name, one in sorted(held.get(part, {}).items())]
        parts.append("\n".join(filter(None, [f"{_text(part)}: {{", ",\n".join(records), "}"])))
    return ("{\n" + _APART.join(parts) + "\n}\n").encode("utf-8", "replace")


def decoded(held: bytes) -> Provenance:
    """Decodes the file. Raises Unreadable, with advice, if it is damaged or of a later version."""
    found = _read(held)
    if isinstance(found, Unreadable):
        raise Unreadable(str(found), found.help)
    return found


@lru_cache(maxsize=4)  # read on every cursor move in a generated section, even if damaged
def _read(held: bytes) -> Provenance | Unreadable:
    if not held.strip():
        return NOTHING
    if _MARKS.search(held):
        return Unreadable(
            f"{_FILE} holds a conflict that git has left. {_KEPT}",
            "Remove the lines that begin with <<<<<<<, |||||||, ======= and >>>>>>>, keep all others, and "
            "try again.",
        )
    if len(held) > MOST_BYTES:
        return Unreadable(f"{_FILE} is too large to be texgeist's own. {_KEPT}", "Move it away.")
    found = checked(_with_commas(held), _younger)
    if found is None:
        return Unreadable(
            f"{_FILE} is damaged. {_KEPT}",
            "Restore an earlier version of it, or move it away; the reasons in it are lost then.",
        )
    if found.version > VERSION:
        return Unreadable(f"{_FILE} was written by a later version of texgeist. {_KEPT}", "Update texgeist.")
    return found


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _with_commas(held: bytes) -> bytes:
    """Repairs commas that are missing or superfluous after a union merge."""
    held = re.sub(rb"(?<=[}\]\"0-9])[ \t]*\r?\n(?=\s*\")", b",\n", held)
    return re.sub(rb",(\s*)}", lambda found: found[0][1:] if b"\n" in found[1] else found[0], held)


def _younger(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Builds a mapping. Of records with the same name it keeps the latest by date, or the last if the dates
    are equal."""
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name not in found or _date(value) >= _date(found[name]):
            found[name] = value
    return found


def _date(value: Any) -> str:
    """The date of a record; "" if it has none."""
    date = value.get("date", "") if isinstance(value, dict) else ""
    return date if isinstance(date, str) else ""


def checked(data: bytes, pairs: Callable[[list[tuple[str, Any]]], Any] = dict) -> Provenance | None:
    """Validates the JSON. Returns None if it is not a provenance record, or if the version or a whole part
    has a wrong type: if such a part were read as empty, the next write would lose its contents. `pairs`
    builds a mapping from names and values; names may be repeated."""
    if len(data) > MOST_BYTES:
        return None
    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=lambda held: pairs(_with_names(held)))
    except (ValueError, RecursionError):
        return None
    return _without_wrong(Provenance, found, _WHOLE)


R = TypeVar("R", bound=_Record)
_NOTHING = object()
_WHOLE = {(), *((name,) for name in Provenance.model_fields)}


def _without_wrong(kind: type[R], found: Any, needed: Collection[Place] = ()) -> R | None:
    """The record without values of a wrong type. Returns None if such a value is at a place in `needed`."""
    for _ in range(_ROUNDS):
        try:
            return kind.model_validate(found)
        except ValidationError as error:
            errors = error.errors(include_url=False, include_context=False, include_input=False)
            wrong = [one["loc"] for one in errors]
            if not isinstance(found, dict) or any(place in needed for place in wrong):
                return None
            _leave_out(found, wrong)
    return None


def _writable(value: Any) -> Any:
    """Replaces unpaired surrogates in all text of a value."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_writable(item) for item in value]
    if isinstance(value, dict):
        return {_writable(name): _writable(item) for name, item in value.items()}
    return value


def _with_names(held: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Leaves out names that UTF-8 cannot encode and names longer than _MOST_TEXT."""
    return [pair for pair in held if len(pair[0]) <= _MOST_TEXT and not _HALF.search(pair[0])]


def _leave_out(found: Any, wrong: list[Place]) -> None:
    """Removes the values at these places from parsed JSON."""
    lists: list[list[Any]] = []
    for place in wrong:
        holder: Any = found
        *way, last = [step for step in place if step != "[key]"]
        for step in way:
            holder = holder[step]
        if isinstance(holder, list):
            holder[int(last)] = _NOTHING
            lists.append(holder)
        elif isinstance(holder, dict):
            holder.pop(last, None)
    for items in lists:
        items[:] = [item for item in items if item is not _NOTHING]
