"""A page of words beside the document: an answer, or why papers are cited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.types import Result, Selected

from ..sections.answer_text import (
    answer_text,
    best_passage,
    cited_passages,
    place_of,
    quoted,
    reference_lines,
)
from .hover_text import escaped, why
from .messages import say

if TYPE_CHECKING:
    from .editor import Editor

METHOD = "texgeist/panel"
_LONGEST_SAID = 4000  # characters, where an editor has no panel


def show(editor: Editor, title: str, markdown: str) -> None:
    if editor.client.lists:
        editor.server.protocol.notify(METHOD, {"title": title, "markdown": markdown})
    else:
        say(editor.server, markdown[:_LONGEST_SAID])


def answer_page(question: str, result: Result) -> str:
    """The answer, and for each paper the passage that it stands on."""
    papers = [
        "\n\n".join([escaped(line), *_stood_on(result, selected)])
        for line, selected in zip(reference_lines(result), result.selected, strict=True)
    ]
    said = [escaped(part) for part in answer_text(result).split("\n\n")]
    notes = [f"*{escaped(note)}*" for note in result.notes]
    return "\n\n".join([f"# {escaped(question)}", *said, *notes, "## What it stands on", *papers]) + "\n"


def _stood_on(result: Result, selected: Selected) -> list[str]:
    """The passages that are cited, with their places; of a paper that was chosen by its abstract, its nearest."""
    if cited := cited_passages(result, selected):
        return [f"> {escaped(quoted(one))} ({escaped(place_of(one))})" for one in cited]
    passage = best_passage(selected)
    return [f"> {escaped(passage.text)} ({f'page {passage.page}' if passage.page else 'abstract'})"]


def reasons_page(what: str, records: Mapping[str, Mapping[str, Any]]) -> str:
    """Why each of the papers is cited, by key."""
    return (
        "\n\n---\n\n".join([f"# {escaped(what)}", *(why(key, dict(r)) for key, r in records.items())]) + "\n"
    )
