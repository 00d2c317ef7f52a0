"""Anthropic's models by their Messages API, streamed, with a JSON schema for the answer."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..addresses import is_loopback
from ..errors import WriterDenied
from ..ports import Monitor
from ..types import Usage
from .answers import Answer, count_of, read_json, text_of, usage_of
from .failures import as_writer_errors, cut_off, refused
from .retry import patiently
from .streamed import RAMBLING, THINKING, collected

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

    def _answered(self, request: Mapping[str, Any], max_tokens: int, monitor: Monitor) -> Answer:
        """Returns a complete answer. Raises `WriterRefused` and `WriterTruncated`."""
        most = RAMBLING * (max_tokens + THINKING)
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
            "max_tokens": max_tokens + THINKING,
            "system": system,
            "messages": [{"role": "user", "content": [*cached, {"type": "text", "text": user}]}],
            "output_config": {"format": {"type": "json_schema", "schema": dict(schema)}},
            "stream": True,
        }

    def _streamed(self, request: Mapping[str, Any], most: int, stop: threading.Event) -> Answer:
        with as_writer_errors(self.name, self._key):
            return collected(self._connection.events(request), _read, stop, most, self.name)


def _read(event: Any, answer: Answer) -> str:
    """The text of an event; thinking is left out."""
    if event.type == "message_start":
        used = event.message.usage
        answer.input_tokens = count_of(used.input_tokens) + count_of(used.cache_creation_input_tokens)
        answer.cached_tokens = count_of(used.cache_read_input_tokens)
    elif event.type == "content_block_delta" and event.delta.type == "text_delta":
        return text_of(event.delta.text)
    elif event.type == "message_delta":
        answer.finish = text_of(event.delta.stop_reason) or answer.finish
        answer.output_tokens = count_of(event.usage.output_tokens)
    return ""
