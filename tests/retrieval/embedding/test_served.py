"""Vectors by a server with OpenAI's protocol, and what a bad server answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.embedding.served import BATCH, ServedEmbedder
from texgeist_retrieval.errors import ModelMissing, ModelUnreachable, ModelUnusable

from ...http_server import body_of, got, send

Answer = Callable[[list[str]], Any]


@contextmanager
def server(answer: Answer, status: int = 200, seen: list[Any] | None = None) -> Iterator[str]:
    def say(handler: BaseHTTPRequestHandler) -> None:
        asked = json.loads(body_of(handler))
        if seen is not None:
            seen.append((handler.path, handler.headers.get("Authorization"), asked))
        made = answer(asked["input"])
        if callable(made):
            made(handler)
        else:
            body = made if isinstance(made, bytes) else json.dumps(made).encode()
            send(handler, status, body, Connection="close")  # so that nobody is answered after the end

    with got(say) as address:
        yield f"{address}/v1"


def rows(*vectors: list[float]) -> dict[str, Any]:
    return {"data": [{"index": n, "embedding": vector} for n, vector in enumerate(vectors)]}


def by_length(texts: list[str]) -> dict[str, Any]:
    made = rows(*([3.0, float(len(text)), 0.0] for text in texts))
    return {**made, "data": made["data"][::-1]}  # a server may answer in another order


def test_vectors_are_of_length_one_in_the_order_of_the_texts() -> None:
    seen: list[Any] = []
    texts = ["four", *["word" * n for n in range(2, BATCH + 9)]]
    with server(by_length, seen=seen) as address:
        embedder = ServedEmbedder("nomic", address)
        made = embedder.embed_documents(texts)
        assert (embedder.name, embedder.dimension) == ("nomic", 3)
    assert np.allclose(made[0], [0.6, 0.8, 0.0]) and np.allclose(np.linalg.norm(made, axis=1), 1)
    assert [made[n][1] > made[n - 1][1] for n in range(1, len(texts))] == [True] * (len(texts) - 1)
    paths, keys, asked = zip(*seen, strict=True)
    assert set(paths) == {"/v1/embeddings"} and set(keys) == {None}
    assert asked[0]["model"] == "nomic" and max(len(one["input"]) for one in asked) == BATCH


def endless(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("answer", "status", "kind", "words"),
    [
        (lambda texts: rows([float("nan"), 1.0]), 200, ModelUnusable, "not numbers"),
        (lambda texts: rows([0.0, 0.0]), 200, ModelUnusable, "zero"),
        (lambda texts: rows(), 200, ModelUnusable, "one vector for each text"),
        (lambda texts: rows([1.0, "x"]), 200, ModelUnusable, "one vector for each text"),  # type: ignore[list-item]
        (lambda texts: rows([1.0], [1.0, 2.0])["data"], 200, ModelUnusable, "one vector for each text"),
        (lambda texts: b"<html>log in</html>", 200, ModelUnusable, "one vector for each text"),
        (lambda texts: {"error": "no such model"}, 404, ModelUnusable, "404: .*no such model"),
        (lambda texts: b" " * (17 << 20), 200, ModelUnusable, "more than 16 MB"),
        (lambda texts: endless, 200, ModelUnreachable, "within 3 s"),
        (lambda texts: lambda handler: handler.connection.close(), 200, ModelUnreachable, "does not answer"),
    ],
)  # fmt: skip
def test_a_bad_answer_is_a_clear_sentence(
    answer: Answer, status: int, kind: type[ModelMissing], words: str
) -> None:
    with server(answer, status) as address, pytest.raises(kind, match=words) as refused:
        ServedEmbedder("m", address, seconds=3).embed_query("text")
    assert "127.0.0.1" in refused.value.sentence() and "embedding.baseUrl" in refused.value.sentence()


def test_a_server_that_changes_its_dimension_or_dies_is_noticed() -> None:
    lengths = iter([2, 3])
    with server(lambda texts: rows([1.0] * next(lengths))) as address:
        embedder = ServedEmbedder("m", address)
        assert embedder.dimension == 2
        with pytest.raises(ModelUnusable, match="3 numbers a vector, and 2 before"):
            embedder.embed_query("text")
    with pytest.raises(ModelUnreachable, match="does not answer"):
        embedder.embed_query("text")
