"""Anthropic's models by their SDK, streamed, with the answer's form given as a JSON schema."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import WriterDenied, WriterInvalid, WriterRefused, WriterTruncated
from ..ports import Monitor
from ..types import Usage
from .answers import Price, priced, read_json, status_error, without_key
from .retry import CONNECT, Busy, Stopped, is_loopback, patiently

if TYPE_CHECKING:
    from anthropic import Anthropic
    from anthropic.types import Message

ADDRESS = "https://api.anthropic.com"
MODEL = "claude-sonnet-5-5"


class AnthropicModel:
    """A `LanguageModel`. The key is the one given: neither the environment nor profiles on disk are read.

    `timeout` in seconds bounds one answer with all its tries; `price` is None where it is not known."""

    def __init__(
        self,
        model: str = "",
        api_key: str = "",
        base_url: str = "",
        timeout: float = 120.0,
        price: Price | None = None,
    ) -> None:
        if not api_key:
            raise WriterDenied(
                "There is no key for Anthropic.", "Set ANTHROPIC_API_KEY, or use the extractive writer."
            )
        self._model = model or MODEL
        self._key = api_key
        self._address = base_url or ADDRESS
        self._timeout = timeout
        self.price = price

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
        message = patiently(lambda stop: self._streamed(request, stop), monitor, self._timeout, self.name)
        return self._read(message)

    def prepare(self) -> None:
        """Imports the provider's package and makes the client: a second that the first call would take."""
        _ = self._client

    @cached_property
    def _client(self) -> Anthropic:
        import anthropic

        limits = anthropic.Timeout(self._timeout, connect=CONNECT)
        return anthropic.Anthropic(
            api_key=self._key, base_url=self._address, max_retries=0, timeout=limits, open_telemetry=False
        )

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
        }

    def _streamed(self, request: Mapping[str, Any], stop: threading.Event) -> Message:
        import anthropic
        import httpx2

        try:
            with self._client.messages.stream(**request) as stream:
                for _ in stream:
                    if stop.is_set():
                        raise Stopped
                return stream.get_final_message()
        except anthropic.APIStatusError as error:
            message = without_key(str(error.message), self._key)
            if error.status_code < 400:  # an error event inside the stream
                raise Busy(message[:200]) from None
            raise status_error(error.status_code, message, error.response.headers, self.name) from None
        except anthropic.APITimeoutError:
            raise Busy("it did not answer in time") from None
        except (anthropic.APIConnectionError, httpx2.TransportError) as error:
            raise Busy(f"the connection broke ({type(error).__name__})") from None
        except anthropic.APIError as error:
            raise Busy(without_key(str(error.message), self._key)[:200]) from None

    def _read(self, message: Message) -> tuple[Any, Usage]:
        if message.stop_reason == "refusal":
            raise WriterRefused(
                f"{self.name} declined to answer.", "Try another model, or the extractive writer."
            )
        if message.stop_reason == "max_tokens":
            raise WriterTruncated(
                f"{self.name} was cut off before the end of its answer.", "Ask for fewer papers."
            )
        if message.stop_reason is None:
            raise WriterInvalid(f"{self.name} ended without a word on why.", "Try again.")
        used = message.usage
        written = used.cache_creation_input_tokens or 0
        usage = priced(
            1, used.input_tokens + written, used.output_tokens, used.cache_read_input_tokens or 0, self.price
        )
        text = "".join(block.text for block in message.content if block.type == "text")
        return read_json(text, self.name), usage


_THINKING = 4000  # tokens of room for thinking, which cannot be switched off in current models
