"""The files in a model folder: the graph, the tokenizer, and a manifest that describes them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

MANIFEST = "model.json"
GRAPH = "model.onnx"
TOKENIZER = "tokenizer.json"

NAME = "all-mpnet-base-v2"
DIMENSION = 768
MAX_TOKENS = 384
PADDING = 1
WEIGHTS_SHA256 = "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"


@dataclass(frozen=True, slots=True)
class Manifest:
    name: str
    dimension: int
    max_tokens: int
    padding: int  # token id
    graph: str
    graph_bytes: int
    tokenizer: str
    tokenizer_bytes: int
    weights_sha256: str  # of the published weights from which the graph was built
    source: str  # a phrase for messages


def describe(folder: Path, source: str) -> Manifest:
    """The manifest of all-mpnet-base-v2 in `folder`."""
    return Manifest(
        name=NAME,
        dimension=DIMENSION,
        max_tokens=MAX_TOKENS,
        padding=PADDING,
        graph=GRAPH,
        graph_bytes=(folder / GRAPH).stat().st_size,
        tokenizer=TOKENIZER,
        tokenizer_bytes=(folder / TOKENIZER).stat().st_size,
        weights_sha256=WEIGHTS_SHA256,
        source=source,
    )


def read_manifest(folder: Path) -> Manifest:
    return Manifest(**json.loads((folder / MANIFEST).read_text(encoding="utf-8")))


def write_manifest(folder: Path, manifest: Manifest) -> None:
    text = json.dumps(asdict(manifest), indent=1) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")
