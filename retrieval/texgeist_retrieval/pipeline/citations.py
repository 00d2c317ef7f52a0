"""Citations for one sentence: at most three papers, each with the passage that supports it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..ports import Monitor
from ..services import Options, Services
from ..types import Evidence, LeftOut, Matrix, Paragraph, Passage, Query, Result, Section, Selected, Sentence
from .longlist import choose_longlist, choose_pool
from .reading import embed_all, read_papers
from .reasons import why_selected
from .recipes import LISTED, SEARCHED, reading_notes
from .searching import find
from .sentences import split_sentences, windows
from .weighing import Weighed, weigh

MOST = 3  # papers a sentence: more is a list, not support
LOWEST = 0.3  # cosine of sentence and passage below which the passage is about something else
SPREAD = 0.2  # a paper this much weaker than the best adds nothing


@dataclass(frozen=True, slots=True)
class Support:
    """The passage of one paper that lies nearest to the sentence."""

    paper: Weighed
    passage: Passage
    similarity: float


def find_citations(query: Query, services: Services, options: Options, monitor: Monitor) -> Result:
    """At most three papers (or `options.breadth`) with the passage that supports the sentence.

    `query.text` is the sentence; `query.parts` holds it within its paragraph, which tells what it is
    about. The section of the result is the sentence itself, unchanged, with its evidence.
    """
    breadth = min(options.breadth, MOST)
    found = find(query, services, SEARCHED * breadth, options.filters, monitor)
    ranked = services.ranker is not None
    pool, cited = choose_pool(found.candidates, SEARCHED * breadth, options.include_cited)
    longlist, unlisted = choose_longlist(pool, LISTED * breadth, options.diversity, ranked)
    papers = [listed.candidate.paper for listed in longlist]
    reads = options.full_text and bool(papers)
    readings = read_papers(papers, services.source, services.embedder, monitor) if reads else {}
    weighed = weigh(longlist, readings, found.vectors, options.depth, options.diversity, ranked)
    monitor.report("Looking for the passages that support the sentence")
    supports = best_passages(query, weighed, services, monitor)
    kept, weak = keep_supports(supports, breadth)
    selected = tuple(
        _selected(support, str(number), query, len(pool), options, ranked)
        for number, support in enumerate(kept, start=1)
    )
    notes = (*services.notes, *found.notes, *reading_notes(longlist, readings))
    return Result(
        query=query,
        section=_sentence(query, selected),
        selected=selected,
        left_out=(*found.left_out, *cited, *unlisted, *weak),
        candidates=found.candidates,
        notes=notes if selected else (*notes, "No paper was found that supports this sentence."),
        index=found.index,
        model=services.embedder.name,
    )


def best_passages(
    query: Query, weighed: Sequence[Weighed], services: Services, monitor: Monitor
) -> list[Support]:
    """For each paper the two sentences, of its abstract or kept pages, that lie nearest to the sentence."""
    passages = [(paper, passage) for paper in weighed for passage in _windows(paper)]
    if not passages:
        return []
    sentence: Matrix = services.embedder.embed_query(query.text or query.parts[0].text).reshape(1, -1)
    vectors = embed_all([passage.text for _, passage in passages], services.embedder, monitor)
    similarities = (vectors @ sentence[0]).tolist()
    best: dict[str, Support] = {}
    for (paper, passage), similarity in zip(passages, similarities, strict=True):
        held = best.get(passage.paper_id)
        if held is None or similarity > held.similarity:
            best[passage.paper_id] = Support(paper, passage, similarity)
    return sorted(best.values(), key=lambda support: -support.similarity)


def _windows(paper: Weighed) -> list[Passage]:
    about = paper.listed.candidate.paper
    texts: list[tuple[int | None, str]] = [(None, about.abstract or about.title)]
    texts += [(page.passage.page, page.passage.text) for page in paper.pages]
    return [
        Passage(about.id, page, window) for page, text in texts for window in windows(split_sentences(text))
    ]


def keep_supports(supports: Sequence[Support], most: int) -> tuple[list[Support], tuple[LeftOut, ...]]:
    """The best `most` that are close enough, and why the others are not among them."""
    floor = max(LOWEST, supports[0].similarity - SPREAD) if supports else LOWEST
    near = [support for support in supports if support.similarity >= floor][:most]
    rest = supports[len(near) :]
    return near, tuple(
        LeftOut(
            support.paper.listed.candidate,
            f"Its nearest passage supports the sentence less ({support.similarity:.2f}).",
        )
        for support in rest
    )


def _selected(
    support: Support, number: str, query: Query, found: int, options: Options, ranked: bool
) -> Selected:
    paper = support.paper
    evidence = Evidence(number, support.passage, support.similarity, support.similarity)
    return Selected(
        candidate=paper.listed.candidate,
        evidence=(evidence,),
        score=support.similarity,
        why=why_selected(paper, query, found, options.diversity, ranked),
        full_text=bool(paper.pages),
        note=paper.note,
    )


def _sentence(query: Query, selected: Sequence[Selected]) -> Section:
    if not selected:
        return Section("", ())
    ids = tuple(evidence.id for paper in selected for evidence in paper.evidence)
    return Section("", (Paragraph((Sentence(query.text or query.parts[0].text, ids),)),))
