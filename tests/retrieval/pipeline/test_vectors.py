"""Vectors that are remembered from run to run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.pipeline.reading import RememberingEmbedder

TEXTS = ["red fish swim", "blue birds fly", "red fish swim"]


def test_what_was_embedded_once_is_not_embedded_again(words: Any, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "vectors.sqlite"
    first = RememberingEmbedder(words, path).embed_documents(TEXTS)
    assert words.batches == [2]  # the same text twice is one
    again = RememberingEmbedder(words, path).embed_documents([*TEXTS[::-1], "green trees grow"])
    assert words.batches == [2, 1]
    assert np.array_equal(again[:3], first[::-1])
    assert np.allclose(again, words._rows([*TEXTS[::-1], "green trees grow"]))
    assert RememberingEmbedder(words, path).embed_documents([]).shape == (0, words.dimension)


def test_another_model_has_vectors_of_its_own(words: Any, tmp_path: Path) -> None:
    RememberingEmbedder(words, tmp_path / "v").embed_documents(TEXTS)
    words.name = "other"
    RememberingEmbedder(words, tmp_path / "v").embed_documents(TEXTS)
    assert words.batches == [2, 2]
