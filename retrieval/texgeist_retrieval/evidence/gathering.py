"""The state of a run that gathers evidence: its queries and their results.

For each of its queries, the model immediately gets unrated results, found by words and vectors
(`first_look`). The passages are rated while the model considers what else is missing. This halves the time
for a model that sends one query at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from ..errors import Cancelled, RetrievalError
from ..identity import plain_title
from ..models.structured_call import add
from ..ports import Embedder, EvidenceResults, EvidenceSearch, Monitor
from ..text.words import query_words
from ..types import AskedQuery, EvidenceRun, Paper, Query, Usage, Vector
from .default_queries import default_queries
from .methods import TEXGEIST, GatheringMethod
from .pool import MOST, Pool
from .search import NOTHING

# Least cosine of queries that count as equal; set with 15 pairs of paraphrases and 15 on different subjects.
SAME = {"all-mpnet-base-v2": 0.79}
SAME_ELSE = 0.86  # for other models
TOP = 8  # passages for a model's query
ANSWERED_FROM = 10  # passages for the answer to a question: as many as a model reads carefully
MOST_ASKED_FOR = 8  # further passages, beyond the pool's limit, that are kept if the model searched
AT_ONCE = 6  # parallel searches
T = TypeVar("T")
_LOOK_S = 0.1  # seconds between checks for cancellation


@dataclass(frozen=True, slots=True)
class _Later:
    """A search of which the model has seen unrated results. `asked`: index of its query; `new`: the ids that
    the unrated results added; `found`: the rated result."""

    asked: int
    new: tuple[str, ...]
    found: Future[EvidenceResults | RetrievalError]


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
    later: list[_Later] = field(default_factory=list)  # searches that are rated while the model continues
    beside: ThreadPoolExecutor | None = None  # the threads for `later`

    def ask_defaults(self) -> None:
        parts = default_queries(self.query, self.method)
        if not parts:
            self.stopped = "The draft has no words to search with."
            return
        self.monitor.report("Searching for evidence", 0, len(parts))
        texts = [part.text for part in parts]
        top = TOP if self.query.kind == "question" else self.method.results
        found = self._side_by_side(texts, top, self._found)
        failed = [one for one in found if isinstance(one, RetrievalError)]
        if len(failed) == len(found):
            raise failed[0]
        for part, one in zip(parts, found, strict=True):
            self.keep(part.text, "default", part.label, one)
        self.monitor.report("Searching for evidence", len(parts), len(parts))

    def search_all(self, wanted: Sequence[tuple[str, str]]) -> list[tuple[str, ...] | None]:
        """Runs the model's queries. `wanted`: pairs (text of the query, what is missing in the section).
        Returns the ids of new evidence for each query, None for a query if the index did not answer."""
        found = self._side_by_side([text for text, _ in wanted], TOP, self._first)
        self.searches += len(wanted)
        added = []
        for (text, why), (one, is_first) in zip(wanted, found, strict=True):
            added.append(new := self.keep(text, "model", why, one))
            if is_first and new is not None and self.beside is not None:
                later = self.beside.submit(self._found, text, TOP)
                self.later.append(_Later(len(self.asked) - 1, new, later))
        return added

    def settle(self) -> None:
        """Waits until all results are rated, and replaces the unrated results by them. Raises `Cancelled`."""
        for later in self.later:
            while not later.found.done():
                self.monitor.check()
                wait([later.found], timeout=_LOOK_S)
            found, asked = later.found.result(), self.asked[later.asked]
            if isinstance(found, RetrievalError):
                self.notes.append(f"What “{asked.text[:80]}” found was not weighed: {found.sentence()}")
                continue
            ids = self.pool.settle(asked.text, later.new, self._of_others(found))
            self.asked[later.asked] = replace(asked, found=ids)
            self.usage = add(self.usage, found.usage)
            self.notes += [note for note in found.notes if note not in self.notes]
        self.later.clear()

    def keep(
        self, text: str, by: str, why: str, found: EvidenceResults | RetrievalError
    ) -> tuple[str, ...] | None:
        if isinstance(found, RetrievalError):
            self.failed = True
            self.stopped = f"The search failed, and what had been found by then was kept: {found.sentence()}"
            self.asked.append(asked_for(text, by, why, refused="The search failed."))
            return None
        found = self._of_others(found)
        ids, new = self.pool.take(text, found)
        self.asked.append(asked_for(text, by, why, ids))
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

    def _side_by_side(self, texts: Sequence[str], top: int, search: Callable[[str, int], T]) -> list[T]:
        """Calls `search(text, top)` for all texts in parallel. Returns the results in order. Raises
        `Cancelled`."""
        if not texts:
            return []
        with ThreadPoolExecutor(min(AT_ONCE, len(texts)), thread_name_prefix="texgeist-evidence") as pool:
            found = list(pool.map(lambda text: search(text, top), texts))
        self.monitor.check()
        return found

    def _first(self, text: str, top: int) -> tuple[EvidenceResults | RetrievalError, bool]:
        """(unrated results, True), so that the model need not wait for ratings. If no model rates passages,
        (final result, False); after an error, (error, False)."""
        try:
            self.monitor.check()
            look = self.search.first_look(text, self.monitor, top=top, leave_out=self.leave_out)
        except Cancelled:
            raise
        except RetrievalError as error:
            return error, False
        return (look, True) if look is not None else (self._found(text, top), False)

    def _found(self, text: str, top: int) -> EvidenceResults | RetrievalError:
        try:
            self.monitor.check()
            return self.search.search(text, self.monitor, top=top, leave_out=self.leave_out)
        except Cancelled:
            raise
        except RetrievalError as error:
            return error


def asked_for(text: str, by: str, why: str, found: tuple[str, ...] = (), refused: str = "") -> AskedQuery:
    return AskedQuery(text, "model" if by == "model" else "default", why, found, refused)


def _is(title: str, paper: Paper | None) -> bool:
    return paper is not None and plain_title(paper.title) == title
