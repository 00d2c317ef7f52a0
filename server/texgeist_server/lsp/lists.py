"""What the person at the editor is asked with a list: papers, each with the passage that speaks for it.

A list goes out as a notification and its answer comes back as a command, since some editors answer a request
only by stopping everything else. None is chosen beforehand: whether a passage bears a sentence out, nobody has
judged but the author."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from texgeist_retrieval.types import Selected

from ..errors import EditRefused
from ..sections.answer_text import authors_of, best_passage
from .messages import ask_user

if TYPE_CHECKING:
    from .editor import Editor

METHOD = "texgeist/pick"
MOST_ANSWERS = 4  # buttons of a message, where there is no list
_LONGEST = 400  # characters of a passage
_SHORT = 160


@dataclass(frozen=True, slots=True)
class Lists:
    """Those that wait for their answer, by id. On the event loop."""

    waiting: dict[str, asyncio.Future[list[str]]] = field(default_factory=dict)

    def answered(self, id: str, chosen: Sequence[str]) -> bool:
        """False for a list that waits no more."""
        future = self.waiting.pop(id, None)
        if future is None or future.done():
            return False
        future.set_result([str(one) for one in chosen])
        return True


async def choose_papers(
    editor: Editor, lists: Lists, title: str, offered: Sequence[Selected]
) -> tuple[Selected, ...]:
    """Those that the user picks, in the order offered. Raises EditRefused where the editor cannot ask."""
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
        editor.server.protocol.notify(METHOD, {"id": id, "title": title, "items": items})
        return await lists.waiting[id]
    finally:
        lists.waiting.pop(id, None)


async def _from_message(editor: Editor, title: str, offered: Sequence[Selected]) -> list[str]:
    """One of the first few."""
    items = [(f"{n}. {item_of(one)['label']}", one) for n, one in enumerate(offered[:MOST_ANSWERS], 1)]
    words = [f"{label}: “{_cut(item_of(one)['detail'], _SHORT)}”" for label, one in items]
    picked = await ask_user(
        editor.server, "\n".join([f"texgeist: {title}", *words]), [label for label, _ in items]
    )
    return [one.candidate.paper.id for label, one in items if label == picked]


def item_of(one: Selected) -> dict[str, Any]:
    """A paper as a list shows it: `{id, label, description, detail}`."""
    paper, passage = one.candidate.paper, best_passage(one)
    who = authors_of(paper.authors) if paper.authors else ""
    where = f"page {passage.page}" if passage.page else "abstract"
    return {
        "id": paper.id,
        "label": _cut(paper.title, _SHORT),
        "description": ", ".join(filter(None, [who, str(paper.year or ""), where])),
        "detail": _cut(passage.text, _LONGEST),
    }


def _cut(text: str, most: int) -> str:
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + " …"
