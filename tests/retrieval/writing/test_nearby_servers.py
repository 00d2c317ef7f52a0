"""Model servers that run on the author's machine, each with the answers that its documentation shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from texgeist_retrieval.models.nearby import ModelServer, ServedModel, model_servers, server_at

from ...http_server import got, send

UNLOADED = "It is not loaded yet, so its first answer takes longer."


@contextmanager
def serving(answers: dict[str, Any]) -> Iterator[int]:
    """A server with these answers by path; the port."""

    def say(asked: BaseHTTPRequestHandler) -> None:
        answer = answers.get(asked.path)
        body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        send(asked, 404 if answer is None else 200, body)

    with got(say) as address:
        yield int(address.rpartition(":")[2])


def openai_list(*names: str, **more: int) -> dict[str, Any]:
    return {"object": "list", "data": [{"id": name, "object": "model", **more} for name in names]}


@pytest.mark.parametrize(
    ("name", "answers", "models"),
    [
        (
            "Ollama",
            {
                "/v1/models": openai_list(
                    "qwen3:8b", "gemma4:latest", "gpt-oss:120b-cloud", "nomic-embed-text"
                ),
                "/api/ps": {"models": [{"name": "gemma4:latest", "context_length": 4096}]},
            },
            [
                ("qwen3:8b", UNLOADED),
                (
                    "gemma4:latest",
                    "Its context of 4,096 tokens is too small for texgeist: set OLLAMA_CONTEXT_LENGTH=8192 and restart it.",
                ),
                (
                    "gpt-oss:120b-cloud",
                    "It runs on Ollama's servers, so your abstract and passages of the papers are sent there.",
                    False,
                ),
            ],
        ),
        (
            "LM Studio",
            {
                "/api/v0/models": {
                    "data": [
                        {
                            "id": "llama-3.1-8b",
                            "type": "llm",
                            "state": "loaded",
                            "loaded_context_length": 32768,
                        },
                        {
                            "id": "qwen2-vl-7b",
                            "type": "vlm",
                            "state": "not-loaded",
                            "max_context_length": 32768,
                        },
                        {"id": "bge-small", "type": "embeddings", "state": "not-loaded"},
                    ]
                }
            },
            [("llama-3.1-8b", ""), ("qwen2-vl-7b", UNLOADED)],
        ),
        (
            "llama.cpp",
            {
                "/v1/models": openai_list("qwen.gguf"),
                "/props": {"default_generation_settings": {"n_ctx": 4096}},
            },
            [("qwen.gguf", "Its context of 4,096 tokens is too small for texgeist: start it with -c 8192.")],
        ),
        (
            "vLLM",
            {"/v1/models": openai_list("Qwen/Qwen2.5-7B", max_model_len=32768)},
            [("Qwen/Qwen2.5-7B", "")],
        ),
    ],
)
def test_a_server_is_listed_with_its_models(name: str, answers: dict[str, Any], models: list[Any]) -> None:
    with serving(answers) as port:
        expected = ModelServer(
            name, f"http://127.0.0.1:{port}/v1", tuple(ServedModel(*model) for model in models)
        )
        assert model_servers({name: port}) == [expected]


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"/v1/models": b"<html>"},
        {"/v1/models": b"[" * 100_000},
        {"/v1/models": ["a"]},
        {"/v1/models": {"data": {"id": 1}}},
        {"/v1/models": openai_list("\x1b[2Ja")},
        {"/v1/models": openai_list("a" * 300)},
    ],
)
def test_another_program_on_the_port_is_no_model_server(answers: dict[str, Any]) -> None:
    with serving(answers) as port:
        assert model_servers({"llama.cpp": port, "Ollama": 9}) == []


def test_a_server_is_asked_at_the_address_that_the_writer_uses() -> None:
    with serving({"/proxy/v1/models": openai_list("qwen")}) as port:
        address = f"http://127.0.0.1:{port}/proxy/v1"
        found = server_at(address)
        assert found and [model.name for model in found.models] == ["qwen"]
        assert server_at(address.removesuffix("/v1")) is None
