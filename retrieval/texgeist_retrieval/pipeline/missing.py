"""Finds works of the index that similar papers cite and a draft does not: works that a reviewer would miss.
Only works above a threshold of the learned ranker's score are reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..ports import Monitor
from ..ranking.cited_works import CITED_WITH, LIKE_CITED
from ..ranking.features import DENSE, NEIGHBOURS, SHARE, TITLE_WORDS, TOGETHER, WORDS
from ..services import Options, Services
from ..types import Candidate, Evidence, Passage, Query, Reasons, Result, Section, Selected, Usage
from .reading import (
    DraftSentences,
    embed_all,
    likeliest,
    relevant_passage,
    relevant_sentence,
    with_usual_similarity,
)
from .search import find

MOST = 5  # works that are reported
LEAST_SCORE = 5.5  # of the ranker; see `missing_in`
_SEARCHED = 40  # papers
_SENTENCES = 10  # sentences of the draft that are embedded for each work
_SIGNS = {
    SHARE: "papers on your subject often cite it",
    TOGETHER: "it is often cited together with other papers that are near your draft",
    CITED_WITH: "it is often cited together with works that you cite",
    LIKE_CITED: "it is similar to papers that you cite",
    NEIGHBOURS: "it is similar to other papers that are near your draft",
    WORDS: "it shares words with your abstract",
    TITLE_WORDS: "its title has words of your abstract",
    DENSE: "it is similar to your abstract",
}


def missing_in(candidates: Iterable[Candidate], left_out: frozenset[str] = frozenset()) -> list[Candidate]:
    """The missing works among the results of a search, strongest first, at most `MOST`. `left_out`: ids of
    papers that are not reported. Empty if the candidates were not ordered by the learned ranker.

    Measured by hiding two cited works of each draft (`python -m benchmarks.missing`). With `LEAST_SCORE`, a
    draft gets about one false alarm or fewer, and this function reports 17 % of the hidden works for 200 NeurIPS drafts in an index of
    15,000 papers, and 53 % for 29 DeepScholar drafts in an index of the 436 papers that they cite. The
    ranker's score alone did as well as its sums with similarities or with citations in common; similarity
    alone, with a threshold for one false alarm, reports 5 and 43 %."""
    scored = [(_score(c), c) for c in candidates if SHARE in c.scores and not (c.already_cited or c.again)]
    kept = [(s, c) for s, c in scored if s >= LEAST_SCORE and c.paper.title and c.paper.id not in left_out]
    return [candidate for _, candidate in sorted(kept, key=lambda pair: -pair[0])[:MOST]]


def missing_note(candidates: Iterable[Candidate], chosen: frozenset[str]) -> tuple[str, ...]:
    """A note on the missing works that are not `chosen` (ids); empty if there are none."""
    works = [f"“{c.paper.title}” ({c.paper.year or 'no year'})" for c in missing_in(candidates, chosen)]
    return (f"Not chosen, although a reviewer may miss them: {'; '.join(works)}.",) if works else ()


def unranked_note(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """A note if no missing work can be found among the candidates, because the learned ranker did not order them."""
    if not candidates or any(SHARE in c.scores for c in candidates):
        return ()
    return ("Missing works are found only with `relatedWork.order` = learned and the usual embedding model.",)


def _score(candidate: Candidate) -> float:
    return sum(candidate.scores.values())


def missing_works(
    query: Query,
    sentences: Sequence[str],
    services: Services,
    options: Options,
    monitor: Monitor,
) -> Result:
    """Returns the missing works as `selected`, strongest first, with reasons: `yours` is the sentence of the
    draft where the work belongs, `theirs` a quotation of its abstract. If the writer is a model, the section
    says what would be said about them.

    `query`: of kind "abstract"; `sentences`: all sentences of the draft. Raises `SearchError`, `SourceError`,
    `WriterError` and `Cancelled`."""
    alone = replace(
        services, strands=None, expander=None
    )  # no model is asked until the missing works are known
    found = find(query, alone, _SEARCHED, options.filters, monitor)
    works = missing_in(found.candidates)
    draft = _where(works, found.candidates, sentences, services, monitor)
    selected = tuple(_with_reasons(work, draft, str(number)) for number, work in enumerate(works, 1))
    notes = (*unranked_note(found.candidates), *found.notes)
    section, usage, writer = Section("", ()), Usage(), ""
    if selected and services.model is not None:
        written, writer = services.writer.write(query, selected, monitor), services.writer.name
        section, usage, notes = written.section, written.usage, (*notes, *written.notes)
    return Result(
        query=query,
        section=section,
        selected=selected,
        left_out=(),
        found=len(found.candidates),
        notes=(*services.notes, *notes),
        usage=usage,
        writer=writer,
        index=found.index,
        model=services.embedder.name,
    )


def _where(
    works: Sequence[Candidate],
    found: Sequence[Candidate],
    sentences: Sequence[str],
    services: Services,
    monitor: Monitor,
) -> DraftSentences:
    """The sentences of the draft to which the works may belong: of a long draft, only the sentences that
    share words with a work are embedded."""
    texts = (f"{work.paper.title} {work.paper.abstract}" for work in works)
    near = tuple(dict.fromkeys(s for text in texts for s in likeliest(sentences, text, _SENTENCES)))
    rows = embed_all(near, services.embedder, monitor) if near else None
    return with_usual_similarity(DraftSentences(near, rows), found)


def _with_reasons(work: Candidate, draft: DraftSentences, id: str) -> Selected:
    abstract = Passage(work.paper.id, None, work.paper.abstract or work.paper.title)
    yours = relevant_sentence(work, draft)
    theirs = relevant_passage([abstract], yours or work.paper.title) if work.paper.abstract else None
    signs = sorted((name for name in _SIGNS if work.scores.get(name, 0) > 0), key=lambda n: -work.scores[n])
    reasons = Reasons(
        yours=yours,
        theirs=theirs.text if theirs else "",
        relation=" and ".join(_SIGNS[name] for name in signs[:2]),
        numbers=f"similarity to your abstract {work.similarity:.2f}",
    )
    evidence = Evidence(id, abstract, work.similarity, work.similarity)
    return Selected(work, (evidence,), work.similarity, reasons=reasons)
