"""Embedding models: the files in a model folder (graph, tokenizer, and a manifest that describes them), and loading
them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..ports import Embedder


MANIFEST = "model.json"
GRAPH = "model.onnx"
TOKENIZER = "tokenizer.json"

NAME = "all-mpnet-base-v2"
DIMENSION = 768
MAX_TOKENS = 384
PADDING = 1  # token id of <pad>
WEIGHTS_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"


@dataclass(frozen=True, slots=True)
class Manifest:
    """`weights_sha256`: of the published weights from which the graph was built; `source`: a phrase for
    messages; `eight_bit`: whether the graph has 8-bit weights (see `export`)."""

    graph_bytes: int
    tokenizer_bytes: int
    weights_sha256: str
    source: str
    eight_bit: bool = False


def read_manifest(folder: Path) -> Manifest:
    """Raises `OSError`, `ValueError` or `TypeError` if it is missing or invalid."""
    known = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return Manifest(**{field.name: known[field.name] for field in fields(Manifest) if field.name in known})


def write_manifest(folder: Path, source: str, eight_bit: bool) -> None:
    """Describes the model in `folder`."""
    graph, tokenizer = ((folder / name).stat().st_size for name in (GRAPH, TOKENIZER))
    text = json.dumps(asdict(Manifest(graph, tokenizer, WEIGHTS_SHA256, source, eight_bit)), indent=1) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


__all__ = ["is_fetched", "load_embedder"]


def is_fetched(folder: Path) -> bool:
    """Whether the complete model is in `folder`. Takes microseconds: sizes are compared, not hashes."""
    try:
        manifest = read_manifest(folder)
    except (OSError, ValueError, TypeError):
        return False
    files = {
        folder / GRAPH: manifest.graph_bytes,
        folder / TOKENIZER: manifest.tokenizer_bytes,
    }
    return all(path.is_file() and path.stat().st_size == size for path, size in files.items())


def load_embedder(folder: Path, *, threads: int | None = None) -> Embedder:
    """Loads the model in `folder` on ONNX Runtime. `threads`: None starts a thread for each core. Raises
    `ModelMissing` if the model was not fetched and `ModelCorrupt` if it cannot be loaded."""
    from ..errors import ModelMissing

    if not is_fetched(folder):
        raise ModelMissing(
            f"The embedding model is not in {folder}"
            + (", or not whole." if (folder / MANIFEST).exists() else "."),
            "Fetch it once with `texgeist model fetch`; after that it works offline.",
        )
    from .onnx import OnnxEmbedder

    return OnnxEmbedder(folder / GRAPH, threads=threads, eight_bit=read_manifest(folder).eight_bit)
