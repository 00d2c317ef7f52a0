"""The draft's own sentences where they belong: before and behind the papers that treat of the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....ports import Embedder
from ....types import Matrix
from .arranging import Theme
from .draft_clauses import Claim
from .keyphrases import keys, phrases, surfaces, tells
from .saying import Source
from .standalone import stems
from .vocabulary import COMMON

_GENERAL = frozenset(
    "model metho appro frame syste learn train netwo data large langu paper propo using based".split()
)
_TWO = 2  # words of weight that a sentence and the titles of a paragraph have in common
_AFTER = 2  # paragraphs at most that end with what the draft does


@dataclass(frozen=True, slots=True)
class Frame:
    """`before` and `after` a paragraph's papers: sentences of the draft, or ""."""

    before: str = ""
    after: str = ""


def framed(
    themes: Sequence[Theme],
    chosen: Sequence[Source],
    vectors: Matrix,
    setting: Sequence[str],
    claims: Sequence[Claim],
    embedder: Embedder,
) -> list[Frame]:
    """A frame a theme. `setting`: what the draft says of its subject, in order; the first of it opens the section.
    `claims`: what it does, without what the section ends with."""
    texts = [*setting, *(claim.clause for claim in claims)]
    if not texts or not themes:
        return [Frame() for _ in themes]
    centres = np.stack([vectors[list(theme.members)].mean(axis=0) for theme in themes])
    near = embedder.embed_documents(texts) @ centres.T
    fits = np.array([[_same(text, theme, chosen) for theme in themes] for text in texts])
    before: dict[int, str] = {0: setting[0]} if setting else {}
    after: dict[int, str] = {}
    for place in range(1, len(setting)):
        at = _best(near[place], fits[place], before)
        if at is not None:
            before[at] = setting[place]
    for place, claim in enumerate(claims, start=len(setting)):
        at = _best(near[place], fits[place], after)
        if at is not None and len(after) < _AFTER:
            after[at] = claim.clause
    return [Frame(before.get(n, ""), after.get(n, "")) for n in range(len(themes))]


def _best(near: Matrix, fits: Matrix, taken: dict[int, str]) -> int | None:
    """The theme that a sentence is nearest to, if it speaks of it, and none stands there yet."""
    at = int(np.argmax(near))
    return at if fits[at] and at not in taken else None


def _same(text: str, theme: Theme, chosen: Sequence[Source]) -> bool:
    said = stems(text) - _GENERAL
    if theme.phrase and stems(theme.phrase) - _GENERAL and stems(theme.phrase) - _GENERAL <= said:
        return True
    titled = [stems(chosen[i].title) - _GENERAL for i in theme.members]
    return sum(len(said & title) >= _TWO for title in titled) >= max(1, len(titled) // 2)


def in_common(text: str, draft: str, others: Sequence[str]) -> list[str]:
    """At most three phrases of the draft, as it writes them, that the text has too; none says again what another
    does. None where most of the others have every one of them."""
    known = keys(text)
    written, _ = surfaces([draft, text])
    found = {
        p.key: written[p.key]
        for p in phrases(draft)
        if p.key in known and p.whole and " " in p.key and p.key not in COMMON and tells(p.key, 1)
        and _NO_ARTICLE.search(written[p.key])
    }  # fmt: skip
    chosen: list[str] = []
    for key in sorted(found, key=lambda k: -len(k.split())):
        if not any(set(key.split()) & set(other.split()) for other in chosen):
            chosen.append(key)
    shared = [key for key in found if key in chosen[:_MOST]]
    having = [sum(key in keys(other) for other in others) for key in shared]
    return [found[key] for key in shared] if having and min(having) <= len(others) * _RARE else []


_NO_ARTICLE = re.compile(r"(?:s|ing|tion|sion|ment|ance|ence|ity|ness|ism|data|retrieval|search|flow|ery)$")
_MOST = 3
_RARE = 0.34  # of the other papers
