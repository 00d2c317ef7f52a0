"""Decides whether a search result is the work that a model named.

A result is accepted if the titles agree. A short name begins many titles ("MAN: …"). It is therefore accepted
only if the year and the similarity to the draft do not contradict it, and if only one paper has this name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from ..identity import YEARS_APART, plain_title
from ..types import Candidate, Paper, Work

SAME = 90.0  # ratio of two plain titles from which they are equal
PART = 0.55  # if one title contains the other, least share of the longer title's characters
CLOSE = 0.2  # least cosine to the draft for a match by short name
UNSURE = 0.35  # least cosine to the draft for a name of up to four letters, or if a year is unknown


@dataclass(frozen=True, slots=True)
class Wanted:
    """A work, and the strand for which it was named."""

    work: Work
    strand: str


def believed(candidates: Sequence[Candidate], wanted: Sequence[Wanted]) -> dict[str, str]:
    """The ids of the candidates that are named works, each with the first strand that named the work. A work
    has at most one paper; a name that fits several papers is ignored."""
    found: dict[str, str] = {}
    for want, number in zip(wanted, _places(candidates, wanted), strict=True):
        if number is not None:
            found.setdefault(candidates[number].paper.id, want.strand)
    return found


def missing(candidates: Sequence[Candidate], wanted: Sequence[Wanted]) -> tuple[Work, ...]:
    """The named works that are not among the candidates, in the order of `wanted`: the first work of each
    strand comes first."""
    places = zip(wanted, _places(candidates, wanted), strict=True)
    return tuple(want.work for want, number in places if number is None)


def _places(candidates: Sequence[Candidate], wanted: Sequence[Wanted]) -> list[int | None]:
    """For each work, the index of the candidate that is this work; None if there is none."""
    titles = [plain_title(c.paper.title) for c in candidates]
    heads = [head_of(c.paper.title) for c in candidates]
    by_title = [_by_title(want.work, candidates, titles) for want in wanted]
    return [
        number if number is not None else _by_name(want.work, candidates, heads)
        for want, number in zip(wanted, by_title, strict=True)
    ]


def head_of(title: str) -> str:
    """The system's name in a title: the words before its colon, if there are at most three."""
    head, colon, _ = title.partition(":")
    return plain_title(head) if colon and len(head.split()) <= 3 else ""


def _by_title(work: Work, candidates: Sequence[Candidate], titles: Sequence[str]) -> int | None:
    plain = plain_title(work.title)
    if len(plain.split()) < 2:
        return None
    scored = [(_likeness(plain, title), -n) for n, title in enumerate(titles) if title]
    best, number = max(scored, default=(0.0, 0))
    return -number if best >= SAME else None


def _likeness(ours: str, theirs: str) -> float:
    """The similarity of two plain titles: 100 if they are equal, 99 if one only lacks the subtitle or the
    system's name of the other, else the ratio of rapidfuzz (0 for short titles)."""
    if ours == theirs:
        return 100.0
    short, long = sorted((ours, theirs), key=len)
    within = long.startswith(f"{short} ") or long.endswith(f" {short}")
    if within and len(short.split()) >= 4 and len(short) >= PART * len(long):
        return 99.0
    return float(fuzz.ratio(ours, theirs)) if len(short) > 15 else 0.0


def _by_name(work: Work, candidates: Sequence[Candidate], heads: Sequence[str]) -> int | None:
    name = plain_title(work.name)
    if len(name.replace(" ", "")) < 3:
        return None
    fitting = [
        n
        for n, head in enumerate(heads)
        if head == name and _same_case(work.name, candidates[n].paper) and _credible(work, candidates[n])
    ]
    return fitting[0] if len(fitting) == 1 else None


def _same_case(name: str, paper: Paper) -> bool:
    """Whether the name and the beginning of the paper's title agree in letter case, except for the first
    letter: "CAN" is not "Can", "Star" is not "STAR"."""
    head = re.sub(r"\W", "", paper.title.partition(":")[0])
    bare = re.sub(r"\W", "", name)
    return head[1:] == bare[1:]


def _credible(work: Work, candidate: Candidate) -> bool:
    year = candidate.paper.year
    if work.year and year and abs(work.year - year) > YEARS_APART:
        return False
    sure = bool(work.year and year) and len(work.name) > 4
    return candidate.similarity >= (CLOSE if sure else UNSURE)
