"""Exports papers with their vectors as Parquet, and imports them elsewhere, so that abstracts need not be embedded
again. Each row has id, vector and metadata of a paper. Needs pyarrow, which Milvus Lite installs. A file may come
from others, so every row passes the gate for records."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import Cancelled, IndexMismatch, IndexUnavailable, NoSource, RetrievalError, cause
from ..ports import Monitor
from ..sources.admission import NotAdmitted, admit
from ..types import Paper
from .hashes import Entry, HashTable, record_hash, text_hash
from .milvus import MilvusIndex
from .storing import broken_off, write_rows

ROWS = 1000
MODEL = b"texgeist.model"
LISTS = ("authors", "categories", "details")
NUMBERS = ("year", "version")
OF_ITS_OWN = "Name the model that made them under embedding.model, and import it into an index of its own."
MOST_A_ROW = 256 << 10  # average bytes of a column for each row; an abstract or a vector has a few thousand
MOST_IN_A_ROW = 20_000  # average values of a column for each row, such as numbers of a vector or authors


def export_parquet(index: MilvusIndex, target: Path, model: str, monitor: Monitor) -> int:
    """Writes all papers with their vectors (float32) and returns the number of papers. The file is written
    atomically."""
    import pyarrow
    import pyarrow.parquet

    status = index.status()
    schema = _schema(status.dimension, model)
    part = target.with_name(target.name + ".part")
    entries = index.entries()
    count = 0
    try:
        with pyarrow.parquet.ParquetWriter(
            part, schema, compression="zstd", write_page_checksum=True
        ) as writer:
            while batch := list(islice(entries, ROWS)):
                monitor.check()
                writer.write_batch(_batch(batch, schema))
                count += len(batch)
                monitor.report("Exporting", count, status.papers)
        part.replace(target)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else _shown(cause(error))  # without the file's name
        raise RetrievalError(
            f"{target.name} could not be written ({reason}).", "Name a file in a folder that has room for it."
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return count


def import_parquet(
    path: Path, index: MilvusIndex, table: HashTable, model: str, monitor: Monitor
) -> tuple[int, int]:
    """Imports the papers of a file that `export_parquet` wrote. Returns the number of imported papers, and the
    number of rows that were left out, because they have no usable vector or no valid record. Raises
    `IndexMismatch` for vectors of another model or length, and for another file."""
    columns = check_parquet(path, model)
    dimension = index.status().dimension
    done = bad = 0
    try:
        for batch, rows in _batches(path, columns):
            monitor.check()
            if batch.schema.field("vector").type.list_size != dimension:
                raise IndexMismatch(
                    f"The vectors of {path.name} have another length than this index takes ({dimension}).",
                    OF_ITS_OWN,
                )
            entries = _entries(batch)
            refused = write_rows(index, table, entries)
            written = len(entries) - len(refused)
            done, bad = done + written, bad + batch.num_rows - written
            monitor.report("Importing", done, rows)
    except (Cancelled, IndexUnavailable) as stopped:
        raise broken_off(stopped, ("put into the index", done)) from None
    return done, bad


def check_parquet(path: Path, model: str) -> list[str]:
    """The names of the columns to read: those that `export_parquet` writes, with the same types. Called before an
    index is opened or made. Raises the errors of `import_parquet` for an unsuitable file."""
    schema = _open(path).schema_arrow
    made_by = _shown((schema.metadata or {}).get(MODEL, b"").decode(errors="replace"))
    size = getattr(schema.field("vector").type, "list_size", 0) if "vector" in schema.names else 0
    known = {field.name: field.type for field in _schema(max(size, 1), model)}
    columns = [field.name for field in schema if known.get(field.name) == field.type]
    if not made_by or not {"id", "vector"} <= set(columns):
        raise IndexMismatch(
            f"{path.name} was not written by `texgeist index export`.", "Export it again from its index."
        )
    if made_by != model:
        raise IndexMismatch(
            f"The vectors of {path.name} were made by {made_by}, and this index is of {model}.", OF_ITS_OWN
        )
    return columns


def _schema(dimension: int, model: str) -> Any:
    import pyarrow as pa

    columns = [("id", pa.string()), ("vector", pa.list_(pa.float32(), dimension))]
    for field in fields(Paper):
        if field.name not in ("id", "files"):  # paths of another machine are useless
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


def _open(path: Path, **options: Any) -> Any:
    import pyarrow
    import pyarrow.parquet

    if not path.is_file():  # a pipe would block
        raise NoSource(f"{path} is no file, or is not there.", "Check the path.")
    try:
        return pyarrow.parquet.ParquetFile(path, page_checksum_verification=True, **options)
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise NoSource(
            f"{path} is no Parquet file that can be read ({_shown(str(error))}).", "Check the path."
        ) from error


def _batches(path: Path, columns: list[str]) -> Iterator[tuple[Any, int]]:
    """Yields the rows in batches of `ROWS`, each with the number of rows of the file. Strings stay
    dictionary-encoded, so that a string that is repeated in every row is in memory only once. Raises `NoSource` if
    the file is damaged, or its rows are longer than those of any paper."""
    import pyarrow

    file = _open(path, read_dictionary=[name for name in columns if name not in (*LISTS, *NUMBERS, "vector")])
    about = file.metadata
    for group in map(about.row_group, range(about.num_row_groups)):
        parts = [group.column(number) for number in range(group.num_columns)]
        most = [max(p.total_uncompressed_size / MOST_A_ROW, p.num_values / MOST_IN_A_ROW) for p in parts]
        if max(most, default=0) > max(group.num_rows, 1):
            raise NoSource(
                f"The rows of {path.name} are longer than any paper's: {MOST_A_ROW >> 10} KB are the most in a column.",
                "Nothing of them was taken in.",
            )
    try:
        for batch in file.iter_batches(ROWS, columns=columns):
            yield batch, about.num_rows
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise NoSource(
            f"{path.name} is damaged ({_shown(str(error))}).",
            "What was read is in the index; get the file again and repeat the command.",
        ) from error


def _shown(text: str) -> str:
    """Text from an untrusted file for a terminal: at most 120 characters, only printable ones."""
    return "".join(letter for letter in text if letter.isprintable())[:120]


def _entries(batch: Any) -> list[Entry]:
    """The valid rows of a batch. One row is converted at a time, because rows may be long."""
    entries: dict[str, Entry] = {}
    names = [name for name in batch.schema.names if name != "vector"]
    for number in range(batch.num_rows):
        try:
            vector = np.array(batch.column("vector")[number].as_py() or [], dtype=np.float32)
            paper = admit({name: batch.column(name)[number].as_py() for name in names})
        except (NotAdmitted, UnicodeDecodeError):
            continue
        with np.errstate(over="ignore"):
            length = np.linalg.norm(vector)
        if np.isfinite(length) and length:
            text = text_hash(paper.abstract)
            entries[paper.id] = Entry(paper, record_hash(paper), text, vector / length)
    return list(entries.values())
