"""Reads and writes ONNX files with the protobuf runtime that Milvus' client installs: the `onnx` package has
31 MB, and only these few messages are needed (github.com/onnx/onnx, `onnx.proto`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FLOAT, UINT8, INT8, INT32, INT64 = 1, 2, 3, 6, 7  # TensorProto.DataType
_TYPES = {FLOAT: np.float32, UINT8: np.uint8, INT8: np.int8, INT32: np.int32, INT64: np.int64}
_A_FLOAT, _AN_INT = 1, 2  # AttributeProto.AttributeType
_IR_VERSION = 8
_EXTERNAL = 1  # TensorProto.DataLocation
_LEAST_MAPPED = 1024  # bytes of a tensor

# Each line is a message: its name, then its fields with number and type (* for repeated), as set by ONNX.
_SCHEMA = """
Attribute name=1:string f=2:float i=3:int64 type=20:int32
Node input=1:string* output=2:string* name=3:string op_type=4:string attribute=5:Attribute* domain=7:string
Entry key=1:string value=2:string
Tensor dims=1:int64* data_type=2:int32 name=8:string raw_data=9:bytes external_data=13:Entry* data_location=14:int32
Dimension dim_value=1:int64 dim_param=2:string
Shape dim=1:Dimension*
TensorType elem_type=1:int32 shape=2:Shape
Type tensor_type=1:TensorType
ValueInfo name=1:string type=2:Type
Graph node=1:Node* name=2:string initializer=5:Tensor* input=11:ValueInfo* output=12:ValueInfo*
OperatorSet domain=1:string version=2:int64
Model ir_version=1:int64 producer_name=2:string graph=7:Graph opset_import=8:OperatorSet*
"""


@cache
def _message(name: str) -> Any:
    from google.protobuf import message_factory

    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"texgeist.{name}"))


@cache
def _pool() -> Any:
    """A descriptor pool for `_SCHEMA`, separate because the default pool may contain the `onnx` package's
    messages."""
    from google.protobuf import descriptor_pb2, descriptor_pool

    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="texgeist_onnx.proto", package="texgeist", syntax="proto2")
    for line in _SCHEMA.strip().splitlines():
        name, *fields = line.split()
        message = file.message_type.add(name=name)
        for field in fields:
            what, _, kind = field.rstrip("*").partition(":")
            called, number = what.split("=")
            label = kinds.LABEL_REPEATED if field.endswith("*") else kinds.LABEL_OPTIONAL
            made = message.field.add(name=called, number=int(number), label=label)
            if kind[0].isupper():
                made.type, made.type_name = kinds.TYPE_MESSAGE, f".texgeist.{kind}"
            else:
                made.type = kinds.Type.Value(f"TYPE_{kind.upper()}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return pool


def node_of(
    operator: str, inputs: Sequence[str], outputs: Sequence[str], domain: str = "", **attributes: int | float
) -> Any:
    node = _message("Node")(op_type=operator, domain=domain, input=inputs, output=outputs)
    for name, value in sorted(attributes.items()):
        if isinstance(value, int):
            node.attribute.add(name=name, i=value, type=_AN_INT)
        else:
            node.attribute.add(name=name, f=value, type=_A_FLOAT)
    return node


def tensor_of(values: NDArray[Any], name: str) -> Any:
    """The tensor message for an array of float32, uint8, int8, int32 or int64."""
    kind = next(number for number, of in _TYPES.items() if values.dtype == of)
    little = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<"), copy=False)
    return _message("Tensor")(name=name, dims=values.shape, data_type=kind, raw_data=little.tobytes())


def array_of(tensor: Any) -> NDArray[Any]:
    kind = np.dtype(_TYPES[tensor.data_type]).newbyteorder("<")
    return np.frombuffer(tensor.raw_data, kind).reshape(tuple(tensor.dims))


def value_of(name: str, kind: int, shape: Sequence[int | str]) -> Any:
    """The message for an input or output of a graph. In `shape`, a name stands for a variable size."""
    value = _message("ValueInfo")(name=name)
    value.type.tensor_type.elem_type = kind
    for size in shape:
        given = {"dim_param": size} if isinstance(size, str) else {"dim_value": size}
        value.type.tensor_type.shape.dim.add(**given)
    return value


def graph_of(
    nodes: Sequence[Any],
    name: str,
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    initializers: Sequence[Any],
) -> Any:
    return _message("Graph")(name=name, node=nodes, input=inputs, output=outputs, initializer=initializers)


def save_graph(graph: Any, target: Path, operators: dict[str, int]) -> None:
    """`operators`: the version of each operator set, by domain."""
    model = _message("Model")(ir_version=_IR_VERSION, producer_name="texgeist", graph=graph)
    for domain, version in operators.items():
        model.opset_import.add(domain=domain, version=version)
    target.write_bytes(model.SerializeToString())


def load_graph(path: Path) -> tuple[Any, dict[str, int]]:
    """The graph in a file, and the versions of its operator sets."""
    model = _message("Model").FromString(path.read_bytes())
    return model.graph, {one.domain: one.version for one in model.opset_import}


def save_references(source: Path, target: Path) -> None:
    """Writes the graph of `source` with references to the weights in `source`, in the same folder. ONNX
    Runtime maps weights that are referenced into memory, where it would otherwise read and copy them."""
    data = source.read_bytes()
    model, at = _message("Model").FromString(data), 0
    for tensor in model.graph.initializer:
        if (size := len(tensor.raw_data)) >= _LEAST_MAPPED:
            at = data.index(tensor.raw_data, at)
            tensor.ClearField("raw_data")
            tensor.data_location = _EXTERNAL
            for key, value in (("location", source.name), ("offset", at), ("length", size)):
                tensor.external_data.add(key=key, value=str(value))
    target.write_bytes(model.SerializeToString())
