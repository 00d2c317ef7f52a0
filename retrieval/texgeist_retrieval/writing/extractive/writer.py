"""A related-work section without a model: the papers' own sentences, grouped, retold and joined.

Nothing leaves the machine, and nothing is said of a paper that its own text does not say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ...ports import Embedder, Monitor, Written
from ...types import Matrix, Paragraph, Query, Section, Selected, Sentence, Vector
from .english import openings
from .english.composing import paragraph_sentences
from .english.draft_clauses import claims, main_claim
from .english.saying import Source, choose_sentences, sources
from .english.sentences import clean
from .english.subjects import Theme, theme
from .themes import group


class ExtractiveWriter:
    """The writer that needs no model: groups by theme, quotes by retelling, cites what it retells."""

    name = "extractive"
    local = True

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        """Raises `Cancelled`. Papers without any passage cannot be cited and come back as `unused`."""
        monitor.report("Choosing the sentences")
        told = sources(selected, query.kind)
        focus = self._embedder.embed_query(_focus(query))
        monitor.check()
        vectors = _vectors(selected, self._embedder) if selected else np.zeros((0, len(focus)), np.float32)
        reasons = [_why_not(*pair) for pair in zip(selected, told, strict=True)]
        if query.kind not in ("question", "sentence"):
            reasons = _too_far(reasons, vectors @ focus)
        kept = [i for i, reason in enumerate(reasons) if not reason]
        unused = tuple((s.candidate.paper.id, r) for s, r in zip(selected, reasons, strict=True) if r)
        if not kept:
            return _by_titles(query, selected)
        vectors = vectors[kept]
        chosen = choose_sentences([told[i] for i in kept], vectors, focus, self._embedder)
        monitor.check()
        if query.kind in ("question", "sentence"):
            return Written(Section(_title(query), (_answer(chosen),)), unused=unused)
        return Written(_section(query, chosen, vectors, focus, self._embedder), unused=unused)

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        return ""

    def estimate(self, query: Query, selected: Sequence[Selected]) -> None:
        return None


_NO_PASSAGE = "no text of it could be read, so that nothing supports a citation"
_NO_SENTENCE = "no sentence of its text can stand alone, so that nothing is said of it"
_FAR = "it is much farther from the draft than the others"
_SHARE = 0.4  # of the nearest paper's cosine to the draft, below which a paper is far from it


def _why_not(selected: Selected, told: Source) -> str:
    if not selected.evidence:
        return _NO_PASSAGE
    return "" if told.said else _NO_SENTENCE


def _too_far(reasons: Sequence[str], nearness: Vector) -> list[str]:
    """With a reason for those that the draft does not speak of; the nearest are always kept."""
    least = _SHARE * max(nearness, default=0.0)
    return [r or (_FAR if near < least else "") for r, near in zip(reasons, nearness, strict=True)]


def _by_titles(query: Query, selected: Sequence[Selected]) -> Written:
    """Where nothing can be told of any paper: that they are there, which claims nothing."""
    named = [s for s in selected if s.evidence and clean(s.candidate.paper.title)]
    ids = {s.candidate.paper.id for s in named}
    unused = tuple((s.candidate.paper.id, _NO_PASSAGE) for s in selected if s.candidate.paper.id not in ids)
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
) -> Section:
    nearness = vectors @ focus
    apart = _apart(vectors, embedder.embed_documents([source.title for source in chosen]))
    groups = sorted(group(apart), key=lambda g: -float(nearness[g].mean()))
    named: list[str] = []
    used: set[str] = set()
    leads: set[str] = set()
    paragraphs = []
    for place, members in enumerate(groups):
        shared = _theme(members, groups, chosen, query, named)
        named += shared.phrases
        opening = openings.opening(place, shared, len(members), used)
        near = [float(nearness[i]) for i in members]
        body = paragraph_sentences([chosen[i] for i in members], near, shared, leads)
        said = (Sentence(opening), *body) if opening else tuple(body)
        paragraphs.append(Paragraph(said, theme=openings.joined(shared.phrases)))
    last = openings.closing(main_claim(claims(query.abstract, query.title), query.title))
    return Section(_title(query), (*paragraphs, Paragraph((Sentence(last),))) if last else tuple(paragraphs))


def _apart(vectors: Matrix, titles: Matrix) -> Matrix:
    """What sets each paper apart from the others: abstract and half its title, less what all share."""
    rows = vectors + 0.5 * titles
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows - rows.mean(axis=0)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), dtype=np.float32)


def _theme(
    members: Sequence[int], groups: Sequence[Sequence[int]], chosen: Sequence[Source], query: Query,
    taken: Sequence[str],
) -> Theme:  # fmt: skip
    inside = [chosen[i] for i in members]
    outside = [f"{chosen[i].title}. {chosen[i].text}" for g in groups if g is not members for i in g]
    draft = f"{query.title}. {query.abstract}"
    return theme([s.title for s in inside], [s.text for s in inside], outside, draft, taken)


def _answer(chosen: Sequence[Source]) -> Paragraph:
    return Paragraph(tuple(paragraph_sentences(chosen, [0.0] * len(chosen), Theme((), ()), set())))
