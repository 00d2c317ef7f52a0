"""How a strand's paragraph opens and closes: what its papers deal with, and what the draft does beside them.

Nothing is said of a strand but that papers which use its phrase are on it."""

from __future__ import annotations

import re

from .draft_clauses import Claim
from .grammar import upper_first

_CLOSEST = "Most closely related to this paper is research on {t}."
_FIRST = ("One line of research concerns {t}.", "Another line of work deals with {t}.", "A further body of work is on {t}.",
          "Work on {t} is relevant here as well.")  # fmt: skip
_COVERS = (
    "Research on {t} covers",
    "Work on {t} includes",
    "Studies of {t} treat",
    "Papers on {t} deal with",
)
_MEANS = "{t} has been approached through"
_BESIDE = ("In this paper, {c}.", "Beside these works, {c}.", "Here, {c}.", "In the present work, {c}.")
_ALONG = ("In this respect, {c}.", "Along these lines, {c}.", "For our part, {c}.", "On this point, {c}.")
_NUMBER = "no one two three four five six seven eight nine ten eleven twelve".split()


def number(count: int) -> str:
    return _NUMBER[count] if count < len(_NUMBER) else str(count)


def opening(place: int, strands: int, phrase: str) -> str:
    """The first sentence of the strand at `place`, of `strands` with a phrase; the last is the closest."""
    if not phrase:
        return ""
    if place == strands - 1:
        return _CLOSEST.format(t=phrase)
    return _FIRST[place % len(_FIRST)].format(t=phrase)


def others(phrase: str) -> str:
    """Before papers of no strand, on what the whole section is about."""
    return f"Other work on {phrase} takes further directions."


def covering(place: int, strands: int, phrase: str) -> str:
    """The start of a sentence that lists what papers on the phrase are about."""
    said = _COVERS[place % len(_COVERS)].format(t=phrase)
    return (
        f"Closest to this paper, {said[0].lower()}{said[1:]}"
        if strands > 1 and place == strands - 1
        else said
    )


def approached(phrase: str) -> str:
    """The start of a sentence that lists the means by which papers come at the phrase."""
    return upper_first(_MEANS.format(t=phrase))


def means(topic: str, phrase: str) -> str:
    """By what a title's topic says that it comes at the phrase: "X for P" and "P via X" -> "X"; "" else."""
    said = re.escape(phrase)
    match = re.fullmatch(
        rf"(?P<x>.+) for {said}|{said} (?:via|with|using|through|by means of) (?P<y>.+)", topic, re.IGNORECASE
    )
    found = (match["x"] or match["y"] or "") if match else ""
    return (
        found
        if len(found.split()) > 1
        and not re.match(r"(?:an?|the) ", found)
        and not re.search(r"\b(?:for|and)\b", found)
        else ""
    )


def about(topic: str, phrase: str) -> str:
    """A title's topic inside a sentence that has named the phrase already; "" where it is no more than that."""
    if topic.lower() == phrase.lower():
        return ""
    bare = re.sub(rf" (?:in|of|for|within) {re.escape(phrase)}$", "", topic, flags=re.IGNORECASE)
    return bare if len(bare.split()) > 1 else topic


def listing(size: int) -> str:
    """What stands before papers of which only the titles are known."""
    return f"{number(size).capitalize()} {'paper is' if size == 1 else 'papers are'} noted here."


def beside(place: int, claim: Claim) -> str:
    """What the draft does, behind the papers of a strand. That none of them does it too is nowhere looked at,
    so nothing is set against them: the author may."""
    forms = _BESIDE if claim.main else _ALONG
    return forms[place % len(forms)].format(c=claim.clause)


def closing(claim: Claim | None) -> str:
    """What the draft offers, behind papers that no strand joins."""
    if not claim or not claim.clause.startswith("we "):
        return ""
    return f"In this paper, {claim.clause}."


def leading(text: str, lead: str, textual: bool, strands: int) -> tuple[str, str]:
    """(text, lead) of a first sentence on papers beyond the strands."""
    said = "Beyond this line of work," if strands == 1 else "Beyond these lines of work,"
    if textual and not lead:
        return text, said
    return text, lead
