"""What a provenance file may say: the one gate between the file and whoever reads it.

A project comes from strangers, and people merge this file by hand. So every value is read as the type that
texgeist writes there, in bounds, and what is not that is left out; hover, lenses and the review page meet
typed values alone. Values of fields that this version does not know are kept where they are text: a newer
one may have written them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

MOST_BYTES = 50_000_000  # of the file; one of 300 citations has some 500,000
MOST_TEXT = 200_000  # code points of one value
MOST_ITEMS = 2_000  # of one list
MOST_NUMBER = 10**12  # tokens, the largest of them, are counted
_HALF = re.compile("[\ud800-\udfff]")  # half a character, which UTF-8 cannot hold
PARTS = ("citations", "sections", "removed", "dismissed", "renamed")
Record = dict[str, Any]
Check = Callable[[Any], tuple[Any, ...]]  # the value alone as it may be used, or nothing


def checked(data: bytes, pairs: Callable[[list[tuple[str, Any]]], Record] = dict) -> Record | None:
    """The file's version and parts; None where it is no provenance, or one of these is of a wrong type.
    `pairs` makes a mapping of what may hold a name twice."""
    if len(data) > MOST_BYTES:
        return None
    try:
        found = json.loads(data.decode("utf-8"), object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, dict) or not isinstance(found.get("citations"), dict):
        return None
    if not _whole(found.get("version", 0)) or any(
        not isinstance(found.get(part, {}), dict) for part in PARTS
    ):
        return None  # read as empty, the next writing would lose what these hold
    (file,) = _FILE(found)
    return {**file, "sections": file.get("sections", {})}


def _text(value: Any) -> tuple[str, ...]:
    """Text that can be written as UTF-8 and is no book."""
    if not isinstance(value, str) or len(value) > MOST_TEXT or _HALF.search(value):
        return ()
    return (value,)


def _number(value: Any) -> tuple[float, ...]:
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    return (value,) if good and -MOST_NUMBER <= value <= MOST_NUMBER else ()  # NaN is in no range


def _whole(value: Any) -> tuple[int, ...]:
    good = isinstance(value, int) and not isinstance(value, bool)
    return (value,) if good and 0 <= value <= MOST_NUMBER else ()


def _flag(value: Any) -> tuple[bool, ...]:
    return (value,) if isinstance(value, bool) else ()


def _or_null(check: Check) -> Check:
    return lambda value: (None,) if value is None else check(value)


def _listed(check: Check) -> Check:
    def read(value: Any) -> tuple[Any, ...]:
        given = value[:MOST_ITEMS] if isinstance(value, list) else None
        return () if given is None else ([item for one in given for item in check(one)],)

    return read


def _mapped(check: Check) -> Check:
    """A mapping whose keys are free."""
    return _record({}, check)


def _record(fields: Mapping[str, Check], others: Check = _text) -> Check:
    """A mapping of these fields; others are kept where they are text."""

    def read(value: Any) -> tuple[Any, ...]:
        if not isinstance(value, dict):
            return ()
        named = ((key, given) for key, given in value.items() if _text(key))
        return ({key: item for key, given in named for item in fields.get(key, others)(given)},)

    return read


_PAPER = _record({"authors": _listed(_text), "year": _or_null(_whole)})
_PASSAGE = _record({"page": _or_null(_whole), "similarity": _number})
_SENTENCE = _record({"keys": _listed(_text), "evidence": _listed(_PASSAGE)})
_CITATION = _record(
    {
        "paper": _PAPER,
        "strands": _listed(_text),
        "query": _record({}),
        "rank": _whole,
        "of": _whole,
        "similarity": _number,
        "score": _number,
        "score_parts": _mapped(_number),
        "full_text": _flag,
        "reasons": _record({"page": _or_null(_whole)}),
        "reused": _flag,
        "evidence": _listed(_PASSAGE),
    }
)
_OFFER = _record({"papers": _mapped(_CITATION)})
_SECTION = _record(
    {
        "gone": _listed(_text),
        "offers": _listed(_OFFER),
        "papers": _whole,
        "sentences": _listed(_SENTENCE),
        "notes": _listed(_text),
        "searches": _listed(_record({"found": _whole})),
        "usage": _mapped(_or_null(_number)),
    }
)
_REMOVED = _record({"section": _SECTION, "citations": _mapped(_CITATION)})
_FILE = _record(
    {
        "version": _whole,
        "citations": _mapped(_CITATION),
        "sections": _mapped(_SECTION),
        "removed": _mapped(_REMOVED),
        "dismissed": _mapped(_record({})),
        "renamed": _mapped(_text),
    }
)
