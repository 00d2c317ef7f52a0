"""Tools in OpenAI's chat protocol: requests, and the pieces of calls in a stream."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..conversation import Asked, Said, Tool, ToolCall, Turn
from .answers import MOST_CALLS, call_of, text_of

Plain = dict[str, Any]


def messages_of(system: str, turns: Sequence[Turn]) -> list[Plain]:
    return [{"role": "system", "content": system}, *(m for turn in turns for m in _messages(turn))]


def tools_of(tools: Sequence[Tool]) -> list[Plain]:
    return [
        {
            "type": "function",
            "function": {"name": t.name, "description": t.description, "parameters": dict(t.schema)},
        }
        for t in tools
    ]


def _messages(turn: Turn) -> list[Plain]:
    if isinstance(turn, Asked):
        return [{"role": "user", "content": turn.text}]
    if isinstance(turn, Said):
        calls = [
            {
                "id": c.id,
                "type": "function",
                "function": {"name": c.name, "arguments": json.dumps(dict(c.given))},
            }
            for c in turn.calls
        ]
        said: Plain = {"role": "assistant", "content": turn.text or None}
        return [{**said, "tool_calls": calls} if calls else said]
    return [{"role": "tool", "tool_call_id": id, "content": text} for id, text in turn.results]


class Calls:
    """The calls of an answer, collected from its chunks."""

    def __init__(self) -> None:
        self._ids: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._arguments: dict[int, list[str]] = {}
        self.length = 0

    def take(self, pieces: Any) -> None:
        """Adds the `tool_calls` of a chunk; some servers send complete calls without an index."""
        for place, piece in enumerate(pieces if isinstance(pieces, list) else ()):
            at = piece.index if isinstance(piece.index, int) else place
            if len(self._arguments) >= MOST_CALLS and at not in self._arguments:
                continue
            self._ids[at] = text_of(piece.id) or self._ids.get(at, "")
            self._names[at] = self._names.get(at, "") or text_of(piece.function and piece.function.name)
            held = self._arguments.setdefault(at, [])
            held.append(text_of(piece.function and piece.function.arguments))
            self.length += len(held[-1])

    def calls(self) -> tuple[ToolCall, ...]:
        """The calls in order; calls without an id, which some servers send, are numbered."""
        return tuple(
            call_of(self._ids[at] or f"call-{at + 1}", self._names[at], "".join(self._arguments[at]))
            for at in sorted(self._arguments)
        )
