"""A related-work section without a model: the papers' own sentences, grouped, retold and joined.

Nothing leaves the machine, and nothing is said of a paper that its own text does not say.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ...ports import Embedder, Monitor, Written
from ...types import Matrix, Paragraph, Query, Section, Selected, Sentence, Vector
from . import openings
from .composing import paragraph_sentences
from .draft_clauses import claims, main_claim
from .saying import Source, choose, sources
from .subjects import Affinity, Theme, theme
from .themes import group

_CLOSE_THEMES = 3  # named in the closing sentence


class ExtractiveWriter:
    """The writer that needs no model: groups by theme, quotes by retelling, cites what it retells."""

    name = "extractive"
    local = True

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written:
        """Raises `Cancelled`. Papers without any passage cannot be cited and come back as `unused`."""
        monitor.report("Choosing the sentences")
        usable = [s for s in selected if s.evidence]
        unused = tuple((s.candidate.paper.id, _NO_PASSAGE) for s in selected if not s.evidence)
        if not usable:
            return Written(Section(_title(query), ()), unused=unused)
        focus = self._embedder.embed_query(_focus(query))
        vectors = _vectors(usable, self._embedder)
        monitor.check()
        chosen = choose(sources(usable, query.kind), vectors, focus, self._embedder)
        monitor.check()
        if query.kind in ("question", "sentence"):
            return Written(Section(_title(query), (_answer(chosen),)), unused=unused)
        return Written(_section(query, chosen, vectors, focus, self._embedder), unused=unused)

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        return ""

    def estimate(self, query: Query, selected: Sequence[Selected]) -> None:
        return None


_NO_PASSAGE = "no text of it could be read, so that nothing supports a citation"


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
    themes: list[Theme] = []
    for members in groups:
        named = [phrase for t in themes for phrase in t.phrases]
        near = partial(_affinity, embedder, np.vstack([vectors[members], focus]))
        themes.append(_theme(members, groups, chosen, query, named, near))
    own = claims(query.abstract, query.title)
    closing = main_claim(own, query.title)
    spare = [claim for claim in own if claim is not closing]
    reasons = _reasons([c.clause for c in spare], groups, vectors, embedder)
    used: set[str] = set()
    leads: set[str] = set()
    paragraphs = []
    for place, members in enumerate(groups):
        opening = openings.opening(place, themes[place], len(members), reasons[place], query, used)
        body = paragraph_sentences(
            [chosen[i] for i in members], [float(nearness[i]) for i in members], themes[place], leads
        )
        paragraphs.append(Paragraph((Sentence(opening), *body), theme=openings.joined(themes[place].phrases)))
    last = openings.closing(_named(themes), closing)
    return Section(_title(query), (*paragraphs, Paragraph((Sentence(last),))) if last else tuple(paragraphs))


def _named(themes: Sequence[Theme]) -> list[str]:
    """The first phrases of the themes that have a name which fits, else of those that have any."""
    named = [t for t in themes if t.phrases and not t.loose] or [t for t in themes if t.phrases]
    return [t.phrases[0] for t in named[:_CLOSE_THEMES]]


def _apart(vectors: Matrix, titles: Matrix) -> Matrix:
    """What sets each paper apart from the others: abstract and half its title, less what all share."""
    rows = vectors + 0.5 * titles
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    rows = rows - rows.mean(axis=0)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), dtype=np.float32)


def _affinity(embedder: Embedder, rows: Matrix, texts: Sequence[str]) -> Matrix:
    """[texts, rows]: how near phrases are to papers, and to the draft in the last row, in meaning."""
    return np.asarray(embedder.embed_documents(texts) @ rows.T, dtype=np.float32)


def _theme(
    members: Sequence[int], groups: Sequence[Sequence[int]], chosen: Sequence[Source], query: Query,
    taken: Sequence[str], affinity: Affinity,
) -> Theme:  # fmt: skip
    inside = [chosen[i] for i in members]
    outside = [f"{chosen[i].title}. {chosen[i].text}" for g in groups if g is not members for i in g]
    return theme(
        [s.title for s in inside],
        [s.text for s in inside],
        outside,
        f"{query.title}. {query.abstract}",
        taken=taken,
        affinity=affinity,
    )


def _reasons(
    clauses: Sequence[str], groups: Sequence[Sequence[int]], vectors: Matrix, embedder: Embedder
) -> list[str]:
    """For each group the draft's own clause that is nearest to it, each used once; "" where none is near."""
    reasons = [""] * len(groups)
    if not clauses:
        return reasons
    near = embedder.embed_documents(clauses) @ np.asarray([vectors[g].mean(axis=0) for g in groups]).T
    while near.size and near.max() > _NEAR:
        clause, place = np.unravel_index(int(near.argmax()), near.shape)
        reasons[int(place)] = clauses[int(clause)]
        near[clause, :] = near[:, place] = -1.0
    return reasons


_NEAR = 0.35  # cosine between a clause and a group's centre from which it is a reason


def _answer(chosen: Sequence[Source]) -> Paragraph:
    return Paragraph(tuple(paragraph_sentences(chosen, [0.0] * len(chosen), Theme((), ()), set())))
