"""How a strand's paragraph opens, and how the section ends: what the draft itself sets against earlier work.

Nothing is said of a strand but that papers which use its phrase are on it."""

from __future__ import annotations

from .draft_clauses import Claim
from .roles import of_problem

_ONLY = "Several works concern {t}."
_CLOSEST = "Closest to this paper is work on {t}."
_FIRST = ("Another line of research concerns {t}.", "A further body of work is on {t}.", "Work on {t} is relevant here as well.",
          "Several works deal with {t}.")  # fmt: skip
_NUMBER = "no one two three four five six seven eight nine ten eleven twelve".split()


def number(count: int) -> str:
    return _NUMBER[count] if count < len(_NUMBER) else str(count)


def opening(place: int, closest: bool, phrase: str) -> str:
    """The first sentence of the strand at `place`; `closest`: it is one of several, and holds the paper that is
    nearest to the draft."""
    if not place:
        return (_CLOSEST if closest else _ONLY).format(t=phrase)
    return _FIRST[(place - 1) % len(_FIRST)].format(t=phrase)


def listing(size: int) -> str:
    """What stands before papers of which only the titles are known."""
    return f"{number(size).capitalize()} {'paper is' if size == 1 else 'papers are'} noted here."


def closing(limit: str, claim: Claim | None) -> list[str]:
    """What the draft finds lacking, in its own words, and what it does about it."""
    if not claim or not claim.clause.startswith("we "):
        return []
    turn = "In contrast" if of_problem(limit) else "In this paper"
    return [*([limit] if limit else []), f"{turn}, {claim.clause}."]


def leading(lead: str, textual: bool) -> str:
    """The lead of a first sentence on papers of no strand."""
    return "In other work," if textual and not lead else lead
