"""Splits the sentences of an answer into clauses, each with its evidence, and checks the ends of paragraphs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from ...types import Clause

MOST_PARTS = 5  # of a sentence
LONGEST_LEAD = 15  # words before a textual citation
LONGEST_GIVEN = 1500  # characters of a sentence that are examined
MOST_ENDS = 2  # paragraphs that may end on the draft, besides the last
_THE_DRAFT = re.compile(r"\b(?:[Tt]his (?:paper|work|study|article)|[Ww]e|[Oo]urs?)\b")


def given_words(raw: Mapping[str, Any]) -> str:
    """All words of a sentence of an answer, with line breaks."""
    more = raw.get("more")
    parts = [raw, *(one for one in more if isinstance(one, dict))] if isinstance(more, list) else [raw]
    words = (part.get(name) for part in parts for name in ("lead", "text"))
    return " ".join(word for word in words if isinstance(word, str))


def length_of(answer: Any) -> int:
    """Number of words in an answer; each sentence counts at least one."""
    listed = answer.get("paragraphs") if isinstance(answer, dict) else None
    paragraphs = (
        [p.get("sentences") for p in listed if isinstance(p, dict)] if isinstance(listed, list) else []
    )
    sentences = [raw for given in paragraphs if isinstance(given, list) for raw in given]
    return sum(
        max(1, len(given_words(raw)[:LONGEST_GIVEN].split())) if isinstance(raw, dict) else 1
        for raw in sentences
    )


def sentences_in(raw: Any) -> list[Any]:
    """Returns the sentence, split where a part ends with a full stop and the next begins with a capital: a
    model sometimes puts two sentences into one. Each has only the evidence that it names."""
    more = raw.get("more") if isinstance(raw, dict) else None
    if not isinstance(more, list) or not all(isinstance(part, dict) for part in more):
        return [raw]
    found, bare = [{**raw, "more": []}], {"lead": "", "textual": False, "evidence": [], "own": []}
    for part in more:
        last = (found[-1]["more"] or [found[-1]])[-1]
        ends = str(last.get("text") or "").rstrip()[-1:] in (".", "!", "?")
        if ends and str(part.get("text") or "").lstrip()[:1].isupper():
            found.append({**raw, **bare, **part, "more": []})
        else:
            found[-1]["more"].append(part)
    return found


def parts_of(raw: Mapping[str, Any]) -> list[Clause]:
    """The sentence's text, then its parts in `more`; never empty. A part without words is left out, and its
    evidence goes to the part before it, so that no citation is lost."""
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
            told[-1] = _joined([told[-1], part])
    if len(told) > MOST_PARTS:
        told = [*told[: MOST_PARTS - 1], _joined(told[MOST_PARTS - 1 :])]
    return [*(replace(part, text=_open(part.text)) for part in told[:-1]), told[-1]]


def _joined(parts: Sequence[Clause]) -> Clause:
    words = " ".join(part.text for part in parts if part.text)
    evidence, own = (tuple(dict.fromkeys(i for p in parts for i in ids(p))) for ids in (_EVIDENCE, _OWN))
    return Clause(words, evidence, own)


_EVIDENCE, _OWN = attrgetter("evidence"), attrgetter("own")


def lead_of(raw: Mapping[str, Any]) -> str:
    """The words before a textual citation: "More recently,"."""
    lead = raw.get("lead")
    words = " ".join(lead.split()) if isinstance(lead, str) else ""
    return words if len(words.split()) <= LONGEST_LEAD else ""


def _part(raw: Mapping[str, Any]) -> Clause:
    text = raw.get("text")
    return Clause(
        " ".join(text.split()) if isinstance(text, str) else "", _ids(raw, "evidence"), _ids(raw, "own")
    )


def _ids(raw: Mapping[str, Any], name: str) -> tuple[str, ...]:
    given = raw.get(name)
    return tuple(dict.fromkeys(str(i) for i in given)) if isinstance(given, list) else ()


def _open(text: str) -> str:
    """Replaces the full stop of a part by a comma, since another part follows."""
    return re.sub(r"[.!?]+$", ",", text)


def ending_faults(paragraphs: Sequence[Sequence[Any]]) -> Mapping[int, str]:
    """Faults of sentences as ends of their paragraphs, by their number in the answer, from 1.

    `paragraphs`: the sentences of each, as the model gave them. The last `MOST_ENDS` paragraphs that end on
    the draft are allowed, since a section leads up to it. Only English is checked."""
    ends: list[int] = []
    number = 0
    for sentences in paragraphs[:-1]:
        number += len(sentences)
        if sentences and _turns(sentences[-1]):
            ends.append(number)
    return {} if len(ends) <= MOST_ENDS else {n: _too_many(len(ends)) for n in ends[:-MOST_ENDS]}


def _turns(raw: Any) -> bool:
    """Whether the end of a sentence is about the draft."""
    return isinstance(raw, dict) and bool(_THE_DRAFT.search(parts_of(raw)[-1].text))


def _too_many(ends: int) -> str:
    return (
        f"{ends} paragraphs end on the draft, this one among them. End it on the literature: keep what the sentence "
        "says of papers, with their evidence, and leave out what it says of the draft."
    )
