"""Caches vectors of texts, because the next run on a draft usually reads the same pages."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ..cache_file import Cache
from ..ports import Embedder
from ..types import Matrix, Vector

MOST = 20_000  # vectors kept, about 60 MB: some 2,000 papers


class RememberingEmbedder:
    """An `Embedder` that caches document vectors in a file. The key of a vector is a hash of model and text;
    the text is not stored. Several programs may share the file. If it cannot be read or written, everything
    is embedded again."""

    def __init__(self, embedder: Embedder, path: Path, most: int = MOST) -> None:
        self._embedder = embedder
        self._cache = Cache(path, most)

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed_query(self, text: str) -> Vector:
        return self._embedder.embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """The vectors of the texts, shape [texts, dimension]. Texts that are not in the cache are embedded in
        one batch."""
        keys = [self._key(text) for text in texts]
        known = self._get(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            rows = self._embedder.embed_documents(list(new.values()))
            fresh: dict[str, Vector] = dict(zip(new, rows, strict=True))
            self._put(fresh)
            known |= fresh
        if not keys:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([known[key] for key in keys])

    def _key(self, text: str) -> str:
        return hashlib.sha256(f"{self.name}\0{text}".encode(errors="surrogatepass")).hexdigest()

    def _get(self, keys: Sequence[str]) -> dict[str, Vector]:
        found = self._cache.get(keys).items()
        vectors = {key: np.frombuffer(kept.value, dtype=np.float32) for key, kept in found}
        return {key: vector for key, vector in vectors.items() if vector.size == self.dimension}

    def _put(self, vectors: Mapping[str, Vector]) -> None:
        self._cache.put(
            {key: np.asarray(vector, dtype=np.float32).tobytes() for key, vector in vectors.items()}
        )
