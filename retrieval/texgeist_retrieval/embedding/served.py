"""Vectors from a server with OpenAI's protocol (`/v1/embeddings`): LM Studio, Ollama, llama.cpp, vLLM.

Redirects are not followed, because the texts are the user's papers and drafts. No key is sent."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property

import httpx2
import numpy as np
from pydantic import BaseModel, ValidationError

from ..addresses import host_of, past_proxies
from ..errors import ModelUnreachable, ModelUnusable
from ..types import Matrix, Vector

BATCH = 32  # texts in a request
SECONDS, CONNECT_SECONDS = 120.0, 5.0  # for a whole request, even if parts of the answer still arrive
MOST_BYTES = 16 << 20  # of an answer: 32 vectors of 4,096 numbers take 3 MB
_HELP = "Check `embedding.baseUrl` and `embedding.model`, and that the server runs."


class _Row(BaseModel):
    index: int
    embedding: list[float]


class _Vectors(BaseModel):
    data: list[_Row]


class ServedEmbedder:
    """An `Embedder` for the model `model` of the server at `address` (`http://127.0.0.1:1234/v1`). Raises
    `ModelUnreachable` if the server does not answer, `ModelUnusable` for an answer without usable vectors."""

    def __init__(self, model: str, address: str, *, seconds: float = SECONDS) -> None:
        self._model, self._address, self._seconds = model, address.rstrip("/"), seconds
        self._client = httpx2.Client(
            timeout=httpx2.Timeout(seconds, connect=CONNECT_SECONDS),
            follow_redirects=False,
            headers={"Accept-Encoding": "identity"},
            mounts=past_proxies(address),
        )

    @property
    def name(self) -> str:
        return self._model

    @cached_property
    def dimension(self) -> int:
        """The length of the server's vectors, found by embedding a word."""
        return int(self._ask(["dimension"]).shape[1])

    def embed_query(self, text: str) -> Vector:
        return np.asarray(self.embed_documents([text])[0])

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32 [len(texts), dimension], rows of length 1."""
        parts = [self._ask(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)]
        made = np.vstack(parts) if parts else np.zeros((0, self.dimension), np.float32)
        if made.shape[1] != self.dimension:
            raise self._unusable(
                f"answered with {made.shape[1]} numbers a vector, and {self.dimension} before"
            )
        return made

    def _ask(self, texts: Sequence[str]) -> Matrix:
        answer = self._sent(texts)
        try:
            rows = {row.index: row.embedding for row in _Vectors.model_validate_json(answer).data}
            made = np.array([rows[number] for number in range(len(texts))], dtype=np.float32)
        except (ValidationError, KeyError, ValueError):
            raise self._unusable("did not answer with one vector for each text") from None
        lengths = np.linalg.norm(made, axis=-1, keepdims=True)
        if made.ndim != 2 or not np.isfinite(made).all() or not lengths.all():
            raise self._unusable("answered with vectors that are not numbers, or zero")
        return np.asarray(made / lengths, dtype=np.float32)

    def _sent(self, texts: Sequence[str]) -> bytes:
        """The body of the answer."""
        end, body = time.monotonic() + self._seconds, bytearray()
        asked = {"model": self._model, "input": list(texts)}
        try:
            with self._client.stream("POST", f"{self._address}/embeddings", json=asked) as response:
                for part in response.iter_raw():
                    body += part
                    if len(body) > MOST_BYTES:
                        raise self._unusable(f"answered with more than {MOST_BYTES >> 20} MB")
                    if time.monotonic() > end:
                        raise self._unreachable(f"did not finish its answer within {self._seconds:.0f} s")
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._unreachable(f"does not answer ({error or type(error).__name__})") from error
        if response.status_code != 200:
            said = body[:200].decode("utf-8", "replace")
            raise self._unusable(f"refused the request with {response.status_code}: {said}")
        return bytes(body)

    def _unusable(self, what: str) -> ModelUnusable:
        return ModelUnusable(f"The server of embeddings at {host_of(self._address)} {what}.", _HELP)

    def _unreachable(self, what: str) -> ModelUnreachable:
        return ModelUnreachable(f"The server of embeddings at {host_of(self._address)} {what}.", _HELP)
