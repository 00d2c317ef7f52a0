"""The record of why: what it may hold, and how it stands in its file. The one gate between the file and whoever reads it.

A project comes from strangers, and people merge this file by hand. So every value is read as the type that texgeist
writes there, in bounds, and what is not that is left out. Values of fields that this version does not know are kept
where they are text: a newer one may have written them. Nothing here changes once it is read.

The file has one record a line, sorted. So two authors' versions merge line by line: git is told to keep the lines of
both sides, and whoever merges by hand does right by keeping them all. Commas that are too few or too many then are put
right in reading (no record holds a line end), and of two lines on one thing the younger counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from texgeist_latex.errors import Unreadable

MOST_BYTES = 50_000_000  # of the file; one of 300 citations has some 500,000
MOST_ITEMS = 2_000  # of one list
_MOST_TEXT = 200_000  # code points of one value
_MOST_NUMBER = 10**12  # tokens, the largest of them, are counted
_ROUNDS = 20  # in which wrong values are left out: a wrong value may hide others behind it
_HALF = re.compile("[\ud800-\udfff]")  # half a character
Place = tuple[int | str, ...]  # of a value in a record
T = TypeVar("T")


def _bounded(value: Any) -> Any:
    return value[:MOST_ITEMS] if isinstance(value, list) else value


Text = Annotated[str, Field(max_length=_MOST_TEXT)]
Number = Annotated[float, Field(ge=-_MOST_NUMBER, le=_MOST_NUMBER, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=_MOST_NUMBER)]
Listed = Annotated[list[T], BeforeValidator(_bounded)]


class _Record(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True, frozen=True)
    __pydantic_extra__: dict[str, Text] = Field(init=False)

    @classmethod
    def made_of(cls, **values: Any) -> Self:
        """The record of these values, which come from papers and models: half characters become question marks, and
        what no record may hold is left out."""
        return _without_wrong(cls, {name: _writable(value) for name, value in values.items()}) or cls()


class PaperRecord(_Record):
    id: Text = ""
    primary: Text = ""
    title: Text = ""
    authors: Listed[Text] = []
    year: Count | None = None
    venue: Text = ""
    arxiv: Text = ""
    doi: Text = ""
    url: Text = ""


class PassageRecord(_Record):
    """A passage, `page` None for the abstract. `key` where it stands under a sentence."""

    page: Count | None = None
    similarity: Number = 0.0
    summary: Text = ""
    text: Text = ""
    key: Text = ""


class ReasonsRecord(_Record):
    """See `texgeist_retrieval.types.Reasons`."""

    yours: Text = ""
    theirs: Text = ""
    page: Count | None = None
    relation: Text = ""
    against: Text = ""
    numbers: Text = ""


class QueryRecord(_Record):
    kind: Text = ""
    found_by: Text = ""


class CitationRecord(_Record):
    """Why a paper is cited."""

    paper: PaperRecord = PaperRecord()
    query: QueryRecord = QueryRecord()
    strands: Listed[Text] = []
    rank: Count = 0
    of: Count = 0
    similarity: Number = 0.0
    score: Number = 0.0
    score_parts: dict[Text, Number] = {}
    why: Text = ""
    reasons: ReasonsRecord = ReasonsRecord()
    summary: Text = ""
    full_text: bool = False
    note: Text = ""
    evidence: Listed[PassageRecord] = []
    date: Text = ""  # ISO
    writer: Text = ""
    index: Text = ""
    model: Text = ""
    section: Text = ""
    reused: bool = False


class OfferRecord(_Record):
    """A new sentence beside the author's, with the reasons for its papers by key."""

    stands: Text = ""
    new: Text = ""
    papers: dict[Text, CitationRecord] = {}


class SentenceRecord(_Record):
    text: Text = ""
    aside: Text = ""
    keys: Listed[Text] = []
    evidence: Listed[PassageRecord] = []


class SearchRecord(_Record):
    text: Text = ""
    by: Text = ""
    why: Text = ""
    found: Count = 0
    refused: Text = ""


class SectionRecord(_Record):
    """How a section was written. `text`: as it was written, not as it was merged; what differs from it is the
    author's. `gone`: sentences that the author took out."""

    query: Text = ""
    papers: Count = 0
    sentences: Listed[SentenceRecord] = []
    notes: Listed[Text] = []
    usage: dict[Text, Number | None] = {}
    searches: Listed[SearchRecord] = []
    stopped: Text = ""
    date: Text = ""  # ISO
    writer: Text = ""
    index: Text = ""
    model: Text = ""
    file: Text = ""
    text: Text = ""
    abstract: Text = ""
    gone: Listed[Text] = []
    offers: Listed[OfferRecord] = []


class RemovedRecord(_Record):
    """A section that was taken out of the document: an undo brings it back."""

    section: SectionRecord | None = None
    citations: dict[Text, CitationRecord] = {}


class DismissedRecord(_Record):
    title: Text = ""
    date: Text = ""


class Provenance(_Record):
    """Why each citation is there, by key; sections by their id, dismissed papers by theirs; `renamed` from the old key
    to the new one."""

    version: Count = 0
    citations: dict[Text, CitationRecord]
    sections: dict[Text, SectionRecord] = {}
    removed: dict[Text, RemovedRecord] = {}
    dismissed: dict[Text, DismissedRecord] = {}
    renamed: dict[Text, Text] = {}


VERSION = 2  # 1 held a section's text as it stood after the edit, and nothing of what the author took out
_FILE = ".texgeist/provenance.json"
_APART = ",\n\n\n\n"  # git joins conflicts that fewer than four lines keep apart, and would mix the parts
_MARKS = re.compile(rb"^(?:<{7}|={7}|>{7}|\|{7})(?:[ \t\r].*)?$", re.MULTILINE)
_KEPT = "Nothing was changed."


NOTHING = Provenance(version=VERSION, citations={})
PARTS = ("citations", "sections", "removed", "dismissed", "renamed")


def encoded(data: Provenance) -> bytes:
    """Half of a surrogate pair, which no file can hold, becomes a question mark."""
    parts = [f'"version": {VERSION}']
    held = data.model_dump(exclude_unset=True)
    for part in PARTS:
        records = [f"  {_text(name)}: {_text(one)}" for name, one in sorted(held.get(part, {}).items())]
        parts.append("\n".join(filter(None, [f"{_text(part)}: {{", ",\n".join(records), "}"])))
    return ("{\n" + _APART.join(parts) + "\n}\n").encode("utf-8", "replace")


def decoded(held: bytes) -> Provenance:
    """The file's contents. Raises Unreadable, with what to do, where it is damaged
    or of a later version."""
    found = _read(held)
    if isinstance(found, Unreadable):
        raise Unreadable(str(found), found.help)
    return found


@lru_cache(maxsize=4)  # asked for on every cursor move in a generated section, of a damaged file too
def _read(held: bytes) -> Provenance | Unreadable:
    if not held.strip():
        return NOTHING
    if _MARKS.search(held):
        return Unreadable(
            f"{_FILE} holds a conflict that git has left. {_KEPT}",
            "Take out the lines that begin with <<<<<<<, ||||||| , ======= and >>>>>>>, keep all others, and "
            "try again.",
        )
    if len(held) > MOST_BYTES:
        return Unreadable(f"{_FILE} is too large to be texgeist's own. {_KEPT}", "Move it away.")
    found = checked(_with_commas(held), _younger)
    if found is None:
        return Unreadable(
            f"{_FILE} is damaged. {_KEPT}",
            "Bring an earlier version of it back, or move it away: the reasons that it holds are lost then.",
        )
    if found.version > VERSION:
        return Unreadable(f"{_FILE} was written by a later version of texgeist. {_KEPT}", "Update texgeist.")
    return found


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _with_commas(held: bytes) -> bytes:
    """What a union of lines has left of them, put right."""
    held = re.sub(rb"(?<=[}\]\"0-9])[ \t]*\r?\n(?=\s*\")", b",\n", held)
    return re.sub(rb",(\s*)}", lambda found: found[0][1:] if b"\n" in found[1] else found[0], held)


def _younger(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of records of one name the one of the later date, of two of one day the last."""
    found: dict[str, Any] = {}
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


def checked(data: bytes, pairs: Callable[[list[tuple[str, Any]]], Any] = dict) -> Provenance | None:
    """None for what is no provenance, and where the version or a part is of a wrong type: read as empty, the next
    writing would lose what it holds. `pairs` makes a mapping of what may hold a name twice."""
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
    """The record, values of a wrong type left out; None where one of them stands at a place that is `needed`."""
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
    """Text of a value as UTF-8 can hold it."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_writable(item) for item in value]
    if isinstance(value, dict):
        return {_writable(name): _writable(item) for name, item in value.items()}
    return value


def _with_names(held: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Without names that UTF-8 cannot hold, or that are books."""
    return [pair for pair in held if len(pair[0]) <= _MOST_TEXT and not _HALF.search(pair[0])]


def _leave_out(found: Any, wrong: list[Place]) -> None:
    """Takes the values at these places out of what was read from JSON."""
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
