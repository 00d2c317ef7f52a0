"""The embedding model on ONNX Runtime, without torch. The first vector is ready less than three seconds after
the start."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelCorrupt
from ..types import Matrix, Vector
from . import DIMENSION, MAX_TOKENS, NAME, PADDING, TOKENIZER

BATCH_TOKENS = 256  # including padding; larger batches do not fit into a processor's cache
PACKED_AFTER = 64  # texts; from then on, weights in a faster layout save more time than their packing takes


class OnnxEmbedder:
    """An `Embedder` that runs `graph` (inputs `input_ids` and `attention_mask`, output `embedding`) and the tokenizer
    beside it. `threads`: see `load_embedder`.

    Texts longer than the model's maximum are truncated, as in sentence-transformers. Thread-safe, as ONNX
    Runtime and tokenizers are."""

    name, dimension = NAME, DIMENSION

    def __init__(self, graph: Path, *, threads: int | None = None, eight_bit: bool = False) -> None:
        self._reopen = partial(_session, graph, threads)
        self._session = self._reopen(packed=eight_bit)  # 8-bit weights are multiplied only after packing
        self._until_packed = -1 if eight_bit else PACKED_AFTER
        self._tokenizer = _tokenizer(graph.with_name(TOKENIZER))

    def embed_query(self, text: str) -> Vector:
        return np.asarray(self.embed_documents([text])[0])

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32 [len(texts), dimension], rows in the given order.

        To reduce padding, texts run in batches of similar length: long texts alone, short texts together."""
        self._pack(len(texts))
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(tokens)), key=lambda at: -len(tokens[at]))
        vectors = np.zeros((len(tokens), DIMENSION), dtype=np.float32)
        start = 0
        while start < len(order):
            count = max(1, BATCH_TOKENS // max(len(tokens[order[start]]), 1))
            rows = order[start : start + count]
            vectors[rows] = self._run([tokens[row] for row in rows])
            start += count
        return vectors

    def _pack(self, texts: int) -> None:
        """Packs the weights (340 MB) if many texts are embedded: each then takes a fifth less time."""
        before, self._until_packed = self._until_packed, self._until_packed - texts
        if before >= 0 > self._until_packed:
            self._session = self._reopen(packed=True)

    def _run(self, batch: Sequence[Sequence[int]]) -> Matrix:
        width = max(len(ids) for ids in batch)
        ids: NDArray[np.int64] = np.full((len(batch), width), PADDING, dtype=np.int64)
        mask: NDArray[np.int64] = np.zeros((len(batch), width), dtype=np.int64)
        for row, text in enumerate(batch):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        (vectors,) = self._session.run(["embedding"], {"input_ids": ids, "attention_mask": mask})
        return np.asarray(vectors, dtype=np.float32)


def mapped(graph: Path) -> Path:
    """The path of a graph that refers to the weights in `graph`, so that they are mapped into memory; it is made
    on first use. `graph` itself in a folder that cannot be written, and on Windows, where a mapped file could
    not be replaced."""
    from .onnx_format import save_references

    target = graph.with_name(f"{graph.stem}-mapped.onnx")
    with suppress(OSError):
        if sys.platform == "win32":
            return graph
        if not target.exists() or target.stat().st_mtime < graph.stat().st_mtime:
            part = target.with_suffix(
                f".{os.getpid()}.part"
            )  # the last process to finish replaces the others
            save_references(graph, part)
            part.replace(target)
        return target
    return graph


def _session(graph: Path, threads: int | None, *, packed: bool) -> Any:
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    )  # the graph is optimised already
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # would slow the editor
    options.add_session_config_entry("session.disable_prepacking", str(int(not packed)))
    options.intra_op_num_threads = threads or 0
    try:
        return onnxruntime.InferenceSession(str(mapped(graph)), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise _corrupt(graph.parent) from error


def _tokenizer(path: Path) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises no other class
        raise _corrupt(path.parent) from error
    tokenizer.enable_truncation(max_length=MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer


def _corrupt(folder: Path) -> ModelCorrupt:
    return ModelCorrupt(
        f"The embedding model in {folder} cannot be loaded.",
        "Fetch it again with `texgeist model fetch --force`.",
    )
