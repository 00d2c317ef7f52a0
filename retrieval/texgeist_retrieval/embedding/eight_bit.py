"""The model with 8-bit weights, for bulk embedding. It takes about half the time of the exact graph on
processors that multiply 8-bit numbers (VNNI, AMX), and twice the time on processors with AVX2 only
(`benchmarks.embedding` measures this).

Activations are also quantised, in blocks of 128 with a scale each (ONNX Runtime's `MatMulNBits`, accuracy
level 4). With one scale for a tensor, MPNet's outliers dominate, and the cosine to the exact vector falls to
0.58. With blocks it stays above 0.999 on arXiv abstracts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .export import FUSED, HEADS
from .onnx_format import array_of, graph_of, load_graph, node_of, save_graph, tensor_of

BLOCK = 128


def export_eight_bit(exact: Path, target: Path) -> None:
    """Writes the 8-bit form of the graph in `exact` to `target` (184 MB)."""
    graph, operators = load_graph(exact)
    save_graph(_Rewriter(graph).rewritten(), target, operators)


class _Rewriter:
    def __init__(self, graph: Any) -> None:
        self._graph = graph
        self._weights = {weight.name: weight for weight in graph.initializer}
        self._nodes: list[Any] = []

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

    def _multiply(self, left: str, weight: str, output: str) -> None:
        matrix = array_of(self._weights.pop(weight))
        codes, scales = quantise(matrix)
        for name, values in ((f"{weight}.codes", codes), (f"{weight}.scales", scales)):
            self._weights[name] = tensor_of(values, name)
        self._nodes.append(
            node_of(
                "MatMulNBits",
                [left, f"{weight}.codes", f"{weight}.scales"],
                [output],
                domain=FUSED,
                K=matrix.shape[0],
                N=matrix.shape[1],
                bits=8,
                block_size=BLOCK,
                accuracy_level=4,  # also quantises activations to 8 bits
            )
        )

    def _attention(self, node: Any) -> None:
        """Replaces `Attention`, which includes a projection, by a separate projection, which can be
        quantised, and `MultiHeadAttention`."""
        hidden, weight, bias, mask, *others = node.input
        position = others[1:2]  # MPNet's bias by distance; BERT has none
        output = node.output[0]
        parts = [f"{output}.{part}" for part in "qkv"]
        self._multiply(hidden, weight, f"{output}.all")
        self._nodes.append(node_of("Split", [f"{output}.all"], parts, axis=-1))
        inputs = [*parts, bias, mask, *position]
        self._nodes.append(node_of("MultiHeadAttention", inputs, [output], domain=FUSED, num_heads=HEADS))


def quantise(matrix: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Quantises a [rows, columns] matrix to codes [columns, blocks, BLOCK] around 128 and scales [columns,
    blocks]."""
    blocks = np.ascontiguousarray(matrix.T).reshape(matrix.shape[1], -1, BLOCK)
    scales = np.maximum(np.abs(blocks).max(axis=-1), 1e-12) / 127
    codes = np.clip(np.rint(blocks / scales[..., None]) + 128, 0, 255).astype(np.uint8)
    return codes, scales.astype(np.float32)
