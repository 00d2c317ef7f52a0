"""The two adapters against a real server: what each failure becomes, in what time, and what is sent."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import urlsplit

import pytest
from texgeist_retrieval.errors import (
    Cancelled,
    WriterDenied,
    WriterError,
    WriterInvalid,
    WriterRefused,
    WriterTruncated,
    WriterUnavailable,
)
from texgeist_retrieval.models.openai import EditorModel
from texgeist_retrieval.monitor import Silent, StopEvent
from texgeist_retrieval.writing import AnthropicModel, OpenAIModel

from ...http_server import got, send
from ..model_server import KEY, Turn, model_at

SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string"}},
    "required": ["word"],
    "additionalProperties": False,
}
MARGIN = 1.5  # seconds beyond a bound, for threads that wait for a processor


def ask(model: Any, monitor: Any = None, prefix: str = "") -> Any:
    return model.complete_json(
        "Be brief.", "Say yes.", SCHEMA, max_tokens=50, monitor=monitor or Silent(), cached_prefix=prefix
    )


def test_streams_an_answer_and_counts_it(provider: str, server: Any) -> None:
    server.script = [Turn({"word": "yes"})]
    value, usage = ask(model_at(provider, server.url))
    assert value == {"word": "yes"}
    cached_apart = 110 if provider == "anthropic" else 60
    assert (usage.calls, usage.output_tokens, usage.cached_tokens) == (1, 25, 40)
    assert usage.input_tokens == cached_apart + 40
    assert server.requests[0]["stream"] is True


def test_the_form_is_asked_for_and_what_repeats_is_marked(provider: str, server: Any) -> None:
    server.script = [Turn({"word": "yes"})]
    ask(model_at(provider, server.url), prefix="The draft. ")
    sent = server.requests[0]
    if provider == "anthropic":
        assert sent["output_config"]["format"] == {"type": "json_schema", "schema": SCHEMA}
        first, second = sent["messages"][0]["content"]
        assert first["text"] == "The draft. " and first["cache_control"] == {"type": "ephemeral"}
        assert second["text"] == "Say yes." and "temperature" not in sent and "tool_choice" not in sent
    else:
        assert sent["response_format"]["json_schema"]["schema"] == SCHEMA
        assert sent["messages"][1]["content"] == "The draft. Say yes."
        assert sent["max_tokens"] == 50


@pytest.mark.parametrize(
    ("does", "becomes"),
    [
        ({"answer": {"word": "no"}, "finish": "refusal"}, WriterRefused),
        ({"answer": '{"word": "hal', "finish": "length"}, WriterTruncated),
        ({"status": 401, "message": f"bad key {KEY}"}, WriterDenied),
        ({"status": 403, "message": "no rights"}, WriterDenied),
        ({"status": 404, "message": "no such model"}, WriterDenied),
        ({"status": 400, "message": "too many images"}, WriterInvalid),
    ],
)
def test_failures_that_stay(provider: str, server: Any, does: dict[str, Any], becomes: Any) -> None:
    server.script = [Turn(**does)]
    with pytest.raises(becomes) as caught:
        ask(model_at(provider, server.url))
    assert len(server.requests) == 1
    assert caught.value.help and KEY not in caught.value.sentence()


@pytest.mark.parametrize(
    "does",
    [
        {"status": 429, "headers": {"retry-after": "0.2"}}, {"status": 529, "message": "overloaded"},
        {"status": 500}, {"answer": {"word": "yes, and more of it"}, "breaks": True},
        {"event_error": "Overloaded"},
    ],
)  # fmt: skip
def test_failures_that_pass(provider: str, server: Any, does: dict[str, Any]) -> None:
    server.script = [Turn(**does), Turn({"word": "yes"})]
    started = time.monotonic()
    assert ask(model_at(provider, server.url))[0] == {"word": "yes"}
    assert len(server.requests) == 2
    if "headers" in does:
        assert time.monotonic() - started >= 0.2


@pytest.mark.parametrize("does", [{"hangs": True}, {"stalls": True}])
def test_silence_is_bounded(provider: str, server: Any, does: dict[str, Any]) -> None:
    server.script = [Turn({"word": "a long answer"}, **does)]
    model = model_at(provider, server.url, timeout=1.0)
    started = time.monotonic()
    with pytest.raises(WriterUnavailable):
        ask(model)
    assert 0.9 < time.monotonic() - started < 1.0 + MARGIN


@pytest.mark.parametrize("does", [{"hangs": True}, {"stalls": True}])
def test_cancel_does_not_wait_for_the_server(provider: str, server: Any, does: dict[str, Any]) -> None:
    server.script = [Turn({"word": "a long answer"}, **does)]
    stop, model = threading.Event(), model_at(provider, server.url, timeout=30.0)
    threading.Timer(0.3, stop.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        ask(model, StopEvent(stop, lambda *_: None))
    assert time.monotonic() - started < 0.3 + MARGIN


def test_a_server_without_schemas_is_asked_in_another_way_and_remembered(server: Any) -> None:
    def old_server(request: dict[str, Any]) -> Any:
        if request.get("response_format", {}).get("type") == "json_schema":
            return Turn(status=400, message="'response_format.type' must be 'text' or 'json_object'")
        return Turn({"word": "yes"})

    server.brain = old_server
    model = model_at("openai", server.url)
    assert ask(model)[0] == {"word": "yes"}
    assert ask(model)[0] == {"word": "yes"}
    kinds = [r.get("response_format", {}).get("type") for r in server.requests]
    assert kinds == ["json_schema", "json_object", "json_object"]
    assert '"additionalProperties": false' in server.requests[1]["messages"][0]["content"]


def test_a_server_that_ignores_the_schema_is_told_it_in_words(server: Any) -> None:
    server.script = [Turn("Yes, gladly."), Turn({"word": "yes"})]
    assert ask(model_at("openai", server.url))[0] == {"word": "yes"}
    assert "JSON object of this schema" in server.requests[1]["messages"][0]["content"]


def test_lists_have_an_end_for_models_on_this_machine(server: Any) -> None:
    schema = {"type": "object", "properties": {"words": {"type": "array", "items": {"type": "string"}}}}
    server.script = [Turn({"words": []})]
    model_at("openai", server.url).complete_json("s", "u", schema, max_tokens=9, monitor=Silent())
    sent = server.requests[0]["response_format"]["json_schema"]["schema"]
    assert sent["properties"]["words"]["maxItems"] == 12 and "maxItems" not in str(schema)


def test_a_server_that_names_the_length_otherwise(server: Any) -> None:
    def picky(request: dict[str, Any]) -> Any:
        if "max_tokens" in request:
            return Turn(
                status=400, message="Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'."
            )
        return Turn({"word": "yes"})

    server.brain = picky
    assert ask(model_at("openai", server.url))[0] == {"word": "yes"}


def test_keys_are_those_given(provider: str, server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "OPENAI_ORG_ID"):
        monkeypatch.setenv(name, "from-the-environment")
    server.script = [Turn({"word": "yes"})]
    ask(model_at(provider, server.url))
    assert "from-the-environment" not in str(server.headers[0]) and KEY in str(server.headers[0])


def test_without_a_key_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "from-the-environment")
    monkeypatch.setenv("OPENAI_API_KEY", "from-the-environment")
    for model in (AnthropicModel, OpenAIModel):
        with pytest.raises(WriterDenied):
            model("test")


def test_keys_are_not_logged(provider: str, server: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server.script = [Turn(status=500), Turn({"word": "yes"})]
    ask(model_at(provider, server.url))
    assert KEY not in caplog.text


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://127.0.0.1:1234/v1", True), ("http://localhost:8080", True), ("http://[::1]:80/v1", True),
        ("https://api.example.org/v1", False), ("http://127.0.0.1.example.org/", False),
        ("http://10.0.0.3/v1", False),
    ],
)  # fmt: skip
def test_local_is_this_machine_alone(address: str, local: bool) -> None:
    assert OpenAIModel("m", KEY, address).local is local
    assert AnthropicModel("m", KEY, address).local is local


def test_the_editors_models_are_asked_at_their_port_in_plain_words(server: Any) -> None:
    """The door that the extension opens: its token, no form that it would refuse, and nothing local about it."""
    server.script = [Turn({"word": "yes"})]
    model = EditorModel("", f"{server.url.rpartition(':')[2]}:token-0123456789", timeout=20.0)
    assert ask(model)[0] == {"word": "yes"} and not model.local
    assert server.headers[0]["authorization"] == "Bearer token-0123456789"
    assert server.requests[0]["model"] == "auto" and "response_format" not in server.requests[0]


@pytest.mark.parametrize(
    "key", ["", "token", "0:x", "80", "80:", "99999:x", "²:x", "http://example.org:80:x"]
)
def test_what_is_no_port_with_a_token_is_asked_of_nobody(key: str) -> None:
    with pytest.raises(WriterDenied, match="has not said where its models are"):
        EditorModel("", key)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.1.1", "localhost.", "a.localhost"])
def test_a_proxy_of_the_environment_never_sees_what_is_asked_on_this_machine(
    provider: str, server: Any, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    port, seen = urlsplit(server.url).port, []

    def refuse(asked: BaseHTTPRequestHandler) -> None:
        seen.append(asked.path)
        send(asked, 502, b"")

    with got(refuse) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        server.script = [Turn({"word": "yes"})]
        made = AnthropicModel if provider == "anthropic" else OpenAIModel
        one = made("test", KEY, f"http://{host}:{port}/v1".removesuffix("/v1" * (provider == "anthropic")))
        if host in ("127.0.0.1", "localhost"):
            assert ask(one)[0] == {"word": "yes"}
        else:  # nobody need answer there
            with contextlib.suppress(WriterError):
                ask(one)
    assert not seen


def test_json_in_a_fence_after_talk_is_read(server: Any) -> None:
    server.script = [
        Turn('<think>{"word": 1}</think>Here you are:\n```json\n{"word": "yes"}\n```\nAnything else?')
    ]
    assert ask(model_at("openai", server.url))[0] == {"word": "yes"}
