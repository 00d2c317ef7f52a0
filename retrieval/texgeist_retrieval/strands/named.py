"""Is a paper that was found the work that somebody named?

Titles are believed when they agree. A short name is the beginning of many titles ("MAN: …"), so it is
believed only where year and closeness to the draft do not speak against it, and where it is the only one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from ..titles import plain_title
from ..types import Candidate, Paper, Work

SAME = 90.0  # ratio of two plain titles above which they are one
PART = 0.55  # of the longer title that the shorter one must be, where one begins with the other
YEARS = 2  # between preprint and publication
CLOSE = 0.2  # cosine to the draft from which on a short name is believed
UNSURE = 0.35  # the same for a name of up to four letters, or without a year


@dataclass(frozen=True, slots=True)
class Wanted:
    """A work and the strand that it was named for."""

    work: Work
    strand: str


def believed(candidates: Sequence[Candidate], wanted: Sequence[Wanted]) -> dict[str, str]:
    """Ids of the papers that are named works, with the strand that named each first. One paper a work at
    most; a name that fits several papers equally well is nobody's."""
    titles = [plain_title(c.paper.title) for c in candidates]
    heads = [head_of(c.paper.title) for c in candidates]
    found: dict[str, str] = {}
    for want in wanted:
        number = _by_title(want.work, candidates, titles)
        if number is None:
            number = _by_name(want.work, candidates, heads)
        if number is not None:
            found.setdefault(candidates[number].paper.id, want.strand)
    return found


def head_of(title: str) -> str:
    """What a title calls its system: the words before its colon, where they are few."""
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
    """100 for one title, also where one of them leaves out the subtitle or the system's name."""
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
    """ "CAN" is not the verb, and "Star" not "STAR": letters agree but for the first."""
    head = re.sub(r"\W", "", paper.title.partition(":")[0])
    bare = re.sub(r"\W", "", name)
    return head[1:] == bare[1:]


def _credible(work: Work, candidate: Candidate) -> bool:
    year = candidate.paper.year
    if work.year and year and abs(work.year - year) > YEARS:
        return False
    sure = bool(work.year and year) and len(work.name) > 4
    return candidate.similarity >= (CLOSE if sure else UNSURE)
