"""A conversation with tools: by the provider's protocol, or in plain JSON if a server has no tool use."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..conversation import Asked, Said, Tool, ToolCall, Turn
from ..errors import ToolsUnknown
from ..ports import Monitor, ToolModel
from ..types import Usage
from .answers import MOST_CALLS, text_of
from .structured_call import add, object_of

_BY_JSON = """

You call tools by answering with one JSON object: {"calls": [{"tool": name, …}]}, with what the tool is given \
beside its name, and "" for what belongs to other tools. The tools:
"""


class ToolUser:
    """Runs the steps of a conversation, and remembers whether the server supports tools.

    A server without tool use reports an error, or ignores the tools and answers in prose. Therefore, if the
    model has not yet called a tool, an answer in prose is requested once more in plain JSON."""

    def __init__(self, model: ToolModel) -> None:
        self._model = model
        self._by_json = False
        self._has_called = False

    def step(
        self, system: str, turns: Sequence[Turn], tools: Sequence[Tool], *, max_tokens: int, monitor: Monitor
    ) -> tuple[Said, Usage]:
        """Returns the model's next turn. Raises the `WriterError`s and `Cancelled`."""
        spent = Usage()
        if not self._by_json:
            try:
                said, spent = self._model.complete_with_tools(
                    system, turns, tools, max_tokens=max_tokens, monitor=monitor
                )
            except ToolsUnknown:
                self._by_json = True
            else:
                self._has_called = self._has_called or bool(said.calls)
                if self._has_called:
                    return said, spent
                self._by_json = True
        said, more = _in_json(self._model, system, turns, tools, max_tokens, monitor)
        return said, add(spent, more)


def _in_json(
    model: ToolModel, system: str, turns: Sequence[Turn], tools: Sequence[Tool], most: int, monitor: Monitor
) -> tuple[Said, Usage]:
    told = "\n".join(f"- {t.name}({', '.join(t.schema['properties'])}): {t.description}" for t in tools)
    user = "\n\n".join(_in_words(turn) for turn in turns)
    answer, usage = model.complete_json(
        system + _BY_JSON + told, user, _schema(tools), max_tokens=most, monitor=monitor
    )
    given = answer.get("calls") if isinstance(answer, dict) else None
    calls = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    number = sum(len(turn.calls) for turn in turns if isinstance(turn, Said))
    return Said("", tuple(_call(c, tools, number + n) for n, c in enumerate(calls[:MOST_CALLS], 1))), usage


def _call(given: dict[str, Any], tools: Sequence[Tool], number: int) -> ToolCall:
    name = text_of(given.get("tool"))[:100]
    own = next((t.schema["properties"] for t in tools if t.name == name), given)
    return ToolCall(f"call-{number}", name, {key: value for key, value in given.items() if key in own})


def _schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """A single call format for all tools, because servers' grammars handle unions badly."""
    properties: dict[str, Any] = {"tool": {"type": "string", "enum": [t.name for t in tools]}}
    for tool in tools:
        properties |= tool.schema["properties"]
    call = object_of(properties)
    return object_of({"calls": {"type": "array", "items": call}})


def _in_words(turn: Turn) -> str:
    if isinstance(turn, Asked):
        return turn.text
    if isinstance(turn, Said):
        calls = [{"tool": c.name, **c.given} for c in turn.calls]
        return f"You answered: {json.dumps({'calls': calls}, ensure_ascii=False)}"
    return "\n\n".join(f"What came of {id}:\n{text}" for id, text in turn.results)
