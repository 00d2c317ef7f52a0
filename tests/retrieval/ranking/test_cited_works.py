"""The parts of the score from the works that the draft cites, against values computed by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from texgeist_retrieval.ranking.citation_table import Memory, title_key
from texgeist_retrieval.ranking.cited_works import CITED_WITH, co_citation
from texgeist_retrieval.ranking.fusion import standardise
from texgeist_retrieval.ranking.ranker import LearnedRanker
from texgeist_retrieval.types import (
    Candidate,
    CitationGraph,
    CitationLink,
    Paper,
    Query,
    QueryPart,
)

# Which works each citing paper cites. A and B are works of the draft.
LISTS = {"p": "ABX", "q": "AX", "r": "BYZ"}
PART = (QueryPart("We search graphs.", "abstract"),)
DRAFT = Query("abstract", PART, title="Search", cited_works=(Paper("", "A"), Paper("", "B")))
OF_LINKS = CitationGraph(
    cited=(Paper("id A", "A", ""), Paper("id B", "B", "")),
    links=tuple(CitationLink(citing, f"id {work}") for citing, works in LISTS.items() for work in works),
)


def table(lists: Mapping[str, str]) -> Memory:
    citers: dict[int, list[int]] = {}
    for number, works in enumerate(lists.values()):
        for work in works:
            citers.setdefault(title_key(work), []).append(number)
    keys = sorted(citers)
    ends = np.cumsum([0, *(len(citers[key]) for key in keys)])
    found = np.array([one for key in keys for one in citers[key]], dtype=np.int32)
    none = np.zeros(0, dtype=np.int32)
    return Memory(
        np.eye(1, 768, dtype=np.float32),
        np.ones(1, dtype=np.float32),
        np.array(keys, dtype=np.uint64),
        np.zeros(len(keys) + 1, dtype=np.int64),
        none,
        none.astype(np.float32),
        ends,
        found,
    )


def candidates(titles: str | Sequence[str]) -> list[Candidate]:
    rows = np.random.default_rng(0).normal(size=(len(titles), 768)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return [
        Candidate(Paper(f"id {title}", title, "On graphs."), 0.5, 1, vector=row)
        for title, row in zip(titles, rows, strict=True)
    ]


def test_values_computed_by_hand():
    """The weights of the lists are 4/(3*2), 1/(2*2) and 1/(3*2). X is in two lists, both with A, Y and Z in one
    with B, W in none."""
    found = co_citation(table(LISTS), DRAFT, candidates("XYZW"), CitationGraph())
    sums = np.array([4 / 6 + 1 / 4, 1 / 6, 1 / 6, 0])
    assert found.lists == pytest.approx(standardise(np.log1p(sums / 0.03)), abs=1e-5)
    once = 1 / (2**0.5 + 2)
    assert found.pairs == pytest.approx(standardise(np.array([2 / 4, once, once, 0])), abs=1e-5)


def test_links_count_as_the_table_does_and_hold_the_citing_work():
    """Each list from links has one work more, which is a candidate here: p cites both works of the draft."""
    found = co_citation(table({}), DRAFT, candidates("XYZW"), OF_LINKS)
    sums = np.array([4 / 8 + 1 / 6, 1 / 8, 1 / 8, 0])
    assert found.lists == pytest.approx(standardise(np.log1p(sums / 0.03)), abs=1e-5)
    citing = [replace(c, paper=replace(c.paper, id=c.paper.title)) for c in candidates("prW")]
    values = co_citation(table({}), DRAFT, citing, OF_LINKS).lists
    assert values[0] > values[1] > values[2]


def test_a_cited_candidate_is_a_work_of_the_draft():
    given = candidates("ABXYZW")
    given[:2] = [replace(c, already_cited=True) for c in given[:2]]
    bare = replace(DRAFT, cited_works=())
    found = co_citation(table(LISTS), bare, given, CitationGraph())
    alone = co_citation(table(LISTS), DRAFT, candidates("XYZW"), CitationGraph())
    assert found.lists == pytest.approx([0, 0, *alone.lists], abs=1e-5)
    assert found.pairs == pytest.approx([0, 0, *alone.pairs], abs=1e-5)


@pytest.mark.parametrize(("unknown", "trust"), [(0, 1), (1, 2 * (2 / 3) ** 2), (2, 0.5), (6, 2 / 16)])
def test_lists_that_cover_few_of_the_drafts_works_count_less(unknown, trust):
    given = candidates("ABXYZW" + "?" * unknown)
    marked = [replace(c, already_cited=c.paper.title in "AB?") for c in given]
    marked = [
        replace(c, paper=replace(c.paper, title=f"{c.paper.title}{n}")) if n > 5 else c
        for n, c in enumerate(marked)
    ]
    found = co_citation(table(LISTS), replace(DRAFT, cited_works=()), marked, CitationGraph())
    whole = co_citation(table(LISTS), DRAFT, candidates("XYZW"), CitationGraph())
    assert found.lists[2:6] == pytest.approx(min(trust, 1) * whole.lists, abs=1e-5)
    assert found.score[2:6] == pytest.approx(min(trust, 1) * whole.score, abs=1e-5)


RANKER = LearnedRanker.load()
ASKED = np.eye(1, 768, dtype=np.float32)[0]


@pytest.mark.parametrize(
    ("query", "graph"),
    [
        (replace(DRAFT, cited_works=()), CitationGraph()),
        (replace(DRAFT, cited_works=(Paper("", "A work that no list contains"),)), CitationGraph()),
        (replace(DRAFT, cited_works=()), replace(OF_LINKS, cited=())),
        (DRAFT, replace(OF_LINKS, links=())),
        (DRAFT, CitationGraph(OF_LINKS.cited, (CitationLink("elsewhere", "id A"),))),
    ],
)
def test_without_lists_the_order_is_that_of_the_text(query, graph):
    given = candidates([f"Graphs {n}" for n in range(250)])
    by_text = RANKER.rank(replace(DRAFT, cited_works=()), ASKED, given)
    ranked = RANKER.rank(query, ASKED, given, graph)
    assert [c.paper.id for c in ranked] == [c.paper.id for c in by_text]
    assert [c.scores for c in ranked] == [c.scores for c in by_text]


def test_a_paper_cited_with_the_drafts_works_rises():
    given = candidates([f"Graphs {n}" for n in range(250)])
    last = RANKER.rank(replace(DRAFT, cited_works=()), ASKED, given)[205]
    links = tuple(CitationLink(one, work) for one in "pqr" for work in ("id A", "id B", last.paper.id))
    ranked = RANKER.rank(DRAFT, ASKED, given, CitationGraph(OF_LINKS.cited, links))
    place = [c.paper.id for c in ranked].index(last.paper.id)
    assert place < 200, "co-citation also selects the papers that are reranked"
    assert ranked[place].scores[CITED_WITH] == max(c.scores.get(CITED_WITH, -9) for c in ranked)
    assert sum(ranked[place].scores.values()) == pytest.approx(ranked[place].score, abs=1e-2)
