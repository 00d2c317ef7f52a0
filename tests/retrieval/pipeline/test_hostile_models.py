"""Whatever stands at the model's address, the section is written: by the extractive writer, with a note."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from texgeist_retrieval.pipeline import related_work
from texgeist_retrieval.ports import LanguageModel
from texgeist_retrieval.services import Options
from texgeist_retrieval.types import Paper
from texgeist_retrieval.writing import AnthropicModel, ExtractiveWriter, ModelWriter, OpenAIModel

from ..hostile_server import Say, answer, hostile
from .conftest import Recorder, WordEmbedder, World, about

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


def section_by(provider: str, say: Say, papers: Sequence[Paper]) -> Any:
    with hostile(say) as server:
        model: LanguageModel = (
            AnthropicModel("test", "sk-test-0123456789", server.url, 20.0)
            if provider == "anthropic"
            else OpenAIModel("test", "sk-test-0123456789", f"{server.url}/v1", timeout=20.0)
        )
        given = World(papers).services(
            writer=ModelWriter(model), fallback_writer=ExtractiveWriter(WordEmbedder())
        )
        return related_work(about(QUERY), given, Options(breadth=3), Recorder())


@pytest.mark.parametrize("name", ATTACKS)
def test_the_section_is_written_without_the_model(provider: str, name: str, papers: Any) -> None:
    says = anthropic_says if provider == "anthropic" else openai_says
    result = section_by(provider, ATTACKS[name](says), papers)
    assert result.writer == "extractive" and result.section.paragraphs
    assert any("extractive writer instead" in note for note in result.notes)


def odd_answers() -> list[str]:
    """Objects of the right names and of wrong types, one level in and two."""
    flat = [dict.fromkeys(NAMES, odd) for odd in ODD]
    inner = [{name: [value] for name in NAMES} for value in flat]
    deeper = [{name: [value] for name in NAMES} for value in inner]
    return [json.dumps(value) for value in (*flat, *inner, *deeper)]


@pytest.mark.parametrize("number", range(len(odd_answers())))
def test_answers_of_wrong_types_never_end_in_a_traceback(number: int, papers: Any) -> None:
    say = answer(200, openai_says(odd_answers()[number]), **STREAM)
    result = section_by("openai", say, papers)
    assert result.writer == "extractive" and result.section.paragraphs
