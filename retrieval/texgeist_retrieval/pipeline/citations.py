"""Finds citations for one sentence: at most three papers, each with the passage that supports the
sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..defaults import UNSUPPORTED
from ..errors import SearchError
from ..ports import Monitor
from ..services import Options, Services
from ..strands.selection import CALIBRATED
from ..types import (
    Candidate,
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
from .reasons import explain_left_out
from .recipes import gather, longlist_of, result_of
from .search import SearchResult
from .selection import left_out_of, weigh

MOST = 3  # papers for one sentence: more would be a list, not support
OFFERED = 8  # papers offered if the user picks
LOWEST = 0.3  # cosine of sentence and passage below which the passage has another subject
LIKELY = 5  # number of windows of each abstract or page that are embedded, see `reading.windows`
SPREAD = 0.2  # papers that are less similar than the best by more than this are dropped
BY_SIZE = (50, 300), (0.29, 0.335)  # library sizes in papers, and their thresholds, see `is_supported`


@dataclass(frozen=True, slots=True)
class NearestPassage:
    """The passage of a paper that is most similar to the sentence."""

    paper: Selected
    passage: Passage
    similarity: float


def find_citations(
    query: Query,
    services: Services,
    options: Options,
    monitor: Monitor,
    offered: bool = False,
    nearest: bool = False,
) -> Result:
    """Finds at most three papers (fewer if `options.breadth` is lower), best first, each with the passage
    that supports the sentence. With `offered`, up to `OFFERED` papers are returned, for the user to pick
    from. If no paper supports the sentence (see `is_supported`), the first note says so, and the nearest
    papers are returned only with `offered` or `nearest`.

    `query.text` is the sentence; `query.parts` also holds its paragraph, for context. The section of the
    result is the unchanged sentence with its evidence."""
    breadth = min(options.breadth or MOST, MOST)
    narrow = replace(options, breadth=breadth)
    found = gather(query, services, narrow, monitor)
    weighed = weigh(found, longlist_of(found, narrow), narrow)
    monitor.report("Looking for the passages that support the sentence")
    supports = best_passages(query, weighed, services, monitor)
    if found.ranked:
        supports = with_the_order(supports)
    most = OFFERED if offered else breadth
    kept, weak = keep_supports(supports, most)
    if unsupported := not kept or not is_supported(closeness(found, services), services):
        shown = most if offered or nearest else 0
        kept, weak = supports[:shown], as_nearest(supports[shown:])
    selected = tuple(_selected(support, str(number)) for number, support in enumerate(kept, start=1))
    result = result_of(found, selected, (*weak, *left_out_of(found, weighed, weighed)), options.diversity)
    return replace(
        result,
        section=_sentence(query, selected),
        left_out=explain_left_out(result.left_out, selected, found.draft),
        notes=(UNSUPPORTED, *result.notes) if unsupported else result.notes,
    )


def closeness(found: SearchResult, services: Services) -> float:
    """The cosine of the sentence (without its paragraph) and the nearest abstract; 1 if the index returns no
    vectors."""
    query = found.query
    rows = [c.vector for c in found.candidates if c.vector is not None]
    if not rows:
        return 1.0
    return float((np.stack(rows) @ services.embedder.embed_query(query.text or query.parts[0].text)).max())


def is_supported(closest: float, services: Services) -> bool:
    """Whether any paper of the library can support the sentence. `closest`: see `closeness`. The threshold
    was calibrated for the embedding model `CALIBRATED`; for other models the result is True.

    Calibrated on 250 citing sentences of 31 related-work sections, with four libraries of each size for each
    sentence. If the cited paper is in the library and among the nearest three, 2 % of the sentences are
    reported as unsupported. If the cited papers are removed from the library, the share depends on the other
    papers in it: 6 to 7 % for papers that the draft cites too, 11 to 17 % for papers cited by other drafts,
    and 15 to 21 % for NeurIPS papers. The report is rare, and seldom wrong."""
    if services.embedder.name != CALIBRATED:
        return True
    try:
        size = services.index.status().papers
    except SearchError:
        return True
    return closest >= least_closeness(size)


def least_closeness(papers: int) -> float:
    """The threshold of `is_supported` for a library of this many papers. If the number is unknown (0), this
    is the lowest threshold."""
    return float(np.interp(np.log10(max(papers, 1)), np.log10(BY_SIZE[0]), BY_SIZE[1]))


def as_nearest(supports: Sequence[NearestPassage]) -> tuple[Candidate, ...]:
    """Marks the papers of `supports` as left out, because they do not support the sentence."""
    reason = "It is among the nearest papers, but does not support the sentence."
    return tuple(replace(support.paper.candidate, left_out=reason) for support in supports)


def best_passages(
    query: Query, weighed: Sequence[Selected], services: Services, monitor: Monitor
) -> list[NearestPassage]:
    """Returns one passage for each paper: the two neighbouring sentences of its abstract or kept pages that
    are most similar to the sentence. The most similar passage is first."""
    words = query.text or query.parts[0].text
    passages = [(paper, passage) for paper in weighed for passage in _windows(paper, words)]
    if not passages:
        return []
    sentence: Matrix = services.embedder.embed_query(words).reshape(1, -1)
    vectors = embed_all([passage.text for _, passage in passages], services.embedder, monitor)
    similarities = (vectors @ sentence[0]).tolist()
    best: dict[str, NearestPassage] = {}
    for (paper, passage), similarity in zip(passages, similarities, strict=True):
        held = best.get(passage.paper_id)
        if held is None or similarity > held.similarity:
            best[passage.paper_id] = NearestPassage(paper, passage, similarity)
    return sorted(best.values(), key=lambda support: -support.similarity)


def with_the_order(supports: Sequence[NearestPassage]) -> list[NearestPassage]:
    """Orders the papers by the passage's similarity plus the ranker's relevance, which is on the scale of
    cosines (see `selection.relevances`).

    Recall@1 and recall@3 of the cited papers, first for 50 sentences of related-work sections, then for 40
    citing sentences of computational linguistics: passages alone 28 and 33 %, 28 and 43 %; ranker alone 34
    and 39 %, 18 and 30 %; both 40 and 40 %, 23 and 43 %; similarity of the abstracts 26 and 38 %, 15 and 25
    %."""
    return sorted(supports, key=lambda support: -support.similarity - support.paper.relevance)


def _windows(paper: Selected, words: str) -> list[Passage]:
    about = paper.candidate.paper
    passages = [Passage(about.id, None, about.abstract or about.title)]
    passages += [replace(page.passage, vector=None) for page in paper.evidence]
    return [
        replace(passage, text=window)
        for passage in passages
        for window in likeliest(windows(passage.text), words, LIKELY)
    ]


def keep_supports(
    supports: Sequence[NearestPassage], most: int
) -> tuple[list[NearestPassage], tuple[Candidate, ...]]:
    """The best `most` passages above the thresholds, and the reasons why the others are left out."""
    best = max((support.similarity for support in supports), default=LOWEST)
    floor = max(LOWEST, best - SPREAD)
    near = [support for support in supports if support.similarity >= floor][:most]
    rest = [support for support in supports if support not in near]
    return near, tuple(
        replace(
            support.paper.candidate,
            left_out=f"Others support the sentence better; the similarity of its nearest passage is {support.similarity:.2f}.",
        )
        for support in rest
    )


def _selected(support: NearestPassage, number: str) -> Selected:
    evidence = Evidence(number, support.passage, support.similarity, support.similarity)
    return replace(support.paper, evidence=(evidence,), score=support.similarity)


def _sentence(query: Query, selected: Sequence[Selected]) -> Section:
    if not selected:
        return Section("", ())
    ids = tuple(evidence.id for paper in selected for evidence in paper.evidence)
    return Section("", ((Sentence(query.text or query.parts[0].text, ids),),))
