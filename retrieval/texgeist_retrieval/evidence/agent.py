"""The agent that gathers evidence for a section: it runs default queries, then a model's queries, until the
model has enough.

Every loop is bounded: the searches beyond the default ones (`methods`), eight answers of the model, three consecutive
mistakes. A query that repeats an earlier query is not run, and the model gets a message. If a step fails
after the first search, the run ends and returns the evidence so far, with a note.

After PaperQA2's evidence gathering (arXiv 2409.13740): the tool is `search_evidence`, and the model sees the
results before it asks again."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from ..conversation import Asked, Results, ToolCall, Turn
from ..errors import WriterError
from ..models.structured_call import add
from ..models.tool_use import ToolUser
from ..ports import Embedder, EvidenceSearch, Monitor, ToolModel
from ..sources.admission import clean_line
from ..types import EvidenceRun, Query
from .agent_prompts import ENOUGH, SEARCH, found_block, opening, system
from .gathering import AT_ONCE, Gathering, asked_for
from .methods import TEXGEIST, GatheringMethod

ANSWERS = 8  # answers of the model, including mistakes
MISTAKES = 3  # consecutive mistakes after which the run stops
_LONGEST_QUERY = 600  # characters
_MOST_TOKENS = 1200  # of an answer
_COULD_NOT = "The model could not go on, and what had been found was kept:"
NOBODY = "There is no language model, so the queries made from your draft were all that was asked."
NOBODY_ASKED = "There is no language model, so the question itself was all that was asked."


def gather_evidence(
    query: Query,
    search: EvidenceSearch,
    embedder: Embedder | None,
    monitor: Monitor,
    model: ToolModel | None = None,
    *,
    method: GatheringMethod = TEXGEIST,
    leave_out: frozenset[str] = frozenset(),
) -> EvidenceRun:
    """Gathers evidence for the section that `query.brief` describes. `leave_out`: ids of papers to ignore,
    such as the draft itself. Without `model`, only the default queries are run. Raises an error of the
    default queries if all of them fail, and `Cancelled`."""
    run = Gathering(query, search, embedder, monitor, leave_out, method)
    run.ask_defaults()
    if run.stopped:
        return run.value("")
    if model is None:
        run.stopped = NOBODY_ASKED if query.kind == "question" else NOBODY
        return run.value("")
    run.beside = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="texgeist-evidence-beside")
    try:
        _Conversation(run, model).hold()
        run.settle()
    finally:
        run.beside.shutdown(wait=False, cancel_futures=True)
    return run.value(model.name)


@dataclass
class _Conversation:
    """The model's part of a run."""

    run: Gathering
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
                    system(run.method.searches, run.query.kind == "question"),
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
            replies = self._do(said.calls)
            if run.stopped:
                return
            turns += [said, Results(tuple(zip((call.id for call in said.calls), replies, strict=True)))]
        run.stopped = f"The model went on without an end, and was stopped after {ANSWERS} answers."

    def _do(self, calls: Sequence[ToolCall]) -> list[str]:
        """Runs the calls. Returns the reply to each call, and sets `run.stopped` if the run has to end."""
        run = self.run
        replies: dict[int, str] = {}
        wanted: list[tuple[int, str, str]] = []
        enough = ""
        for at, call in enumerate(calls):
            if call.name == ENOUGH.name:
                enough = _its_words(str(call.given.get("reason") or "")) or "The model has enough."
                replies[at] = "Ended."
            elif wrong := self._wrong(call, [text for _, text, _ in wanted]):
                replies[at] = wrong
            else:
                text = _query_of(call)
                wanted.append((at, text, clean_line(str(call.given.get("missing") or ""))[:200]))
        self.mistakes = 0 if wanted or enough else self.mistakes + 1
        found = run.search_all([(text, why) for _, text, why in wanted])
        for (at, _, _), new in zip(wanted, found, strict=True):
            replies[at] = self._found(new)
        if run.stopped:
            return []
        if enough:
            run.stopped = enough
        elif run.searches >= run.method.searches:
            run.stopped = f"All {run.method.searches} searches were spent."
        elif self.mistakes >= MISTAKES:
            run.stopped = "The model called for what cannot be done three times in a row, and was stopped."
        return [replies[at] for at in range(len(calls))]

    def _wrong(self, call: ToolCall, wanted: Sequence[str]) -> str:
        """A message to the model that says why the call is refused; "" if it is accepted."""
        run, text = self.run, _query_of(call)
        if call.name != SEARCH.name:
            return f"There is no tool {call.name!r}. There are {SEARCH.name} and {ENOUGH.name}."
        if call.broken or len(text.split()) < 2:
            return "There is no query in this call: give a sentence in “query”."
        if run.searches + len(wanted) >= run.method.searches:
            run.asked.append(
                asked_for(text, "model", "", refused=f"All {run.method.searches} searches were spent.")
            )
            return "There is no search left."
        if same := run.repeated(text, wanted):
            run.asked.append(
                asked_for(text, "model", "", refused=f"It says again what was asked: “{same[:80]}”")
            )
            return f"Not run: it says again what was asked ({same[:200]}). Ask for something else, or end."
        return ""

    def _found(self, new: tuple[str, ...] | None) -> str:
        left = self.run.method.searches - self.run.searches
        if not new:
            return f"Nothing new was found. {left} searches are left."
        evidence = self.run.pool.get(new)
        return f"{found_block(evidence, self.run.pool.papers(evidence))}\n{left} searches are left."


def preview(query: Query, run: EvidenceRun, method: GatheringMethod) -> str:
    """The exact text of the first message to the model, given the results of the default queries."""
    asked = [one.text for one in run.queries]
    prompt = system(method.searches, query.kind == "question")
    return f"{prompt}\n\n{opening(query, asked, run.evidence, run.papers)}"


def _query_of(call: ToolCall) -> str:
    given = call.given.get("query")
    return clean_line(given)[:_LONGEST_QUERY] if isinstance(given, str) else ""


def _its_words(text: str) -> str:
    """The model's reason for ending, as a sentence for the user; "" if it gave none."""
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]
    return f"The model has enough: {words}" if words else ""
