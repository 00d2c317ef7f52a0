"""Embeds with other models, or on a GPU, by sentence-transformers (the extra `[torch]`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from texgeist_retrieval.paths import expanded

from ..errors import ModelUnusable, with_extra
from ..types import Matrix, Vector


class SentenceTransformersEmbedder:
    """An `Embedder` for any model of sentence-transformers. `model`: its name or folder. `device`: None uses
    a GPU if the machine has one. The package fetches the model's files from the model hub; code in model
    repositories is not run. Raises `ModelUnusable`."""

    def __init__(self, model: str, *, device: str | None = None, batch: int = 32) -> None:
        folder = expanded(model)
        found = str(folder) if folder.is_dir() else model
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ModelUnusable(
                f"The model {model} on {device or 'any device'} needs sentence-transformers, which is not installed.",
                with_extra("torch"),
            ) from error
        try:
            self._model = SentenceTransformer(found, device=device)
        except (OSError, ValueError) as error:
            raise ModelUnusable(
                f"The model {model} cannot be loaded: {_plain(error)}", "Check its name, and the network."
            ) from error
        except (AssertionError, RuntimeError) as error:  # raised by torch for a missing device
            raise ModelUnusable(
                f"The model {model} cannot run on {device or 'any device'}: {_plain(error)}",
                "Choose another device.",
            ) from error
        self._name = folder.name if folder.is_dir() else model.removeprefix("sentence-transformers/")
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


def _plain(error: Exception) -> str:
    """The first line of a message that may be long."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".") + "."
