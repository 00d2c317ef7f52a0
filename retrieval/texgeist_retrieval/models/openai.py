"""Any server with OpenAI's chat protocol: OpenAI, Azure, Gemini, Mistral, LM Studio, Ollama, llama.cpp, vLLM.

They differ in how the format of an answer is requested. The strictest way is tried first. If a server refuses
it, the next way is used from then on; if a server ignores it and answers in prose, the format is described in
the prompt from then on."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from ..addresses import is_loopback
from ..errors import WriterDenied, WriterInvalid
from ..ports import Monitor
from ..types import Usage
from .answers import Answer, count_of, read_json, text_of, usage_of
from .failures import as_writer_errors, cut_off, refused
from .retry import patiently
from .streamed import RAMBLING, THINKING, collected
from .structured_call import bounded

if TYPE_CHECKING:
    from .client import Connection

ADDRESS = "https://api.openai.com/v1"
MODEL = "gpt-5"
LIMITS = ("max_tokens", "max_completion_tokens")
WAYS = ("json_schema", "json_object", "prompt")


class _OtherWay(Exception):
    """The server does not support this way of requesting a format."""


class _OtherName(Exception):
    """The server uses the other parameter name for the maximal length."""


class OpenAIModel:
    """A `LanguageModel`. `base_url` is the server's address, including `/v1`. A server on this machine needs
    no key. `timeout` in seconds limits an answer including all tries."""

    def __init__(
        self,
        model: str = "",
        api_key: str = "",
        base_url: str = "",
        timeout: float = 120.0,
    ) -> None:
        self._address = base_url or ADDRESS
        if not api_key and self._address == ADDRESS:
            raise WriterDenied(
                "There is no key for OpenAI.", "Set OPENAI_API_KEY, or use the extractive writer."
            )
        self._model = model or MODEL
        self._key = api_key
        self._timeout = timeout
        self._way = 0  # index into WAYS, never decreases
        self._renamed = False
        self._limit = LIMITS[self._is_openai]

    @property
    def name(self) -> str:
        return f"openai {self._model}"

    @property
    def local(self) -> bool:
        return is_loopback(self._address)

    @property
    def _is_openai(self) -> bool:
        return self._address == ADDRESS

    def complete_json(
        self, system: str, user: str, schema: Mapping[str, Any], *,
        max_tokens: int, monitor: Monitor, cached_prefix: str = "",
    ) -> tuple[Any, Usage]:  # fmt: skip
        """Raises the `WriterError`s and `Cancelled`. `cached_prefix` is sent before `user`, because these
        servers cache repeated beginnings of prompts."""
        while True:
            way = self._way
            request = self._request(system, cached_prefix + user, schema, WAYS[way])
            try:
                answer = self._answered(request, max_tokens, monitor)
            except _OtherWay:
                self._way = max(self._way, way + 1)
                continue
            try:
                return read_json(answer.text, self.name), usage_of(
                    answer, max(answer.input_tokens, answer.cached_tokens)
                )
            except WriterInvalid:
                if WAYS[way] != "json_schema":
                    raise
                self._way = len(WAYS) - 1  # the server ignored the requested format

    def _answered(self, request: Mapping[str, Any], max_tokens: int, monitor: Monitor) -> Answer:
        """Returns a complete answer. Raises `WriterRefused` and `WriterTruncated`."""
        while True:
            limit = self._limit
            limited = {**request, limit: max_tokens + (THINKING if self._is_openai else 0)}
            stream = partial(self._streamed, limited, max_tokens)
            try:
                answer = patiently(stream, monitor, self._timeout, self.name, self._address)
                break
            except _OtherName:
                self._rename(limit)
        if answer.refusal or answer.finish == "content_filter":
            raise refused(self.name)
        if answer.finish == "length":
            raise cut_off(self.name)
        return answer

    def _rename(self, limit: str) -> None:
        """Switches to the other name of the parameter that limits the answer; only once if parallel calls
        fail together. Raises `WriterInvalid` if the server rejects both names."""
        if self._renamed and limit == self._limit:
            raise WriterInvalid(f"{self.name} takes no limit on its answer's length.")
        self._renamed = True
        self._limit = LIMITS[1 - LIMITS.index(limit)]

    def prepare(self) -> None:
        """Imports the HTTP library, so that this does not delay the first call."""
        _ = self._connection

    @cached_property
    def _connection(self) -> Connection:
        return connection_to(self._address, self._key, self._timeout)

    def _request(self, system: str, user: str, schema: Mapping[str, Any], way: str) -> dict[str, Any]:
        if way != "json_schema":
            system += (
                f"\n\nAnswer with one JSON object of this schema and nothing else:\n{json.dumps(schema)}"
            )
        schema = bounded(schema) if self.local else schema  # a grammar enforces the lengths of lists
        form: dict[str, Any] = {
            "json_schema": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": dict(schema)},
            },
            "json_object": {"type": "json_object"},
        }
        return {
            **self._common(),
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
            **({"response_format": form[way]} if way in form else {}),
        }

    def _common(self) -> dict[str, Any]:
        return {
            "model": self._model,
            "stream": True,
            # Keeps small models to the subject; others refuse the parameter.
            **({"temperature": 0.2} if self.local else {}),
            "stream_options": {"include_usage": True},
        }

    def _streamed(self, request: Mapping[str, Any], max_tokens: int, stop: threading.Event) -> Answer:
        def special(status: int, message: str) -> Exception | None:
            return _asked_otherwise(status, message.lower(), request)

        with as_writer_errors(self.name, self._key, special):
            return collected(self._connection.events(request), _read, stop, RAMBLING * max_tokens, self.name)


def connection_to(address: str, key: str, seconds: float) -> Connection:
    """The server at `address`, with `seconds` for an answer."""
    from .client import Connection

    url = f"{address.rstrip('/')}/chat/completions"
    return Connection(url, {"Authorization": f"Bearer {key or 'none'}"}, seconds)


def _asked_otherwise(status: int, message: str, request: Mapping[str, Any]) -> Exception | None:
    """The exception if the server does not support the requested format or parameter name, else None."""
    if status not in (400, 404, 415, 422, 500, 501):
        return None
    if "unsupported" in message and any(f"'{limit}'" in message and limit in request for limit in LIMITS):
        return _OtherName()
    forms = ("response_format", "json_schema", "json schema", "schema", "grammar")
    return _OtherWay() if "response_format" in request and any(form in message for form in forms) else None


def _read(chunk: Any, answer: Answer) -> str:
    if chunk.usage:
        answer.input_tokens = count_of(chunk.usage.prompt_tokens)
        answer.output_tokens = count_of(chunk.usage.completion_tokens)
        details = chunk.usage.prompt_tokens_details
        answer.cached_tokens = count_of(details.cached_tokens) if details else 0
    text = ""
    for choice in (chunk.choices or ())[:1]:  # some servers send null in chunks without text
        if delta := choice.delta:
            answer.refusal += text_of(delta.refusal)
            text = text_of(delta.content)
        answer.finish = text_of(choice.finish_reason) or answer.finish
    return text


class EditorModel(OpenAIModel):
    """The editor's models: GitHub Copilot and others available in VS Code. The editor's extension serves them
    on a local port, with the part of OpenAI's protocol that is used here: prompts in, text out.

    `api_key` is "PORT:TOKEN" from the extension; `model` an id, a family or a name in the editor."""

    def __init__(self, model: str = "", api_key: str = "", timeout: float = 120.0) -> None:
        port, _, token = api_key.partition(":")
        if not (port.isascii() and port.isdecimal() and 0 < int(port) < 65_536 and token):
            raise WriterDenied(
                "The editor has not said where its models are.", "Restart texgeist in the editor."
            )
        super().__init__(model or "auto", token, f"http://127.0.0.1:{port}/v1", timeout=timeout)
        self._way = WAYS.index("prompt")

    @property
    def name(self) -> str:
        return f"editor {self._model}"

    @property
    def local(self) -> bool:
        """False: the port is local, but the models may run anywhere."""
        return False
