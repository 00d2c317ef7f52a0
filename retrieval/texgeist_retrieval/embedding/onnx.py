"""The embedding model on ONNX Runtime, without torch. The first vector is ready less than three seconds after
the start."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelCorrupt
from ..types import Matrix, Vector
from .model import read_manifest

BATCH_TOKENS = 256  # including padding; larger batches do not fit into a processor's cache
PACKED_AFTER = 64  # texts; from then on, weights in a faster layout save more time than their packing takes


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
        packed: bool = False,
    ) -> None:
        self._reopen = partial(_session, graph, threads)
        self._session = self._reopen(packed=packed)
        self._until_packed = -1 if packed else PACKED_AFTER
        self._tokenizer = _tokenizer(tokenizer, max_tokens)
        self._padding = padding
        self._name = name
        self._dimension = dimension

    @classmethod
    def open(cls, folder: Path, *, threads: int | None = None, fast: bool = False) -> OnnxEmbedder:
        from .eight_bit import export_eight_bit

        manifest = read_manifest(folder)
        exact = folder / manifest.graph
        return cls(
            _derived(exact, "model-8bit.onnx", export_eight_bit) if fast else exact,
            folder / manifest.tokenizer,
            name=manifest.name,
            dimension=manifest.dimension,
            max_tokens=manifest.max_tokens,
            padding=manifest.padding,
            threads=threads,
            packed=fast,  # 8-bit weights are multiplied only after packing
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
        self._pack(len(texts))
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

    def _pack(self, texts: int) -> None:
        """Packs the weights (340 MB) if many texts are embedded: each then takes a fifth less time."""
        before, self._until_packed = self._until_packed, self._until_packed - texts
        if before >= 0 > self._until_packed:
            self._session = self._reopen(packed=True)

    def _run(self, batch: Sequence[Sequence[int]]) -> Matrix:
        width = max(len(ids) for ids in batch)
        ids: NDArray[np.int64] = np.full((len(batch), width), self._padding, dtype=np.int64)
        mask: NDArray[np.int64] = np.zeros((len(batch), width), dtype=np.int64)
        for row, text in enumerate(batch):
            ids[row, : len(text)] = text
            mask[row, : len(text)] = 1
        (vectors,) = self._session.run(["embedding"], {"input_ids": ids, "attention_mask": mask})
        return np.asarray(vectors, dtype=np.float32)


def _mapped(graph: Path) -> Path:
    """The path of a graph that refers to the weights in `graph`, so that they are mapped into memory; `graph`
    itself in a folder that cannot be written, and on Windows, where a mapped file could not be replaced."""
    from .onnx_format import save_references

    with suppress(OSError):
        if sys.platform != "win32":
            return _derived(graph, f"{graph.stem}-mapped.onnx", save_references)
    return graph


def _derived(source: Path, name: str, make: Callable[[Path, Path], None]) -> Path:
    """The path of the file `name` beside `source`, which `make` builds on first use."""
    target = source.with_name(name)
    if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
        part = target.with_suffix(f".{os.getpid()}.part")  # the last process to finish replaces the others
        make(source, part)
        part.replace(target)
    return target


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
        return onnxruntime.InferenceSession(str(_mapped(graph)), options, providers=["CPUExecutionProvider"])
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
