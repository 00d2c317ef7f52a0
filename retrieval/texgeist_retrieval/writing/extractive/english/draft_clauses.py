"""What a draft says of itself, as clauses that can stand inside its related-work section."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .grammar import KNOWN
from .keyphrases import phrases, tells, without_article
from .naming import of_name
from .retelling import retell
from .sentences import clean, is_rubble, split, words
from .standalone import NUMBERS, Told, is_dangling
from .titles import spelled

_OFFERED = frozenset("propose introduce present develop describe design build devise".split())
_LONGEST = 36  # words of a clause


@dataclass(frozen=True, slots=True)
class Claim:
    """`clause` stands mid-sentence and has no full stop; `main`: it says what the draft offers."""

    clause: str
    source: str
    main: bool


def claims(abstract: str, title: str) -> list[Claim]:
    """The sentences of the abstract that speak of the draft's own work and stand alone, in order."""
    found: list[Claim] = []
    for sentence in split(clean(abstract)):
        told = retell(sentence, several=True, own=True) or of_name(sentence, title) or _of_system(sentence)
        if told and told.verb != "conclude" and len(words(told.text)) <= _LONGEST:
            found.append(_claim(told))
    return found


_SYSTEM = re.compile(
    r"^(?:Our|The) (?P<what>system|approach|framework|tool|pipeline)(?P<does> [a-z]+s .+\.)$"
)


def _of_system(sentence: str) -> Told | None:
    """ "The system runs …" as "our system runs …"."""
    match = _SYSTEM.match(sentence)
    if not match or is_rubble(sentence) or NUMBERS.search(sentence) or is_dangling(match["does"]):
        return None
    if re.match(r" (?:is|achieves|outperforms|improves|was|has)\b", match["does"]):
        return None
    return Told(f"our {match['what']}{match['does']}", False, "name", sentence)


def _claim(told: Told) -> Claim:
    clause = told.text.rstrip(".")
    return Claim(f"we {clause}" if told.textual else clause, told.source, told.verb in _OFFERED)


def main_claim(found: Sequence[Claim], title: str) -> Claim | None:
    """The claim that the section closes with: what is offered and speaks most of what the title names."""
    named = _stems(title)
    return max(found, key=lambda c: len(named & _stems(c.clause)) + 1.5 * c.main, default=None)


def _stems(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"\w{4,}", text.lower())}


def unnamed(title: str, abstract: str, texts: Sequence[str]) -> str:
    """A subject of the draft that no text names, "" where there is none: a phrase of its title, or one that its
    abstract repeats. Of a longer phrase the shorter one must be new too."""
    everything = " ".join(texts).lower().replace("-", " ")
    often = Counter(p.key for p in phrases(f"{title}. {abstract}"))
    found = []
    for phrase in (*phrases(title), *(p for p in phrases(abstract) if often[p.key] > 1)):
        parts = phrase.key.split()
        if (
            not phrase.whole
            or len(parts) < 2
            or not tells(phrase.key)
            or parts[0] in KNOWN
            or parts[-1] in _GENERAL
        ):
            continue
        if re.search(r"[a-z][A-Z]|[A-Z]{2}[a-z]", phrase.surface):
            continue  # a name that the draft gives
        shorter = {" ".join(parts[:-1]), " ".join(parts[1:])} if len(parts) > 2 else {phrase.key}
        if not any(part in everything for part in shorter):
            found.append(phrase)
    whole = [
        max((q for q in phrases(title) if q.key.endswith(p.key)), key=lambda q: len(q.key), default=p)
        for p in found
    ]
    written = spelled(clean(abstract))
    named = [" ".join(written.get(w, w) for w in without_article(p.surface).split()) for p in whole]
    apart = (name for name in named if _UNCOUNTED.search(name) and not _is_spoken_of(name, texts))
    return next(apart, "")


def _is_spoken_of(name: str, texts: Sequence[str]) -> bool:
    """Whether a sentence has all of its words, in whatever order and form."""
    stems = [word[:6] for word in re.findall(r"[a-z]{3,}", name.lower())]
    return any(all(s in sentence.lower() for s in stems) for text in texts for sentence in split(text))


_UNCOUNTED = re.compile(
    r"(?:[^s]s|ing|tion|sion|ity|ness|ment|ism|learning)$"
)  # what stands without an article


def claim_on(phrase: str, found: Sequence[Claim], taken: Sequence[Claim]) -> Claim | None:
    """The claim that speaks of the phrase with all of its words, if it is not `taken`."""
    wanted = {word[:6] for word in re.findall(r"[a-z]{4,}", phrase.lower())}
    for claim in found:
        start = " ".join(claim.clause.lower().split()[:18])
        spoken = {word[:6] for word in re.findall(r"[a-z]{4,}", start)}
        if claim not in taken and wanted and wanted <= spoken and claim.clause.startswith("we "):
            return claim
    return None


_GENERAL = frozenset("strategy technology application study approach method technique problem work requirement power "
                     "perspective solution setting".split())  # fmt: skip
