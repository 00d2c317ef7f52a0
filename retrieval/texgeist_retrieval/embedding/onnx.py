"""The embedding model on ONNX Runtime, without torch. The first vector is ready less than three seconds after
the start."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelCorrupt
from ..types import Matrix, Vector
from .model import read_manifest

BATCH_TOKENS = 256  # including padding; larger batches do not fit into a processor's cache


class OnnxEmbedder:
    """An `Embedder` that runs a tokenizer and a graph (inputs `input_ids` and `attention_mask`, output
    `embedding`).

    Texts longer than the model's maximum are truncated, as in sentence-transformers. Thread-safe, as ONNX
    Runtime and tokenizers are."""

    def __init__(
        self,
        graph: Path,
        tokenizer: Path,
        *,
        name: str,
        dimension: int,
        max_tokens: int,
        padding: int,
        threads: int | None = None,
    ) -> None:
        self._session = _session(graph, threads)
        self._tokenizer = _tokenizer(tokenizer, max_tokens)
        self._padding = padding
        self._name = name
        self._dimension = dimension

    @classmethod
    def open(cls, folder: Path, *, threads: int | None = None, fast: bool = False) -> OnnxEmbedder:
        manifest = read_manifest(folder)
        exact = folder / manifest.graph
        return cls(
            _eight_bit_of(exact) if fast else exact,
            folder / manifest.tokenizer,
            name=manifest.name,
            dimension=manifest.dimension,
            max_tokens=manifest.max_tokens,
            padding=manifest.padding,
            threads=threads,
        )

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return self._dimension

    def embed_query(self, text: str) -> Vector:
        return np.asarray(self.embed_documents([text])[0])

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32 [len(texts), dimension], rows in the given order.

        To reduce padding, texts run in batches of similar length: long texts alone, short texts together."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(tokens)), key=lambda at: -len(tokens[at]))
        vectors = np.zeros((len(tokens), self._dimension), dtype=np.float32)
        start = 0
        while start < len(order):
            count = max(1, BATCH_TOKENS // max(len(tokens[order[start]]), 1))
            rows = order[start : start + count]
            vectors[rows] = self._run([tokens[row] for row in rows])
            start += count
        return vectors

    def _run(self, batch: Sequence[Sequence[int]]) -> Matrix:
        width = max(len(ids) for ids in batch)
        ids: NDArray[np.int64] = np.full((len(batch), width), self._padding, dtype=np.int64)
        mask: NDArray[np.int64] = np.zeros((len(batch), width), dtype=np.int64)
        for row, text in enumerate(batch):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        (vectors,) = self._session.run(["embedding"], {"input_ids": ids, "attention_mask": mask})
        return np.asarray(vectors, dtype=np.float32)


def _eight_bit_of(exact: Path) -> Path:
    """The path of the 8-bit graph, beside the exact graph. It is built on first use."""
    graph = exact.with_name("model-8bit.onnx")
    if not graph.exists() or graph.stat().st_mtime < exact.stat().st_mtime:
        from .eight_bit import export_eight_bit

        part = graph.with_suffix(
            f".{os.getpid()}.part"
        )  # a file for each process: the last to finish replaces the others
        export_eight_bit(exact, part)
        part.replace(graph)
    return graph


def _session(graph: Path, threads: int | None) -> Any:
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    )  # the graph is optimised already
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # would slow the editor
    options.intra_op_num_threads = threads or 0
    try:
        return onnxruntime.InferenceSession(str(graph), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        raise ModelCorrupt(
            f"The embedding model in {graph.parent} cannot be loaded.",
            "Fetch it again with `texgeist model fetch --force`.",
        ) from error


def _tokenizer(path: Path, max_tokens: int) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.enable_truncation(max_length=max_tokens)
    tokenizer.no_padding()
    return tokenizer
