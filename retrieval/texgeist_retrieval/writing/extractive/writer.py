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
from .english.composing import Used, paragraph_sentences
from .english.draft_clauses import Claim, claim_on, claims, main_claim, unnamed
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
        return Written(_section(query, chosen, vectors, focus, self._embedder), unused=unused)

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        return ""

    def estimate(self, query: Query, selected: Sequence[Selected]) -> None:
        return None


_NO_PASSAGE = "no text of it could be read, so that nothing supports a citation"
_NO_SENTENCE = "no sentence of its text can stand alone, so that nothing is said of it"
_FAR = "it is much farther from the draft than the others"
_THIN = "nothing but its title could be told of it, and others are closer to the draft"
_KEPT = 24  # papers up to which all are told
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
    """With a reason for the farther half of those of which only the title can be told, where papers are many."""
    open_ = [i for i, reason in enumerate(reasons) if not reason]
    thin = [i for i in open_ if known[i].tellings[0].shape == "topic"]
    thin = sorted(thin, key=lambda i: -float(nearness[i]))[
        max(len(thin) // 2, _KEPT - (len(open_) - len(thin))) :
    ]
    return [_THIN if i in thin else reason for i, reason in enumerate(reasons)]


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
    draft = f"{query.title}. {query.abstract}"
    strands = gather([s.title for s in chosen], [s.text for s in chosen], draft, vectors, focus, embedder)
    own = claims(query.abstract, query.title)
    main = main_claim(own, query.title)
    said = [main] if main else []
    used = Used()
    whole = unnamed(query.title, query.abstract, [f"{s.title}. {s.text}" for s in chosen])
    paragraphs = []
    for place, strand in enumerate(strands):
        start = _start(place, strands, chosen)
        body = _body(strand, chosen, used)
        claim = claim_on(strand.phrase, own, said) if strand.phrase else None
        if claim:
            said.append(claim)
            body.append(Sentence(openings.closing("", claim)))
        paragraphs.append(Paragraph((*start, *body), theme=strand.phrase))
    return Section(_title(query), (*paragraphs, *_close(whole, main)))


def _start(place: int, strands: Sequence[Gathered], chosen: Sequence[Source]) -> list[Sentence]:
    """The overview before the first strand, and the strand's own first sentence."""
    strand = strands[place]
    overview = openings.overview([s.phrase for s in strands if s.phrase]) if not place else ""
    opening = openings.opening(
        place, sum(bool(s.phrase) for s in strands), strand.phrase, len(strand.members)
    )
    cited = _cited(strand.using, chosen) if strand.phrase else ()
    return [s for s in (Sentence(overview), Sentence(opening, cited)) if s.text]


def _body(strand: Gathered, chosen: Sequence[Source], used: Used) -> list[Sentence]:
    """The papers one by one; those that share something more stand side by side."""
    first = [chosen[i] for i in strand.members if i not in strand.sharing]
    body = paragraph_sentences(first, used)
    if common := openings.in_common(strand.shared, len(strand.sharing)):
        body.append(Sentence(common, _cited(strand.sharing, chosen)))
        body += paragraph_sentences([chosen[i] for i in strand.sharing], used)
    return body


def _cited(places: Sequence[int], chosen: Sequence[Source]) -> tuple[str, ...]:
    return tuple(chosen[i].evidence[0].id for i in places)


def _close(gap: str, main: Claim | None) -> list[Paragraph]:
    last = openings.closing(gap, main)
    return [Paragraph((Sentence(last),))] if last else []


def _answer(chosen: Sequence[Source]) -> Paragraph:
    return Paragraph(tuple(paragraph_sentences(chosen, Used())))
