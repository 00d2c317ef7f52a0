"""Whatever answers at the model's address: a writer's error says so, and nothing is written."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from texgeist_retrieval.errors import WriterError
from texgeist_retrieval.pipeline import related_work
from texgeist_retrieval.ports import LanguageModel
from texgeist_retrieval.services import Options
from texgeist_retrieval.types import Paper
from texgeist_retrieval.writing import AnthropicModel, ModelWriter, OpenAIModel

from ..hostile_server import Say, answer, hostile
from .conftest import Recorder, World, about

STREAM = {"content_type": "text/event-stream"}
QUERY = "red fish swim in deep cold water"
ODD: tuple[Any, ...] = (
    None, 0, -1.5, True, "x", [], {}, [None], [[]], [{}], {"x": []}, "\x00", ["a", 5], 10**30,
)  # fmt: skip
NAMES = ("plan", "section", "corrections", "number", "kind", "text", "paper", "reason", "title", "papers", "summary", "passages", "id", "relevance", "supports")  # fmt: skip


def openai_says(text: str) -> bytes:
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": "stop"}
    chunk = {"id": "c", "object": "chat.completion.chunk", "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()


def anthropic_says(text: str) -> bytes:
    usage = {"input_tokens": 1, "output_tokens": 1}
    events = (
        {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": [], "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        {"type": "message_stop"},
    )
    return b"".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in events)


ATTACKS: dict[str, Callable[[Callable[[str], bytes]], Say]] = {
    "a page to log in": lambda _: answer(200, b"<html>log in</html>", content_type="text/html"),
    "a page without a kind": lambda _: answer(200, b"<html>log in</html>"),
    "no JSON in the stream": lambda _: answer(200, b"event: message_start\ndata: {{{\n\n", **STREAM),
    "brackets in the stream": lambda _: answer(
        200, b"event: message_start\ndata: " + b"[" * 100_000 + b"\n\n", **STREAM
    ),
    "brackets in the answer": lambda says: answer(200, says("[" * 100_000), **STREAM),
    "braces in the answer": lambda says: answer(200, says('{"section":' * 20_000), **STREAM),
    "half a character": lambda says: answer(200, says('{"section": "\\ud800"}'), **STREAM),
    "nothing": lambda _: answer(200, b"", **STREAM),
    "another address": lambda _: answer(307, b"", location="http://127.0.0.2:9/v1"),
}


@pytest.fixture
def papers() -> list[Paper]:
    words = QUERY.split()
    return [
        Paper(
            f"2401.{i:05d}",
            f"Title {i}",
            f"We show that {' '.join(words[: 7 - i % 3])} w{i}.",
            ("A. B",),
            2024,
        )
        for i in range(6)
    ]


def refused_from(provider: str, say: Say, papers: Sequence[Paper]) -> None:
    with hostile(say) as server:
        model: LanguageModel = (
            AnthropicModel("test", "sk-test-0123456789", server.url, 20.0)
            if provider == "anthropic"
            else OpenAIModel("test", "sk-test-0123456789", f"{server.url}/v1", timeout=20.0)
        )
        given = World(papers).services(writer=ModelWriter(model))
        with pytest.raises(WriterError) as raised:
            related_work(about(QUERY), given, Options(breadth=3), Recorder())
        assert raised.value.help


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_a_writers_error(provider: str, name: str, papers: Any) -> None:
    refused_from(provider, ATTACKS[name](anthropic_says if provider == "anthropic" else openai_says), papers)


def odd_answers() -> list[str]:
    """Objects of the right names and of wrong types, one level in and two."""
    flat = [dict.fromkeys(NAMES, odd) for odd in ODD]
    inner = [{name: [value] for name in NAMES} for value in flat]
    deeper = [{name: [value] for name in NAMES} for value in inner]
    return [json.dumps(value) for value in (*flat, *inner, *deeper)]


@pytest.mark.parametrize("number", range(len(odd_answers())))
def test_answers_of_wrong_types_never_end_in_a_traceback(number: int, papers: Any) -> None:
    say = answer(200, openai_says(odd_answers()[number]), **STREAM)
    refused_from("openai", say, papers)
