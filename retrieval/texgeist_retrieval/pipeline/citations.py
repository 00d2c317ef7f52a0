"""Finds citations for one sentence: at most three papers, each with the passage that supports the
sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from ..defaults import UNSUPPORTED
from ..ports import Monitor
from ..services import Options, Services
from ..types import (
    Evidence,
    Matrix,
    Passage,
    Query,
    Result,
    Section,
    Selected,
    Sentence,
)
from .reading import embed_all, likeliest, windows
from .reasons import explain_left_out, left_out_of
from .recipes import gather, longlist_of, result_of
from .selection import weigh

MOST = 3  # papers for one sentence: more would be a list, not support
OFFERED = 8  # papers offered if the user picks
LIKELY = 5  # number of windows of each abstract or page that are embedded, see `reading.windows`
_NEAREST = "It is among the nearest papers, but not likely enough to fit."
_WEAKER = "Others support the sentence better."


def find_citations(
    query: Query,
    services: Services,
    options: Options,
    monitor: Monitor,
    offered: bool = False,
) -> Result:
    """Finds at most three papers (fewer if `options.breadth` is lower), best first, each with the passage
    that supports the sentence. Papers that are not `likely` to fit the sentence (see `fitting`) are left out, the
    nearest first; with `offered`, they follow the others, for the user to pick from up to `OFFERED` papers. If no
    paper is likely, the first note says so.

    `query.text` is the sentence; `query.parts` also holds its paragraph, for context. The section of the
    result is the unchanged sentence with its evidence."""
    breadth = min(options.breadth or MOST, MOST)
    narrow = replace(options, breadth=breadth)
    found = gather(query, services, narrow, monitor)
    weighed = weigh(found, longlist_of(found, narrow), narrow)
    monitor.report("Looking for the passages that support the sentence")
    supported = with_passages(query, weighed, services, monitor)
    kept = [paper for paper in supported if paper.candidate.likely][: OFFERED if offered else breadth]
    rest = [paper for paper in supported if paper not in kept]
    verdict = () if kept else (UNSUPPORTED,)
    if offered:
        kept, rest = [*kept, *rest][:OFFERED], []
    selected = tuple(map(_numbered, kept, count(1)))
    weak = (replace(c, left_out=_WEAKER if c.likely else _NEAREST) for c in (one.candidate for one in rest))
    result = result_of(found, selected, (*weak, *left_out_of(found, weighed, weighed)), options.diversity)
    return replace(
        result,
        section=_sentence(query, selected),
        left_out=explain_left_out(result.left_out, selected, found.draft),
        notes=(*verdict, *result.notes),
    )


def with_passages(
    query: Query, weighed: Sequence[Selected], services: Services, monitor: Monitor
) -> list[Selected]:
    """The papers with one passage each as their evidence: the two neighbouring sentences of their abstract or kept
    pages that are most similar to the sentence. The most likely paper is first."""
    text = query.text or query.parts[0].text
    passages = [(paper, passage) for paper in weighed for passage in _windows(paper, text)]
    if not passages:
        return []
    sentence: Matrix = services.embedder.embed_query(text).reshape(1, -1)
    vectors = embed_all([passage.text for _, passage in passages], services.embedder, monitor)
    best: dict[str, Selected] = {}
    for (paper, passage), similarity in zip(passages, (vectors @ sentence[0]).tolist(), strict=True):
        if passage.paper_id not in best or similarity > best[passage.paper_id].score:
            evidence = Evidence("", passage, similarity, similarity)
            best[passage.paper_id] = replace(paper, evidence=(evidence,), score=similarity)
    return sorted(best.values(), key=lambda paper: (-(paper.candidate.chance or 0.0), -paper.score))


def _windows(paper: Selected, text: str) -> list[Passage]:
    about = paper.candidate.paper
    passages = [Passage(about.id, None, about.abstract or about.title)]
    passages += [replace(page.passage, vector=None) for page in paper.evidence]
    return [
        replace(passage, text=window)
        for passage in passages
        for window in likeliest(windows(passage.text), text, LIKELY)
    ]


def _numbered(paper: Selected, number: int) -> Selected:
    return replace(paper, evidence=tuple(replace(one, id=str(number)) for one in paper.evidence))


def _sentence(query: Query, selected: Sequence[Selected]) -> Section:
    if not selected:
        return Section("", ())
    ids = tuple(evidence.id for paper in selected for evidence in paper.evidence)
    return Section("", ((Sentence(query.text or query.parts[0].text, ids),),))
