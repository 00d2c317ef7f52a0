"""A statement about the author's own work stands on the author's own text, or is not written.

Where a section of the draft is written, every sentence names what it stands on: evidence, own passages, or both.
Here is checked that it does, and that no figure stands in it that stands in none of them: a model that knows
what papers look like invents a p value as readily as a transition."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ...types import Clause

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


def strangers(parts: Sequence[Clause], own: Mapping[str, str]) -> str:
    """What is wrong with the own passages that a sentence of an answer names, as the rest of a sentence for the model."""
    unknown = [id[:20] for part in parts for id in part.own if id not in own]
    return f"names own passages that do not exist: {', '.join(unknown[:5])}." if own and unknown else ""


def unfounded(lead: str, parts: Sequence[Clause], material: Material) -> str:
    """What the sentence lacks, as the rest of a sentence for the model; "" where it stands. Each part is held against
    what it names itself: what the author did is not vouched for by a passage that is named of another part."""
    everything = _numbers(parts, material)
    for place, part in enumerate(parts):
        text = f"{lead} {part.text}".strip() if not place else part.text
        if _OWN.search(text) and not part.own:
            return (
                "speaks of this paper's own work and names no own passage in that part: name the one that says it, or "
                "leave it out and put what the authors have to add into “needs”."
            )
        known = _numbers([part], material) if part.evidence or part.own else everything
        if strange := [figure for figure in _figures(text) if _number(figure) not in known]:
            return f"holds the figure {strange[0]}, which stands in no passage that it names: leave it out."
    if not any(part.evidence or part.own for part in parts):
        return (
            "stands on nothing: name the evidence or the own passages that say it, or leave it out and put what the "
            "authors have to add into “needs”."
        )
    return ""


def _numbers(parts: Sequence[Clause], material: Material) -> set[float]:
    """The figures of all passages that the parts name."""
    texts = [material.passages[id] for part in parts for id in part.evidence]
    texts += [material.own[id] for part in parts for id in part.own]
    return {n for text in texts for n in numbers(text)}


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
