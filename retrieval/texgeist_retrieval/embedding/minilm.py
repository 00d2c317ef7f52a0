"""all-MiniLM-L6-v2 as an ONNX graph, built from its weights without torch: the model of passages.

A sixth of all-mpnet-base-v2's work a token (Wang et al. 2020, arXiv 2002.10957), which is what makes a library of
full papers bearable on a laptop. The architecture is BERT's encoder (Devlin et al. 2019, arXiv 1810.04805)
with mean pooling and L2 normalisation as sentence-transformers does them; inputs and output as in `export`,
the embedding float32 [batch, 384].
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .export import FUSED, HEADS, Builder, feed_forward, matrix, norm, pool, skip, token_count_range
from .onnx_format import FLOAT, INT32, INT64, graph_of, save_graph, value_of
from .safetensors import read_tensors

LAYERS, HIDDEN = 6, 384
EPSILON = 1e-12
Tensors = dict[str, NDArray[np.float32]]


def export_minilm(weights: Path, target: Path) -> None:
    """Writes the graph with its weights to `target` (one file, about 90 MB)."""
    save_graph(_graph(read_tensors(weights)), target, {"": 17, FUSED: 1})


def _graph(tensors: Tensors) -> Any:
    b = Builder()
    mask = b.node("Cast", "attention_mask", to=INT32)
    hidden = _embed_tokens(b, tensors)
    for number in range(LAYERS):
        hidden = _layer(b, tensors, f"encoder.layer.{number}", hidden, mask)
    pool(b, hidden)
    return graph_of(
        b.nodes,
        "all-MiniLM-L6-v2",
        [value_of(name, INT64, ["batch", "tokens"]) for name in ("input_ids", "attention_mask")],
        [value_of("embedding", FLOAT, ["batch", HIDDEN])],
        b.initializers,
    )


def _embed_tokens(b: Builder, tensors: Tensors) -> str:
    """Word plus position embedding; that of the first sentence, which all tokens share, is added to the
    positions beforehand."""
    words = b.node("Gather", b.weight("words", tensors["embeddings.word_embeddings.weight"]), "input_ids")
    first = tensors["embeddings.token_type_embeddings.weight"][0]
    table = b.weight("positions", tensors["embeddings.position_embeddings.weight"] + first)
    places = b.node("Gather", table, token_count_range(b))
    summed = b.node("Add", words, places)
    names = norm(b, tensors, "embeddings.LayerNorm")
    return b.node("LayerNormalization", summed, *names, axis=-1, epsilon=EPSILON)


def _layer(b: Builder, tensors: Tensors, prefix: str, hidden: str, mask: str) -> str:
    parts = [f"{prefix}.attention.self.{part}" for part in ("query", "key", "value")]
    weights = b.weight(f"{prefix}.qkv", np.concatenate([tensors[f"{p}.weight"].T for p in parts], axis=1))
    offsets = b.weight(f"{prefix}.qkv_bias", np.concatenate([tensors[f"{p}.bias"] for p in parts]))
    attended = b.node("Attention", hidden, weights, offsets, mask, domain=FUSED, num_heads=HEADS)
    dense = f"{prefix}.attention.output.dense"
    mixed = b.node("MatMul", attended, matrix(b, tensors, dense))
    hidden = skip(b, tensors, f"{prefix}.attention.output.LayerNorm", mixed, hidden, dense, EPSILON)
    return feed_forward(b, tensors, prefix, f"{prefix}.output.LayerNorm", hidden, EPSILON)
