"""The files in a model folder: the graph, the tokenizer, and a manifest that describes them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

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
    messages."""

    graph_bytes: int
    tokenizer_bytes: int
    weights_sha256: str
    source: str


def read_manifest(folder: Path) -> Manifest:
    """Raises `OSError`, `ValueError` or `KeyError` if it is missing or invalid."""
    known = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    return Manifest(*(known[field.name] for field in fields(Manifest)))


def write_manifest(folder: Path, source: str) -> None:
    """Describes the model in `folder`."""
    graph, tokenizer = ((folder / name).stat().st_size for name in (GRAPH, TOKENIZER))
    text = json.dumps(asdict(Manifest(graph, tokenizer, WEIGHTS_SHA256, source)), indent=1) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")
