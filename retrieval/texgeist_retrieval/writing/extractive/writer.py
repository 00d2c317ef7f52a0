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
from ..model.plain import tongue_of
from .english import openings
from .english.arranging import Theme, arranged
from .english.background import background
from .english.composing import Used, paragraph_sentences
from .english.draft_clauses import claims, limit, main_claim, setting, shortened
from .english.in_common import in_common
from .english.saying import Source, choose_sentences, sources, told
from .english.sentences import clean
from .english.strands import gather


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
        order = _best_first(selected, vectors @ focus)
        reasons = [_why_not(*pair, answers) for pair in zip(selected, known, strict=True)]
        if not answers:
            reasons = _too_far(reasons, vectors @ focus)
            reasons = _too_many(reasons, order)
        kept = [i for i in order if not reasons[i]]
        chosen = [known[i] for i in kept]
        if not any(source.first for source in chosen):
            return _by_titles(query, selected, order)
        monitor.check()
        section = (
            Section(_title(query), (_answer(chosen),))
            if answers
            else _section(query, chosen, vectors[kept], focus, self._embedder)
        )
        cited = {id for p in section.paragraphs for s in p.sentences for id in s.evidence}
        for i in kept:
            if not cited & {e.id for e in selected[i].evidence}:
                reasons[i] = _STRAY if known[i].first else _NO_SENTENCE
        unused = tuple((s.candidate.paper.id, r) for s, r in zip(selected, reasons, strict=True) if r)
        return Written(section, unused=unused)

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        return ""

    def estimate(self, query: Query, selected: Sequence[Selected]) -> None:
        return None


_NO_PASSAGE = "no text of it could be read, so that nothing supports a citation"
_NO_SENTENCE = "no sentence of its text can stand alone, so that nothing is said of it"
_FAR = "it is much farther from the draft than the others"
_STRAY = "it belongs to none of the strands"
_KEPT = 12  # papers that are told at most: more are a list
_BEYOND = "the section tells of the papers that the search put first, and others were before it"
_NEAREST = 5  # papers whose mean cosine to the draft the others are held against
_SHARE = 0.65  # of that mean, below which a paper is far from the draft


def _why_not(selected: Selected, source: Source, answers: bool) -> str:
    """A paper of which nothing can be told may still stand among those that a paragraph is about."""
    if not selected.evidence:
        return _NO_PASSAGE
    return _NO_SENTENCE if answers and not source.first else ""


def _too_far(reasons: Sequence[str], nearness: Vector) -> list[str]:
    """With a reason for those that the draft does not speak of; the nearest of the others is always kept."""
    mean = float(np.sort(nearness)[-_NEAREST:].mean()) if len(nearness) else 0.0
    nearest = max((i for i, reason in enumerate(reasons) if not reason), key=lambda i: nearness[i], default=0)
    return [
        reason or (_FAR if i != nearest and near < _SHARE * mean else "")
        for i, (reason, near) in enumerate(zip(reasons, nearness, strict=True))
    ]


def _too_many(reasons: Sequence[str], order: Sequence[int]) -> list[str]:
    """With a reason for those beyond the first in that order."""
    first = [i for i in order if not reasons[i]]
    return [reason or (_BEYOND if i in first[_KEPT:] else "") for i, reason in enumerate(reasons)]


def _best_first(selected: Sequence[Selected], nearness: Vector) -> list[int]:
    """Places of the papers: by their place in the search's order, and half as much by how near they are. Of the
    first twelve of 28, 46 % are cited by the authors of 32 open drafts of DeepScholar-Bench; 40 % by nearness alone."""
    found = sorted(range(len(selected)), key=lambda i: (selected[i].candidate.rank, i))
    near = np.argsort(-nearness, kind="stable").tolist()
    return sorted(found, key=lambda i: found.index(i) + near.index(i) / 2)


def _by_titles(query: Query, selected: Sequence[Selected], order: Sequence[int]) -> Written:
    """Where nothing can be told of any paper: that the nearest are there, which claims nothing."""
    is_named = [bool(s.evidence and clean(s.candidate.paper.title)) for s in selected]
    reasons = _too_many(["" if named else _NO_PASSAGE for named in is_named], order)
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
) -> Section:
    """`chosen`: the best first; those that belong to none of the strands are not told."""
    draft = f"{query.title}. {query.abstract}"
    strands = gather([s.title for s in chosen], [s.text for s in chosen], draft, vectors, focus, embedder)
    themes = arranged(strands, chosen, vectors)
    english = (
        "" if tongue_of(query.abstract) else query.abstract
    )  # what is written is: no other language stands in it
    own = [shortened(c) for c in claims(english, query.title) if c.clause.startswith("we ")]
    used = Used()
    paragraphs = [
        Paragraph(tuple(_paragraph(theme, chosen, query, used)), theme=theme.phrase) for theme in themes
    ]
    begin = tuple(Sentence(text) for text in setting(english)[:1])
    paragraphs[0] = replace(paragraphs[0], sentences=begin + paragraphs[0].sentences)
    closing = openings.closing(limit(english), main_claim(own, query.title))
    end = [Sentence(text) for text in closing]
    if int(np.argmax(vectors @ focus)) == 0:
        end = [*_nearest(chosen, query), *end]
    if end:
        paragraphs.append(Paragraph(tuple(end)))
    return Section(_title(query), tuple(p for p in paragraphs if p.sentences))


def _paragraph(theme: Theme, chosen: Sequence[Source], query: Query, used: Used) -> list[Sentence]:
    """What the theme's papers take for granted, or that they are on it, and the papers."""
    said: list[Sentence] = []
    papers = [chosen[i] for i in theme.members]
    mute = any(not chosen[i].first or i not in theme.members for i in theme.using)
    general = None if mute else background(papers, theme.phrase, query.title, query.abstract)
    if general:
        said.append(Sentence(general.text, (general.evidence,)))
    elif theme.using:
        cited = tuple(chosen[i].evidence[0].id for i in _listed(theme, chosen))
        said.append(Sentence(openings.opening(used.opened, theme.phrase), cited))
        used.opened += 1
    said += paragraph_sentences(papers, used, f"{theme.phrase} {query.title}", in_time=bool(theme.phrase))
    return said


def _listed(theme: Theme, chosen: Sequence[Source]) -> list[int]:
    """The papers cited for a theme's phrase: those that stand nowhere else, and a few of the others; more are a heap."""
    elsewhere = [i for i in theme.using if chosen[i].first and i in theme.members]
    alone = [i for i in theme.using if i not in elsewhere]
    return sorted(alone + elsewhere[: max(_LISTED - len(alone), 0)])


_LISTED = 4


def _nearest(chosen: Sequence[Source], query: Query) -> list[Sentence]:
    """What the closest paper, the first, has in common with the draft, where that is more than one thing, and not
    what all have."""
    texts = [f"{source.title}. {source.text}" for source in chosen]
    paper, shared = chosen[0], in_common(texts[0], f"{query.title}. {query.abstract}", texts[1:])
    if len(shared) < _TWO or not paper.first:
        return []
    text, textual = openings.nearest(shared, paper.several, paper.authored)
    return [Sentence(text, (paper.evidence[0].id,), textual)]


_TWO = 2  # phrases in common that are worth a sentence


def _answer(chosen: Sequence[Source]) -> Paragraph:
    return Paragraph(tuple(paragraph_sentences(chosen, Used())))
