"""The same sentence with its purpose in front, so that no long run of the source is left to be quoted.

"propose a sketch to represent data" -> "To represent data," + "propose a sketch"."""

from __future__ import annotations

import re
from dataclasses import replace

from .grammar import KNOWN
from .sentences import words
from .standalone import Told

VERBS = KNOWN | frozenset(
    "accelerate achieve adjust alleviate answer approximate avoid boost calibrate capture check complete compress compute control correct decide detect diagnose"
    " eliminate ensure explain filter find forecast guide handle identify infer inform integrate learn lower maintain mitigate monitor normalize overcome plan"
    " prevent process prune quantify reconstruct recover refine regularize remove reproduce restore route schedule search segment solve speed store test track"
    " translate understand update verify visualize write jointly automatically efficiently accurately dynamically".split()
)
_OPEN = re.compile(r"\b(?:it|them|that|which|who|whose|how|whether|where|when|why|as|and|or|due|able|designed|tailored|aimed|used|capable|ability|way|ways|attempt|need|support"
                   r"|[a-z]+ed|meant|made|built|known|given|shown|problem|problems|challenge|task|goal|effect|method|step|approach|benchmark"
                   r"|alternative|extension|substitute|replacement|bound|approximation|answer|response|reply|introduction|guide|addition|attack|defense|penalty|counterexample)$|\b(?:that|which|whose|who|how|whether|where)\b")  # fmt: skip
_LEANS = re.compile(
    r"\b(?:it|its|they|them|their|this|these|those|such|that|which|who|while|where|so|both|each|named|called|dubbed|termed|the (?:same|resulting|model|method|data|task))\b|,|;|:|\("
)
_DETERMINERS = frozenset("a an the each every all both several many multiple".split())
_MOST, _LEAST = 10, 3  # words of what goes to the front


def fronted(told: Told) -> list[Told]:
    """What the sentence is for in front of its subject, where that is sure to be its place."""
    if not told.textual or told.lead or told.kind != "offer":
        return []
    text, found = told.text.rstrip("."), []
    for match in re.finditer(r" (?=(?:for|to) )", text):
        main, end = text[: match.start()], text[match.end() :]
        first = end.split()[1] if len(end.split()) > 1 else ""
        second = end.split()[2] if len(end.split()) > 2 else ""  # "to plan recognition": a noun
        aims = end.startswith("for ") or (first in VERBS and second in _DETERMINERS)
        if (
            aims and re.match(r"[a-z]+ (?:an?|the|two|three|new|[A-Z])", main) and len(main.split()) > 2
            and not _OPEN.search(main) and not _LEANS.search(end) and _LEAST <= len(words(end)) <= _MOST
            and first not in ("a", "an", "the", "which", "example", "instance", "all", "any", "more", "better")
        ):  # fmt: skip
            found.append(replace(told, lead=f"{end[0].upper()}{end[1:]},", text=f"{main}."))
    return found
