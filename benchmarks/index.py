"""Searching and updating an index.

    python -m benchmarks.index sync [--records 20000]     records that did not change, per second; memory
    python -m benchmarks.index lite [--rows 10000]        a local index against a plain numpy product
    python -m benchmarks.index server [--rows 100000]     a Milvus server (PyPI `milvus`) against numpy

Vectors are random and clustered, records are made here: nothing is embedded. Ratios within one run. A search
brings 60 vectors and records along, some 200 KB, which costs the same whatever the rows: on a server the
product wins below some 50,000 rows, and loses beyond."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.hashes import HashTable, record_hash, table_of, text_hash
from texgeist_retrieval.index.milvus import MilvusIndex
from texgeist_retrieval.index.update import Updater
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.shared_process import read_registration
from texgeist_retrieval.sources.records import Record, RecordFile
from texgeist_retrieval.types import Matrix, Paper

from tests.retrieval.milvus_server import TOKEN, running

TOP, QUERIES, ALL_OF_ARXIV = 60, 100, 2_600_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["sync", "lite", "server"])
    parser.add_argument("--rows", type=int)
    parser.add_argument("--records", type=int, default=20_000)
    given = parser.parse_args()
    print(f"load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        if given.what == "sync":
            sync(Path(folder), given.records)
        elif given.what == "lite":
            with local(Path(folder)) as index:
                search(index, given.rows or 10_000)
        else:
            with server(Path(folder)) as index:
                search(index, given.rows or 100_000)


def sync(folder: Path, count: int) -> None:
    """The table is filled by hand, so that only reading, hashing and looking up are measured. The same
    file is read twice as long the second time: memory must not follow."""
    files = [write_records(folder / f"{n}.jsonl", n) for n in (count // 2, count)]
    with local(folder) as index:
        table = HashTable(table_of(str(folder / "library.db"), "abstracts"))
        fill_table(table, files[-1])
        for path in files:
            started = time.process_time()
            with patch.object(index, "count", table.count):  # the index itself is left empty here
                summary = Updater(index, table, never, Silent()).run(RecordFile(path))
            used = time.process_time() - started
            assert summary.unchanged == summary.read
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{summary.read:,} unchanged records: {summary.read / summary.seconds:,.0f}/s by the clock, "
                f"{summary.read / used:,.0f}/s of processor time, peak memory {memory:.0f} MB; "
                f"{ALL_OF_ARXIV:,} in {ALL_OF_ARXIV / summary.read * summary.seconds / 60:.1f} min "
                f"({ALL_OF_ARXIV / summary.read * used / 60:.1f} min of processor time)"
            )
        table.close()


def never() -> Any:
    raise AssertionError("nothing was to be embedded")


def write_records(path: Path, count: int) -> Path:
    """Lines as long as those of arXiv's snapshot."""
    with path.open("w") as file:
        for n in range(count):
            record = {
                "id": f"{n // 20000 + 1501}.{n % 20000:05}", "submitter": "A. Person", "authors": "A. P.",
                "title": f"Paper number {n} on a matter of some length", "comments": "12 pages, 3 figures",
                "journal-ref": None, "doi": None, "report-no": None, "categories": "cs.CL cs.LG",
                "license": "http://arxiv.org/licenses/1.0/", "abstract": f"In {n} we study. " * 70,
                "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
                "update_date": "2008-11-26", "authors_parsed": [["Person", "A.", ""], ["Queue", "B.", ""]],
            }  # fmt: skip
            file.write(json.dumps(record) + "\n")
    return path


def fill_table(table: HashTable, path: Path) -> None:
    papers = (item.paper for item in RecordFile(path) if isinstance(item, Record))
    table.record((p.id, record_hash(p), text_hash(p.abstract)) for p in papers)


def search(index: MilvusIndex, rows: int) -> None:
    vectors = clustered(rows)
    queries = clustered(QUERIES, seed=1)
    started = time.perf_counter()
    for start in range(0, rows, 1000):
        part = vectors[start : start + 1000]
        papers = [
            Paper(id=f"{n:07}", title=f"T{n}", abstract="A. " * 60) for n in range(start, start + len(part))
        ]
        index.upsert(papers, part)
        if (start // 1000 + 1) % 20 == 0:
            print(f"  {start + 1000:,} rows after {time.perf_counter() - started:.0f} s", flush=True)
    index.flush()
    wait_until_indexed(index, queries)
    print(f"{rows:,} rows in and indexed after {time.perf_counter() - started:.0f} s", flush=True)
    exact = [np.argsort(-(vectors @ query))[:TOP] for query in queries[:50]]
    ours, numpys, bare = [], [], []
    for query in queries:
        ours.append(timed(partial(index.search, query[None], TOP)))
        bare.append(timed(partial(ids_alone, index, query)))
        numpys.append(timed(partial(top_by_numpy, vectors, query)))
    found = [index.search(query[None], TOP)[0] for query in queries[:50]]
    recall = np.mean(
        [len({int(h.paper.id) for h in hits} & set(e)) / TOP for hits, e in zip(found, exact, strict=True)]
    )
    base = np.percentile(numpys, [50, 95])
    for name, times in (
        ("texgeist, papers and vectors", ours),
        ("Milvus, ids alone", bare),
        ("numpy product", numpys),
    ):
        taken = np.percentile(times, [50, 95])
        p50, p95 = 1000 * taken
        ratios = ", ".join(f"{ratio:.2f}" for ratio in base / taken)
        print(f"{name:30} p50 {p50:7.1f} ms   p95 {p95:7.1f} ms   numpy / this {ratios}")
    print(f"recall@{TOP} against numpy: {recall:.3f}")


def top_by_numpy(vectors: Matrix, query: Any) -> Any:
    scores = vectors @ query
    best = np.argpartition(-scores, TOP)[:TOP]
    return best[np.argsort(-scores[best])]


def ids_alone(index: MilvusIndex, query: Any) -> Any:
    return index._client.search(
        index._collection, data=[query], anns_field="embedding", limit=TOP,
        search_params={"metric_type": "COSINE", "params": {"ef": 128}},
    )  # fmt: skip


def wait_until_indexed(index: MilvusIndex, queries: Matrix) -> None:
    client = index._client
    for _ in range(600):
        about = client.describe_index(index._collection, "embedding")
        if not int(about.get("pending_index_rows") or 0):
            break
        time.sleep(0.5)
    for query in queries[:20]:
        index.search(query[None], TOP)


def clustered(count: int, seed: int = 0) -> Matrix:
    """Unit vectors around 200 centres, as abstracts of fields are."""
    centres = np.random.default_rng(7).normal(size=(200, 768)).astype(np.float32)
    chance = np.random.default_rng(seed)
    vectors = centres[chance.integers(200, size=count)] + 1.2 * chance.normal(size=(count, 768)).astype(
        np.float32
    )
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)


def timed(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


@contextlib.contextmanager
def local(folder: Path) -> Iterator[MilvusIndex]:
    path = folder / "library.db"
    index = open_index(str(path), create=True)
    try:
        yield index
    finally:
        index.close()
        if registration := read_registration(path):
            os.kill(registration.pid, signal.SIGKILL)


@contextlib.contextmanager
def server(folder: Path) -> Iterator[MilvusIndex]:
    with running(folder) as address:
        index = open_index(address, token=TOKEN, create=True)
        yield index
        index.close()


if __name__ == "__main__":
    main()
