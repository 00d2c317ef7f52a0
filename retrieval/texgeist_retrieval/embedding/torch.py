"""Other models, and graphics processors, by sentence-transformers (the extra `[torch]`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import ModelMissing
from ..types import Matrix, Vector


class SentenceTransformersEmbedder:
    """An `Embedder` over any sentence-transformers model, by name or folder. Takes a GPU where one is."""

    def __init__(self, model: str, *, device: str | None = None, batch: int = 32) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ModelMissing(
                f"The model {model} needs sentence-transformers, which is not installed.",
                "Install it with `pip install 'texgeist[torch]'`.",
            ) from error
        try:
            self._model = SentenceTransformer(model, device=device)
        except (OSError, ValueError) as error:
            raise ModelMissing(f"The model {model} cannot be loaded: {error}", "Check its name.") from error
        self._name = model.rstrip("/").rsplit("/", 1)[-1]
        self._batch = batch

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return int(self._model.get_embedding_dimension() or 0)

    def embed_query(self, text: str) -> Vector:
        return np.asarray(self._encode(self._model.encode_query, [text])[0])

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return self._encode(self._model.encode_document, texts)

    def _encode(self, encode: object, texts: Sequence[str]) -> Matrix:
        assert callable(encode)
        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = encode(
            list(texts), batch_size=self._batch, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)
