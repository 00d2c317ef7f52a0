"""A page of words beside the document: an answer, or why papers are cited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.types import Result

from ..sections.answer_text import answer_text, best_passage, reference_lines
from .hover_text import escaped, why
from .messages import say

if TYPE_CHECKING:
    from .applying import Editor

METHOD = "texgeist/panel"
_LONGEST_SAID = 4000  # characters, where an editor has no panel


def show(editor: Editor, title: str, markdown: str) -> None:
    if editor.client.lists:
        editor.server.protocol.notify(METHOD, {"title": title, "markdown": markdown})
    else:
        say(editor.server, markdown[:_LONGEST_SAID])


def answer_page(question: str, result: Result) -> str:
    """The answer, and for each paper the passage that it stands on."""
    lines = list(reference_lines(result))
    papers = [
        f"{escaped(line)}\n\n> {escaped(passage.text)} ({f'page {passage.page}' if passage.page else 'abstract'})"
        for line, passage in zip(lines, map(best_passage, result.selected), strict=True)
    ]
    said = [escaped(part) for part in answer_text(result).split("\n\n")]
    notes = [f"*{escaped(note)}*" for note in result.notes]
    return "\n\n".join([f"# {escaped(question)}", *said, *notes, "## What it stands on", *papers]) + "\n"


def reasons_page(what: str, records: Mapping[str, Mapping[str, Any]]) -> str:
    """Why each of the papers is cited, by key."""
    return (
        "\n\n---\n\n".join([f"# {escaped(what)}", *(why(key, dict(r)) for key, r in records.items())]) + "\n"
    )
