"""all-mpnet-base-v2 as an ONNX graph, built from its published weights without torch, exact or with 8-bit weights.

The architecture is MPNet's encoder (Song et al. 2020, arXiv 2004.09297; relative position bias after T5,
Raffel et al. 2020, section 2.1) with mean pooling and L2 normalisation as in sentence-transformers.
Attention, skip connections and GELU are ONNX Runtime's fused operators, so that no optimisation is needed at
loading, and the model starts quickly.

Inputs: `input_ids` and `attention_mask`, int64 [batch, tokens]. Output: `embedding`, float32 [batch, 768],
rows of length 1."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import DIMENSION, PADDING
from .onnx_format import (
    FLOAT,
    INT32,
    INT64,
    array_of,
    graph_of,
    load_graph,
    node_of,
    save_graph,
    tensor_of,
    value_of,
)

LAYERS, HEADS, HIDDEN, BUCKETS, LONGEST = 12, 12, DIMENSION, 32, 512
EPSILON = 1e-5
FUSED = "com.microsoft"
Tensors = dict[str, NDArray[np.float32]]


def export_mpnet(weights: Path, target: Path) -> None:
    """Writes the graph with its weights to `target` (one file, about 436 MB)."""
    save_graph(Builder(read_tensors(weights)).graph(), target, {"": 17, FUSED: 1})


def read_tensors(path: Path) -> Tensors:
    """Every float32 tensor of a safetensors file by name, memory-mapped; other types are left out.

    The format: 8 bytes little-endian length of a JSON header, the header, the data."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
    tensors: Tensors = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            tensors[name] = data[start:end].view("<f4").reshape(entry["shape"])
    return tensors


def distance_buckets(longest: int = LONGEST) -> NDArray[np.int64]:
    """For each relative position from -(longest-1) to longest-1, the number of its bucket, as in MPNet."""
    distance = np.arange(-(longest - 1), longest)
    half = BUCKETS // 2
    exact = half // 2
    away = np.abs(distance)
    # in float32, because the bucket borders depend on the rounding of the logarithm
    log = np.log(np.maximum(away, 1).astype(np.float32) / np.float32(exact)) / np.float32(
        math.log(128 / exact)
    )
    far = np.minimum(exact + (log * np.float32(half - exact)).astype(np.int64), half - 1)
    return np.where(distance > 0, half, 0) + np.where(away < exact, away, far)


class Builder:
    """Collects nodes and weights; `_node` and `_weight` return the name of the new item."""

    def __init__(self, tensors: Tensors) -> None:
        self._tensors = tensors
        self._nodes: list[Any] = []
        self._initializers: list[Any] = []

    def graph(self) -> Any:
        mask = self._node("Cast", "attention_mask", to=INT32)
        span = self._token_numbers()
        bias = self._position_bias(span)
        hidden = self._embed_tokens(span)
        for number in range(LAYERS):
            hidden = self._layer(f"encoder.layer.{number}", hidden, mask, bias)
        self._pool(hidden)
        return graph_of(
            self._nodes,
            "all-mpnet-base-v2",
            [value_of(name, INT64, ["batch", "tokens"]) for name in ("input_ids", "attention_mask")],
            [value_of("embedding", FLOAT, ["batch", HIDDEN])],
            self._initializers,
        )

    def _node(self, operator: str, *inputs: str, domain: str = "", **attributes: int | float) -> str:
        output = f"{operator}_{len(self._nodes)}"
        self._nodes.append(node_of(operator, inputs, [output], domain, **attributes))
        return output

    def _weight(self, name: str, values: NDArray[Any]) -> str:
        self._initializers.append(tensor_of(np.ascontiguousarray(values), name))
        return name

    def _integer(self, name: str, value: int | list[int]) -> str:
        return self._weight(name, np.array(value, np.int64))

    def _token_numbers(self) -> str:
        """Adds a node with the numbers 0 to tokens-1."""
        count = self._node("Gather", self._node("Shape", "input_ids"), self._integer("one", 1))
        return self._node("Range", self._integer("from", 0), count, self._integer("step", 1))

    def _embed_tokens(self, span: str) -> str:
        """Word plus position embedding. Padding is only at the end, so positions are a plain count; vectors
        of padded tokens are not used."""
        words = self._weight("words", self._tensors["embeddings.word_embeddings.weight"])
        positions = self._tensors["embeddings.position_embeddings.weight"][
            PADDING + 1 :
        ]  # positions count from PADDING + 1
        word = self._node("Gather", words, "input_ids")
        summed = self._node("Add", word, self._node("Gather", self._weight("positions", positions), span))
        norm = self._norm("embeddings.LayerNorm")
        return self._node("LayerNormalization", summed, *norm, axis=-1, epsilon=EPSILON)

    def _position_bias(self, span: str) -> str:
        """Adds the bias by relative position, shape [1, heads, tokens, tokens], which is the same in every
        layer. It is looked up in a table with a column for each of 1023 distances."""
        by_distance = self._tensors["encoder.relative_attention_bias.weight"][distance_buckets()].T
        rows = self._node("Unsqueeze", span, self._integer("axis1", [1]))
        distance = self._node("Sub", span, rows)
        column = self._node("Add", distance, self._integer("centre", LONGEST - 1))
        bias = self._node("Gather", self._weight("bias_by_distance", by_distance), column, axis=1)
        return self._node("Unsqueeze", bias, self._integer("axis0", [0]))

    def _layer(self, layer: str, hidden: str, mask: str, bias: str) -> str:
        parts = [f"{layer}.attention.attn.{part}" for part in "qkv"]
        joined = np.concatenate([self._tensors[f"{part}.weight"].T for part in parts], axis=1)
        offsets = np.concatenate([self._tensors[f"{part}.bias"] for part in parts])
        weights = self._weight(f"{layer}.qkv", joined), self._weight(f"{layer}.qkv_bias", offsets)
        attended = self._node("Attention", hidden, *weights, mask, "", bias, domain=FUSED, num_heads=HEADS)
        mixed = self._node("MatMul", attended, self._matrix(f"{layer}.attention.attn.o"))
        hidden = self._skip(f"{layer}.attention.LayerNorm", mixed, hidden, f"{layer}.attention.attn.o")
        wide = self._node("MatMul", hidden, self._matrix(f"{layer}.intermediate.dense"))
        active = self._node("BiasGelu", wide, self._bias(f"{layer}.intermediate.dense"), domain=FUSED)
        narrow = self._node("MatMul", active, self._matrix(f"{layer}.output.dense"))
        return self._skip(f"{layer}.output.LayerNorm", narrow, hidden, f"{layer}.output.dense")

    def _skip(self, layer_norm: str, new: str, old: str, dense: str) -> str:
        """LayerNorm(new + bias of the dense layer + old)."""
        inputs = new, old, *self._norm(layer_norm), self._bias(dense)
        return self._node("SkipLayerNormalization", *inputs, domain=FUSED, epsilon=EPSILON)

    def _matrix(self, name: str) -> str:
        return self._weight(f"{name}.weight", self._tensors[f"{name}.weight"].T)

    def _bias(self, name: str) -> str:
        return self._weight(f"{name}.bias", self._tensors[f"{name}.bias"])

    def _norm(self, name: str) -> tuple[str, str]:
        return self._weight(f"{name}.weight", self._tensors[f"{name}.weight"]), self._bias(name)

    def _pool(self, hidden: str) -> None:
        """The mean over all tokens except padding, normalised to length 1 (sentence-transformers' `mean`)."""
        weights = self._node("Cast", "attention_mask", to=FLOAT)
        row = self._node("Unsqueeze", weights, self._integer("pool_axis", [1]))
        product = self._node("MatMul", row, hidden)
        summed = self._node("Squeeze", product, self._integer("pool_axis_out", [1]))
        # no division by the number of tokens, because normalisation would cancel it
        self._nodes.append(node_of("LpNormalization", [summed], ["embedding"], axis=-1, p=2))


# Products of 8-bit numbers take an eighth of the time of exact ones on processors with AMX. Three measures keep the
# cosine to the exact vectors above 0.999 (`benchmarks.embedding`), where a scale for a whole tensor gives 0.58: each
# weight column and each activation row has a scale of its own; activations have two 8-bit digits (0.997 with a single
# digit); and large weights share their size with the activations that they are multiplied with (SmoothQuant, Xiao et
# al. 2023, section 4), without which repetitive texts reach only 0.996.
LEVELS = 127  # of a digit, on either side of zero


def export_eight_bit(exact: Path, target: Path) -> None:
    """Writes the 8-bit form of the graph in `exact` to `target` (181 MB)."""
    graph, operators = load_graph(exact)
    save_graph(_Rewriter(graph).rewritten(), target, operators | {"": 18})  # 18: axes of `ReduceMax` as input


class _Rewriter:
    def __init__(self, graph: Any) -> None:
        self._graph = graph
        self._weights = {weight.name: weight for weight in graph.initializer}
        self._nodes: list[Any] = []
        self._keep("levels", np.array(LEVELS, np.float32))
        self._keep("last_axis", np.array([-1], np.int64))
        self._keep("zero", np.array(128, np.uint8))
        self._keep("first_digit", np.array(1, np.float32))
        self._keep("second_digit", np.array(0.5 / LEVELS, np.float32))

    def rewritten(self) -> Any:
        for node in self._graph.node:
            if node.op_type == "MatMul" and node.input[1] in self._weights:
                self._multiply(node.input[0], node.input[1], node.output[0])
            elif node.op_type == "Attention":
                self._attention(node)
            else:
                self._nodes.append(node)
        return graph_of(
            self._nodes,
            self._graph.name,
            list(self._graph.input),
            list(self._graph.output),
            list(self._weights.values()),
        )

    def _keep(self, name: str, values: NDArray[Any]) -> None:
        self._weights[name] = tensor_of(values, name)

    def _node(self, operator: str, *inputs: str, domain: str = "") -> str:
        output = f"rewritten_{len(self._nodes)}"
        self._nodes.append(node_of(operator, inputs, [output], domain))
        return output

    def _multiply(self, left: str, weight: str, output: str) -> None:
        matrix = array_of(self._weights.pop(weight))
        shared = np.sqrt(np.maximum(np.abs(matrix).max(axis=1), 1e-6))
        matrix = matrix / shared[:, None]
        scales = np.maximum(np.abs(matrix).max(axis=0), 1e-12) / LEVELS
        self._keep(f"{weight}.codes", np.rint(matrix / scales).astype(np.int8))
        self._keep(f"{weight}.scales", scales)
        self._keep(f"{weight}.shared", shared)
        smooth = self._node("Mul", left, f"{weight}.shared")
        largest = self._node("ReduceMax", self._node("Abs", smooth), "last_axis")
        row_scale = self._node("Div", largest, "levels")
        scaled = self._node("Div", smooth, row_scale)
        rest = self._node("Sub", scaled, self._node("Round", scaled))
        first = self._digit_product(scaled, "first_digit", weight)
        second = self._digit_product(rest, "second_digit", weight)
        self._nodes.append(node_of("Mul", [self._node("Add", first, second), row_scale], [output]))

    def _digit_product(self, values: str, digit: str, weight: str) -> str:
        """Multiplies `values`, in whole steps of `digit`, by the weight."""
        codes = self._node("QuantizeLinear", values, digit, "zero")
        factors = codes, f"{weight}.codes", digit, f"{weight}.scales", "zero"
        return self._node("MatMulIntegerToFloat", *factors, domain=FUSED)

    def _attention(self, node: Any) -> None:
        """Replaces `Attention`, which includes a projection, by a separate projection, which can be
        quantised, and `MultiHeadAttention`."""
        hidden, weight, bias, mask, *others = node.input
        position = others[1:2]  # MPNet's bias by distance; BERT has none
        output = node.output[0]
        parts = [f"{output}.{part}" for part in "qkv"]
        self._multiply(hidden, weight, f"{output}.all")
        self._nodes.append(node_of("Split", [f"{output}.all"], parts, axis=-1, num_outputs=3))
        inputs = [*parts, bias, mask, *position]
        self._nodes.append(node_of("MultiHeadAttention", inputs, [output], domain=FUSED, num_heads=HEADS))
