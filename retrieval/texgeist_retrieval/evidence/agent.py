"""The agent that gathers evidence for a section: it runs default queries, then a model's queries, until the
model has enough.

Every loop is bounded: the searches beyond the default ones (`methods`), eight answers of the model, three consecutive
mistakes. A query that repeats an earlier query is not run, and the model gets a message. If a step fails
after the first search, the run ends and returns the evidence so far, with a note.

After PaperQA2's evidence gathering (arXiv 2409.13740): the model sees the results before it asks again. It
answers in JSON, because every server supports this, and servers differ in their protocols for tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import WriterError
from ..models.structured_call import TEXT, Prompt, add, ask, object_of
from ..ports import Embedder, EvidenceSearch, LanguageModel, Monitor
from ..sources.admission import clean_line
from ..types import AskedQuery, Evidence, EvidenceRun, Paper, Query
from ..writing.model.prompts import MATERIAL, quoted
from .gathering import Gathering
from .methods import TEXGEIST, GatheringMethod

ANSWERS = 8  # answers of the model, including mistakes
MISTAKES = 3  # consecutive mistakes after which the run stops
_LONGEST_QUERY = 600  # characters of a query that the model asks
_MOST_TOKENS = 1200  # of an answer
_MOST_SEARCHES = 16  # in an answer
_QUESTION = "What is missing?"
_COULD_NOT = "The model could not go on, and what had been found was kept:"
NOBODY = "There is no language model, so the queries made from your draft were all that was asked."
NOBODY_ASKED = "There is no language model, so the question itself was all that was asked."
_LONGEST_PASSAGE = 420  # characters shown of a passage, or of its summary
_LONGEST_OWN = 6000  # of the section's current text
_LONGEST_NEIGHBOUR = 1200
_LONGEST_SHOWN = 2000  # of a query


_FOR_SECTION = """You gather evidence for one section of a research paper, for its authors: passages of published \
papers that the section can stand on and cite. You are shown what the draft has for the section, the queries that \
were asked already, and the passages that they found. Ask yourself which statements of the section have no passage \
yet, or only ones of their own side: the background, where a method or a data set comes from, findings that agree, \
findings that disagree, limits that others met."""
_FOR_QUESTION = """You gather evidence to answer a researcher's question: passages of published papers. You are \
shown the question, the queries that were asked already, and the passages that they found. Ask yourself which part \
of the question has no passage yet, and whether others found otherwise. Where the passages answer it, end at \
once."""


def system(searches: int, question: bool = False) -> str:
    """The system prompt. `question`: True for answering a question, False for writing a section."""
    task = _FOR_QUESTION if question else _FOR_SECTION
    done = "the question can be answered" if question else "the section is provided for"
    return f"""{task} Answer with "searches" for all that is missing, several at once where they do not depend on \
each other. Write a query as a passage would say it, one matter a query, in the words of the field; "missing" says in a \
few words which part lacks it. A query must differ in meaning from all that were asked: the same in other words is not \
run. You have {searches} searches. When {done}, or when searches bring nothing new, "enough" says why in one sentence; \
else it is empty. {MATERIAL}"""


_SEARCHES = {
    "type": "array",
    "items": object_of({"query": TEXT, "missing": TEXT}),
    "maxItems": _MOST_SEARCHES,
}
_ANSWER = object_of({"searches": _SEARCHES, "enough": TEXT})


@dataclass(frozen=True, slots=True)
class _Answer:
    """`searches`: pairs (query, reason), in single lines, "" for a value that is no text; `enough`: the
    reason for ending, "" to continue."""

    searches: tuple[tuple[str, str], ...] = ()
    enough: str = ""


def _read(answer: Any, _last: bool) -> tuple[_Answer, list[str]]:
    given = answer.get("searches") if isinstance(answer, dict) else None
    if not isinstance(given, list):
        return _Answer(), ['The answer is not an object with a list "searches".']
    found = [one if isinstance(one, dict) else {} for one in given[:_MOST_SEARCHES]]
    searches = tuple(
        (_line(one.get("query"), _LONGEST_QUERY), _line(one.get("missing"), 200)) for one in found
    )
    enough = answer.get("enough")
    return _Answer(searches, enough if isinstance(enough, str) else ""), []


def _line(given: object, most: int) -> str:
    return clean_line(given)[:most] if isinstance(given, str) else ""


def gather_evidence(
    query: Query,
    search: EvidenceSearch,
    embedder: Embedder | None,
    monitor: Monitor,
    model: LanguageModel | None = None,
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
    _Conversation(run, model).hold()
    return run.value(model.name)


@dataclass
class _Conversation:
    """The model's part of a run."""

    run: Gathering
    model: LanguageModel
    mistakes: int = 0

    def hold(self) -> None:
        run = self.run
        task = system(run.method.searches, run.query.kind == "question")
        best = run.pool.best()
        first = opening(run.query, run.texts, best, run.pool.papers(best))
        said = list[str]()
        for _ in range(ANSWERS):
            run.monitor.report(f"{self.model.name} looks at what was found ({len(run.pool)} passages)")
            prompt = Prompt(task, first, "\n\n".join([*said, _QUESTION]), _MOST_TOKENS)
            try:
                answer, spent = ask(self.model, prompt, _ANSWER, _read, run.monitor)
            except WriterError as error:
                run.failed, run.stopped = True, f"{_COULD_NOT} {error.sentence()}"
                return
            run.usage = add(run.usage, spent)
            if not answer.searches:
                run.stopped = _its_words(answer.enough) or "The model asked for nothing more."
                return
            said += self._do(answer)
            if run.stopped:
                return
        run.stopped = f"The model went on without an end, and was stopped after {ANSWERS} answers."

    def _do(self, answer: _Answer) -> list[str]:
        """Runs the searches. Returns the results of each, and sets `run.stopped` if the run has to end."""
        run = self.run
        replies: dict[str, str] = {}
        wanted = dict[str, str]()
        for text, missing in answer.searches:
            if wrong := self._wrong(text, [*wanted]):
                replies[text] = wrong
            else:
                wanted[text] = missing
        self.mistakes = 0 if wanted or answer.enough else self.mistakes + 1
        found = run.search_all([*wanted.items()])
        replies |= {text: self._found(new) for text, new in zip(wanted, found, strict=True)}
        if run.stopped:
            return []
        if answer.enough:
            run.stopped = _its_words(answer.enough)
        elif run.searches >= run.method.searches:
            run.stopped = f"All {run.method.searches} searches were spent."
        elif self.mistakes >= MISTAKES:
            run.stopped = "The model called for what cannot be done three times in a row, and was stopped."
        return [
            f"You searched for “{quoted(text, _LONGEST_SHOWN)}”:\n{reply}" for text, reply in replies.items()
        ]

    def _wrong(self, text: str, wanted: Sequence[str]) -> str:
        """A message to the model that says why a query is refused; "" if it is accepted."""
        run = self.run
        if len(text.split()) < 2:
            return "There is no query in this search: give a sentence in “query”."
        if run.searches + len(wanted) >= run.method.searches:
            run.asked.append(
                AskedQuery(text, "model", "", refused=f"All {run.method.searches} searches were spent.")
            )
            return "There is no search left."
        if same := run.repeated(text, wanted):
            run.asked.append(
                AskedQuery(text, "model", "", refused=f"It says again what was asked: “{same[:80]}”")
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
    return f"{prompt}\n\n{opening(query, asked, run.evidence, run.papers)}{_QUESTION}"


def _its_words(text: str) -> str:
    """The model's reason for ending, as a sentence for the user; "" if it gave none."""
    words = " ".join("".join(c if c.isprintable() else " " for c in text).split())[:300]
    return f"The model has enough: {words}" if words else ""


def opening(query: Query, asked: Sequence[str], evidence: Sequence[Evidence], papers: Sequence[Paper]) -> str:
    """The first message: the draft's section, the queries so far and their results."""
    queries = "\n".join(f"- {quoted(text, _LONGEST_SHOWN)}" for text in asked)
    return (
        f"{draft_block(query)}\n\nAsked already:\n{queries}\n\nFound so far:\n"
        f"{found_block(evidence, papers)}\n\n"
    )


def draft_block(query: Query) -> str:
    """The draft's material for the section, in tags."""
    return "\n".join(_lines(query))


def _lines(query: Query) -> Iterator[str]:
    brief = query.brief
    if query.kind == "question":
        yield f"<question>{quoted(query.text, 2000)}</question>"
    yield f'<draft title="{quoted(query.title, 300)}">'
    if query.abstract:
        yield f"<abstract>{quoted(query.abstract, 3000)}</abstract>"
    if brief is not None:
        yield f'<section kind="{brief.section}" heading="{quoted(brief.heading, 200)}">'
        yield f"{quoted(query.written, _LONGEST_OWN) or '(nothing stands here yet)'}</section>"
        for note in brief.notes:
            yield f'<note kind="{quoted(note.kind, 40)}">{quoted(note.text, 600)}</note>'
        for caption in brief.captions[:8]:
            yield f"<caption>{quoted(caption, 400)}</caption>"
        for table in brief.tables[:4]:
            yield f"<table>{quoted(table.replace(chr(10), ' ; '), 1200)}</table>"
        for heading, text in brief.neighbours[:4]:
            yield f'<neighbour heading="{quoted(heading, 200)}">{quoted(text, _LONGEST_NEIGHBOUR)}</neighbour>'
    yield "</draft>"


def found_block(evidence: Sequence[Evidence], papers: Sequence[Paper]) -> str:
    """The passages as they are shown to the model that gathers evidence."""
    if not evidence:
        return "(nothing)"
    titles = {paper.id: paper.title for paper in papers}
    return "\n".join(_passage(one, titles.get(one.passage.paper_id, "")) for one in evidence)


def _passage(one: Evidence, title: str) -> str:
    where = quoted(one.passage.heading or one.passage.section, 80)
    said = quoted(one.summary or one.passage.text, _LONGEST_PASSAGE)
    return f'<passage id="{one.id}" paper="{quoted(title, 200)}" from="{where}" score="{one.score:.2f}">{said}</passage>'
