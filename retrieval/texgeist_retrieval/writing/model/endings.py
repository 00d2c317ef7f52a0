"""That not every paragraph of a section ends on the draft: read once the turn is an argument, read five times a
formula, and it is what readers of such sections complained of first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .clauses import parts_of

MOST = 2  # paragraphs that may end on the draft, beside the last one, where the section arrives at it
_THE_DRAFT = re.compile(r"\b(?:[Tt]his (?:paper|work|study|article)|[Ww]e|[Oo]urs?)\b")


def ending_faults(paragraphs: Sequence[Sequence[Any]]) -> Mapping[int, str]:
    """What is wrong with sentences as ends of their paragraphs, by their number in the answer, from 1.

    `paragraphs`: the sentences of each as a model gave them. The last of those that turn to the draft may stay,
    since a section arrives at it; other languages than English pass."""
    ends: list[int] = []
    number = 0
    for sentences in paragraphs[:-1]:
        number += len(sentences)
        if sentences and _turns(sentences[-1]):
            ends.append(number)
    return {} if len(ends) <= MOST else {n: _told(len(ends)) for n in ends[:-MOST]}


def _turns(raw: Any) -> bool:
    """Whether the end of a sentence speaks of the draft."""
    return isinstance(raw, dict) and bool(_THE_DRAFT.search(parts_of(raw)[-1].text))


def _told(ends: int) -> str:
    return (
        f"{ends} paragraphs end on the draft, this one among them. End it on the literature: keep what the sentence "
        "says of papers, with their evidence, and leave out what it says of the draft."
    )
