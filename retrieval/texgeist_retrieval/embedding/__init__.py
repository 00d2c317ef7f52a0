"""Embedding models: fetching and loading them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from .model import GRAPH, MANIFEST, TOKENIZER, read_manifest

if TYPE_CHECKING:
    from ..ports import Embedder

__all__ = ["is_fetched", "load_embedder"]


def is_fetched(folder: Path) -> bool:
    """Whether the complete model is in `folder`. Takes microseconds: sizes are compared, not hashes."""
    try:
        manifest = read_manifest(folder)
    except (OSError, ValueError, KeyError, TypeError):
        return False
    files = {
        folder / GRAPH: manifest.graph_bytes,
        folder / TOKENIZER: manifest.tokenizer_bytes,
    }
    return all(path.is_file() and path.stat().st_size == size for path, size in files.items())


def load_embedder(folder: Path, *, threads: int | None = None, fast: bool = False) -> Embedder:
    """Loads the model in `folder` on ONNX Runtime. `threads`: None starts a thread for each core.

    `fast` uses 8-bit weights, for bulk embedding. This is twice as fast on some processors; the cosine to the
    exact vectors is above 0.999 (see `eight_bit`). Raises `ModelMissing` if the model was not fetched and
    `ModelCorrupt` if it cannot be loaded."""
    from ..errors import ModelMissing

    if not is_fetched(folder):
        raise ModelMissing(
            f"The embedding model is not in {folder}"
            + (", or not whole." if (folder / MANIFEST).exists() else "."),
            "Fetch it once with `texgeist model fetch`; after that it works offline.",
        )
    from .onnx import OnnxEmbedder

    return OnnxEmbedder(folder, threads=threads, fast=fast)
