"""Vectors that the model must reproduce before it is used.

`reference.npy` holds what sentence-transformers makes of `TEXTS` with the published weights in float32
(`python -m texgeist_retrieval.embedding.reference FOLDER` writes it anew from such a copy)."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from ..errors import ModelCorrupt
from ..ports import Embedder

TEXTS = (
    "Sparse retrieval counts words; dense retrieval compares meanings.",
    "We measure the half-life of a long-lived isotope in a cryogenic trap.",
    "Étale cohomology of $p$-adic curves, after a question of Grothendieck.",
    "A short text.",
    "Citations in a related-work section should support the sentence that they stand in. We study how often "
    "they do, in four fields of computer science, and find that one citation in nine does not. " * 4,
    "Long texts are cut off at the length that the model was trained with. " * 60,
)
STORED = Path(__file__).with_name("reference.npy")
LEAST_COSINE = 0.9999


def check_reference(embedder: Embedder) -> None:
    """Raises `ModelCorrupt` when a stored vector does not come out."""
    cosines = np.sum(embedder.embed_documents(TEXTS) * np.load(STORED), axis=1)
    if not cosines.min() >= LEAST_COSINE:
        raise ModelCorrupt(
            f"The embedding model gives other vectors than it should (cosine {cosines.min():.4f}).",
            "It is not used. Fetch it again with `texgeist model fetch --force`.",
        )


def _write(folder: str) -> None:
    from sentence_transformers import SentenceTransformer

    vectors = SentenceTransformer(folder, device="cpu").encode(list(TEXTS), normalize_embeddings=True)
    np.save(STORED, np.asarray(vectors, dtype=np.float32))


if __name__ == "__main__":
    _write(sys.argv[1])
