"""The state of a run that gathers evidence: its queries and the passages that they found."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from ..errors import Cancelled, RetrievalError
from ..identity import plain_title
from ..models.structured_call import add
from ..ports import Embedder, EvidenceResults, EvidenceSearch, Monitor
from ..text.words import query_words
from ..types import AskedQuery, Evidence, EvidenceRun, Paper, Query, Usage, Vector
from .default_queries import default_queries
from .methods import TEXGEIST, GatheringMethod
from .search import NOTHING

# Queries with at least this cosine count as equal; set with 15 pairs of paraphrases and 15 pairs on different
# subjects.
SAME = {"all-mpnet-base-v2": 0.79}
SAME_ELSE = 0.86  # for other models
TOP = 8  # passages for a model's query
MOST = 24  # passages that a run keeps
ANSWERED_FROM = 10  # passages for the answer to a question: as many as a model reads carefully
MOST_ASKED_FOR = 8  # further passages, beyond `MOST`, that are kept if the model searched
AT_ONCE = 6  # parallel searches
_Key = tuple[str, str, int, int | None, str]


def _rank(one: Evidence) -> tuple[bool, float]:
    """A sort key: rated passages precede unrated passages, whose scores are on another scale."""
    return one.relevance is not None, one.score


class Pool:
    """Collects the results of searches. Ids are numbered in order of discovery, and never change."""

    def __init__(self) -> None:
        self._by_key: dict[_Key, Evidence] = {}
        self._papers: dict[str, Paper] = {}
        self._given = 0  # number of ids
        self._best: list[str] = []  # ids of the best result of every search, kept at any score

    def take(self, query: str, found: EvidenceResults) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Adds the results of a search. Returns the ids of all its results, and the ids of the new results. A
        passage that was found before keeps the better score; a rated score is better than any unrated
        score."""
        ids, new = [], []
        for one in found.evidence:
            key = _key_of(one)
            known = self._by_key.get(key)
            if known is None:
                self._given += 1
                known = replace(one, id=str(self._given), query=query)
                new.append(known.id)
            elif _rank(one) > _rank(known):
                known = replace(one, id=known.id, query=known.query)
            self._by_key[key] = known
            ids.append(known.id)
            if (paper := found.papers.get(one.passage.paper_id)) is not None:
                self._papers[paper.id] = paper
        self._best += ids[:1]
        return tuple(ids), tuple(new)

    def get(self, ids: Sequence[str]) -> list[Evidence]:
        by_id = {one.id: one for one in self._by_key.values()}
        return [by_id[id] for id in ids if id in by_id]

    def paper(self, id: str) -> Paper:
        return self._papers.get(id) or Paper(id, id)

    def __len__(self) -> int:
        return len(self._by_key)

    def best(self, most: int = MOST) -> tuple[Evidence, ...]:
        """Returns at most `most` passages, best first; the best result of every search is always included, up
        to `most`."""
        ordered = sorted(self._by_key.values(), key=_rank, reverse=True)
        there = {one.id for one in ordered}
        first = set([id for id in dict.fromkeys(self._best) if id in there][:most])
        rest = [one for one in ordered if one.id not in first][: most - len(first)]
        kept = {one.id for one in rest} | first
        return tuple(one for one in ordered if one.id in kept)

    def papers(self, evidence: Sequence[Evidence]) -> tuple[Paper, ...]:
        return tuple(self.paper(id) for id in dict.fromkeys(one.passage.paper_id for one in evidence))


@dataclass
class Gathering:
    """Queries and results so far. `stopped` is set once, and ends the run."""

    query: Query
    search: EvidenceSearch
    embedder: Embedder | None  # None: queries are compared by their words
    monitor: Monitor
    leave_out: frozenset[str]
    method: GatheringMethod = TEXGEIST
    pool: Pool = field(default_factory=Pool)
    asked: list[AskedQuery] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # texts of the queries that were run
    vectors: dict[str, Vector] = field(default_factory=dict)  # vectors of the texts
    usage: Usage = field(default_factory=Usage)
    notes: list[str] = field(default_factory=list)
    searches: int = 0
    stopped: str = ""
    failed: bool = False

    def ask_defaults(self) -> None:
        parts = default_queries(self.query, self.method)
        if not parts:
            self.stopped = "The draft has no words to search with."
            return
        self.monitor.report("Searching for evidence", 0, len(parts))
        texts = [part.text for part in parts]
        top = TOP if self.query.kind == "question" else self.method.results
        found = self._side_by_side(texts, top)
        failed = [one for one in found if isinstance(one, RetrievalError)]
        if len(failed) == len(found):
            raise failed[0]
        for part, one in zip(parts, found, strict=True):
            self.keep(part.text, "default", part.label, one)
        self.monitor.report("Searching for evidence", len(parts), len(parts))

    def search_all(self, wanted: Sequence[tuple[str, str]]) -> list[tuple[str, ...] | None]:
        """Runs the model's queries. `wanted`: pairs (text of the query, what is missing in the section).
        Returns the ids of new evidence for each query, None for a query if the index did not answer."""
        found = self._side_by_side([text for text, _ in wanted], TOP)
        self.searches += len(wanted)
        return [self.keep(text, "model", why, one) for (text, why), one in zip(wanted, found, strict=True)]

    def keep(
        self, text: str, by: Literal["default", "model"], why: str, found: EvidenceResults | RetrievalError
    ) -> tuple[str, ...] | None:
        if isinstance(found, RetrievalError):
            self.failed = True
            self.stopped = f"The search failed, and what had been found by then was kept: {found.sentence()}"
            self.asked.append(AskedQuery(text, by, why, refused="The search failed."))
            return None
        found = self._of_others(found)
        ids, new = self.pool.take(text, found)
        self.asked.append(AskedQuery(text, by, why, ids))
        self.usage = add(self.usage, found.usage)
        self.notes += [note for note in found.notes if note not in self.notes]
        self.texts.append(text)
        return new

    def _of_others(self, found: EvidenceResults) -> EvidenceResults:
        """The results without the draft itself, which may be in the library."""
        own = plain_title(self.query.title)
        others = [e for e in found.evidence if not own or not _is(own, found.papers.get(e.passage.paper_id))]
        return replace(found, evidence=tuple(others))

    def repeated(self, text: str, also: Sequence[str] = ()) -> str:
        """A query of this run or of `also` that has the same meaning as `text`; "" if there is none."""
        texts = [*self.texts, *also]
        if self.embedder is None:
            asked = query_words(text)
            return next((one for one in texts if query_words(one) == asked), "")
        vector = self._vector_of(text, self.embedder)
        near = np.array([float(self._vector_of(one, self.embedder) @ vector) for one in texts])
        found = near.size and near.max() >= SAME.get(self.embedder.name, SAME_ELSE)
        return texts[int(near.argmax())] if found else ""

    def _vector_of(self, text: str, embedder: Embedder) -> Vector:
        if text not in self.vectors:
            self.vectors[text] = embedder.embed_query(text)
        return self.vectors[text]

    def value(self, model: str) -> EvidenceRun:
        most = MOST + (MOST_ASKED_FOR if self.searches else 0)
        best = self.pool.best(ANSWERED_FROM if self.query.kind == "question" else most)
        kept = {one.id for one in best}
        # no note on an empty search if other searches had results
        notes = tuple(note for note in self.notes if note != NOTHING or not best)
        asked = tuple(
            AskedQuery(q.text, q.by, q.why, tuple(i for i in q.found if i in kept), q.refused)
            for q in self.asked
        )
        return EvidenceRun(
            asked, best, self.pool.papers(best), self.stopped, self.searches, self.usage, notes, model,
            self.failed,
        )  # fmt: skip

    def _side_by_side(self, texts: Sequence[str], top: int) -> list[EvidenceResults | RetrievalError]:
        """The results of all searches, in order; the error of a search that failed. Raises `Cancelled`."""
        if not texts:
            return []
        with ThreadPoolExecutor(min(AT_ONCE, len(texts)), thread_name_prefix="texgeist-evidence") as pool:
            found = list(pool.map(lambda text: self._found(text, top), texts))
        self.monitor.check()
        return found

    def _found(self, text: str, top: int) -> EvidenceResults | RetrievalError:
        try:
            self.monitor.check()
            return self.search.search(text, self.monitor, top=top, leave_out=self.leave_out)
        except Cancelled:
            raise
        except RetrievalError as error:
            return error


def _is(title: str, paper: Paper | None) -> bool:
    return paper is not None and plain_title(paper.title) == title


def _key_of(one: Evidence) -> _Key:
    passage = one.passage
    return passage.paper_id, passage.section, passage.place, passage.page, passage.text[:200]
