"""A statement about the author's own work stands on the author's own text, or is not written.

Where a section of the draft is written, every sentence names what it stands on: evidence, own passages, or both.
Here is checked that it does, and that no figure stands in it that stands in none of them: a model that knows
what papers look like invents a p value as readily as a transition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .material import Material

_OWN = re.compile(
    r"\b(?:we|our|ours|us|this (?:paper|work|study|article|thesis)|the present (?:paper|work|study)"
    r"|the proposed)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?:[eE][-+−]?\d+)?")
_NAMED = re.compile(r"[^\W\d][-‐‑]?[\d.]*$")  # before digits that are part of a name: BM25, GPT-4, v1.2.3
_LONGEST_NAME = 24  # letters of it that are looked at


def own_ids(raw: Mapping[str, Any], own: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    """The own passages that a sentence of an answer names, and what is wrong with others that it names, as the
    rest of a sentence for the model."""
    given = raw.get("own")
    ids = tuple(dict.fromkeys(str(i) for i in given)) if isinstance(given, list) else ()
    unknown = [i[:20] for i in ids if i not in own]
    wrong = f"names own passages that do not exist: {', '.join(unknown[:5])}." if own and unknown else ""
    return tuple(i for i in ids if i in own), wrong


def unfounded(text: str, evidence: Sequence[str], own: Sequence[str], material: Material) -> str:
    """What the sentence lacks, as the rest of a sentence for the model; "" where it stands."""
    if _OWN.search(text) and not own:
        return (
            "speaks of this paper's own work and names no own passage: name the one that says it, or leave it out "
            "and put what the authors have to add into “needs”."
        )
    if not evidence and not own:
        return (
            "stands on nothing: name the evidence or the own passages that say it, or leave it out and put what the "
            "authors have to add into “needs”."
        )
    known = {n for id in evidence for n in numbers(material.passages[id])}
    known |= {n for id in own for n in numbers(material.own[id])}
    if strange := [figure for figure in _figures(text) if _number(figure) not in known]:
        return f"holds the figure {strange[0]}, which stands in no passage that it names: leave it out."
    return ""


def _figures(text: str) -> list[str]:
    """The figures that a sentence states; digits glued behind a letter belong to a name."""
    return [
        match[0]
        for match in _FIGURE.finditer(text)
        if not _NAMED.search(text, max(0, match.start() - _LONGEST_NAME), match.start())
    ]


def stated(text: str) -> set[float]:
    """The figures that a sentence states, as numbers."""
    return {_number(figure) for figure in _figures(text)}


def numbers(text: str) -> Iterator[float]:
    return (_number(match[0]) for match in _FIGURE.finditer(text))


def _number(written: str) -> float:
    return float(written.replace(",", "").replace("−", "-"))
