"""The embedding model, for texts whose vectors no file holds; what it made is kept beside it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from texgeist_retrieval.ports import Embedder


class Missing(Exception):
    """A part cannot be measured; the message says what it lacks."""


@cache
def embedder_at(folder: Path | None) -> Embedder:
    """The model in `folder`, or texgeist's own. Raises `Missing` where it has not been fetched."""
    from texgeist_retrieval.embedding import is_fetched, load_embedder
    from texgeist_retrieval.pipeline.vector_cache import RememberingEmbedder
    from texgeist_server.config.storage import cache_folder, data_folder, model_folder

    found = folder or model_folder(data_folder())
    if not is_fetched(found):
        raise Missing("it needs the embedding model: `texgeist model fetch`, or --model.")
    return RememberingEmbedder(
        load_embedder(found, threads=1), cache_folder(data_folder()) / "benchmarks.sqlite"
    )
