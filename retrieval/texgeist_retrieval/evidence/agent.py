"""The agent that gathers evidence for a section: default queries, then a model's own, until it has enough.

A bound on everything: five searches beyond the default ones, eight answers of the model, three mistakes. A query
that says again what was asked is told to the model and not run. Whatever fails after the first search ends the
run with what was found, and says so; what was found is never lost to what was not.

After PaperQA2's gathering of evidence (arXiv 2409.13740): the tool is `search_evidence`, and the model sees what it
has found before it asks again."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from ..conversation import Asked, Results, ToolCall, Turn
from ..errors import Cancelled, RetrievalError, WriterError
from ..harvest.admission import clean_line
from ..models.structured_call import add
from ..models.tool_use import ToolUser
from ..ports import Embedder, EvidenceFound, EvidenceSearch, Monitor, ToolModel
from ..titles import plain_title
from ..types import AskedQuery, EvidenceRun, Paper, Query, Usage, Vector
from .agent_prompts import ENOUGH, SEARCH, found_block, opening, system
from .default_queries import default_queries
from .pool import MOST, Pool
from .search import NOTHING

SEARCHES = 5  # that the model may spend
ANSWERS = 8  # of the model, mistakes and all
MISTAKES = 3  # in a row, after which it is stopped
SAME = {"all-mpnet-base-v2": 0.79}  # cosine from which a query says what another said
SAME_ELSE = 0.86  # by other models; both of benchmarks/evidence/queries.py
TOP = 8  # pieces of evidence of a model's search
ANSWERED_FROM = 10  # pieces of evidence that an answer is written from, as many as a model reads with care
DEEP = 14  # of a default query's: more of each finds more than searching on (benchmarks/evidence/agent.py)
MOST_ASKED_FOR = 8  # pieces kept beyond the pool's, lest what a model asks for displaces what was there
AT_ONCE = 6  # searches side by side
_LONGEST_QUERY = 600  # characters
_MOST_TOKENS = 1200  # of one answer
_COULD_NOT = "The model could not go on, and what had been found was kept:"
NOBODY = "There is no language model, so the queries made from your draft were all that was asked."
NOBODY_ASKED = "There is no language model, so the question itself was all that was asked."


def gather_evidence(
    query: Query,
    search: EvidenceSearch,
    embedder: Embedder,
    monitor: Monitor,
    model: ToolModel | None = None,
    *,
    leave_out: frozenset[str] = frozenset(),
) -> EvidenceRun:
    """Evidence for the section that `query.brief` describes. `leave_out`: ids of papers, the draft's own. Raises what the default queries raise where all of them fail, and `Cancelled`; else nothing."""
    run = _Run(query, search, embedder, monitor, leave_out)
    run.ask_defaults()
    if run.stopped:
        return run.value("")
    if model is None:
        run.stopped = NOBODY_ASKED if query.kind == "question" else NOBODY
        return run.value("")
    with ThreadPoolExecutor(1, thread_name_prefix="texgeist-evidence-ahead") as ahead:
        ahead.submit(run.look_ahead)
        try:
            _Conversation(run, model).hold()
        finally:
            run.over = True
    return run.value(model.name)


@dataclass
class _Run:
    """What was asked and found so far. `stopped` is set once, and ends it."""

    query: Query
    search: EvidenceSearch
    embedder: Embedder
    monitor: Monitor
    leave_out: frozenset[str]
    pool: Pool = field(default_factory=Pool)
    asked: list[AskedQuery] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)  # of the queries that were run
    vectors: dict[str, Vector] = field(default_factory=dict)  # theirs
    usage: Usage = field(default_factory=Usage)
    notes: list[str] = field(default_factory=list)
    searches: int = 0
    stopped: str = ""
    failed: bool = False
    over: bool = False  # nobody waits for what is computed ahead

    def ask_defaults(self) -> None:
        parts = default_queries(self.query)
        if not parts:
            self.stopped = "The draft has no words to search with."
            return
        self.monitor.report("Searching for evidence", 0, len(parts))
        texts = [part.text for part in parts]
        found = self._side_by_side(texts, TOP if self.query.kind == "question" else DEEP)
        failed = [one for one in found if isinstance(one, RetrievalError)]
        if len(failed) == len(found):
            raise failed[0]
        for part, one in zip(parts, found, strict=True):
            self.keep(part.text, "default", part.label, one)
        self.monitor.report("Searching for evidence", len(parts), len(parts))

    def search_all(self, wanted: Sequence[tuple[str, str]]) -> list[tuple[str, ...] | None]:
        """Runs the model's queries, (text, what is missing) each: the ids of what is new, None where the index
        did not answer."""
        found = self._side_by_side([text for text, _ in wanted], TOP)
        self.searches += len(wanted)
        return [self.keep(text, "model", why, one) for (text, why), one in zip(wanted, found, strict=True)]

    def keep(
        self, text: str, by: str, why: str, found: EvidenceFound | RetrievalError
    ) -> tuple[str, ...] | None:
        if isinstance(found, RetrievalError):
            self.failed = True
            self.stopped = f"The search failed, and what had been found by then was kept: {found.sentence()}"
            self.asked.append(_asked(text, by, why, refused="The search failed."))
            return None
        own = plain_title(self.query.title)
        others = [e for e in found.evidence if not own or not _is(own, found.papers.get(e.passage.paper_id))]
        found = replace(found, evidence=tuple(others))  # the draft itself may be in the library
        ids, new = self.pool.take(text, found)
        self.asked.append(_asked(text, by, why, ids))
        self.usage = add(self.usage, found.usage)
        self.notes += [note for note in found.notes if note not in self.notes]
        self.texts.append(text)
        return new

    def repeated(self, text: str, also: Sequence[str] = ()) -> str:
        """The query of this run, or of `also`, that says the same, "" for none."""
        texts = [*self.texts, *also]
        vector = self.vector_of(text)
        near = np.array([float(self.vector_of(one) @ vector) for one in texts])
        found = near.size and near.max() >= SAME.get(self.embedder.name, SAME_ELSE)
        return texts[int(near.argmax())] if found else ""

    def vector_of(self, text: str) -> Vector:
        if text not in self.vectors:
            self.vectors[text] = self.embedder.embed_query(text)
        return self.vectors[text]

    def look_ahead(self) -> None:
        """Embeds what was asked, while the model thinks: on a small machine that takes as long."""
        with suppress(RetrievalError):  # what fails now fails where it is needed, too
            for text in [*self.texts]:
                if self.over:
                    return
                self.vector_of(text)

    def value(self, model: str) -> EvidenceRun:
        most = MOST + (MOST_ASKED_FOR if self.searches else 0)
        best = self.pool.best(ANSWERED_FROM if self.query.kind == "question" else most)
        kept = {one.id for one in best}
        # that one search found nothing is no note on the run
        notes = tuple(note for note in self.notes if note != NOTHING or not best)
        asked = tuple(
            AskedQuery(q.text, q.by, q.why, tuple(i for i in q.found if i in kept), q.refused)
            for q in self.asked
        )
        return EvidenceRun(
            asked, best, self.pool.papers(best), self.stopped, self.searches, self.usage, notes, model,
            self.failed,
        )  # fmt: skip

    def _side_by_side(self, texts: Sequence[str], top: int) -> list[EvidenceFound | RetrievalError]:
        """In order; a search that fails gives its error. Raises `Cancelled`."""
        if not texts:
            return []
        with ThreadPoolExecutor(min(AT_ONCE, len(texts)), thread_name_prefix="texgeist-evidence") as pool:
            found = list(pool.map(lambda text: self._found(text, top), texts))
        self.monitor.check()
        return found

    def _found(self, text: str, top: int) -> EvidenceFound | RetrievalError:
        try:
            self.monitor.check()
            return self.search.search(text, self.monitor, top=top, leave_out=self.leave_out)
        except Cancelled:
            raise
        except RetrievalError as error:
            return error


@dataclass
class _Conversation:
    """The model's part of a run."""

    run: _Run
    model: ToolModel
    mistakes: int = 0

    def hold(self) -> None:
        run, user = self.run, ToolUser(self.model)
        best = run.pool.best()
        turns: list[Turn] = [Asked(opening(run.query, run.texts, best, run.pool.papers(best)))]
        for _ in range(ANSWERS):
            run.monitor.report(f"{self.model.name} looks at what was found ({len(run.pool)} passages)")
            try:
                said, spent = user.step(
                    system(SEARCHES, run.query.kind == "question"),
                    turns,
                    (SEARCH, ENOUGH),
                    max_tokens=_MOST_TOKENS,
                    monitor=run.monitor,
                )
            except WriterError as error:
                run.failed, run.stopped = True, f"{_COULD_NOT} {error.sentence()}"
                return
            run.usage = add(run.usage, spent)
            if not said.calls:
                run.stopped = _its_words(said.text) or "The model asked for nothing more."
                return
            told = self._do(said.calls)
            if run.stopped:
                return
            turns += [said, Results(tuple(zip((call.id for call in said.calls), told, strict=True)))]
        run.stopped = f"The model went on without an end, and was stopped after {ANSWERS} answers."

    def _do(self, calls: Sequence[ToolCall]) -> list[str]:
        """What each call is told. Sets `run.stopped` where it is time."""
        run = self.run
        told: dict[int, str] = {}
        wanted: list[tuple[int, str, str]] = []
        enough = ""
        for at, call in enumerate(calls):
            if call.name == ENOUGH.name:
                enough = _its_words(str(call.given.get("reason") or "")) or "The model has enough."
                told[at] = "Ended."
            elif wrong := self._wrong(call, [text for _, text, _ in wanted]):
                told[at] = wrong
            else:
                text = _query_of(call)
                wanted.append((at, text, clean_line(str(call.given.get("missing") or ""))[:200]))
        self.mistakes = 0 if wanted or enough else self.mistakes + 1
        found = run.search_all([(text, why) for _, text, why in wanted])
        for (at, _, _), new in zip(wanted, found, strict=True):
            told[at] = self._found(new)
        if run.stopped:
            return []
        if enough:
            run.stopped = enough
        elif run.searches >= SEARCHES:
            run.stopped = f"All {SEARCHES} searches were spent."
        elif self.mistakes >= MISTAKES:
            run.stopped = "The model called for what cannot be done three times in a row, and was stopped."
        return [told[at] for at in range(len(calls))]

    def _wrong(self, call: ToolCall, wanted: Sequence[str]) -> str:
        """Why the call is not done, in words for the model; "" where it is."""
        run, text = self.run, _query_of(call)
        if call.name != SEARCH.name:
            return f"There is no tool {call.name!r}. There are {SEARCH.name} and {ENOUGH.name}."
        if call.broken or len(text.split()) < 2:
            return "There is no query in this call: give a sentence in “query”."
        if run.searches + len(wanted) >= SEARCHES:
            run.asked.append(_asked(text, "model", "", refused=f"All {SEARCHES} searches were spent."))
            return "There is no search left."
        if same := run.repeated(text, wanted):
            run.asked.append(
                _asked(text, "model", "", refused=f"It says again what was asked: “{same[:80]}”")
            )
            return f"Not run: it says again what was asked ({same[:200]}). Ask for something else, or end."
        return ""

    def _found(self, new: tuple[str, ...] | None) -> str:
        left = SEARCHES - self.run.searches
        if not new:
            return f"Nothing new was found. {left} searches are left."
        evidence = self.run.pool.get(new)
        return f"{found_block(evidence, self.run.pool.papers(evidence))}\n{left} searches are left."


def preview(query: Query, run: EvidenceRun) -> str:
    """The exact text that the model would be sent first, for what the default queries found."""
    asked = [one.text for one in run.queries]
    told = system(SEARCHES, query.kind == "question")
    return f"{told}\n\n{opening(query, asked, run.evidence, run.papers)}"


def _is(title: str, paper: Paper | None) -> bool:
    return paper is not None and plain_title(paper.title) == title


def _query_of(call: ToolCall) -> str:
    given = call.given.get("query")
    return clean_line(given)[:_LONGEST_QUERY] if isinstance(given, str) else ""


def _its_words(text: str) -> str:
    """The model's reason, as a sentence of its own for people."""
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]
    return f"The model has enough: {words}" if words else ""


def _asked(text: str, by: str, why: str, found: tuple[str, ...] = (), refused: str = "") -> AskedQuery:
    return AskedQuery(text, "model" if by == "model" else "default", why, found, refused)
