"""Anthropic's models by their SDK, streamed, with the answer's form given as a JSON schema."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..addresses import is_loopback
from ..conversation import Said, Tool, Turn
from ..errors import WriterDenied
from ..ports import Monitor
from ..types import Usage
from .answers import Answer, count_of, read_json, text_of, usage_of
from .anthropic_tools import Blocks, messages_of, tools_of
from .failures import cut_off, endless, refused, told_plainly
from .retry import CONNECT, Busy, Stopped, patiently

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import RawMessageStreamEvent

ADDRESS = "https://api.anthropic.com"
MODEL = "claude-sonnet-5-5"


class AnthropicModel:
    """A `LanguageModel`. The key is the one given: neither the environment nor profiles on disk are read.

    `timeout` in seconds bounds one answer with all its tries."""

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
        """Raises the `WriterError`s and `Cancelled`. `max_tokens` counts the model's thinking too."""
        request = self._request(system, user, schema, max_tokens, cached_prefix)
        answer = self._answered(request, max_tokens, monitor)
        return read_json(answer.text, self.name), usage_of(answer, answer.input_tokens + answer.cached_tokens)

    def complete_with_tools(
        self, system: str, turns: Sequence[Turn], tools: Sequence[Tool], *, max_tokens: int, monitor: Monitor
    ) -> tuple[Said, Usage]:
        """Raises the `WriterError`s, `ToolsUnknown` among them, and `Cancelled`."""
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
        """A whole answer. Raises `WriterRefused`, `WriterTruncated` for one that is none."""
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
        """Imports the provider's package and makes the client: a second that the first call would take."""
        _ = self._client

    @cached_property
    def _client(self) -> Anthropic:
        import anthropic

        from .client import model_client

        limits = anthropic.Timeout(self._timeout, connect=CONNECT)
        return anthropic.Anthropic(
            api_key=self._key, base_url=self._address, max_retries=0, timeout=limits, open_telemetry=False,
            http_client=model_client(self._address, self._timeout, CONNECT),
        )  # fmt: skip

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
        import anthropic

        with (
            told_plainly(anthropic, self.name, self._key, request),
            self._client.messages.create(**request) as events,
        ):
            return _collected(events, stop, most, self.name)


def _collected(
    events: Iterable[RawMessageStreamEvent], stop: threading.Event, most: int, name: str
) -> Answer:
    """The whole answer, its thinking left out. A stream that ends without a reason was broken off."""
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
        raise Busy("its answer broke off")
    answer.text = "".join(pieces)
    answer.calls, answer.raw = blocks.calls(), blocks.raw()
    return answer


_RAMBLING = 8  # characters a token beyond which a server plainly ignores max_tokens
_THINKING = 4000  # tokens of room for thinking, which cannot be switched off in current models
