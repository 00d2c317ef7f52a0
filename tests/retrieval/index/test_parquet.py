"""A Parquet file from anywhere: what is no paper is left out, what is no file of papers is said, and neither
takes the machine's memory."""

from __future__ import annotations

import os
import random
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from texgeist_retrieval.errors import IndexMismatch, NoSource, RetrievalError
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.hashes import HashTable
from texgeist_retrieval.index.parquet import export_parquet, import_parquet
from texgeist_retrieval.monitor import Silent

from .conftest import end_server, vector_of

VECTORS = pa.array([vector_of(str(number)) for number in range(3)], pa.list_(pa.float32(), 768))
GOOD: dict[str, Any] = {
    "id": ["1", "2", "3"],
    "vector": VECTORS,
    "title": ["On things"] * 3,
    "abstract": ["We do things."] * 3,
}
OURS = {b"texgeist.model": b"all-mpnet-base-v2"}
NO_UTF8 = pa.Array.from_buffers(
    pa.string(), 3, [None, pa.array([0, 1, 2, 3], pa.int32()).buffers()[1], pa.py_buffer(b"\xff\xfe\xfd")]
)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, HashTable]]:
    database = tmp_path_factory.mktemp("parquet") / "library.db"
    index = open_index(str(database), create=True)
    yield index, HashTable(database.with_name("library.db.hashes.sqlite"))
    index.close()
    end_server(database)


def written(folder: Path, metadata: dict[bytes, bytes] | None = OURS, **changes: Any) -> Path:
    file = folder / "theirs.parquet"
    table = pa.table({**GOOD, **changes})
    pq.write_table(table.replace_schema_metadata(metadata), file, compression="zstd")
    return file


def taken(file: Path, shelf: tuple[Any, HashTable]) -> tuple[int, int]:
    return import_parquet(file, *shelf, "all-mpnet-base-v2", Silent())


@pytest.mark.parametrize(
    "changes",
    [
        {"metadata": None},
        {"vector": [[0.1] * 768] * 3},  # of any length
        {"vector": ["a", "b", "c"]},
        {"id": [b"\xff"] * 3},
    ],
    ids=["bare", "loose", "words", "bytes"],
)
def test_a_file_of_other_programs_is_refused(
    changes: Any, tmp_path: Path, shelf: tuple[Any, HashTable]
) -> None:
    with pytest.raises(IndexMismatch, match="was not written by `texgeist index export`"):
        taken(written(tmp_path, **changes), shelf)


def rows(*values: float | None) -> Any:
    return pa.array([value if value is None else [value] * 768 for value in values], VECTORS.type)


@pytest.mark.parametrize(
    "changes",
    [
        {"vector": rows(None, float("nan"), float("inf"))},
        {"vector": rows(0.0, 3e38, None)},
        {"id": pa.array([None] * 3, pa.string())},
        {"title": NO_UTF8},
        {"id": NO_UTF8},
    ],
    ids=["none", "endless", "no id", "title", "id"],
)
def test_rows_that_are_none_are_counted(changes: Any, tmp_path: Path, shelf: tuple[Any, HashTable]) -> None:
    assert taken(written(tmp_path, **changes), shelf) == (0, 3)


@pytest.mark.parametrize(
    "changes",
    [
        {"year": pa.array([2**60] * 3, pa.timestamp("us"))}, {"year": pa.array([2**30] * 3, pa.date32())},
        {"authors": [{"name": "x"}] * 3, "categories": [b"\xff"] * 3}, {"files": [["/etc/hostname"]] * 3},
        {f"column {number}": [1] * 3 for number in range(200)},
    ],
    ids=["time", "day", "kinds", "files", "many"],
)  # fmt: skip
def test_columns_of_another_kind_are_left(changes: Any, tmp_path: Path, shelf: tuple[Any, HashTable]) -> None:
    assert taken(written(tmp_path, **changes), shelf) == (3, 0)
    paper, _ = shelf[0].get(["1"])["1"]
    assert paper.title == "On things" and not paper.files


@pytest.mark.parametrize("said", [b"\xff\xfe", b"\x1b[31mEvil\x1b]0;x\x07" * 1000])
def test_what_a_file_says_of_itself_does_nothing(
    said: bytes, tmp_path: Path, shelf: tuple[Any, HashTable]
) -> None:
    with pytest.raises(IndexMismatch, match="were made by") as caught:
        taken(written(tmp_path, {b"texgeist.model": said}), shelf)
    assert str(caught.value).isprintable() and len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "changes",
    [
        {"abstract": ["x" * 20_000_000] * 3},  # 20 KB on disk; a thousand rows of it are 20 GB
        {"authors": [["x"] * 1_000_000] * 3},
    ],
    ids=["words", "authors"],
)
def test_rows_without_end_are_not_unpacked(
    changes: Any, tmp_path: Path, shelf: tuple[Any, HashTable]
) -> None:
    with pytest.raises(NoSource, match="longer than any paper's"):
        taken(written(tmp_path, **changes), shelf)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path, shelf: tuple[Any, HashTable]) -> None:
    os.mkfifo(tmp_path / "pipe.parquet")
    for name in ("pipe.parquet", "none.parquet", "."):
        with pytest.raises(NoSource, match="is no file, or is not there"):
            taken(tmp_path / name, shelf)


def test_bytes_that_changed_on_the_way_are_noticed(
    tmp_path: Path, shelf: tuple[Any, HashTable], recwarn: pytest.WarningsRecorder
) -> None:
    """A vector with other bits is a vector all the same: only a sum over the page tells."""
    index, file = shelf[0], tmp_path / "ours.parquet"
    taken(written(tmp_path), shelf)
    assert export_parquet(index, file, "all-mpnet-base-v2", Silent()) >= 3
    good = file.read_bytes()
    for place in range(len(good) // 8, len(good) // 2, len(good) // 8):
        file.write_bytes(
            good[:place] + bytes(255 - byte for byte in good[place : place + 20]) + good[place + 20 :]
        )
        with pytest.raises(NoSource, match="is damaged"):
            taken(file, shelf)
    assert not recwarn.list


def test_a_disk_that_is_full_is_said(tmp_path: Path, shelf: tuple[Any, HashTable]) -> None:
    taken(written(tmp_path), shelf)
    file = tmp_path / "ours.parquet"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    try:
        with pytest.raises(
            RetrievalError, match=r"ours.parquet could not be written \(File too large\)"
        ) as caught:
            export_parquet(shelf[0], file, "all-mpnet-base-v2", Silent())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert caught.value.help and [one.name for one in tmp_path.iterdir()] == ["theirs.parquet"]


def test_a_damaged_file_is_said(tmp_path: Path, shelf: tuple[Any, HashTable]) -> None:
    file, chance = written(tmp_path), random.Random(1)
    good, said = file.read_bytes(), 0
    for _ in range(150):
        torn = bytearray(good)
        for _ in range(chance.choice([1, 3, 20])):
            torn[chance.randrange(4, len(torn))] = chance.randrange(256)
        file.write_bytes(bytes(torn))
        try:
            taken(file, shelf)
        except RetrievalError:
            said += 1
    assert said > 20
