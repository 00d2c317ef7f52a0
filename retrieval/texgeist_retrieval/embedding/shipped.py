"""Vectors shipped with texgeist, for the sample library, so that the first search only embeds the query. They
are looked up by text, so a changed text is embedded as usual. `scripts/sample-vectors` writes the file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from ..ports import Embedder
from ..types import Matrix, Vector
from . import DIMENSION, NAME

STORED = Path(__file__).with_name("shipped.npz")
_DIGEST = 16  # number of stored bytes of a text's SHA-256


class ShippedFirst:
    """An `Embedder` that loads the model only for texts without a shipped vector."""

    def __init__(self, load: Callable[[], Embedder]) -> None:
        self._load = cache(load)

    @property
    def name(self) -> str:
        return NAME

    @property
    def dimension(self) -> int:
        return DIMENSION

    def embed_query(self, text: str) -> Vector:
        return self._load().embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32 [len(texts), dimension], rows in the given order."""
        known = shipped_vectors()
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        missing: list[int] = []
        for row, text in enumerate(texts):
            if (vector := known.get(_digest(text))) is None:
                missing.append(row)
            else:
                vectors[row] = vector
        if missing:
            vectors[missing] = self._load().embed_documents([texts[row] for row in missing])
        return vectors


@cache
def shipped_vectors() -> Mapping[bytes, Vector]:
    """The shipped vectors (float32 [dimension], of length 1) by the digest of their text."""
    with np.load(STORED) as stored:
        digests, rounded = stored["digests"], stored["vectors"]
    vectors = rounded.astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {digest.tobytes(): vector for digest, vector in zip(digests, vectors, strict=True)}


def write_shipped(texts: Sequence[str], vectors: Matrix, path: Path = STORED) -> None:
    """Writes the vectors as float16, which halves the file; the cosine to the exact vector is above
    0.99999."""
    digests = np.frombuffer(b"".join(_digest(text) for text in texts), dtype=np.uint8)
    np.savez(path, digests=digests.reshape(-1, _DIGEST), vectors=vectors.astype(np.float16))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()[:_DIGEST]
