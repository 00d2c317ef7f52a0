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
from .english.composing import Used, listed, paragraph_sentences, topics_of
from .english.draft_clauses import Claim, claims, main_claim, shortened
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
        known = told(choose_sentences(raw, vectors, focus, self._embedder), answers)
        reasons = [_why_not(*pair) for pair in zip(selected, known, strict=True)]
        if not answers:
            reasons = _too_far(reasons, vectors @ focus)
            reasons = _too_thin(reasons, known, vectors @ focus)
        kept = [i for i, reason in enumerate(reasons) if not reason]
        unused = tuple((s.candidate.paper.id, r) for s, r in zip(selected, reasons, strict=True) if r)
        if not kept:
            return _by_titles(query, selected)
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
_THIN = "nothing but its title could be told of it, and others are closer to the draft"
_STRAY = "it belongs to none of the strands, and nothing but its title could be told of it"
_KEPT = 16  # papers that are told at most: more are a list
_THINNER = 0.1  # of cosine, that a telling of its own is worth
_BEYOND = "the section tells of the papers that are closest to the draft, and others are closer"
_NEAREST, _SHARE = (
    5,
    0.65,
)  # of the mean cosine of the nearest to the draft, below which a paper is far from it


def _why_not(selected: Selected, source: Source) -> str:
    if not selected.evidence:
        return _NO_PASSAGE
    return "" if source.tellings else _NO_SENTENCE


def _too_far(reasons: Sequence[str], nearness: Vector) -> list[str]:
    """With a reason for those that the draft does not speak of; the nearest are always kept."""
    mean = float(np.sort(nearness)[-_NEAREST:].mean()) if len(nearness) else 0.0
    return [
        r or (_FAR if mean > 0 and near < _SHARE * mean else "")
        for r, near in zip(reasons, nearness, strict=True)
    ]


def _too_thin(reasons: Sequence[str], known: Sequence[Source], nearness: Vector) -> list[str]:
    """With a reason for those beyond the nearest; of which only the title, or a quotation, can be told, go first."""
    open_ = [i for i, reason in enumerate(reasons) if not reason]
    worth = {i: float(nearness[i]) - _THINNER * _is_thin(known[i]) for i in open_}
    beyond = sorted(open_, key=lambda i: -worth[i])[_KEPT:]
    return [
        (_THIN if _is_thin(known[i]) else _BEYOND) if i in beyond else reason
        for i, reason in enumerate(reasons)
    ]


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
) -> tuple[Section, list[int]]:
    """The section, and the places of papers that it leaves out."""
    draft = f"{query.title}. {query.abstract}"
    strands = gather([s.title for s in chosen], [s.text for s in chosen], draft, vectors, focus, embedder)
    chosen = _with_closest(chosen, vectors @ focus)
    own = [shortened(claim) for claim in claims(query.abstract, query.title)]
    main = main_claim(own, query.title)
    used = Used(wanted=draft)
    named = [s for s in strands if s.phrase and not s.general]
    beside = _claims_of(named, own, main, vectors, embedder)
    paragraphs: list[Paragraph] = []
    for place, strand in enumerate(named):
        sentences = _strand(place, len(named), strand, chosen, used)
        last = place == len(named) - 1
        if (claim := beside.get(place)) and not (last and place == 0):
            sentences.append(Sentence(openings.beside(place, claim)))
        theme = strand.phrase
        if (
            paragraphs
            and not last
            and len(strand.members) < _SMALL
            and len(paragraphs[-1].sentences) <= _SMALL + 1
        ):
            before = paragraphs.pop()
            sentences, theme = [*before.sentences, *sentences], before.theme
        paragraphs.append(Paragraph(tuple(sentences), theme=theme))
    stray: list[int] = []
    for strand in strands:
        if strand in named:
            continue
        few = len(chosen) <= _FEW or not named or bool(strand.phrase)
        stray = [i for i in strand.members if not few and _is_thin(chosen[i])]
        rest = [chosen[i] for i in strand.members if i not in stray]
        body = _strand(0, 0, strand, chosen, used) if strand.phrase else _beyond(
            paragraph_sentences(rest, used), len(named)
        )  # fmt: skip
        if body:
            paragraphs.insert(
                max(len(named) == 1, len(paragraphs) - 1), Paragraph(tuple(body), theme=strand.phrase)
            )
    if len(named) < 2 and (end := openings.closing(main)):
        paragraphs.append(Paragraph((Sentence(end),)))
    return Section(_title(query), tuple(paragraphs)), stray


def _is_thin(source: Source) -> bool:
    """Whether nothing but its title, or its own words, is told of it."""
    first = source.tellings[0]
    return first.titled or "“" in first.text


def _claims_of(
    strands: Sequence[Gathered], own: Sequence[Claim], main: Claim | None, vectors: Matrix, embedder: Embedder
) -> dict[int, Claim]:
    """By strand what the draft says of itself that is nearest to it, each claim once; the closest strand ends
    with what the draft chiefly does."""
    found = {len(strands) - 1: main} if strands and main and main.clause.startswith("we ") else {}
    free = [c for c in own if c is not main and c.clause.startswith("we ")]
    if len(strands) < 2 or not free:
        return found
    rows = embedder.embed_documents([c.clause for c in free])
    centres = np.stack([vectors[list(s.members)].mean(axis=0) for s in strands[:-1]])
    near = rows @ centres.T
    while near.size and float(near.max()) >= _ON_IT:
        claim, place = divmod(int(near.argmax()), near.shape[1])
        found[place] = free[claim]
        near[claim, :] = near[:, place] = -1
    return found


_ON_IT = 0.3  # cosine of a claim of the draft and a strand's papers, from which on the one is about the other


_CLOSEST = 14  # papers of which two things are told


def _with_closest(chosen: Sequence[Source], nearness: Vector) -> list[Source]:
    nearest = set(np.argsort(-nearness, kind="stable")[:_CLOSEST].tolist())
    return [replace(source, close=place in nearest) for place, source in enumerate(chosen)]


def _strand(place: int, count: int, strand: Gathered, chosen: Sequence[Source], used: Used) -> list[Sentence]:
    """What the strand is about, with those papers of which the topic alone is told; then the others."""
    members = [chosen[i] for i in strand.members]
    using = [chosen[i] for i in strand.using]
    topics = [p for p in topics_of(using) if openings.about(p.tellings[0].listed, strand.phrase)][:_LISTED]
    through = [(x, p) for p in topics if (x := openings.means(p.tellings[0].listed, strand.phrase))]
    if len(through) > 1:
        head = openings.approached(strand.phrase)
        first, topics = (
            listed(head, [(x, p.tellings[0].evidence) for x, p in through]),
            [p for _, p in through],
        )
    elif len(topics) > 1:
        items = [
            (openings.about(p.tellings[0].listed, strand.phrase), p.tellings[0].evidence) for p in topics
        ]
        first = listed(openings.covering(place, count, strand.phrase), items)
    else:
        cited = tuple(chosen[i].evidence[0].id for i in strand.using)
        said = (
            openings.others(strand.phrase)
            if strand.general
            else openings.opening(place, count, strand.phrase)
        )
        first = Sentence(said, cited)
        topics = [p for p in topics_of(using) if not openings.about(p.tellings[0].listed, strand.phrase)]
    return [first, *paragraph_sentences([p for p in members if p not in topics], used)]


_FEW = 12  # papers up to which all are told
_SMALL = 4  # papers below which a strand shares its paragraph
_LISTED = 4  # papers in a strand's first sentence


def _beyond(sentences: Sequence[Sentence], after: int) -> list[Sentence]:
    """The first sentence says that its paper belongs to none of the strands."""
    if not sentences or not after:
        return list(sentences)
    text, lead = openings.leading(sentences[0].text, sentences[0].lead, sentences[0].textual, after)
    return [replace(sentences[0], text=text, lead=lead), *sentences[1:]]


def _answer(chosen: Sequence[Source]) -> Paragraph:
    return Paragraph(tuple(paragraph_sentences(chosen, Used())))
