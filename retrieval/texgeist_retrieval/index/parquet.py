"""Exports and imports papers with their vectors as Parquet, so that abstracts need not be embedded again.
Each row has id, vector and metadata of a paper. Needs pyarrow, which Milvus Lite installs."""

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
VECTOR_NAMES = ("vector", "embedding")
LISTS = ("authors", "categories", "files")
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
        raise RetrievalError(
            f"{target.name} could not be written ({_reason(error)}).",
            "Name a file in a folder that has room for it.",
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return count


def import_parquet(
    path: Path, index: MilvusIndex, table: HashTable, model: str, monitor: Monitor
) -> tuple[int, int]:
    """Imports papers with their vectors, without embedding. Returns the number of imported papers, and the
    number of rows that were left out, because they have no usable vector or no valid record. A column that is
    missing leaves its field empty. Raises `IndexMismatch` for vectors of another model or length."""
    file = _open(path)
    _check_model(file, path, model)
    wanted = index.status().dimension
    done = bad = 0
    try:
        for batch in _batches(file, path):
            monitor.check()
            entries, without = _entries(batch, wanted, path)
            refused = write_rows(index, table, entries)
            done, bad = done + len(entries) - len(refused), bad + without + len(refused)
            monitor.report("Importing", done, file.metadata.num_rows)
    except (Cancelled, IndexUnavailable) as stopped:
        raise broken_off(stopped, ("put into the index", done)) from None
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


def check_parquet(path: Path, model: str) -> None:
    """Raises the errors of `import_parquet` for an unsuitable file. Called before an index is opened or
    made."""
    _check_model(_open(path), path, model)


def _open(path: Path) -> Any:
    """Opens the file with dictionary-encoded strings, so that a string that is repeated in every row is
    stored in memory only once."""
    import pyarrow
    import pyarrow.parquet

    if not path.is_file():  # a pipe would block
        raise NoSource(f"{path} is no file, or is not there.", "Check the path.")
    try:
        columns = pyarrow.parquet.ParquetFile(path).schema
        known = (columns.column(number) for number in range(len(columns.names)))
        words = [column.path for column in known if column.physical_type == "BYTE_ARRAY"]
        return pyarrow.parquet.ParquetFile(path, read_dictionary=words, page_checksum_verification=True)
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise NoSource(
            f"{path} is no Parquet file that can be read ({_shown(str(error))}).", "Check the path."
        ) from error


def _batches(file: Any, path: Path) -> Iterator[Any]:
    """Yields the rows in batches of `ROWS`. Raises `NoSource` if the file is damaged, or its rows are longer
    than those of any paper."""
    import pyarrow

    about = file.metadata
    for group in map(about.row_group, range(about.num_row_groups)):
        columns = [group.column(number) for number in range(group.num_columns)]
        most = [
            max(column.total_uncompressed_size / MOST_A_ROW, column.num_values / MOST_IN_A_ROW)
            for column in columns
        ]
        if max(most, default=0) > max(group.num_rows, 1):
            raise NoSource(
                f"The rows of {path.name} are longer than any paper's: {MOST_A_ROW >> 10} KB are the most in a column.",
                "Nothing of them was taken in.",
            )
    try:
        yield from file.iter_batches(ROWS, columns=_columns(file.schema_arrow))
    except (OSError, ValueError, pyarrow.ArrowException) as error:
        raise NoSource(
            f"{path.name} is damaged ({_shown(str(error))}).",
            "What was read is in the index; get the file again and repeat the command.",
        ) from error


def _columns(schema: Any) -> list[str]:
    """The names of the columns that are read. `files` is left out, because paths of another machine are
    useless."""
    named = {field.name for field in schema if _is_plain(field.type)} - {"files", *VECTOR_NAMES}
    return [*named, _vector_column(schema)]


def _is_plain(kind: Any) -> bool:
    """Whether the type is string, integer, or a list of strings or integers."""
    from pyarrow import types

    if types.is_list(kind) or types.is_large_list(kind):
        kind = kind.value_type
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_integer(kind)
        or types.is_dictionary(kind)
    )


def _vector_column(schema: Any) -> str:
    return next(name for name in VECTOR_NAMES if name in schema.names)


def _reason(error: OSError) -> str:
    """The system's message without the file name, which pyarrow's message repeats."""
    return os.strerror(error.errno) if error.errno else _shown(cause(error))


def _shown(text: str) -> str:
    """Text from an untrusted file for a terminal: at most 120 characters, only printable ones."""
    return "".join(letter for letter in text if letter.isprintable())[:120]


def _check_model(file: Any, path: Path, model: str) -> None:
    from pyarrow import types

    schema = file.schema_arrow
    if "id" not in schema.names or not set(VECTOR_NAMES) & set(schema.names):
        names = _shown(", ".join(schema.names)) or "none"
        raise IndexMismatch(f"{path.name} has no columns `id` and `vector`.", f"Its columns are {names}.")
    kind = schema.field(_vector_column(schema)).type
    listed = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    if not listed or not (types.is_floating(kind.value_type) or types.is_integer(kind.value_type)):
        raise IndexMismatch(
            f"The vectors of {path.name} are no lists of numbers ({_shown(str(kind))}).", "Export it again."
        )
    made_by = _shown((schema.metadata or {}).get(MODEL, b"").decode(errors="replace"))
    if made_by and made_by != model:
        raise IndexMismatch(
            f"The vectors of {path.name} were made by {made_by}, and this index is of {model}.",
            OF_ITS_OWN,
        )


def _entries(batch: Any, dimension: int, path: Path) -> tuple[list[Entry], int]:
    entries: dict[str, Entry] = {}
    for number in range(batch.num_rows):
        vector = _vector(batch.column(_vector_column(batch.schema))[number])
        if vector is None:
            continue
        if len(vector) != dimension:
            raise IndexMismatch(
                f"The vectors of {path.name} have {len(vector)} numbers, this index takes {dimension}.",
                OF_ITS_OWN,
            )
        try:
            paper = admit(_row(batch, number))
        except (NotAdmitted, UnicodeDecodeError):
            continue
        entries[paper.id] = Entry(paper, record_hash(paper), text_hash(paper.abstract), vector)
    return list(entries.values()), batch.num_rows - len(entries)


def _vector(value: Any) -> Any:
    """The vector normalised to length 1; None if it is zero or invalid."""
    if not value.is_valid:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        vector = np.asarray(value.values, dtype=np.float64)
        length = np.linalg.norm(vector)
    return (vector / length).astype(np.float32) if np.isfinite(length) and length else None


def _row(batch: Any, number: int) -> dict[str, Any]:
    """The values of a row by column, without the vector and without empty values. Only one row is read at a
    time, because rows may be long."""
    names = [name for name in batch.schema.names if name not in VECTOR_NAMES]
    row = {name: batch.column(name)[number].as_py() for name in names}
    return {name: item for name, item in row.items() if item is not None}
