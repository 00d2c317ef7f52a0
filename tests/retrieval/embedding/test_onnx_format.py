"""Our few messages against the `onnx` package, which is the format's own reading of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from texgeist_retrieval.embedding.onnx_format import (
    FLOAT,
    INT64,
    array_of,
    graph_of,
    load_graph,
    node_of,
    save_graph,
    tensor_of,
    value_of,
)

WEIGHT = np.arange(6, dtype=np.float32).reshape(2, 3)
OTHERS: tuple[np.ndarray[Any, Any], ...] = (
    np.array(7, np.int64),
    np.array([0, 255], np.uint8),
    np.array([-1], np.int32),
)
OPERATORS = {"": 17, "com.microsoft": 1}


def test_what_is_written_is_what_onnx_would_write(tmp_path: Path) -> None:
    graph = graph_of(
        [
            node_of("Gemm", ["x", "w"], ["y"], alpha=0.5, transB=0),
            node_of("FastGelu", ["y"], ["z"], "com.microsoft"),
            node_of("Shape", ["y"], ["n"], start=1),
        ],
        "small",
        [value_of("x", FLOAT, ["batch", 2])],
        [value_of("z", FLOAT, ["batch", 3]), value_of("n", INT64, [1])],
        [tensor_of(WEIGHT, "w"), *(tensor_of(v, f"v{n}") for n, v in enumerate(OTHERS))],
    )
    save_graph(graph, tmp_path / "ours.onnx", OPERATORS)
    read = onnx.load(str(tmp_path / "ours.onnx"))
    onnx.checker.check_model(read)
    theirs = helper.make_graph(
        [
            helper.make_node("Gemm", ["x", "w"], ["y"], domain="", alpha=0.5, transB=0),
            helper.make_node("FastGelu", ["y"], ["z"], domain="com.microsoft"),
            helper.make_node("Shape", ["y"], ["n"], domain="", start=1),
        ],
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 2])],
        [
            helper.make_tensor_value_info("z", TensorProto.FLOAT, ["batch", 3]),
            helper.make_tensor_value_info("n", TensorProto.INT64, [1]),
        ],
        [
            numpy_helper.from_array(WEIGHT, "w"),
            *(numpy_helper.from_array(v, f"v{n}") for n, v in enumerate(OTHERS)),
        ],
    )
    assert read.graph == theirs
    assert {one.domain: one.version for one in read.opset_import} == OPERATORS and read.ir_version == 8


def test_what_onnx_writes_is_read(tmp_path: Path) -> None:
    node = helper.make_node("Gemm", ["x", "w"], ["y"], alpha=0.5)
    graph = helper.make_graph([node], "small", [], [], [numpy_helper.from_array(WEIGHT, "w")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    onnx.save(model, str(tmp_path / "theirs.onnx"))
    read, operators = load_graph(tmp_path / "theirs.onnx")
    assert (array_of(read.initializer[0]) == WEIGHT).all() and operators == {"": 17}
    assert (read.node[0].op_type, read.node[0].attribute[0].f) == ("Gemm", 0.5)
