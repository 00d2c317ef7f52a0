"""Drafts that cite half of their works already: the other half is to be found. `python -m benchmarks.retrieval known`.

The graph is the citation table alone: the lists of 1,902 training papers, none of which is a draft of these sets.
The NeurIPS drafts are shown in two halves: the weights of `cited_works` were chosen with the first half in view.
Differences are from the order by text alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from texgeist_retrieval.evaluation.systems import Bench, first_orders
from texgeist_retrieval.ranking.citation_table import Memory
from texgeist_retrieval.ranking.cited_works import LISTS, PAIRS, co_citation, like_cited
from texgeist_retrieval.ranking.fusion import best, standardise
from texgeist_retrieval.types import Candidate, CitationGraph, Paper, Query, QueryPart, Vector

from .show import compare

CANDIDATES = 600  # best papers by text, about as many as a search returns


@dataclass(frozen=True)
class Draft:
    """`known`, `hidden`: the halves of the rows that it cites, drawn by its id."""

    number: int
    query: Query
    known: list[int]
    hidden: list[int]


def show(name: str, bench: Bench) -> None:
    drafts = [
        draft for number in range(len(bench.collection.topics)) if (draft := _draft(bench, number)).known
    ]
    firsts = first_orders(bench)
    orders = [_orders(bench, draft, firsts[draft.number]) for draft in drafts]
    print(f"{name}: {len(drafts)} drafts\n")
    compare({row: [each[row] for each in orders] for row in orders[0]}, [draft.hidden for draft in drafts])
    print(flush=True)


def part_of(bench: Bench, start: int, step: int) -> Bench:
    """Every `step`-th draft of a set, from number `start` on."""
    numbers = range(start, len(bench.collection.topics), step)
    topics = tuple(bench.collection.topics[number] for number in numbers)
    titles = None if bench.titles is None else bench.titles[numbers]
    collection = replace(bench.collection, topics=topics)
    return Bench(collection, bench.vectors, bench.queries[numbers], bench.weights, titles)


def _draft(bench: Bench, number: int) -> Draft:
    topic = bench.collection.topics[number]
    rows = np.random.default_rng(zlib.crc32(topic.id.encode())).permutation(topic.cited).tolist()
    text = " ".join((topic.abstract, *topic.keywords))
    query = Query("abstract", (QueryPart(text, "abstract"),), topic.abstract, topic.title)
    return Draft(number, query, rows[: len(rows) // 2], rows[len(rows) // 2 :])


def _orders(bench: Bench, draft: Draft, first: Vector) -> dict[str, list[int]]:
    """The papers that the draft does not cite, best first, by each system."""
    ranker, asked = bench.ranker, bench.asked[draft.number]
    rows = [*best(first, CANDIDATES), *draft.known]
    candidates = [_candidate(bench, row, row in draft.known) for row in dict.fromkeys(rows)]
    by_text = ranker.rank(draft.query, asked, [replace(c, already_cited=False) for c in candidates])
    pool = [replace(c, already_cited=_row(c) in draft.known) for c in by_text if c.scores]
    return {
        **{
            name: _fresh([_row(pool[i]) for i in np.argsort(-scores, kind="stable")], draft)
            for name, scores in _scores(bench, draft, pool).items()
        },
        "dense": _fresh(best(bench.dense[draft.number], 200), draft),
        "the product": _fresh([_row(c) for c in ranker.rank(draft.query, asked, candidates)], draft),
    }


def _scores(bench: Bench, draft: Draft, pool: Sequence[Candidate]) -> dict[str, Vector]:
    memory, none = bench.ranker.parts.memory, CitationGraph()
    known = [_candidate(bench, row, True) for row in draft.known]
    text = np.array([c.score for c in pool], dtype=np.float32)
    rows, cited = bench.vectors[[_row(c) for c in pool]], bench.vectors[draft.known]
    like = like_cited(rows, cited)

    def cocited(table: Memory) -> tuple[Vector, Vector]:
        values = co_citation(table, draft.query, [*pool, *known], none)
        return values.lists[: len(pool)], values.pairs[: len(pool)]

    lists, pairs = cocited(memory)
    three = (rows @ bench.queries[draft.number], rows @ cited.mean(axis=0), lists)
    return {
        "text alone": text,
        "three scores added": np.sum([standardise(one) for one in three], axis=0),
        "similarity to the known": text + like,
        "citing lists": text + (LISTS + PAIRS) * lists,
        "strongest pair": text + (LISTS + PAIRS) * pairs,
        "lists and pair": text + LISTS * lists + PAIRS * pairs,
        **{
            f"the same, 1 list of {step}": text + LISTS * some[0] + PAIRS * some[1]
            for step in (4, 2)
            if (some := cocited(_thinned(memory, step)))
        },
    }


def _thinned(memory: Memory, step: int) -> Memory:
    """The table with every `step`-th list only."""
    kept = memory.citers % step == 0
    ends = np.concatenate([[0], np.cumsum(kept)])[memory.ends]
    return replace(memory, citers=memory.citers[kept], ends=ends)


def _candidate(bench: Bench, row: int, cited: bool) -> Candidate:
    document = bench.collection.documents[row]
    paper = Paper(str(row), document.title, document.abstract, (), document.year)
    return Candidate(paper, 0.0, 0, vector=bench.vectors[row], already_cited=cited)


def _row(candidate: Candidate) -> int:
    return int(candidate.paper.id)


def _fresh(order: list[int], draft: Draft) -> list[int]:
    return [row for row in order if row not in draft.known]
