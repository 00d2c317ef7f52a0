"""Why this paper and not that one, in sentences for people.

What the draft says, what the paper says to it, what the one is to the other, and what was preferred to what. All
of it is read off the texts and the choice that was made; the numbers stay where they are. Closeness is one number
everywhere, the candidate's similarity, so that no two sentences can contradict each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ports import Embedder, Monitor
from ..ranking.depth import POSITIVES
from ..ranking.features import ADAPTED, NEIGHBOURS, SHARE, TITLE_WORDS, TOGETHER, WORDS
from ..ranking.phrases import LONG_PHRASES, TITLE_PHRASES
from ..text.sentences import clean, split_sentences
from ..types import Candidate, LeftOut, Matrix, Passage, Query, Reasons, Selected, Strand, Vector
from .rank_line import shortened
from .reading import embed_all, likeliest, windows
from .relation import relation_of

LEAST = 0.25  # cosine of a sentence and a paper below which the one does not answer to the other
ALIKE = 0.85  # cosine of two abstracts from which on the one adds little to the other
NEAR = 0.12  # below the nearest sentence, within which the one that is nearest to this paper above all counts
EQUAL = 0.01  # difference in closeness that is none
_MOST_SENTENCES = 30  # of the draft: embedding them takes about a second
_LONGEST_INTRODUCTION = 8_000  # characters
_LONGEST = 300  # characters of a quotation
_EMPTY = re.compile(
    r"\s*\([^()\w]*(?:Sections?|Tables?|Figures?|Equations?|Appendix|and|,|\s)+[^()\w]*\)"
)  # of references
KEPT = "you kept it"
LEFT_OPEN = "it speaks of what the papers chosen before it leave open"
_OF_ONE = "a passage of it lies near to what you asked with"
_BETTER: Mapping[str, str] = {
    WORDS: "it shares more words with your draft",
    TITLE_WORDS: "its title says more of what your draft says",
    TITLE_PHRASES: "its title has more of your draft's phrases",
    LONG_PHRASES: "it shares more and longer phrases with your draft",
    ADAPTED: "papers like yours cite more of its kind",
    NEIGHBOURS: "more of what was found is like it",
    POSITIVES: "it is more like what you cite",
    SHARE: "papers on your subject cite it more often",
    TOGETHER: "it is cited more often together with what was found",
}


@dataclass(frozen=True, slots=True)
class Yours:
    """The draft's sentences and their vectors, one row each. `usual`: cosine of each to what was found, on the
    whole."""

    sentences: tuple[str, ...] = ()
    rows: Matrix | None = None
    usual: Vector | None = None


def read_yours(query: Query, embedder: Embedder, monitor: Monitor) -> Yours:
    """The sentences of the abstract and of the introduction; a question or sentence is itself the only one."""
    if query.kind not in ("abstract", "draft"):
        return Yours((query.text,) if query.text else ())
    text = clean(query.abstract or query.parts[0].text[:4000])
    more = clean(query.introduction[:_LONGEST_INTRODUCTION])
    found = [
        _EMPTY.sub("", s) for s in (*split_sentences(text), *split_sentences(more)) if len(s.split()) > 4
    ]
    sentences = tuple(dict.fromkeys(found))[:_MOST_SENTENCES]
    return Yours(sentences, embed_all(sentences, embedder, monitor) if sentences else None)


def explained(
    selected: Sequence[Selected],
    left_out: Sequence[LeftOut],
    yours: Yours,
    query: Query,
    strands: Sequence[Strand] = (),
    barred: frozenset[str] = frozenset(),
    pinned: frozenset[str] = frozenset(),
) -> tuple[Selected, ...]:
    """What was chosen, with its reasons (`with_added` has those of what was not). `barred`: ids of papers that were no rivals, excluded by the author say; `pinned`:
    of those that the author kept."""
    everybody = [*(one.candidate for one in selected), *(one.candidate for one in left_out)]
    yours = among(yours, everybody)
    rivals = [o.candidate for o in left_out if not o.candidate.already_cited]
    rivals = [c for c in rivals if c.paper.id not in barred and c.paper.title]
    texts = [f"{c.paper.title} {c.paper.abstract}".lower() for c in everybody]

    def reasons(one: Selected) -> Reasons:
        sentence = answered(one.candidate, yours)
        theirs, page = said([e.passage for e in one.evidence], sentence or query.title or query.text)
        alone = query.kind in ("sentence", "question")
        about = (one.candidate, yours.sentences, query.title, strands, texts)
        relation = "" if alone else relation_of(*about)
        otherwise = _OF_ONE if alone else LEFT_OPEN if strands else ""
        over = preferred(one.candidate, rivals, KEPT if one.candidate.paper.id in pinned else otherwise)
        return Reasons(sentence, theirs, page, relation, over, one.reasons.numbers)

    return tuple(replace(one, reasons=reasons(one)) for one in selected)


def with_added(
    left_out: Sequence[LeftOut], selected: Sequence[Selected], yours: Yours
) -> tuple[LeftOut, ...]:
    """What each would have added to these, once that is asked: the writer may have used fewer than were chosen."""
    chosen = [one.candidate for one in selected]
    yours = among(yours, [*chosen, *(one.candidate for one in left_out)])
    return tuple(replace(one, added=_added(one.candidate, chosen, yours)) for one in left_out)


def among(yours: Yours, found: Sequence[Candidate]) -> Yours:
    """With how near each sentence is to the papers found on the whole."""
    known = [c.vector for c in found if c.vector is not None]
    if yours.rows is None or not known or yours.rows.shape[1] != known[0].size:
        return yours
    return replace(yours, usual=(yours.rows @ np.stack(known).T).mean(axis=1))


def answered(candidate: Candidate, yours: Yours) -> str:
    """The sentence of the draft that the paper lies near to, more than papers do that were found; "" where none
    is near. The nearest alone would be the same for all: the one that says what the draft is about."""
    if len(yours.sentences) == 1 and yours.rows is None:
        return shortened(yours.sentences[0], _LONGEST)
    if yours.rows is None or candidate.vector is None or yours.rows.shape[1] != candidate.vector.size:
        return ""
    near = yours.rows @ candidate.vector
    if near.max() < LEAST:
        return ""
    above = near - (yours.usual if yours.usual is not None else 0.0)
    best = int(np.argmax(np.where(near >= max(LEAST, near.max() - NEAR), above, -np.inf)))
    return shortened(yours.sentences[best], _LONGEST)


def said(passages: Sequence[Passage], text: str) -> tuple[str, int | None]:
    """Of these passages, the two sentences that share most words with the text, and their page."""
    runs = [(run, p.page) for p in passages for run in windows(p.text, longest=_LONGEST * 2)]
    if not runs:
        return "", None
    [best] = likeliest([run for run, _ in runs], text, 1)
    return next((shortened(run, _LONGEST * 2), page) for run, page in runs if run == best)


def preferred(one: Candidate, rivals: Sequence[Candidate], otherwise: str = "") -> str:
    """What it was preferred to, the best that was left out for the same part of the draft, and why. `otherwise`: the
    reason where it came after that one in the order and is no nearer; "" where there is none to tell."""
    if not rivals:
        return ""
    same = [r for r in rivals if one.strands and r.strands[:1] == one.strands[:1]]
    other = min(same or rivals, key=lambda r: r.rank)
    because = _because(one, other, otherwise)
    return f"Preferred to “{other.paper.title}”: {because}." if because else ""


def _because(one: Candidate, other: Candidate, otherwise: str) -> str:
    nearer = one.similarity - other.similarity
    reasons = ["the model named it"] if one.named and not other.named else []
    if one.rank < other.rank:
        more = {name: one.scores.get(name, 0.0) - other.scores.get(name, 0.0) for name in _BETTER}
        reasons += [_BETTER[n] for n in sorted(more, key=lambda n: -more[n]) if more[n] > 0][:2]
    if nearer > EQUAL:
        reasons.append("it is closer to your draft")
    if one.rank > other.rank and not reasons:
        if not otherwise:
            return ""
        reasons.append(otherwise)
    told = _listed(reasons) if reasons else "it stood before it in the order"
    return told + (", though that one is closer to your draft" if nearer < -EQUAL else "")


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _added(candidate: Candidate, chosen: Sequence[Candidate], yours: Yours) -> str:
    """What the section would have had of it."""
    sentence = answered(candidate, yours)
    paper = candidate.paper
    theirs, _ = (
        said([Passage(paper.id, None, paper.abstract)], sentence or paper.title)
        if paper.abstract
        else ("", None)
    )
    near, nearest = _nearest(candidate, chosen)
    beside = f"“{nearest.paper.title}”, which is chosen" if nearest is not None else ""
    if not theirs:
        return f"Nothing is known of it but its title; nearest to it is {beside}." if beside else ""
    if beside and near >= ALIKE:
        return f"It would have added little to {beside} and is much like it: “{theirs}”"
    to = f" to your “{shortened(sentence, 120)}”" if sentence else ""
    more = f" Nearest to it is {beside}." if beside else ""
    return f"It would have added{to}: “{theirs}”{more}"


def _nearest(candidate: Candidate, chosen: Sequence[Candidate]) -> tuple[float, Candidate | None]:
    known = [c for c in chosen if c.vector is not None and c.paper.id != candidate.paper.id]
    if candidate.vector is None or not known:
        return 0.0, None
    near = np.stack([v for c in known if (v := c.vector) is not None]) @ candidate.vector
    best = int(np.argmax(near))
    return float(near[best]), known[best]
