"""Prompts for the model that gathers evidence. Drafts and papers are quoted as material, not as
instructions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..conversation import Tool
from ..models.schemas import object_of
from ..types import Evidence, Paper, Query
from ..writing.model.prompts import MATERIAL, quoted

_LONGEST_PASSAGE = 420  # characters shown of a passage, or of its summary
_LONGEST_OWN = 6000  # of the section's current text
_LONGEST_NEIGHBOUR = 1200
_LONGEST_QUERY = 2000


_FOR_SECTION = """You gather evidence for one section of a research paper, for its authors: passages of published \
papers that the section can stand on and cite. You are shown what the draft has for the section, the queries that \
were asked already, and the passages that they found. Ask yourself which statements of the section have no passage \
yet, or only ones of their own side: the background, where a method or a data set comes from, findings that agree, \
findings that disagree, limits that others met."""
_FOR_QUESTION = """You gather evidence to answer a researcher's question: passages of published papers. You are \
shown the question, the queries that were asked already, and the passages that they found. Ask yourself which part \
of the question has no passage yet, and whether others found otherwise. Where the passages answer it, call enough at \
once."""


def system(searches: int, question: bool = False) -> str:
    """The system prompt. `question`: True for answering a question, False for writing a section."""
    task = _FOR_QUESTION if question else _FOR_SECTION
    done = "the question can be answered" if question else "the section is provided for"
    return f"""{task} Call search_evidence for what is missing. Write a query as a \
passage would say it, one matter a query, in the words of the field; call several searches at once, in \
one answer, for all that is missing where they do not depend on each other. A query must differ in meaning from all that were asked: the same in other words \
is not run. You have {searches} searches. Call enough when {done}, or when searches bring nothing new. {MATERIAL}"""


SEARCH = Tool(
    "search_evidence",
    "Finds passages of full papers that matter to a query, the best first.",
    object_of(
        {
            "query": {"type": "string", "description": "what such a passage would say, in one sentence"},
            "missing": {
                "type": "string",
                "description": "which part of the section lacks it, in a few words",
            },
        }
    ),
)
ENOUGH = Tool(
    "enough",
    "Ends the search.",
    object_of({"reason": {"type": "string", "description": "why, in one sentence"}}),
)


def opening(query: Query, asked: Sequence[str], evidence: Sequence[Evidence], papers: Sequence[Paper]) -> str:
    """The first message: the draft's section, the queries so far and their results."""
    queries = "\n".join(f"- {quoted(text, _LONGEST_QUERY)}" for text in asked)
    return (
        f"{draft_block(query)}\n\nAsked already:\n{queries}\n\nFound so far:\n{found_block(evidence, papers)}"
        "\n\nWhat is missing?"
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
