"""How a strand's paragraph opens, and how the section ends: what the draft itself sets against earlier work.

Nothing is said of a strand but that papers which use its phrase are on it."""

from __future__ import annotations

from collections.abc import Sequence

from .draft_clauses import Claim
from .roles import of_problem

_OPENINGS = ("Several works concern {t}.", "Another line of research concerns {t}.", "A further body of work is on {t}.",
             "Work on {t} is relevant here as well.", "Several works deal with {t}.")  # fmt: skip
_NUMBER = "no one two three four five six seven eight nine ten eleven twelve".split()


def number(count: int) -> str:
    return _NUMBER[count] if count < len(_NUMBER) else str(count)


def opening(place: int, phrase: str) -> str:
    """The first sentence on a strand; `place`: how many were opened so before."""
    return _OPENINGS[place % len(_OPENINGS)].format(t=phrase)


def listing(size: int) -> str:
    """What stands before papers of which only the titles are known."""
    return f"{number(size).capitalize()} {'paper is' if size == 1 else 'papers are'} noted here."


def closing(limit: str, claim: Claim | None) -> list[str]:
    """What the draft finds lacking, in its own words, and what it does about it."""
    if not claim:
        return []
    turn = "In contrast" if of_problem(limit) else "In this paper"
    return [*([limit] if limit else []), f"{turn}, {claim.clause}."]


def nearest(shared: Sequence[str], several: bool, authored: bool) -> tuple[str, bool]:
    """What the paper that is closest to the draft has in common with it: the text, and whether its authors are the
    subject. `shared`: two phrases or three that stand in both texts."""
    listed = f"{', '.join(shared[:-1])} and {shared[-1]}"
    if not authored:
        return f"The paper that is closest to this one treats {listed} as well.", False
    if several:
        return f"come closest to this paper: they, too, treat {listed}.", True
    return f"comes closest to this paper, and treats {listed} as well.", True
