"""Builds the configured embedding model: texgeist's model (on ONNX Runtime), a sentence-transformers model,
or a model on a server."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.addresses import host_of, is_loopback
from texgeist_retrieval.embedding import DIMENSION, NAME
from texgeist_retrieval.errors import ModelMissing

from .config import storage

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Embedder

    from .config.settings import Settings

OURS = (NAME, f"sentence-transformers/{NAME}")


def is_ours(settings: Settings) -> bool:
    """Whether the configured model is texgeist's, which the base installation can run."""
    chosen = settings.embedding
    return chosen.model in OURS and chosen.device == "cpu" and not chosen.base_url


def embeds_elsewhere(settings: Settings) -> str:
    """The host of the embedding server if this server is on another machine, else ""."""
    address = settings.embedding.base_url
    return host_of(address) if address and not is_loopback(address) else ""


def build_embedder(settings: Settings) -> Embedder:
    """Builds the configured embedder. Raises `ModelMissing`, `ModelUnusable`."""
    if is_ours(settings):
        return _ours(storage.model_folder())
    chosen = settings.embedding
    if chosen.base_url:
        return _served(chosen.model, chosen.base_url)
    return _other(chosen.model, None if chosen.device == "auto" else chosen.device)


def build_embedder_of_papers(settings: Settings) -> Embedder:
    """Like `build_embedder`, for filling an index: loads texgeist's model only for papers without shipped
    vectors."""
    if not is_ours(settings):
        return build_embedder(settings)
    from texgeist_retrieval.embedding.shipped import ShippedFirst

    return ShippedFirst(lambda: build_embedder(settings))


def made_by(settings: Settings) -> tuple[str, int]:
    """Name and dimension of the configured model. Any model other than texgeist's must be loaded for this."""
    if settings.embedding.model in OURS and not settings.embedding.base_url:
        return NAME, DIMENSION
    embedder = build_embedder(settings)
    return embedder.name, embedder.dimension


@cache
def _ours(folder: Path) -> Embedder:
    """Loads texgeist's model, once: all jobs of a worker share it. Raises `ModelMissing`."""
    from texgeist_retrieval.embedding import is_fetched, load_embedder

    if not is_fetched(folder):
        raise ModelMissing(
            "The embedding model is not on this machine yet.",
            "Fetch it once (about 440 MB) with `texgeist model fetch`; afterwards no network is needed.",
        )
    return load_embedder(folder)


@cache
def _other(model: str, device: str | None) -> Embedder:
    from texgeist_retrieval.embedding.torch import SentenceTransformersEmbedder

    return SentenceTransformersEmbedder(model, device=device)


@cache
def _served(model: str, address: str) -> Embedder:
    from texgeist_retrieval.embedding.served import ServedEmbedder

    return ServedEmbedder(model, address)
