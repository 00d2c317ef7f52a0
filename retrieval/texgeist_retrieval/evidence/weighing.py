"""Rates passages with a model, which returns for each passage its relevance to the query and the reason.

To save time, a call contains several passages. Passages with an invalid answer are rated again one by one; if
a model cannot rate several passages at once, all later calls contain one passage. All calls of a search run
in parallel. Answers are cached by query, passage and model, so that the same rating is never paid for twice.
For the cache, queries are equal if they have the same words in the same order, whatever case, space and
punctuation; vectors are not used, because they hardly distinguish a statement from its opposite."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ..defaults import CONCURRENCY
from ..errors import WriterError, WriterInvalid, WriterRefused, WriterTruncated
from ..evidence_score import by_score, evidence_score
from ..models.schemas import relevances_schema
from ..models.side_by_side import side_by_side
from ..models.structured_call import add, ask
from ..ports import EvidenceResults, LanguageModel, Monitor
from ..types import Evidence, Paper, Usage
from .weighing_prompts import Answer, batches, checked, numbered, prompt_of

_MARKS = re.compile(r"[.,;:!?…\"'“”‘’()\[\]](?!\d)")  # the point in 12.5 and .5 stays, and so do signs
_LOOK = 0.1  # seconds between checks for cancellation
MOST_IN_VAIN = 4  # invalid answers on single passages after which the model is not asked again
MOST_KEPT = 5_000  # cached answers; the oldest are dropped
_ANSWERED_BADLY = (WriterInvalid, WriterTruncated, WriterRefused)  # if for several, one may succeed
_TELLING = "Weighing the passages with the model"


@dataclass
class ModelWeigher:
    """Gives each passage a summary, a relevance and the evidence score."""

    model: LanguageModel
    concurrency: int = CONCURRENCY
    one_by_one: bool = False  # also set if the model cannot rate several passages at once
    _kept: dict[str, Answer] = field(default_factory=dict, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _slots: threading.Semaphore = field(init=False, repr=False)  # shared by all parallel searches
    _in_vain: list[WriterError] = field(default_factory=list, repr=False)  # errors on single passages

    def __post_init__(self) -> None:
        self._slots = threading.Semaphore(self.concurrency)

    def weigh(
        self, query: str, evidence: Sequence[Evidence], papers: Mapping[str, Paper], monitor: Monitor
    ) -> EvidenceResults:
        """Returns the passages above the threshold, best first. If the call for a passage fails, the passage
        is left out, and a note says so; if all calls fail, all passages are returned in the given order.
        Raises `WriterDenied` and `Cancelled`."""
        keys = [self._key(query, one) for one in evidence]
        todo = [row for row, key in enumerate(keys) if key not in self._kept]
        usage, failed = Usage(), dict[int, WriterError]()

        def weigh_all(rows: Sequence[Sequence[int]]) -> None:
            nonlocal usage
            jobs = [self._job(query, evidence, papers, keys, some, monitor) for some in rows]
            results = side_by_side(jobs, self.concurrency, monitor, _TELLING)
            usage = add(usage, *(one for one in results if isinstance(one, Usage)))
            for some, one in zip(rows, results, strict=True):
                failed.update(dict.fromkeys(some, one) if isinstance(one, WriterError) else {})

        if not self.one_by_one:
            weigh_all([*batches(evidence, todo)])
        weigh_all([[row] for row in todo if keys[row] not in self._kept and row not in failed])
        failures = [*failed.values()]
        if failures and len(failures) == len(evidence):
            note = f"No passage was weighed by the model, so words and vectors alone chose: {failures[0].sentence()}"
            return EvidenceResults(tuple(evidence), papers, usage, (note,))
        weighed = [
            replace(one, summary=said[0], relevance=said[1], score=evidence_score(one.similarity, said[1]))
            for one, key in zip(evidence, keys, strict=True)
            if (said := self._kept.get(key)) is not None
        ]
        return EvidenceResults(by_score(weighed), papers, usage, _notes(failures))

    def _key(self, query: str, evidence: Evidence) -> str:
        passage = evidence.passage
        said = "\0".join((self.model.name, _plain(query), passage.paper_id, passage.text))
        return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()

    def _job(
        self,
        query: str,
        evidence: Sequence[Evidence],
        papers: Mapping[str, Paper],
        keys: Sequence[str],
        rows: Sequence[int],
        monitor: Monitor,
    ) -> Callable[[], Usage]:
        """A function that rates the passages in `rows` in one call of the model, and caches the answers."""
        alone, by_id = len(rows) == 1, numbered(evidence, rows)
        prompt, schema = prompt_of(query, by_id, papers), relevances_schema([*by_id])

        def job() -> Usage:
            with self._slot(monitor):
                if alone and len(self._in_vain) >= MOST_IN_VAIN and not self._kept:
                    raise self._in_vain[-1]  # a further call would cost money and probably fail too
                try:
                    said, usage = ask(
                        self.model,
                        prompt,
                        schema,
                        lambda answer, _last: checked(answer, by_id, query),
                        monitor,
                    )
                except _ANSWERED_BADLY as error:
                    if alone:
                        self._in_vain.append(error)
                        raise
                    self.one_by_one = self.one_by_one or isinstance(error, WriterInvalid)
                    return Usage()
            self._keep({keys[rows[int(id) - 1]]: answer for id, answer in said.items()})
            return usage

        return job

    def _keep(self, said: Mapping[str, Answer]) -> None:
        with self._lock:
            self._kept.update(said)
            while len(self._kept) > MOST_KEPT:
                self._kept.pop(next(iter(self._kept)))

    @contextmanager
    def _slot(self, monitor: Monitor) -> Iterator[None]:
        while not self._slots.acquire(timeout=_LOOK):
            monitor.check()
        try:
            yield
        finally:
            self._slots.release()


def _plain(query: str) -> str:
    """The query without case, space and punctuation, for its key in the cache."""
    return " ".join(_MARKS.sub(" ", query).casefold().split())


def _notes(failed: Sequence[WriterError]) -> tuple[str, ...]:
    if not failed:
        return ()
    count = "One passage was" if len(failed) == 1 else f"{len(failed)} passages were"
    return (f"{count} left out, for the model did not weigh them: {failed[0]}",)
