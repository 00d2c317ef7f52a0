"""The sample library ships with its vectors: it is searched without having been embedded first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.embedding.shipped import STORED, ShippedFirst, shipped_vectors
from texgeist_retrieval.ports import Embedder

from scripts.generating.vectors import LIBRARY, sample_texts

from .test_cli import texgeist

MANY = 314


def no_model() -> Embedder:
    raise AssertionError("the model was loaded")


def test_every_abstract_of_the_sample_library_has_its_vector_and_nothing_else_has() -> None:
    """Fails after the sample library was changed: `scripts/sample-vectors` writes the file anew."""
    texts = sample_texts()
    assert len(texts) == len(shipped_vectors()) == MANY
    vectors = ShippedFirst(no_model).embed_documents(texts)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert STORED.stat().st_size < 1_000_000
    with pytest.raises(AssertionError, match="the model was loaded"):
        ShippedFirst(no_model).embed_documents([texts[0] + " And more."])


@pytest.mark.model
def test_they_are_what_the_model_makes_of_the_abstracts(model_folder: Path) -> None:
    texts = sample_texts()[::8]
    exact = load_embedder(model_folder, threads=1).embed_documents(texts)
    cosines = np.sum(exact * ShippedFirst(no_model).embed_documents(texts), axis=1)
    assert cosines.min() >= 0.999, cosines.min()


class Counting:
    """An embedder that says what it was given: the row's number in all places."""

    name, dimension = "counting", 768

    def __init__(self) -> None:
        self.given: list[str] = []

    def embed_query(self, text: str) -> np.ndarray:
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        self.given += texts
        return np.array([[len(text)] * 768 for text in texts], dtype=np.float32)


def test_texts_of_both_kinds_come_back_in_the_order_given() -> None:
    counting, known = Counting(), sample_texts()[:2]
    vectors = ShippedFirst(lambda: counting).embed_documents(["abc", known[1], "abcde", known[0]])
    assert counting.given == ["abc", "abcde"]
    assert vectors[0, 0] == 3 and vectors[2, 0] == 5
    shipped = ShippedFirst(no_model).embed_documents(known)
    assert np.array_equal(vectors[[3, 1]], shipped) and not np.array_equal(shipped[0], shipped[1])


def test_the_sample_library_is_taken_in_where_there_is_no_model_yet(env: dict[str, str]) -> None:
    done = texgeist(env, "index", "add", str(LIBRARY), "--index", "library")
    assert done.returncode == 0 and f"{MANY} new" in done.stdout + done.stderr, done
