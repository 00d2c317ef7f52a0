"""What an index goes through: records that mean harm, and kills.

python -m benchmarks.hostile records [--records 100000] [--stored 2000]
    the records through the gate, every paper that passes against the bounds of the schema, each within a
    second; then some of them into a real local index, back and out again
python -m benchmarks.hostile kills [--kills 200]
    updates killed by signal at times that chance picks, the server of the index with every tenth; at the
    end of each series all papers must be there, once, in the index and in its table"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.hashes import HashTable, table_of
from texgeist_retrieval.index.update import Updater
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.shared_process import read_registration
from texgeist_retrieval.sources.records import Record, RecordFile, UnreadableRecord
from texgeist_retrieval.types import Paper
from texgeist_server.library.sources.record_file import tidy

from tests.retrieval.index.conftest import HashEmbedder, end_server
from tests.retrieval.index.hostile import lines
from tests.retrieval.index.test_admission import check_row
from tests.retrieval.index.test_update import SYNC

PAPERS = 1_200  # of one series of kills, as SYNC takes in
PIECE = 5_000  # records of one file: all in one would take 5 GB of disk
SLOW = 1.0  # seconds of processor time for one record, the reading of its line with it


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["records", "kills"])
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--stored", type=int, default=2_000)
    parser.add_argument("--kills", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.what == "records":
            records(Path(folder), given.records, given.stored)
        else:
            kills(Path(folder), given.kills)


def records(folder: Path, count: int, stored: int) -> None:
    started = time.process_time()
    passed, slowest, reasons = 0, 0.0, Counter[str]()
    for begin in range(0, count, PIECE):
        piece = written(folder / "piece.jsonl", min(PIECE, count - begin), seed=11 + begin)
        for item, taken in timed(RecordFile(piece, tidy)):
            assert taken <= SLOW, (taken, item)
            slowest = max(slowest, taken)
            if isinstance(item, UnreadableRecord):
                reasons["".join(letter for letter in item.reason if not letter.isdigit())] += 1
            else:
                check_row(item.paper)
                passed += 1
        print(f"  {passed + reasons.total():,} read", flush=True)
    assert passed + reasons.total() == count
    print(f"{count:,} records in {time.process_time() - started:.0f} s of processor time: 0 tracebacks")
    print(f"the slowest took {slowest:.2f} s")
    print(f"{passed:,} passed, all within the bounds of the schema; {reasons.total():,} set aside:")
    for reason, number in reasons.most_common():
        print(f"  {number:6,}  {reason}")
    store(folder, written(folder / "some.jsonl", stored, seed=12))


def timed(source: RecordFile) -> Iterator[tuple[Record | UnreadableRecord, float]]:
    """Each record with the seconds of processor time that it took."""
    items, begun = iter(source), time.process_time()
    for item in items:
        yield item, time.process_time() - begun
        begun = time.process_time()


def written(path: Path, count: int, seed: int) -> Path:
    with path.open("wb") as file:
        file.writelines(lines(count, seed))
    return path


def store(folder: Path, path: Path) -> None:
    database = folder / "library.db"
    index, table = open_index(str(database), create=True), HashTable(table_of(str(database), "abstracts"))
    try:
        summary = Updater(index, table, HashEmbedder, Silent()).run(RecordFile(path, tidy))
        said: dict[str, list[Paper]] = {}  # by id: some records share one
        for item in RecordFile(path, tidy):
            if isinstance(item, Record):
                said.setdefault(item.paper.id, []).append(item.paper)
        held = {paper.id: paper for paper in index.papers()}
        assert all(paper in said[id_] for id_, paper in held.items())
        assert len(held) == index.count() == table.count()
        index.delete(held)
        assert index.count() == 0
        print(f"{summary.read:,} into a local index: {len(held):,} stored, read back equal, taken out")
    finally:
        table.close()
        index.close()
        end_server(database)


def kills(folder: Path, wanted: int) -> None:
    chance, done, series = random.Random(5), 0, 0
    while done < wanted:
        series += 1
        database = folder / f"{series}.db"
        done += one_series(database, chance, min(20, wanted - done))
        index, table = open_index(str(database)), HashTable(table_of(str(database), "abstracts"))
        held = dict(index.hashes())
        known = {id_: record.hex() for id_, (record, _) in table.known(list(held)).items()}
        assert len(held) == PAPERS == table.count() and held == known
        table.close()
        index.close()
        end_server(database)
        print(f"{done} kills in {series} series: 0 of {series * PAPERS:,} papers lost", flush=True)


def one_series(database: Path, chance: random.Random, most: int) -> int:
    """Kills until the update is through, or `most` times; then lets it finish. Returns how many."""
    helpers = Path(__file__).resolve().parents[1] / "tests" / "retrieval" / "index"
    command = [sys.executable, "-c", SYNC, str(database), os.devnull, str(helpers)]
    killed = 0
    while True:
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        if killed < most:
            time.sleep(chance.uniform(0.01, 0.4))
        else:
            process.wait()
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            killed += 1
            server = read_registration(database)
            if server and killed % 10 == 0:
                os.kill(server.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        if process.returncode == 0:
            return killed
        assert process.returncode == -signal.SIGKILL


if __name__ == "__main__":
    main()
