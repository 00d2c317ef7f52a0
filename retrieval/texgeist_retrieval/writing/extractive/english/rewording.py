"""Small words and general verbs in other words, so that no long run of a source is left outside marks.

Only what any field says alike is turned ("using" -> "with", "to select" -> "to choose"), or left out where
less is said then; terms, names, negations, hedges and numbers stay as they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .grammar import article
from .turning import TURNS

RUN = 7  # words of a source in a row that are one too many
_MOST = 9  # words that are turned in one sentence


@dataclass(frozen=True, slots=True)
class Reworded:
    """`cost`: how much worse it reads than the source's own words."""

    text: str
    cost: float


def reworded(text: str, source: str, title: str = "", run: int = RUN) -> Reworded | None:
    """`text` without a run of `run` words of the source; None where its words cannot be turned so far.

    Runs that stand in the title are what the paper is called."""
    cost = 0.0
    for _ in range(_MOST + 1):
        where = long_run(text, source, title, run)
        if where is None:
            return Reworded(text, cost)
        turned = _turned(text, *where)
        if turned is None:
            return None
        text, cost = turned.text, cost + turned.cost
    return None


def long_run(text: str, source: str, title: str = "", run: int = RUN) -> tuple[int, int] | None:
    """Where the first run of `run` and more words of the source begins and ends in `text`, outside marks."""
    known, named = _flat(_words(source)), _flat(_words(title))
    for piece in re.finditer(r"[^“”]+(?=“|$)", text):
        spans = [m.span() for m in re.finditer(r"\w+", piece[0])]
        words = [piece[0][a:b].lower() for a, b in spans]
        for start in range(len(words) - run + 1):
            end = start + run
            if _flat(words[start:end]) not in known or _flat(words[start:end]) in named:
                continue
            while end < len(words) and _flat(words[start : end + 1]) in known:
                end += 1
            return piece.start() + spans[start][0], piece.start() + spans[end - 1][1]
    return None


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _flat(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _turned(text: str, start: int, end: int) -> Reworded | None:
    """The turn that costs least, and leaves the least of the run whole."""
    best: tuple[float, str, float] | None = None
    for turn in TURNS:
        for match in turn.found.finditer(text):
            if match.end() <= start or match.start() >= end:
                continue
            by = turn.by(match) if callable(turn.by) else match.expand(turn.by)
            if by == match[0] or (callable(turn.by) and not by):
                continue
            left = len(_words(text[start : match.start()])), len(_words(text[match.end() : end]))
            weight = (
                turn.cost + 0.08 * sum(max(0, count - RUN + 1) for count in left) + 0.3 * (left[0] >= RUN)
            )
            if best is None or weight < best[0]:
                best = weight, f"{text[: match.start()]}{by}{text[match.end() :]}", turn.cost
    return Reworded(_set_right(best[1]), best[2]) if best else None


def _set_right(text: str) -> str:
    """With the article that the next word takes now."""
    text = re.sub(r" (?:that|which) (?:is|are) relying on\b", " relying on", text)
    text = re.sub(r" {2,}", " ", text).replace(" ,", ",").strip()
    return re.sub(r"\b([Aa])n? (?=([a-z][\w-]+))", lambda m: f"{m[1]}{article(m[2])[1:]} ", text)
