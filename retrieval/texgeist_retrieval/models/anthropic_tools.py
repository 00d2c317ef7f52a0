"""Tools in Anthropic's words: what is sent, and what a stream of blocks comes to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..conversation import Asked, Said, Tool, ToolCall, Turn
from .answers import MOST_CALLS, call_of, text_of

if TYPE_CHECKING:
    from anthropic.types import RawMessageStreamEvent

Plain = dict[str, Any]


def messages_of(turns: Sequence[Turn]) -> list[Plain]:
    """The conversation. The first text is marked, so that what repeats with every turn is cached."""
    messages = [_message(turn) for turn in turns]
    first = messages[0]["content"][0] if messages and messages[0]["role"] == "user" else None
    if first and first["type"] == "text":
        first["cache_control"] = {"type": "ephemeral"}
    return messages


def tools_of(tools: Sequence[Tool]) -> list[Plain]:
    return [{"name": t.name, "description": t.description, "input_schema": dict(t.schema)} for t in tools]


def _message(turn: Turn) -> Plain:
    if isinstance(turn, Asked):
        return {"role": "user", "content": [{"type": "text", "text": turn.text}]}
    if isinstance(turn, Said):
        return {"role": "assistant", "content": list(turn.raw) if turn.raw else _blocks(turn)}
    return {"role": "user", "content": [_result(id, text) for id, text in turn.results]}


def _result(id: str, text: str) -> Plain:
    return {"type": "tool_result", "tool_use_id": id, "content": text}


def _blocks(said: Said) -> list[Plain]:
    text: list[Plain] = [{"type": "text", "text": said.text}] if said.text.strip() else []
    return text + [
        {"type": "tool_use", "id": c.id, "name": c.name, "input": dict(c.given)} for c in said.calls
    ]


class Blocks:
    """The blocks of one answer, gathered from its events."""

    def __init__(self) -> None:
        self._blocks: dict[int, Plain] = {}
        self._pieces: dict[int, list[str]] = {}
        self.length = 0  # characters of what is no text

    def take(self, event: RawMessageStreamEvent) -> None:
        if event.type == "content_block_start":
            block = event.content_block
            kept: Plain = {"type": block.type}
            if block.type == "tool_use":
                kept |= {"id": text_of(block.id), "name": text_of(block.name)}
            elif block.type == "redacted_thinking":
                kept["data"] = text_of(block.data)
            elif block.type == "thinking":
                kept["signature"] = text_of(block.signature)
            if len(self._blocks) < 4 * MOST_CALLS:
                self._blocks[event.index], self._pieces[event.index] = kept, []
        elif event.type == "content_block_delta" and event.index in self._blocks:
            delta, pieces = event.delta, self._pieces[event.index]
            if delta.type == "text_delta":
                pieces.append(text_of(delta.text))
            elif delta.type == "thinking_delta":
                pieces.append(text_of(delta.thinking))
            elif delta.type == "input_json_delta":
                pieces.append(text_of(delta.partial_json))
                self.length += len(pieces[-1])
            elif delta.type == "signature_delta":
                self._blocks[event.index]["signature"] = text_of(delta.signature)

    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(
            call_of(block["id"], block["name"], "".join(self._pieces[index]))
            for index, block in self._in_order()
            if block["type"] == "tool_use"
        )[:MOST_CALLS]

    def raw(self) -> list[Plain]:
        """The blocks as they go back: thinking that is not signed, and empty text, would be refused."""
        return [kept for index, block in self._in_order() if (kept := self._whole(index, block))]

    def _in_order(self) -> list[tuple[int, Plain]]:
        return sorted(self._blocks.items())

    def _whole(self, index: int, block: Plain) -> Plain | None:
        text = "".join(self._pieces[index])
        if block["type"] == "text":
            return {"type": "text", "text": text} if text.strip() else None
        if block["type"] == "thinking":
            return {**block, "thinking": text} if block.get("signature") else None
        if block["type"] == "tool_use":
            return {**block, "input": dict(call_of("", "", text).given)}
        return block if block["type"] == "redacted_thinking" else None
