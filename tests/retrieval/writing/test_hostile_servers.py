"""Servers in a model's place that are no models, or mean harm: each ends in one of the writer's errors,
which the extractive writer stands in for, after a bounded number of bytes."""

from __future__ import annotations

import gzip
import json
import time
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from texgeist_retrieval.errors import WriterDenied, WriterError, WriterInvalid
from texgeist_retrieval.models.answers import read_json
from texgeist_retrieval.models.client import event_data
from texgeist_retrieval.monitor import Silent

from ..hostile_server import Say, answer, endless, hostile
from ..model_server import model_at

SCHEMA = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
MB = 2**20
STREAM = {"content_type": "text/event-stream"}


def ask(provider: str, say: Say, seconds: float = 20.0) -> tuple[Any, int]:
    """The answer and the number of requests."""
    with hostile(say) as server:
        value, _ = ask_at(provider, server.url, seconds)
        return value, len(server.asked)


@pytest.fixture
def peak() -> Iterator[list[float]]:
    """Megabytes that Python held at most during the test."""
    found: list[float] = []
    tracemalloc.start()
    yield found
    found.append(tracemalloc.get_traced_memory()[1] / MB)
    tracemalloc.stop()


def event(data: object, name: str = "") -> bytes:
    text = data if isinstance(data, str) else json.dumps(data)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


LOGIN = b"<!DOCTYPE html><html><body><form action='/login'>Please log in</form></body></html>"
DEEP = "[" * 100_000


def openai_stream(content: Any, **more: Any) -> bytes:
    choice = {"index": 0, "delta": {"content": content}, "finish_reason": "stop"}
    return event({"id": "c", "object": "chat.completion.chunk", "choices": [choice], **more})


def anthropic_stream(text: Any, usage: Any = None, reason: Any = "end_turn") -> bytes:
    counts = {"input_tokens": 1, "output_tokens": 1} if usage is None else usage
    message: dict[str, Any] = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "content": [],
        "usage": counts,
    }
    block = {"type": "text", "text": ""}
    return b"".join(
        event({"type": name, **data}, name)
        for name, data in (
            ("message_start", {"message": message}),
            ("content_block_start", {"index": 0, "content_block": block}),
            ("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": text}}),
            ("message_delta", {"delta": {"stop_reason": reason}, "usage": {"output_tokens": 2}}),
            ("message_stop", {}),
        )
    )


MALFORMED = {
    "nothing": b"",
    "plain text": b"hello\n\n",
    "no JSON": event("{{{", "message_start"),
    "a number": event(5, "message_start") + event(5),
    "null": event(None, "message_start") + event(None),
    "a list": event([], "message_start") + event([[]]),
    "deep": event(DEEP, "message_start") + event(DEEP),
    "a long number": event("9" * 5000, "message_start") + event("9" * 5000),
    "bad UTF-8": b"event: message_start\ndata: \xff\xfe\n\n",
    "choices a word": event({"choices": "stop"}),
    "choices of words": event({"choices": ["stop", 3]}),
    "no delta": event({"choices": [{"index": 0, "delta": None, "finish_reason": "stop"}]}),
    "content a list": openai_stream([DEEP]),
    "usage a word": openai_stream("{}", usage="much"),
    "details a list": openai_stream("{}", usage={"prompt_tokens_details": [1]}),
    "delta first": event(
        {"type": "content_block_delta", "index": 7, "delta": {"type": "text_delta", "text": "x"}},
        "content_block_delta",
    ),
    "no message": event({"type": "message_start"}, "message_start"),
    "message a list": event({"type": "message_start", "message": [1]}, "message_start"),
    "no usage": anthropic_stream("{}", usage="none"),
    "text a number": anthropic_stream(7),
    "reason a list": anthropic_stream("{}", reason=["x"]),
    "an error of no form": event({"type": "error", "error": "x"}, "error") + event({"error": ["x"]}),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_stream_is_one_of_the_writers_errors(provider: str, name: str) -> None:
    try:
        value, _ = ask(provider, answer(200, MALFORMED[name], **STREAM), seconds=5.0)
    except WriterError as error:
        assert error.help
    else:
        assert value == {}  # what was odd was not the answer


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_events_end_with_empty_lines_however_they_arrive(size: int) -> None:
    sent = 'data: "a\u2028b"\r\n\r\n: a comment\r\n\r\ndata: [1,\ndata: 2]\n\nevent: x\rdata:3\r\rdata: cut'.encode()
    chunks = [sent[at : at + size] for at in range(0, len(sent), size)]
    assert [json.loads(data) for data in event_data(chunks)] == ["a\u2028b", [1, 2], 3]


@pytest.mark.parametrize(
    "text",
    [DEEP, '{"word":' + DEEP, '{"a":' * 20_000, DEEP + "]" * 100_000, '{"word": "\\ud800"}', '{"word": NaN}',
     '{"n": ' + "9" * 5000 + "}", "<think>" * 50_000, "```{" * 50_000, '{"' * 50_000],
)  # fmt: skip
def test_answers_that_are_no_json_are_refused_in_words(provider: str, text: str) -> None:
    with pytest.raises(WriterError):
        made = anthropic_stream(text) if provider == "anthropic" else openai_stream(text)
        ask(provider, answer(200, made, **STREAM))
    with pytest.raises(WriterInvalid):
        read_json(text, "a model")


@pytest.mark.parametrize("kind", ["text/html", "text/html; charset=utf-8", "application/xhtml+xml"])
def test_a_page_to_log_in_is_named_and_asked_once(provider: str, kind: str) -> None:
    with hostile(answer(200, LOGIN, content_type=kind)) as server:
        with pytest.raises(WriterDenied, match="web page"):
            ask_at(provider, server.url)
        assert len(server.asked) == 1


def ask_at(provider: str, url: str, seconds: float = 20.0) -> Any:
    model = model_at(provider, url, seconds)
    return model.complete_json("s", "a secret draft", SCHEMA, max_tokens=50, monitor=Silent())


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_prompt_follows_no_redirect(provider: str, status: int) -> None:
    with hostile(answer(200, b"{}")) as other:
        location = f"{other.url}/v1/elsewhere"
        with pytest.raises(WriterDenied, match="another address") as caught:
            ask(provider, answer(status, b"", location=location))
        assert other.url in str(caught.value)
        assert other.asked == []


@pytest.mark.parametrize("location", ["javascript:alert(1)", "//", "http://[", "\x1b[31m", ""])
def test_a_redirect_to_nowhere_is_an_error_in_words(provider: str, location: str) -> None:
    with pytest.raises(WriterError) as caught:
        ask(provider, answer(307, b"", location=location))
    assert "\x1b" not in caught.value.sentence() and "javascript" not in caught.value.sentence()


@pytest.mark.parametrize("status", [400, 401, 500])
def test_an_endless_error_is_cut(provider: str, status: int, peak: list[float]) -> None:
    took: list[int] = []
    with pytest.raises(WriterError):
        ask(provider, endless(status, b"e" * 65536, 400 * MB, took))
    wait = time.monotonic() + 20  # until the server has noticed that nobody reads any more
    while not took and time.monotonic() < wait:
        time.sleep(0.05)
    assert took and max(took) < 30 * MB  # what the sockets hold and the client never took
    assert tracemalloc.get_traced_memory()[1] < 40 * MB


@pytest.mark.parametrize(
    "piece",
    [b"d" * 65536, b": keep waiting\n" * 4000, b"data: x\n" * 8000, b"\r\n" * 30_000, b"event: ping\n\n" * 5000,
     b"event: ping\ndata: {}\n\n" * 3000],
)  # fmt: skip
def test_an_endless_stream_is_ended(provider: str, piece: bytes, peak: list[float]) -> None:
    took: list[int] = []
    with pytest.raises(WriterError):
        ask(provider, endless(200, piece, 400 * MB, took, **STREAM), seconds=8.0)
    assert tracemalloc.get_traced_memory()[1] < 100 * MB


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip", "br"])
@pytest.mark.parametrize("status", [200, 400])
def test_a_packed_answer_is_never_unpacked(provider: str, coding: str, status: int) -> None:
    bomb = gzip.compress(b"\0" * 100 * MB)
    tracemalloc.start()
    with pytest.raises(WriterError):
        ask(provider, answer(status, bomb, content_encoding=coding, **STREAM))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * MB


def test_a_terminal_is_not_written_to(provider: str) -> None:
    body = json.dumps({"error": {"message": "\x1b]0;owned\x07\x1b[31mred\u202e", "type": "x"}}).encode()
    with pytest.raises(WriterError) as caught:
        ask(provider, answer(400, body, content_type="application/json"))
    assert not {"\x1b", "\x07", "\u202e"} & set(caught.value.sentence())
