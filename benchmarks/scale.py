"""The hosted collection's schema at a million rows, on a Milvus server (PyPI `milvus`) and on two cores.

    python -m benchmarks.scale [ROWS=INDEX,INDEX ...] [--data ../shared/data] [--folder FOLDER]

`100000=FLAT,HNSW 1000000=FLAT` measures both indexes at 100,000 rows of one collection, then fills it up to a
million. Searches are the product's (60 papers with their vectors), the queries real abstracts; FLAT is also the
collection as its authors make it. A million rows take 4 GB of memory, 10 GB of disk in `--folder`, and up to an
hour; the server takes ten fixed ports, so no other may run.

The rows are the citation corpora's vectors, each again and again with noise: what two neighbours elsewhere
differ by, halved, in a random share. So a copy moves as far, and in such directions, as papers differ, and
neighbourhoods stay; how near the nearest and the sixtieth are to a query is printed beside the corpora's own."""

from __future__ import annotations

import argparse
import hashlib
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.errors import RetrievalError
from texgeist_retrieval.evaluation.collection import unit
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.milvus import MilvusIndex
from texgeist_retrieval.types import Filters, Matrix

from tests.retrieval.milvus_server import TOKEN, make_hosted, running

TOP, QUERIES, BATCH, NAME = 60, 100, 4000, "abstracts"
CLIENTS = (1, 4, 16)
BUILD: dict[str, dict[str, int]] = {
    "FLAT": {},
    "HNSW": {"M": 16, "efConstruction": 200},
    "IVF_SQ8": {"nlist": 1024},
}
FURTHER: dict[str, list[dict[str, int]]] = {  # beside what the product asks for
    "HNSW": [{"ef": 128}, {"ef": 256}],
    "IVF_SQ8": [{"nprobe": 16}, {"nprobe": 128}],
}
DIFFERENCES, NOISE = 4000, 0.5
MINUTES = 90  # for building one index


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("steps", nargs="*", default=["100000=FLAT,IVF_SQ8,HNSW", "1000000=FLAT"])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--folder", type=Path, help="where the server keeps its rows (default: temporary)")
    given = parser.parse_args()
    steps = [(int(rows), kinds.split(",")) for rows, kinds in (step.split("=") for step in given.steps)]
    base, queries = corpora(given.data)
    print(
        f"load {os.getloadavg()[0]:.1f}; {len(base):,} vectors of papers, {len(queries)} abstracts as queries"
    )
    with tempfile.TemporaryDirectory(dir=given.folder) as folder, running(Path(folder)) as address:
        measure(address, steps, Rows(base), queries)


def corpora(data: Path) -> tuple[Matrix, Matrix]:
    folder = data / "citations"
    base = [np.load(folder / f"{name}-corpus-mpnet.npy").astype(np.float32) for name in ("dev", "train")]
    queries = np.load(folder / "dev-queries-mpnet.npy").astype(np.float32)
    return unit(np.concatenate(base)), unit(queries[:QUERIES])


class Rows:
    """Any number of vectors, the same ones each time; the first are the papers themselves."""

    def __init__(self, base: Matrix) -> None:
        self._base = base
        chance = np.random.default_rng(7)
        some = chance.choice(len(base), min(DIFFERENCES, len(base)), replace=False)
        near = base[some] @ base.T
        near[np.arange(len(some)), some] = -1
        rank = chance.integers(10, size=len(some))  # one of the ten nearest
        ten = np.argpartition(-near, 10, axis=1)[:, :10]
        self._differences = base[some] - base[ten[np.arange(len(some)), rank]]

    def batches(self, start: int, stop: int) -> Iterator[tuple[int, Matrix]]:
        for first in range(start, stop, BATCH):
            numbers = np.arange(first, min(first + BATCH, stop))
            chance = np.random.default_rng(first)
            noise = self._differences[chance.integers(len(self._differences), size=len(numbers))]
            share = NOISE * 2 * chance.random((len(numbers), 1))
            share[numbers < len(self._base)] = 0
            yield first, unit(self._base[numbers % len(self._base)] + (share * noise).astype(np.float32))


class Exact:
    """The `TOP` nearest of all rows so far, by the full product."""

    def __init__(self, queries: Matrix) -> None:
        self._queries = queries
        self.scores = np.full((len(queries), TOP), -2.0, dtype=np.float32)
        self.ids = np.full((len(queries), TOP), -1)

    def add(self, first: int, rows: Matrix) -> None:
        scores = np.concatenate([self.scores, self._queries @ rows.T], axis=1)
        numbers = np.broadcast_to(np.arange(first, first + len(rows)), (len(self._queries), len(rows)))
        ids = np.concatenate([self.ids, numbers], axis=1)
        best = np.argsort(-scores, axis=1, kind="stable")[:, :TOP]
        self.scores, self.ids = (np.take_along_axis(found, best, axis=1) for found in (scores, ids))


def measure(address: str, steps: Sequence[tuple[int, list[str]]], rows: Rows, queries: Matrix) -> None:
    client = make_hosted(address, NAME)
    exact, filled = Exact(queries), 0
    for count, kinds in steps:
        filled = fill(client, rows, exact, filled, count)
        for kind in kinds:
            build(client, kind, count)
            free = memory()
            started = time.perf_counter()
            client.load_collection(NAME, timeout=600)
            print(
                f"{count:,} {kind}: loaded in {time.perf_counter() - started:.0f} s, the server holds "
                f"{memory():.2f} GB ({free:.2f} before), load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
            searched(address, f"{count:,} {kind}", queries, exact, FURTHER.get(kind, []))
    client.close()


def fill(client: Any, rows: Rows, exact: Exact, start: int, stop: int) -> int:
    without_index(client)
    began, inserting = time.perf_counter(), 0.0
    for first, vectors in rows.batches(start, stop):
        exact.add(first, vectors)
        before = time.perf_counter()
        client.insert(NAME, [as_row(first + n, vector) for n, vector in enumerate(vectors)], timeout=600)
        inserting += time.perf_counter() - before
        if first // 100_000 != (first + len(vectors)) // 100_000:
            print(f"  {first + len(vectors):,} rows after {time.perf_counter() - began:.0f} s", flush=True)
    client.flush(NAME, timeout=600)
    put_together(client)
    near, last = exact.scores[:, 0].mean(), exact.scores[:, -1].mean()
    print(
        f"{stop:,} rows: {stop - start:,} inserted at {(stop - start) / max(inserting, 1e-9):,.0f} a second; "
        f"nearest to a query {near:.3f}, sixtieth {last:.3f} (means)",
        flush=True,
    )
    return stop


def put_together(client: Any) -> None:
    """The server joins small segments when it likes, and then indexes them anew: it does so before an index is built."""
    joining = client.compact(NAME, timeout=60)
    began = time.perf_counter()
    while client.get_compaction_state(joining, timeout=60) != "Completed":
        if time.perf_counter() - began > MINUTES * 60:
            raise TimeoutError("the server is still joining segments")
        time.sleep(1)


def without_index(client: Any) -> None:
    """Out of memory, and bare: what is inserted now is not indexed as it comes."""
    client.release_collection(NAME, timeout=60)
    if client.list_indexes(NAME):
        client.drop_index(NAME, "embedding", timeout=60)


def as_row(number: int, vector: Any) -> dict[str, Any]:
    name = f"{number // 20000 + 1501}.{number % 20000:05}"
    return {
        "id": name,
        "embedding": vector,
        "hash": hashlib.sha256(name.encode()).hexdigest(),
        "topic": number % 50,
    }


def number_of(name: str) -> int:
    month, rest = name.split(".")
    return (int(month) - 1501) * 20000 + int(rest)


def build(client: Any, kind: str, rows: int) -> None:
    without_index(client)
    index = client.prepare_index_params()
    index.add_index("embedding", index_type=kind, metric_type="COSINE", params=BUILD[kind])
    started, user = time.perf_counter(), processor_seconds()
    client.create_index(NAME, index, timeout=MINUTES * 60, sync=False)
    while time.perf_counter() - started < MINUTES * 60:
        about = client.describe_index(NAME, "embedding", timeout=60)
        pending = int(about.get("pending_index_rows") or 0)
        if about.get("state") == "Finished" and not pending:
            break
        time.sleep(1)
    print(
        f"{rows:,} {kind}: built in {time.perf_counter() - started:.0f} s, {processor_seconds() - user:.0f} s of "
        f"processor time, {pending:,} rows left pending",
        flush=True,
    )


def searched(
    address: str, name: str, queries: Matrix, exact: Exact, further: Sequence[dict[str, int]]
) -> None:
    indexes = [open_index(address, token=TOKEN, collection=NAME) for _ in range(max(CLIENTS))]
    scan = bool(indexes[0]._scans)
    asked = queries[:10] if scan else queries  # a scan misses nothing, and is slow
    found = [indexes[0].search(query[None], TOP)[0] for query in asked]  # warms up as well
    print(f"{name}: recall at {TOP} {recall(found, exact):.3f}", flush=True)
    for how in further:
        params = {"metric_type": "COSINE", "params": how}
        hits = [indexes[0]._search([q], "embedding", params, TOP, Filters())[0] for q in queries]
        print(f"{name}: recall at {TOP} {recall(hits, exact):.3f} with {how}", flush=True)
    for clients in CLIENTS:
        each = max(1, (16 if scan else 160) // clients)
        used = processor_seconds()
        times, failures = together(indexes[:clients], queries, each)
        used = (processor_seconds() - used) / len(times)
        p50, p95 = (1000 * np.percentile(times, p) for p in (50, 95))
        print(
            f"{name}: {clients:2} clients, {len(times)} searches: p50 {p50:.0f} ms, p95 {p95:.0f} ms, "
            f"{1000 * used:.0f} ms of the server's processor time each, {len(failures)} failures{': ' + failures[0] if failures else ''}",
            flush=True,
        )
    for index in indexes:
        index.close()


def recall(found: Sequence[Sequence[Any]], exact: Exact) -> float:
    shares = [
        len({number_of(hit.paper.id) for hit in hits} & set(ids.tolist())) / TOP
        for hits, ids in zip(found, exact.ids, strict=False)
    ]
    return float(np.mean(shares))


def together(indexes: Sequence[MilvusIndex], queries: Matrix, each: int) -> tuple[list[float], list[str]]:
    """Seconds of every search of as many clients, and what went wrong."""

    def run(number: int) -> tuple[list[float], list[str]]:
        times, failures = [], []
        for turn in range(each):
            started = time.perf_counter()
            try:
                indexes[number].search(queries[(number + turn * len(indexes)) % len(queries)][None], TOP)
            except RetrievalError as error:
                failures.append(str(error))
            times.append(time.perf_counter() - started)
        return times, failures

    with ThreadPoolExecutor(len(indexes)) as pool:
        done = list(pool.map(run, range(len(indexes))))
    return [t for times, _ in done for t in times], [f for _, failures in done for f in failures]


def _server() -> Path:
    """The server's process: the one child of the wrapper that we started."""
    for stat in Path("/proc").glob("[0-9]*/comm"):
        try:
            if stat.read_text().strip() == "milvus" and ours(stat.parent):
                return stat.parent
        except OSError:
            continue
    raise ProcessLookupError("no milvus under this process")


def ours(process: Path) -> bool:
    """Whether it descends from this one."""
    pid = int(process.name)
    while pid > 1:
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
        if pid == os.getpid():
            return True
    return False


def memory() -> float:
    """Resident, in GB."""
    lines = (_server() / "status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1e6


def processor_seconds() -> float:
    fields = (_server() / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
