"""Vectors to take along: Parquet with id, vector and metadata, one row a paper, so that nobody has to
embed the same abstracts twice. Needs pyarrow, which Milvus Lite brings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import Cancelled, IndexMismatch, NoSource
from ..harvest.admission import NotAdmitted, admit
from ..ports import Monitor
from ..types import Paper
from .hashes import Entry, HashTable, record_hash, text_hash
from .milvus import MilvusIndex
from .storing import broken_off, recover, write_rows

ROWS = 1000
MODEL = b"texgeist.model"
VECTOR_NAMES = ("vector", "embedding")
LISTS = ("authors", "categories", "files")
NUMBERS = ("year", "version")


def export_parquet(index: MilvusIndex, target: Path, model: str, monitor: Monitor) -> int:
    """Writes every paper with its vector (float32). Returns how many. The file appears when it is whole."""
    import pyarrow
    import pyarrow.parquet

    status = index.status()
    schema = _schema(status.dimension, model)
    part = target.with_name(target.name + ".part")
    entries = index.entries()
    count = 0
    try:
        with pyarrow.parquet.ParquetWriter(part, schema, compression="zstd") as writer:
            while batch := list(islice(entries, ROWS)):
                monitor.check()
                writer.write_batch(_batch(batch, schema))
                count += len(batch)
                monitor.report("Exporting", count, status.papers)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return count


def import_parquet(
    path: Path, index: MilvusIndex, table: HashTable, model: str, monitor: Monitor
) -> tuple[int, int]:
    """Takes in a file's papers and vectors without embedding. Returns how many, and how many had no
    usable vector or are no record. Columns that are not there stay unknown.

    Raises `IndexMismatch` for vectors of another model or length."""
    file = _open(path)
    _check_model(file, path, model)
    wanted = index.status().dimension
    recover(index, table)
    done = bad = 0
    try:
        for batch in file.iter_batches(ROWS):
            monitor.check()
            entries, without = _entries(batch, wanted, path)
            table.keep_pending(entries)
            refused = write_rows(index, table, entries)
            done, bad = done + len(entries) - len(refused), bad + without + len(refused)
            monitor.report("Importing", done, file.metadata.num_rows)
    except Cancelled:
        raise broken_off(("put into the index", done)) from None
    return done, bad


def _schema(dimension: int, model: str) -> Any:
    import pyarrow as pa

    columns = [("id", pa.string()), ("vector", pa.list_(pa.float32(), dimension))]
    for field in fields(Paper):
        if field.name not in ("id", "files"):
            kind = pa.list_(pa.string()) if field.name in LISTS else pa.string()
            columns.append((field.name, pa.int32() if field.name in NUMBERS else kind))
    return pa.schema(columns, metadata={MODEL: model.encode()})


def _batch(entries: list[tuple[Paper, Any, str]], schema: Any) -> Any:
    import pyarrow as pa

    vectors = np.stack([vector for _, vector, _ in entries]).astype(np.float32)
    columns: list[Any] = []
    for field in schema:
        if field.name == "vector":
            columns.append(pa.FixedSizeListArray.from_arrays(vectors.ravel(), vectors.shape[1]))
        else:
            values = [getattr(paper, field.name) for paper, _, _ in entries]
            columns.append(pa.array(values, type=field.type))
    return pa.record_batch(columns, schema=schema)


def _open(path: Path) -> Any:
    import pyarrow
    import pyarrow.parquet

    try:
        return pyarrow.parquet.ParquetFile(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise NoSource(f"{path} is no Parquet file that can be read ({error}).", "Check the path.") from error


def _check_model(file: Any, path: Path, model: str) -> None:
    names = file.schema_arrow.names
    if "id" not in names or not set(VECTOR_NAMES) & set(names):
        raise IndexMismatch(
            f"{path.name} has no columns `id` and `vector`.", f"Its columns are {', '.join(names)}."
        )
    made_by = (file.schema_arrow.metadata or {}).get(MODEL, b"").decode()
    if made_by and made_by != model:
        raise IndexMismatch(
            f"The vectors of {path.name} were made by {made_by}, and this index is of {model}.",
            "Import it into an index of its own.",
        )


def _entries(batch: Any, dimension: int, path: Path) -> tuple[list[Entry], int]:
    column = next(name for name in VECTOR_NAMES if name in batch.schema.names)
    rows = list(_rows(batch, column))
    entries: dict[str, Entry] = {}
    for row, vector in rows:
        if vector is None or not np.isfinite(vector).all() or not vector.any():
            continue
        if len(vector) != dimension:
            raise IndexMismatch(
                f"The vectors of {path.name} have {len(vector)} numbers, this index takes {dimension}.",
                "Import it into an index of its own.",
            )
        try:
            paper = admit(row)
        except NotAdmitted:
            continue
        unit = (vector / np.linalg.norm(vector)).astype(np.float32)
        entries[paper.id] = Entry(paper, record_hash(paper), text_hash(paper.abstract), unit)
    return list(entries.values()), len(rows) - len(entries)


def _rows(batch: Any, column: str) -> Iterator[tuple[dict[str, Any], Any]]:
    vectors = batch.column(column)
    names = [name for name in batch.schema.names if name not in (column, "files")]  # of another machine
    for number, row in enumerate(batch.select(names).to_pylist()):
        value = vectors[number]
        known = {name: item for name, item in row.items() if item is not None}
        yield known, np.asarray(value.values, dtype=np.float32) if value.is_valid else None
