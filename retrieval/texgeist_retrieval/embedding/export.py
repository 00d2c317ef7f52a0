"""all-mpnet-base-v2 as an ONNX graph, built from its weights without torch.

The architecture is MPNet's encoder (Song et al. 2020, arXiv 2004.09297; relative position bias after
T5, Raffel et al. 2020, section 2.1) with mean pooling and L2 normalisation as sentence-transformers
does them. Attention, skip connections and GELU are ONNX Runtime's fused operators: nothing is left to
optimise when the graph is loaded, which is what makes the cold start short.

Inputs: `input_ids` and `attention_mask`, int64 [batch, tokens]. Output: `embedding`, float32
[batch, 768], rows of length 1.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .onnx_format import FLOAT, INT32, INT64, graph_of, node_of, save_graph, tensor_of, value_of
from .safetensors import read_tensors

LAYERS, HEADS, HIDDEN, BUCKETS, LONGEST = 12, 12, 768, 32, 512
PADDING = 1  # token id of <pad>; positions count from PADDING + 1
EPSILON = 1e-5
FUSED = "com.microsoft"


def export_mpnet(weights: Path, target: Path) -> None:
    """Writes the graph with its weights to `target` (one file, about 436 MB)."""
    save_graph(_graph(read_tensors(weights)), target, {"": 17, FUSED: 1})


def distance_buckets(longest: int = LONGEST) -> NDArray[np.int64]:
    """Bucket of each relative position from -(longest-1) to longest-1, as MPNet counts them."""
    distance = np.arange(-(longest - 1), longest)
    half = BUCKETS // 2
    exact = half // 2
    away = np.abs(distance)
    # float32 throughout: the edges of the buckets depend on how the logarithm is rounded
    log = np.log(np.maximum(away, 1).astype(np.float32) / np.float32(exact)) / np.float32(
        math.log(128 / exact)
    )
    far = np.minimum(exact + (log * np.float32(half - exact)).astype(np.int64), half - 1)
    return np.where(distance > 0, half, 0) + np.where(away < exact, away, far)


class Builder:
    """Collects nodes and weights; each call returns the name of what it made."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.initializers: list[Any] = []

    def weight(self, name: str, values: NDArray[Any]) -> str:
        self.initializers.append(tensor_of(np.ascontiguousarray(values), name))
        return name

    def node(self, operator: str, *inputs: str, domain: str = "", **attributes: int | float) -> str:
        output = f"{operator}_{len(self.nodes)}"
        self.nodes.append(node_of(operator, inputs, [output], domain, **attributes))
        return output


def _graph(tensors: dict[str, NDArray[np.float32]]) -> Any:
    b = Builder()
    mask = b.node("Cast", "attention_mask", to=INT32)
    bias = _position_bias(b, tensors)
    hidden = _embed_tokens(b, tensors)
    for number in range(LAYERS):
        hidden = _layer(b, tensors, f"encoder.layer.{number}", hidden, mask, bias)
    pool(b, hidden)
    return graph_of(
        b.nodes,
        "all-mpnet-base-v2",
        [value_of(name, INT64, ["batch", "tokens"]) for name in ("input_ids", "attention_mask")],
        [value_of("embedding", FLOAT, ["batch", HIDDEN])],
        b.initializers,
    )


def _embed_tokens(b: Builder, tensors: dict[str, NDArray[np.float32]]) -> str:
    """Word plus position embedding. Padding stands at the end only, so that positions are a plain count;
    what a padded token gets is never looked at."""
    words = b.node("Gather", b.weight("words", tensors["embeddings.word_embeddings.weight"]), "input_ids")
    table = b.weight("positions", tensors["embeddings.position_embeddings.weight"][PADDING + 1 :])
    places = b.node("Gather", table, token_count_range(b))
    summed = b.node("Add", words, places)
    return b.node(
        "LayerNormalization", summed, *norm(b, tensors, "embeddings.LayerNorm"), axis=-1, epsilon=EPSILON
    )


def token_count_range(b: Builder) -> str:
    """0 … tokens-1, made once."""
    if "range" not in (made := {node.name: node.output[0] for node in b.nodes}):
        shape = b.node("Shape", "input_ids")
        count = b.node("Gather", shape, b.weight("one", np.array(1, np.int64)))
        b.node(
            "Range", b.weight("from", np.array(0, np.int64)), count, b.weight("step", np.array(1, np.int64))
        )
        b.nodes[-1].name = "range"
        return str(b.nodes[-1].output[0])
    return str(made["range"])


def _position_bias(b: Builder, tensors: dict[str, NDArray[np.float32]]) -> str:
    """[1, heads, tokens, tokens], the same in every layer: looked up by distance in 1023 columns."""
    by_distance = tensors["encoder.relative_attention_bias.weight"][distance_buckets()].T  # [heads, 1023]
    span = token_count_range(b)
    rows = b.node("Unsqueeze", span, b.weight("axis1", np.array([1], np.int64)))
    distance = b.node("Sub", span, rows)
    column = b.node("Add", distance, b.weight("centre", np.array(LONGEST - 1, np.int64)))
    bias = b.node("Gather", b.weight("bias_by_distance", by_distance), column, axis=1)
    return b.node("Unsqueeze", bias, b.weight("axis0", np.array([0], np.int64)))


def _layer(
    b: Builder, tensors: dict[str, NDArray[np.float32]], prefix: str, hidden: str, mask: str, bias: str
) -> str:
    parts = [f"{prefix}.attention.attn.{part}" for part in "qkv"]
    weights = b.weight(f"{prefix}.qkv", np.concatenate([tensors[f"{p}.weight"].T for p in parts], axis=1))
    offsets = b.weight(f"{prefix}.qkv_bias", np.concatenate([tensors[f"{p}.bias"] for p in parts]))
    attended = b.node("Attention", hidden, weights, offsets, mask, "", bias, domain=FUSED, num_heads=HEADS)
    mixed = b.node("MatMul", attended, matrix(b, tensors, f"{prefix}.attention.attn.o"))
    hidden = skip(b, tensors, f"{prefix}.attention.LayerNorm", mixed, hidden, f"{prefix}.attention.attn.o")
    return feed_forward(b, tensors, prefix, f"{prefix}.output.LayerNorm", hidden)


def matrix(b: Builder, tensors: dict[str, NDArray[np.float32]], name: str) -> str:
    return b.weight(f"{name}.weight", tensors[f"{name}.weight"].T)


def norm(b: Builder, tensors: dict[str, NDArray[np.float32]], name: str) -> tuple[str, str]:
    scale = b.weight(f"{name}.weight", tensors[f"{name}.weight"])
    return scale, b.weight(f"{name}.bias", tensors[f"{name}.bias"])


def skip(
    b: Builder,
    tensors: dict[str, NDArray[np.float32]],
    layer_norm: str,
    new: str,
    old: str,
    dense: str,
    epsilon: float = EPSILON,
) -> str:
    """LayerNorm(new + bias of the dense layer + old)."""
    bias = b.weight(f"{dense}.bias", tensors[f"{dense}.bias"])
    return b.node(
        "SkipLayerNormalization", new, old, *norm(b, tensors, layer_norm), bias, domain=FUSED, epsilon=epsilon
    )


def feed_forward(
    b: Builder,
    tensors: dict[str, NDArray[np.float32]],
    prefix: str,
    layer_norm: str,
    hidden: str,
    epsilon: float = EPSILON,
) -> str:
    """The second half of a layer, the same in MPNet and BERT."""
    wide = b.node("MatMul", hidden, matrix(b, tensors, f"{prefix}.intermediate.dense"))
    wide_bias = b.weight(f"{prefix}.intermediate.dense.bias", tensors[f"{prefix}.intermediate.dense.bias"])
    active = b.node("BiasGelu", wide, wide_bias, domain=FUSED)
    narrow = b.node("MatMul", active, matrix(b, tensors, f"{prefix}.output.dense"))
    return skip(b, tensors, layer_norm, narrow, hidden, f"{prefix}.output.dense", epsilon)


def pool(b: Builder, hidden: str) -> None:
    """Mean over the tokens that are no padding, then length 1 (sentence-transformers' `mean`)."""
    weights = b.node("Cast", "attention_mask", to=FLOAT)
    row = b.node("Unsqueeze", weights, b.weight("pool_axis", np.array([1], np.int64)))
    summed = b.node(
        "Squeeze", b.node("MatMul", row, hidden), b.weight("pool_axis_out", np.array([1], np.int64))
    )
    # a mean would divide by the count of tokens: the normalisation takes that factor out again
    b.node("LpNormalization", summed, axis=-1, p=2)
    b.nodes[-1].output[0] = "embedding"
