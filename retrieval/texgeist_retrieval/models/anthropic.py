"""Anthropic's models by their Messages API, streamed, with a JSON schema for the answer."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..addresses import is_loopback
from ..conversation import Asked, Said, Tool, ToolCall, Turn
from ..errors import WriterDenied
from ..ports import Monitor
from ..types import Usage
from .answers import MOST_CALLS, Answer, call_of, count_of, read_json, text_of, usage_of
from .failures import as_writer_errors, cut_off, endless, refused
from .retry import Stopped, TransientFailure, patiently

if TYPE_CHECKING:
    from .client import Connection

ADDRESS = "https://api.anthropic.com"
MODEL = "claude-sonnet-5-5"


class AnthropicModel:
    """A `LanguageModel`. Only the given key is used: neither the environment nor profiles on disk are read.
    `timeout` in seconds limits an answer including all tries."""

    def __init__(
        self,
        model: str = "",
        api_key: str = "",
        base_url: str = "",
        timeout: float = 120.0,
    ) -> None:
        if not api_key:
            raise WriterDenied(
                "There is no key for Anthropic.", "Set ANTHROPIC_API_KEY, or use the extractive writer."
            )
        self._model = model or MODEL
        self._key = api_key
        self._address = base_url or ADDRESS
        self._timeout = timeout

    @property
    def name(self) -> str:
        return f"anthropic {self._model}"

    @property
    def local(self) -> bool:
        return is_loopback(self._address)

    def complete_json(
        self, system: str, user: str, schema: Mapping[str, Any], *,
        max_tokens: int, monitor: Monitor, cached_prefix: str = "",
    ) -> tuple[Any, Usage]:  # fmt: skip
        """Raises the `WriterError`s and `Cancelled`. `max_tokens` includes the model's thinking."""
        request = self._request(system, user, schema, max_tokens, cached_prefix)
        answer = self._answered(request, max_tokens, monitor)
        return read_json(answer.text, self.name), usage_of(answer, answer.input_tokens + answer.cached_tokens)

    def complete_with_tools(
        self, system: str, turns: Sequence[Turn], tools: Sequence[Tool], *, max_tokens: int, monitor: Monitor
    ) -> tuple[Said, Usage]:
        """Raises the `WriterError`s, including `ToolsUnknown`, and `Cancelled`."""
        request = {
            "model": self._model,
            "max_tokens": max_tokens + _THINKING,
            "system": system,
            "messages": messages_of(turns),
            "tools": tools_of(tools),
            "stream": True,
        }
        answer = self._answered(request, max_tokens, monitor)
        return Said(answer.text, answer.calls, answer.raw), usage_of(
            answer, answer.input_tokens + answer.cached_tokens
        )

    def _answered(self, request: Mapping[str, Any], max_tokens: int, monitor: Monitor) -> Answer:
        """Returns a complete answer. Raises `WriterRefused` and `WriterTruncated`."""
        most = _RAMBLING * (max_tokens + _THINKING)
        answer = patiently(
            lambda stop: self._streamed(request, most, stop), monitor, self._timeout, self.name
        )
        if answer.finish == "refusal":
            raise refused(self.name)
        if answer.finish == "max_tokens":
            raise cut_off(self.name)
        return answer

    def prepare(self) -> None:
        """Imports the HTTP library, so that this does not delay the first call."""
        _ = self._connection

    @cached_property
    def _connection(self) -> Connection:
        from .client import Connection

        headers = {"x-api-key": self._key, "anthropic-version": "2023-06-01"}
        return Connection(f"{self._address.rstrip('/')}/v1/messages", headers, self._timeout)

    def _request(
        self, system: str, user: str, schema: Mapping[str, Any], max_tokens: int, prefix: str
    ) -> dict[str, Any]:
        cached = [{"type": "text", "text": prefix, "cache_control": {"type": "ephemeral"}}] if prefix else []
        return {
            "model": self._model,
            "max_tokens": max_tokens + _THINKING,
            "system": system,
            "messages": [{"role": "user", "content": [*cached, {"type": "text", "text": user}]}],
            "output_config": {"format": {"type": "json_schema", "schema": dict(schema)}},
            "stream": True,
        }

    def _streamed(self, request: Mapping[str, Any], most: int, stop: threading.Event) -> Answer:
        with as_writer_errors(self.name, self._key, request):
            return _collected(self._connection.events(request), stop, most, self.name)


def _collected(events: Iterable[Any], stop: threading.Event, most: int, name: str) -> Answer:
    """The complete answer without thinking. Raises `TransientFailure` for a stream that ends without a stop
    reason, because it was interrupted."""
    answer, pieces, length, blocks = Answer(), [], 0, Blocks()
    for event in events:
        if stop.is_set():
            raise Stopped
        blocks.take(event)
        if event.type == "message_start":
            used = event.message.usage
            written = count_of(used.cache_creation_input_tokens)
            answer.input_tokens = count_of(used.input_tokens) + written
            answer.cached_tokens = count_of(used.cache_read_input_tokens)
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            pieces.append(text_of(event.delta.text))
            length += len(pieces[-1])
        elif event.type == "message_delta":
            answer.finish = text_of(event.delta.stop_reason) or answer.finish
            answer.output_tokens = count_of(event.usage.output_tokens)
        if length + blocks.length > most:
            raise endless(name)
    if answer.finish is None:
        raise TransientFailure("its answer broke off")
    answer.text = "".join(pieces)
    answer.calls, answer.raw = blocks.calls(), blocks.raw()
    return answer


_RAMBLING = 8  # characters per token beyond which a server clearly ignores max_tokens
_THINKING = 4000  # tokens for thinking, which cannot be switched off in current models


# Tools in Anthropic's protocol: requests, and the blocks of a stream.

Plain = dict[str, Any]


def messages_of(turns: Sequence[Turn]) -> list[Plain]:
    """The conversation. The first text is marked for caching, because it repeats with every turn."""
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
    results = ({"type": "tool_result", "tool_use_id": id, "content": text} for id, text in turn.results)
    return {"role": "user", "content": [*results]}


def _blocks(said: Said) -> list[Plain]:
    text: list[Plain] = [{"type": "text", "text": said.text}] if said.text.strip() else []
    return text + [
        {"type": "tool_use", "id": c.id, "name": c.name, "input": dict(c.given)} for c in said.calls
    ]


_KEPT = {"tool_use": ("id", "name"), "redacted_thinking": ("data",), "thinking": ("signature",)}


class Blocks:
    """The blocks of an answer, collected from its events."""

    def __init__(self) -> None:
        self._blocks: dict[int, Plain] = {}
        self._pieces: dict[int, list[str]] = {}
        self.length = 0  # characters of the arguments of tool calls

    def take(self, event: Any) -> None:
        if event.type == "content_block_start" and len(self._blocks) < 4 * MOST_CALLS:
            block, kept = event.content_block, _KEPT.get(event.content_block.type, ())
            self._blocks[event.index] = {"type": block.type} | {key: text_of(block.get(key)) for key in kept}
            self._pieces[event.index] = []
        elif event.type == "content_block_delta" and event.index in self._blocks:
            delta = event.delta
            self._pieces[event.index].extend(map(text_of, (delta.text, delta.thinking, delta.partial_json)))
            self.length += len(text_of(delta.partial_json))
            if delta.type == "signature_delta":
                self._blocks[event.index]["signature"] = text_of(delta.signature)

    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(
            call_of(block["id"], block["name"], "".join(self._pieces[index]))
            for index, block in self._in_order()
            if block["type"] == "tool_use"
        )[:MOST_CALLS]

    def raw(self) -> list[Plain]:
        """The blocks to send back. Unsigned thinking and empty text are left out, because they would be
        refused."""
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
