"""A sentence of an answer in its parts, each with the evidence of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...types import Clause

MOST_PARTS = 5  # of one sentence
LONGEST_LEAD = 15  # words before a textual citation


def sentences_in(raw: Any) -> list[Any]:
    """One sentence of an answer, or several: a part that ends with a full stop before one that begins with a
    capital is a sentence of its own, which a model put into the same one. It cites what it names alone; own passages are
    named of the whole, for a part has no place for them."""
    more = raw.get("more") if isinstance(raw, dict) else None
    if not isinstance(more, list) or not all(isinstance(part, dict) for part in more):
        return [raw]
    found = [{**raw, "more": []}]
    for part in more:
        last = (found[-1]["more"] or [found[-1]])[-1]
        ends = str(last.get("text") or "").rstrip()[-1:] in (".", "!", "?")
        if ends and str(part.get("text") or "").lstrip()[:1].isupper():
            found.append({**raw, "lead": "", "textual": False, "evidence": [], **part, "more": []})
        else:
            found[-1]["more"].append(part)
    return found


def parts_of(raw: Mapping[str, Any]) -> list[Clause]:
    """The sentence's own text first, then what `more` holds; never empty. What has no words is left out,
    and its evidence goes to the part before it: nothing that was cited may get lost unseen."""
    more = raw.get("more")
    parts = (
        [_part(raw), *(_part(item) for item in more if isinstance(item, dict))]
        if isinstance(more, list)
        else [_part(raw)]
    )
    told: list[Clause] = []
    for part in parts:
        if part.text or not told:
            told.append(part)
        else:
            told[-1] = Clause(told[-1].text, (*told[-1].evidence, *part.evidence))
    if len(told) > MOST_PARTS:
        rest = told[MOST_PARTS - 1 :]
        told = [
            *told[: MOST_PARTS - 1],
            Clause(" ".join(p.text for p in rest), tuple(i for p in rest for i in p.evidence)),
        ]
    inner = [Clause(_open(part.text), part.evidence) for part in told[:-1]]
    return [*inner, told[-1]]


def lead_of(raw: Mapping[str, Any]) -> str:
    """The words before a textual citation: "More recently,"."""
    lead = raw.get("lead")
    words = " ".join(lead.split()) if isinstance(lead, str) else ""
    return words if len(words.split()) <= LONGEST_LEAD else ""


def _part(raw: Mapping[str, Any]) -> Clause:
    text, given = raw.get("text"), raw.get("evidence")
    ids = tuple(dict.fromkeys(str(i) for i in given)) if isinstance(given, list) else ()
    return Clause(" ".join(text.split()) if isinstance(text, str) else "", ids)


def _open(text: str) -> str:
    """A part that others follow ends with no full stop: the sentence goes on."""
    return re.sub(r"[.!?]+$", ",", text)
