"""A related-work section without a model: the papers' own sentences, grouped, retold and joined.

Nothing leaves the machine, and nothing is said of a paper that its own text does not say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...ports import Embedder, Monitor, Written
from ...types import Matrix, Paragraph, Query, Section, Selected, Sentence, Vector
from .english import openings
from .english.composing import Used, paragraph_sentences
from .english.draft_clauses import claims, limit, main_claim, shortened
from .english.saying import Source, choose_sentences, sources, told
from .english.sentences import clean
from .english.strands import Gathered, gather


class ExtractiveWriter:
    """The writer that needs no model: groups by theme, quotes by retelling, cites what it retells."""

    name = "extractive"
    local = True

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        """Raises `Cancelled`. Papers without any passage cannot be cited and come back as `unused`."""
        monitor.report("Choosing the sentences")
        raw = sources(selected, query.kind)
        focus = self._embedder.embed_query(_focus(query))
        monitor.check()
        vectors = _vectors(selected, self._embedder) if selected else np.zeros((0, len(focus)), np.float32)
        answers = query.kind in ("question", "sentence")
        known = told(
            choose_sentences(raw, vectors, focus, self._embedder), answers, f"{query.title} {query.abstract}"
        )
        reasons = [_why_not(*pair) for pair in zip(selected, known, strict=True)]
        if not answers:
            reasons = _too_far(reasons, vectors @ focus)
            reasons = _too_many(reasons, vectors @ focus)
        kept = [i for i, reason in enumerate(reasons) if not reason]
        unused = tuple((s.candidate.paper.id, r) for s, r in zip(selected, reasons, strict=True) if r)
        if not kept:
            return _by_titles(query, selected, vectors @ focus if len(selected) else np.zeros(0, np.float32))
        vectors = vectors[kept]
        chosen = [known[i] for i in kept]
        monitor.check()
        if answers:
            return Written(Section(_title(query), (_answer(chosen),)), unused=unused)
        section, stray = _section(query, chosen, vectors, focus, self._embedder)
        ids = [selected[i].candidate.paper.id for i in kept]
        return Written(section, unused=(*unused, *((ids[i], _STRAY) for i in stray)))

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        return ""

    def estimate(self, query: Query, selected: Sequence[Selected]) -> None:
        return None


_NO_PASSAGE = "no text of it could be read, so that nothing supports a citation"
_NO_SENTENCE = "no sentence of its text can stand alone, so that nothing is said of it"
_FAR = "it is much farther from the draft than the others"
_STRAY = "it belongs to none of the strands"
_KEPT = 15  # papers that are told at most: more are a list
_BEYOND = "the section tells of the papers that are closest to the draft, and others are closer"
_NEAREST = 5  # papers whose mean cosine to the draft the others are held against
_SHARE = 0.65  # of that mean, below which a paper is far from the draft


def _why_not(selected: Selected, source: Source) -> str:
    if not selected.evidence:
        return _NO_PASSAGE
    return "" if source.first else _NO_SENTENCE


def _too_far(reasons: Sequence[str], nearness: Vector) -> list[str]:
    """With a reason for those that the draft does not speak of; the nearest of the others is always kept."""
    mean = float(np.sort(nearness)[-_NEAREST:].mean()) if len(nearness) else 0.0
    nearest = max((i for i, reason in enumerate(reasons) if not reason), key=lambda i: nearness[i], default=0)
    return [
        reason or (_FAR if i != nearest and near < _SHARE * mean else "")
        for i, (reason, near) in enumerate(zip(reasons, nearness, strict=True))
    ]


def _too_many(reasons: Sequence[str], nearness: Vector) -> list[str]:
    """With a reason for those beyond the nearest."""
    near = sorted((i for i, reason in enumerate(reasons) if not reason), key=lambda i: -float(nearness[i]))
    return [reason or (_BEYOND if i in near[_KEPT:] else "") for i, reason in enumerate(reasons)]


def _by_titles(query: Query, selected: Sequence[Selected], nearness: Vector) -> Written:
    """Where nothing can be told of any paper: that the nearest are there, which claims nothing."""
    is_named = [bool(s.evidence and clean(s.candidate.paper.title)) for s in selected]
    reasons = _too_many(["" if named else _NO_PASSAGE for named in is_named], nearness)
    named = [s for s, reason in zip(selected, reasons, strict=True) if not reason]
    unused = tuple((s.candidate.paper.id, r) for s, r in zip(selected, reasons, strict=True) if r)
    if not named:
        return Written(Section(_title(query), ()), unused=unused)
    opening = Sentence(openings.listing(len(named)))
    titles = [re.sub("[“”]", "", clean(s.candidate.paper.title)).rstrip(".") for s in named]
    said = [Sentence(f"See “{title}”.", (s.evidence[0].id,)) for title, s in zip(titles, named, strict=True)]
    return Written(Section(_title(query), (Paragraph((opening, *said)),)), unused=unused)


def _title(query: Query) -> str:
    return "Answer" if query.kind == "question" else "Related Work"


def _focus(query: Query) -> str:
    """The text in whose light the papers are read."""
    return query.text or query.abstract or " ".join(part.text for part in query.parts)[:4000]


def _vectors(selected: Sequence[Selected], embedder: Embedder) -> Matrix:
    """[papers, dimension]; those that the search did not bring are embedded here."""
    missing = [i for i, s in enumerate(selected) if s.candidate.vector is None]
    rows = {i: s.candidate.vector for i, s in enumerate(selected) if s.candidate.vector is not None}
    if missing:
        texts = [selected[i].candidate.paper.abstract or selected[i].candidate.paper.title for i in missing]
        rows |= dict(zip(missing, embedder.embed_documents(texts), strict=True))
    return np.asarray([rows[i] for i in range(len(selected))], dtype=np.float32)


def _section(
    query: Query, chosen: Sequence[Source], vectors: Matrix, focus: Vector, embedder: Embedder
) -> tuple[Section, list[int]]:
    """The section, and the places of papers that it leaves out."""
    draft = f"{query.title}. {query.abstract}"
    strands = gather([s.title for s in chosen], [s.text for s in chosen], draft, vectors, focus, embedder)
    used = Used()
    named, rest = _settled(strands, chosen, vectors @ focus)
    nearest = int(np.argmax(vectors @ focus))
    paragraphs = [
        Paragraph(
            tuple(_strand(place, len(named) > 1 and nearest in strand.members, strand, chosen, used)),
            theme=strand.phrase,
        )
        for place, strand in enumerate(reversed(named))
    ]
    stray = rest if named and len(rest) == 1 and len(chosen) > _ENOUGH else []
    body = [] if stray else paragraph_sentences([chosen[i] for i in rest], used)
    if body and named:  # the first sentence says that its paper belongs to none of the strands
        body[0] = replace(body[0], lead=openings.leading(body[0].lead, body[0].textual))
    if named and len(rest) == 1:
        paragraphs[-1] = replace(paragraphs[-1], sentences=(*paragraphs[-1].sentences, *body))
    elif body:
        paragraphs.append(Paragraph(tuple(body)))
    own = [shortened(claim) for claim in claims(query.abstract, query.title)]
    end = openings.closing(limit(query.abstract), main_claim(own, query.title))
    if end:
        paragraphs.append(Paragraph(tuple(Sentence(text) for text in end)))
    return Section(_title(query), tuple(paragraphs)), stray


def _settled(
    strands: Sequence[Gathered], chosen: Sequence[Source], nearness: Vector
) -> tuple[list[Gathered], list[int]]:
    """Strands with a name, of papers that speak of it, and the others; those nearest to the draft stand with the
    strand that is, whatever they share."""
    nearest = set(np.argsort(-nearness, kind="stable")[:_TOP].tolist())
    named: list[Gathered] = []
    rest: list[int] = []
    for strand in strands:
        if not strand.phrase or strand.general:
            rest += strand.members
            continue
        near_first = sorted(strand.members, key=lambda i: -float(nearness[i]))
        own = tuple(i for i in near_first if i in strand.using or _speaks(chosen[i], strand.phrase))
        rest += [i for i in strand.members if i not in own]
        named.append(replace(strand, members=own))
    if named:
        near = tuple(i for i in rest if i in nearest and _speaks(chosen[i], named[-1].phrase))
        named[-1] = replace(named[-1], members=(*named[-1].members, *near))
        rest = [i for i in rest if i not in near]
    return named, sorted(rest, key=lambda i: -float(nearness[i]))


def _speaks(source: Source, phrase: str) -> bool:
    text = f"{source.title} {source.text}".lower()
    return all(word[:6] in text for word in phrase.lower().split())


_ENOUGH = 6  # papers with which a section can do without one more
_TOP = 4  # papers that are nearest to the draft


def _strand(
    place: int, closest: bool, strand: Gathered, chosen: Sequence[Source], used: Used
) -> list[Sentence]:
    """What the strand is about, citing those that use its phrase; then each of its papers."""
    cited = tuple(chosen[i].evidence[0].id for i in strand.using)
    opening = Sentence(openings.opening(place, closest, strand.phrase), cited)
    using = [i for i in strand.members if i in strand.using]
    others = [i for i in strand.members if i not in strand.using]
    return [opening, *paragraph_sentences([chosen[i] for i in (*using, *others)], used)]


def _answer(chosen: Sequence[Source]) -> Paragraph:
    return Paragraph(tuple(paragraph_sentences(chosen, Used())))
