"""Decides how many papers are read and cited, and which.

All numbers follow from the setting `breadth`, the number of papers to cite, after Citegeist (arXiv 2503.23229,
section 3.1):

    search for 6*breadth papers -> read 3*breadth papers (the longlist) -> cite breadth papers (the shortlist)

With `auto`, a section cites `QUOTED` papers; if a model named the strands of the draft, it cites as many papers as
the strands need. It cites fewer if the draft has too little space, or the index too few papers that can be cited: a
section never cites papers far from the draft's subject (`far_papers`), whatever number is set. With `auto`, `SPARE`
times as many papers are read as are cited. `search.search_depth` gives the number of results of one query row.

The longlist is selected by Equation 1, applied to the abstracts; if a model named the strands of the draft, so that
each strand is covered. The shortlist are the papers of the longlist whose best pages are most similar to the draft."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count as counter
from statistics import median

import numpy as np

from ..defaults import BREADTH
from ..ranking.mmr import Pick, select
from ..services import Options
from ..strands.asking import KINDS
from ..strands.selection import CALIBRATED, cover, fits
from ..types import Candidate, Evidence, Matrix, Passage, Selected, Vector
from .candidates import aggregate, anchor_of, subject_of, vectors_of
from .search import SearchResult

SEARCHED = 6  # times breadth
LISTED = 3  # times breadth
SPARE = 1.25  # with `auto`, papers read for each cited paper, so that the user can change the choice at once
# The authors of 32 drafts of DeepScholar-Bench cite 26 papers on average; half of them cite between 15 and 32.
FEWEST, LIKELY, MOST = 15, 24, 30
QUOTED = 12  # papers that notes without a model quote, because more would be a list
FEWEST_PICKED = 10  # if a model chose fewer papers, search results are added up to this number
SEARCHED_WITH_AUTO = 4 * MOST
A_STRAND = 4  # papers that one strand needs, if they fit well
GOOD = 0.5  # least fit of a paper that counts for a strand
WORDS = 28  # words of the section for each cited paper, with its beginning and end
NOTE_WORDS = 22  # words of a quoted sentence with its citation
LEAST_ROOM = 6  # papers that even a short draft has space for
NEAREST = 5
NEAR = 0.45  # a paper with a lower cosine to the draft by the usual embedding model is far from it
SHARE = 0.65  # by other models, a paper with a lower share of the mean cosine of the `NEAREST` papers
_HOW_TO_FIND_MORE = (
    " Discover papers for the draft (--discover), or add papers of its field (`texgeist index add`)."
)
NOBODY: frozenset[str] = frozenset()


def search_size(options: Options) -> int:
    """The number of papers to search for."""
    return SEARCHED * options.breadth if options.breadth else SEARCHED_WITH_AUTO


def citation_count(found: SearchResult, options: Options) -> int:
    """The number of papers to cite; 0 if so few papers can be cited that there is no section to write."""
    if found.query.kind not in KINDS:
        return options.breadth or BREADTH
    number, room, available = _limits(found, options)
    others = sum(not c.already_cited for c in found.candidates) - available
    return 0 if available == 1 and others and not found.strands else min(number, room, available)


def _limits(found: SearchResult, options: Options) -> tuple[int, int, int]:
    """How many papers a section cites at most, how many it has room for, and how many can be cited."""
    words, fresh = found.query.words, citable(found)
    available = len(fresh)
    if options.breadth is not None:
        return options.breadth, options.breadth, available
    number, each = QUOTED, NOTE_WORDS
    if found.strands:
        rows = [row for row, c in enumerate(found.candidates) if not c.already_cited]
        fit = fit_of(found)[:, rows]
        number, each = count_for_strands(fit, sum(c.picked for c in fresh)), WORDS
        available = int((fit.max(axis=0) > 0).sum())
    return number, max(words // each, LEAST_ROOM) if words else MOST, available


def count_note(found: SearchResult, options: Options) -> tuple[str, ...]:
    """Explains why a section cites few papers, or none, if more were found; else empty."""
    if found.query.kind not in KINDS:
        return ()
    number, room, available = _limits(found, options)
    chosen = citation_count(found, options)
    fresh = sum(not c.already_cited for c in found.candidates)
    if chosen >= min(number, fresh, options.breadth or QUOTED):
        return ()
    if room < available:
        why = f"the section has room for about {found.query.words} more words; the setting relatedWork.breadth chooses another number."
    else:
        far = fresh - available
        alone = ", and one paper makes no section" if available > chosen else ""
        discovered = found.query.far or any(c.discovered for c in found.candidates)
        advice = "" if discovered else _HOW_TO_FIND_MORE
        too_far = f"{far} {'is' if far == 1 else 'are'} too far from the subject of the draft"
        why = f"{too_far if far else 'the others are less similar to the draft'}{alone}.{advice}"
    return (f"{chosen or 'None'} of {fresh} papers {'was' if chosen == 1 else 'were'} chosen, because {why}",)


def fit_of(found: SearchResult) -> Matrix:
    """The fit of each candidate to each strand, shape [strands, candidates]."""
    return fits(found.candidates, found.strands, found.strand_rows)


def count_for_strands(fit: Matrix, picked: int) -> int:
    """The number of papers that the strands need. `fit`: shape [strands, papers], see `fits`. `picked`: number
    of papers that a model chose by title. If it is not 0, it is the result, but at least `FEWEST_PICKED` and at
    most `MOST`."""
    if picked:
        return min(max(picked, FEWEST_PICKED), MOST)
    per_strand = (fit >= GOOD).sum(axis=1)
    return min(max(sum(min(int(count), A_STRAND) for count in per_strand), FEWEST), MOST)


def far_papers(found: SearchResult) -> frozenset[str]:
    """The ids of the papers that are far from the subject of the draft. If strands are known, their fit decides;
    answers and citations have their own limits.

    Of 31 drafts of DeepScholar-Bench in an index of 28,000 papers, `NEAR` drops 5 of the first 372 papers, none of which
    the draft cites (a limit .35 below the nearest paper drops 3, and 4 more cited papers fall behind). Of the papers
    discovered for three drafts on subjects with few papers, a reader found on the subject 11 of 18 from .50, 10 of 18
    from .45 to .50, and 5 of 22 from .40 to .45."""
    if found.strands or found.query.kind not in KINDS or not found.candidates:
        return frozenset()
    subject = subject_of(found.query, found.vectors)
    near = np.array(
        [c.similarity if c.vector is None else float(c.vector @ subject) for c in found.candidates]
    )
    limit = NEAR if found.model == CALIBRATED else SHARE * float(np.sort(near)[-NEAREST:].mean())
    return frozenset(c.paper.id for c, one in zip(found.candidates, near, strict=True) if one < limit)


def longlist_size(found: SearchResult, cited: int, options: Options) -> int:
    """The number of papers to read in order to cite `cited` papers."""
    auto = options.breadth is None and found.query.kind in KINDS
    return round(SPARE * cited) if found.strands or auto else LISTED * cited


def choose_longlist(
    found: SearchResult,
    number: int,
    size: int,
    diversity: float,
    pinned: frozenset[str] = NOBODY,
    excluded: frozenset[str] = NOBODY,
) -> list[Selected]:
    """The longlist of `size` papers, of which `number` will be cited. `pinned` papers are always on it,
    `excluded` papers never."""
    if found.strands:
        return _covering(found, size, diversity, pinned, excluded)
    pool = citable(found, excluded)[: SEARCHED * number]
    picks = select(relevances(pool, found.ranked), vectors_of(pool), size, diversity) if pool else []
    chosen = [_selected(pool, pick) for pick in picks]
    known = {paper.candidate.paper.id for paper in chosen}
    extra = (Selected(c, relevance=c.similarity) for c in found.candidates if c.paper.id in pinned - known)
    return [*chosen, *extra]


def citable(found: SearchResult, excluded: frozenset[str] = NOBODY) -> list[Candidate]:
    """The candidates that may be cited: the draft does not cite them, the author did not exclude them, and they are
    not far from its subject."""
    never = excluded | far_papers(found)
    return [c for c in found.candidates if not c.already_cited and c.paper.id not in never]


def relevances(pool: Sequence[Candidate], ranked: bool) -> Vector:
    """s_i of Equation 1, shape [n]. Without a ranker, these are the scores, which are similarities.

    A ranker's scores are on another scale, which Equation 1 cannot compare with cosines. With `ranked`, only
    the ranker's order is used: the best-ranked paper gets the highest similarity of the pool, the next paper
    the next similarity, and so on."""
    if not ranked:
        return np.array([c.score for c in pool], dtype=np.float32)
    return np.sort(np.array([c.similarity for c in pool], dtype=np.float32))[::-1]


def _selected(pool: Sequence[Candidate], pick: Pick) -> Selected:
    nearest = None if pick.nearest is None else pool[pick.nearest]
    return Selected(pool[pick.index], relevance=pick.relevance, nearest=nearest)


def _covering(
    found: SearchResult, count: int, diversity: float, pinned: frozenset[str], excluded: frozenset[str]
) -> list[Selected]:
    """Selects `count` papers so that every strand is covered, and groups them by strand. Pinned papers are
    chosen first."""
    kept = [Selected(c, relevance=c.similarity) for c in found.candidates if c.paper.id in pinned]
    pool = [c for c in citable(found, excluded) if c.paper.id not in pinned]
    columns = {c.paper.id: column for column, c in enumerate(found.candidates)}
    fit = fit_of(found)[:, [columns[c.paper.id] for c in pool]]
    picks = cover(pool, fit, vectors_of(pool), max(count - len(kept), 0), diversity) if pool else []
    place = {strand.name: number for number, strand in enumerate(found.strands)}
    papers = [*kept, *(_selected(pool, pick) for pick in picks)]
    return sorted(papers, key=lambda p: place.get(next(iter(p.candidate.strands), ""), len(place)))


def choose_pages(
    passages: Sequence[Passage], queries: Matrix, depth: int, diversity: float, anchor: int | None = None
) -> tuple[Evidence, ...]:
    """Returns the `depth` best pages of one paper by Equation 1, best first; all pages if there are fewer."""
    if not passages:
        return ()
    vectors = np.stack([p.vector for p in passages if p.vector is not None])
    similarities = aggregate(queries @ vectors.T, anchor)
    picks = select(similarities, vectors, depth, diversity)
    return tuple(Evidence("", passages[pick.index], pick.relevance, pick.relevance) for pick in picks)


def weigh(found: SearchResult, longlist: Sequence[Selected], options: Options) -> list[Selected]:
    """Orders the longlist by the mean similarity of the kept pages (Citegeist, section 3.1).

    A paper's abstract is usually more similar to the draft than its pages are. A paper without full text
    therefore gets the similarity of its abstract minus the median of this difference, so that a failed
    download is no advantage. If no paper was read, the order of the longlist stays. The relevance by a ranker
    has the same weight as the pages."""
    anchor = anchor_of(found.query)

    def with_pages(paper: Selected) -> Selected:
        passages = found.readings.get(paper.candidate.paper.id, ())
        pages = choose_pages(passages, found.vectors, options.depth, options.diversity, anchor)
        return replace(paper, evidence=pages)

    papers = [with_pages(paper) for paper in longlist]
    differences = [paper.relevance - _mean(paper.evidence) for paper in papers if paper.evidence]
    shift = median(differences) if differences else 0.0
    weighed = [replace(paper, score=_score(paper, shift, found.ranked)) for paper in papers]
    return sorted(weighed, key=lambda paper: -paper.score) if differences else weighed


def _score(paper: Selected, shift: float, ranked: bool) -> float:
    estimate = paper.relevance - shift
    if not paper.evidence:
        return estimate
    return (_mean(paper.evidence) + estimate) / 2 if ranked else _mean(paper.evidence)


def _mean(pages: Sequence[Evidence]) -> float:
    return sum(page.similarity for page in pages) / len(pages)


def choose_shortlist(
    weighed: Sequence[Selected], count: int, pinned: frozenset[str] = NOBODY
) -> tuple[Selected, ...]:
    """Returns the `count` best papers, with all pinned papers, in the order of `weighed`, with numbered evidence."""
    free = max(count - sum(paper.candidate.paper.id in pinned for paper in weighed), 0)
    others = [paper for paper in weighed if paper.candidate.paper.id not in pinned][:free]
    chosen = pinned | {paper.candidate.paper.id for paper in others}
    numbers = counter(1)
    return tuple(
        replace(paper, evidence=tuple(evidence_of(paper, numbers)))
        for paper in weighed
        if paper.candidate.paper.id in chosen
    )


def evidence_of(paper: Selected, numbers: Iterator[int]) -> Iterator[Evidence]:
    """Yields the evidence of the paper: its abstract, then the kept pages, best first. The ids come from
    `numbers` and are unique within the run."""
    candidate = paper.candidate
    about = candidate.paper
    passage = Passage(about.id, None, about.abstract or about.title, candidate.vector)
    yield Evidence(str(next(numbers)), passage, candidate.similarity, candidate.score)
    for page in paper.evidence:
        yield replace(page, id=str(next(numbers)))
