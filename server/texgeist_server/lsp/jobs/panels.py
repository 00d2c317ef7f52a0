"""Lists of papers to choose from, and pages of text beside the document.

A list is sent as a notification and answered by a command, because some editors block while they answer a
request. No paper is preselected: only the author can judge whether a passage supports the sentence.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from texgeist_retrieval.types import SIDES, Candidate, JudgedPassage, Paper, Result, Selected, Sides

from ...errors import EditRefused
from ...plain_text import cut, escaped
from ...sections.missing import MissingWork, lines_of
from ...sections.results import (
    SIDE_HEADINGS,
    answer_text,
    authors_of,
    best_passage,
    cited_passages,
    place_of,
    quoted,
    reference_lines,
)
from ..hover_text import why

if TYPE_CHECKING:
    from ...sections.provenance_model import CitationRecord
    from ..connection.editor import Editor

PICK = "texgeist/pick"
MOST_ANSWERS = 4  # buttons of a message, for editors without lists
_LONGEST = 400  # characters of a passage
_SHORT = 160


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists that wait for the user's answer, by list id. Used on the event loop."""

    waiting: dict[str, asyncio.Future[list[str]]] = field(default_factory=dict)

    def answered(self, id: str, chosen: Sequence[str]) -> bool:
        """Passes on the user's answer. Returns False if the list no longer waits for an answer."""
        future = self.waiting.pop(id, None)
        if future is None or future.done():
            return False
        future.set_result([str(one) for one in chosen])
        return True


async def choose_papers(
    editor: Editor, lists: Lists, title: str, offered: Sequence[Selected]
) -> tuple[Selected, ...]:
    """The papers that the user chooses, in the order offered. Raises EditRefused if the editor cannot ask."""
    if editor.client.lists:
        chosen = await _from_list(editor, lists, title, offered)
    elif editor.client.messages_with_actions:
        chosen = await _from_message(editor, title, offered)
    else:
        raise EditRefused(
            f"{len(offered)} papers were found, and this editor has no list to choose from: nothing was inserted.",
            "Use `texgeist cite` on the command line.",
        )
    return tuple(one for one in offered if one.candidate.paper.id in chosen)


async def _from_list(editor: Editor, lists: Lists, title: str, offered: Sequence[Selected]) -> list[str]:
    id = uuid4().hex[:8]
    lists.waiting[id] = asyncio.get_running_loop().create_future()
    try:
        items = [item_of(one) for one in offered]
        editor.notify(PICK, {"id": id, "title": title, "items": items})
        return await lists.waiting[id]
    finally:
        lists.waiting.pop(id, None)


async def _from_message(editor: Editor, title: str, offered: Sequence[Selected]) -> list[str]:
    """Asks by a message to choose one of the first few papers."""
    items = [(n, item_of(one)) for n, one in enumerate(offered[:MOST_ANSWERS], 1)]
    words = [f"{n}. {item['description']}: “{cut(item['detail'], _SHORT)}”" for n, item in items]
    labels = {f"{n}. {item['label']}": item["id"] for n, item in items}
    picked = await editor.ask("\n".join([title, *words]), list(labels))
    return [labels[picked]] if picked in labels else []


def item_of(one: Selected) -> dict[str, Any]:
    """A paper in the form that the editor's list needs: `{id, label, description, detail}`."""
    paper, passage = one.candidate.paper, best_passage(one)
    who = authors_of(paper.authors)
    where = f"page {passage.page}" if passage.page else "abstract" if paper.abstract else ""
    return {
        "id": paper.id,
        "label": cut(paper.title, _SHORT),
        "description": ", ".join(filter(None, [one.candidate.fit, who, str(paper.year or ""), where])),
        "detail": cut(passage.text, _LONGEST),
    }


PANEL = "texgeist/panel"
_LONGEST_SAID = 4000  # characters of a message, for editors without panels


def show_panel(editor: Editor, title: str, markdown: str) -> None:
    if editor.client.lists:
        editor.notify(PANEL, {"title": title, "markdown": markdown})
    else:
        editor.say(markdown[:_LONGEST_SAID])


def answer_page(question: str, result: Result) -> str:
    """The answer, and for each paper the passage that supports it."""
    papers = [
        "\n\n".join([escaped(line), *_stood_on(result, selected)])
        for line, selected in zip(reference_lines(result), result.selected, strict=True)
    ]
    said = [escaped(part) for part in answer_text(result).split("\n\n")]
    notes = [f"*{escaped(note)}*" for note in result.notes]
    evidence = ["## Evidence", *papers] if papers else []
    return "\n\n".join([f"# {escaped(question)}", *filter(None, said), *notes, *evidence]) + "\n"


def _stood_on(result: Result, selected: Selected) -> list[str]:
    """The cited passages with their places, or the paper's most similar passage if no passages were
    searched."""
    if cited := cited_passages(result, selected):
        return [f"> {escaped(quoted(one))} ({escaped(place_of(one))})" for one in cited]
    passage = best_passage(selected)
    return [f"> {escaped(passage.text)} ({f'page {passage.page}' if passage.page else 'abstract'})"]


def left_out_page(papers: Sequence[Candidate]) -> str:
    """The papers that are not cited, with reasons, as Markdown."""
    lines = [
        f"- **{escaped(c.paper.title)}** ({c.paper.year or 'no year'}): {escaped(c.left_out)}" for c in papers
    ]
    return "\n".join(["# Papers left out", "", *lines]) + "\n"


def missing_page(works: Sequence[MissingWork], notes: Sequence[str]) -> str:
    """The works that a reviewer may miss, as Markdown."""
    shown = ["\n".join([f"## {escaped(w.reference)}", *map(_item, lines_of(w))]) for w in works]
    return "\n\n".join(["# Works that a reviewer may miss", *shown, *map(escaped, notes)]) + "\n"


def _item(line: str) -> str:
    return f"- {escaped(line)}"


def sides_page(sides: Sides) -> str:
    """The passages for and against a statement, as Markdown."""
    parts = [f"# {escaped(sides.statement)}", escaped(counted(sides))]
    if len(sides.queries) > 1:
        parts.append(f"Also searched for: {escaped(' · '.join(sides.queries[1:]))}")
    papers = {paper.id: paper for paper in sides.papers}
    for side, heading in SIDE_HEADINGS.items():
        if found := sides.of(side):
            parts += [f"## {heading}", *(_judged(one, papers) for one in found)]
    return "\n\n".join(parts) + "\n"


def _judged(one: JudgedPassage, papers: Mapping[str, Paper]) -> str:
    """The paper, the place of the passage, the judge's confidence, and what the passage does not support."""
    passage, support = one.evidence.passage, one.support
    paper = papers.get(passage.paper_id)
    named = f"{paper.title} ({paper.year or 'no year'})" if paper else passage.paper_id
    sure = (
        (f"sure {support.score:.1f}" if one.side != "not judged" else f"too unsure, {support.score:.1f}")
        if support.score
        else ""
    )
    missing = f"missing: {support.missing}" if support.missing else ""
    page = f"page {passage.page}" if passage.page else ""
    about = ", ".join(filter(None, [passage.heading or passage.section, page, sure, missing]))
    return f"**{escaped(named)}**  \n{escaped(about)}\n\n> {escaped(passage.text)}"


def counted(sides: Sides) -> str:
    """The number of passages on each side, as a message."""
    counts = {side: len(sides.of(side)) for side in SIDES.values()}
    if counts["not judged"] == len(sides.found):
        found = f"Passages on the matter: {len(sides.found)}." if sides.found else ""
    else:
        found = f"For the statement: {_passages(counts['supports'])}; against it: {_passages(counts['contradicts'])}."
    return " ".join(filter(None, [found, *sides.notes]))


def _passages(count: int) -> str:
    return "one passage" if count == 1 else f"{count} passages"


def reasons_page(what: str, records: Mapping[str, CitationRecord]) -> str:
    """Why each of the papers is cited, as Markdown."""
    return "\n\n---\n\n".join([f"# {escaped(what)}", *map(why, records.values())]) + "\n"
