"""Citations for one sentence: at most three papers, each with the passage that supports it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..defaults import UNSUPPORTED
from ..errors import SearchError
from ..ports import Monitor
from ..services import Options, Services
from ..strands.subject import CALIBRATED
from ..types import (
    Evidence,
    LeftOut,
    Matrix,
    Paragraph,
    Passage,
    Query,
    Reasons,
    Result,
    Section,
    Selected,
    Sentence,
)
from .longlist import Listed
from .rank_line import numbers_of, why_selected
from .reading import embed_all, likeliest, windows
from .recipes import Chosen, Gathered, because, gather, result_of, weigh_gathered

MOST = 3  # papers a sentence: more is a list, not support
OFFERED = 8  # of such a list, from which somebody picks
LOWEST = 0.3  # cosine of sentence and passage below which the passage is about something else
LIKELY = 5  # windows of an abstract or a page that are embedded
SPREAD = 0.2  # a paper this much weaker than the best adds nothing
BY_SIZE = (50, 300), (0.29, 0.335)  # papers of a library, and the threshold for each, see `is_supported`


@dataclass(frozen=True, slots=True)
class NearestPassage:
    """The passage of one paper that lies nearest to the sentence."""

    paper: Listed
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
    """At most three papers (or `options.breadth`) with the passage that supports the sentence, the best first; more of
    them, to be picked from, if `offered`. If none supports it (see `is_supported`), the first note says so, and the
    nearest papers are given only if `offered` or `nearest`.

    `query.text` is the sentence; `query.parts` holds it within its paragraph, which tells what it is
    about. The section of the result is the sentence itself, unchanged, with its evidence.
    """
    breadth = min(options.breadth or MOST, MOST)
    narrow = replace(options, breadth=breadth)
    gathered = gather(query, services, narrow, monitor)
    weighed = weigh_gathered(gathered, gathered.longlist, narrow)
    monitor.report("Looking for the passages that support the sentence")
    supports = best_passages(query, weighed, services, monitor)
    if gathered.ranked:
        supports = with_the_order(supports)
    most = OFFERED if offered else breadth
    kept, weak = keep_supports(supports, most)
    if unsupported := not kept or not is_supported(closeness(query, gathered, services), services):
        shown = most if offered or nearest else 0
        kept, weak = supports[:shown], as_nearest(supports[shown:])
    selected = tuple(
        _selected(support, str(number), gathered, options) for number, support in enumerate(kept, start=1)
    )
    chosen = because(
        gathered, Chosen(selected, (*weak, *gathered.found.left_out, *gathered.longlist.left_out))
    )
    result = result_of(gathered, chosen, _sentence(query, selected), ())
    return replace(result, notes=(UNSUPPORTED, *result.notes)) if unsupported else result


def closeness(query: Query, gathered: Gathered, services: Services) -> float:
    """Cosine of the sentence alone and the nearest abstract; 1 if the index gives no vectors."""
    rows = [c.vector for c in gathered.found.candidates if c.vector is not None]
    if not rows:
        return 1.0
    return float((np.stack(rows) @ services.embedder.embed_query(query.text or query.parts[0].text)).max())


def is_supported(closest: float, services: Services) -> bool:
    """Whether a library supports a sentence at all. `closest`: see `closeness`. True for embedding models other than
    the one that the threshold was calibrated for.

    Calibrated with `benchmarks/retrieval/support.py` on 250 citing sentences of 31 related-work sections, four
    libraries of each size for each sentence. Of the sentences whose cited paper is in the library and among the
    nearest three, 2 % are said to be unsupported. Where the cited papers are taken out of the same library, it is 6 to
    7 % if that holds the other papers that the draft cites, 11 to 17 % if it holds those of other drafts, and 15 to
    21 % of libraries of NeurIPS papers. So the answer is rare, and seldom wrong."""
    if services.embedder.name != CALIBRATED:
        return True
    try:
        papers = services.index.status().papers
    except SearchError:
        return True
    return closest >= least_closeness(papers)


def least_closeness(papers: int) -> float:
    """The threshold of `is_supported` for a library of so many papers; the lowest if their number is not known (0)."""
    return float(np.interp(np.log10(max(papers, 1)), np.log10(BY_SIZE[0]), BY_SIZE[1]))


def as_nearest(supports: Sequence[NearestPassage]) -> tuple[LeftOut, ...]:
    """The papers by which a sentence is not supported, the nearest first."""
    reason = "It is among the nearest papers, but does not support the sentence."
    return tuple(LeftOut(support.paper.candidate, reason) for support in supports)


def best_passages(
    query: Query, weighed: Sequence[Listed], services: Services, monitor: Monitor
) -> list[NearestPassage]:
    """For each paper the two sentences, of its abstract or kept pages, that lie nearest to the sentence."""
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
    """Put in order by the passage and by the ranker's judgement in equal parts, the latter on the scale of
    cosines (see `longlist.relevances`).

    Of the cited papers, found among the first one and three, for 50 sentences of related-work sections and 40
    citing sentences of computational linguistics: by the passages alone 28 and 33 %, 28 and 43 %; by the ranker
    alone 34 and 39 %, 18 and 30 %; by both 40 and 40 %, 23 and 43 %; by the abstracts' similarity 26 and 38 %,
    15 and 25 %."""
    return sorted(supports, key=lambda support: -support.similarity - support.paper.relevance)


def _windows(paper: Listed, words: str) -> list[Passage]:
    about = paper.candidate.paper
    texts: list[tuple[int | None, str]] = [(None, about.abstract or about.title)]
    texts += [(page.passage.page, page.passage.text) for page in paper.pages]
    return [
        Passage(about.id, page, window)
        for page, text in texts
        for window in likeliest(windows(text), words, LIKELY)
    ]


def keep_supports(
    supports: Sequence[NearestPassage], most: int
) -> tuple[list[NearestPassage], tuple[LeftOut, ...]]:
    """The best `most` that are close enough, and why the others are not among them."""
    best = max((support.similarity for support in supports), default=LOWEST)
    floor = max(LOWEST, best - SPREAD)
    near = [support for support in supports if support.similarity >= floor][:most]
    rest = [support for support in supports if support not in near]
    return near, tuple(
        LeftOut(
            support.paper.candidate,
            f"Others support the sentence better; the similarity of its nearest passage is {support.similarity:.2f}.",
        )
        for support in rest
    )


def _selected(support: NearestPassage, number: str, gathered: Gathered, options: Options) -> Selected:
    paper, query = support.paper, gathered.query
    evidence = Evidence(number, support.passage, support.similarity, support.similarity)
    read = any(reading.passages for reading in gathered.readings.values())
    found = len(gathered.found.candidates)
    return Selected(
        candidate=paper.candidate,
        evidence=(evidence,),
        score=support.similarity,
        why=why_selected(paper, query, found, options.diversity, gathered.ranked, read),
        full_text=bool(paper.pages),
        note=paper.note,
        reasons=Reasons(numbers=numbers_of(paper, query, found, gathered.ranked, read)),
    )


def _sentence(query: Query, selected: Sequence[Selected]) -> Section:
    if not selected:
        return Section("", ())
    ids = tuple(evidence.id for paper in selected for evidence in paper.evidence)
    return Section("", (Paragraph((Sentence(query.text or query.parts[0].text, ids),)),))
