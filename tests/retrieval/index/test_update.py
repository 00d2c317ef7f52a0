"""The three cases, by hash; killed anywhere and run again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from texgeist_retrieval.errors import Cancelled, NoSource
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.hashes import HashTable, table_of, updating
from texgeist_retrieval.index.milvus import MilvusIndex
from texgeist_retrieval.index.update import Summary, Updater
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.sources.records import Record, UnreadableRecord
from texgeist_retrieval.types import Paper

from .conftest import HashEmbedder, ListSource, papers_of, vector_of


class Bench:
    """An index, its table, and an embedder that remembers."""

    def __init__(self, database: Path) -> None:
        self.index: MilvusIndex = open_index(str(database), create=True)
        self.table = HashTable(table_of(str(database), "abstracts"))
        self.embedder = HashEmbedder()

    def take(self, items: list[Paper | Record | UnreadableRecord], prune: bool = False) -> Summary:
        records = [Record(item) if isinstance(item, Paper) else item for item in items]
        updater = Updater(self.index, self.table, lambda: self.embedder, Silent())
        return updater.run(ListSource(records), prune=prune)

    def agrees(self) -> bool:
        """Index and table hold the same papers in the same form."""
        held = dict(self.index.hashes())
        known = self.table.known(list(held))
        return len(held) == self.table.count() and held == {i: r.hex() for i, (r, _) in known.items()}


@pytest.fixture
def bench(database: Path) -> Iterator[Bench]:
    made = Bench(database)
    yield made
    made.table.close()
    made.index.close()


def test_new_changed_and_unchanged(bench: Bench) -> None:
    papers = papers_of(100)
    first = bench.take([*papers])
    changed = replace(papers[7], abstract="Another abstract.")
    second = bench.take([*papers[:7], changed, *papers[8:], *papers_of(1, start=100)])

    assert (first.added, first.updated, first.unchanged, first.embedded) == (100, 0, 0, 100)
    assert (second.added, second.updated, second.unchanged, second.embedded) == (1, 1, 99, 2)
    assert bench.index.get([changed.id])[changed.id][0] == changed
    assert bench.index.search(vector_of("Another abstract.")[None], 1)[0][0].paper.id == changed.id
    assert bench.agrees()


def test_new_metadata_alone_embeds_nothing(bench: Bench) -> None:
    papers = papers_of(10)
    bench.take([*papers])
    published = replace(papers[3], doi="10.1/x", venue="Journal of Things")
    summary = bench.take([published])

    assert (summary.updated, summary.embedded) == (1, 0)
    assert bench.index.get([published.id])[published.id][0].venue == "Journal of Things"
    hit = bench.index.search(vector_of(published.abstract)[None], 1)[0][0]
    assert (hit.paper.id, round(hit.similarity, 3)) == (published.id, 1.0)
    assert bench.agrees()


def test_withdrawn_and_deleted_records_go(bench: Bench) -> None:
    papers = papers_of(10)
    bench.take([*papers])
    never_seen = replace(papers[0], id="9999.99999")
    summary = bench.take([Record(papers[2], gone=True), Record(never_seen, gone=True)])

    assert (summary.removed, bench.index.count(), summary.added) == (1, 9, 0)
    assert bench.agrees()


def test_pruning_takes_arxiv_papers_alone(bench: Bench) -> None:
    own, others = (replace(papers_of(1)[0], id=id) for id in ("W12", "openalex:W12"))
    bench.take([own, others, *papers_of(20)])
    summary = bench.take([*papers_of(15)], prune=True)

    assert summary.removed == 5
    assert bench.index.get([own.id]) and bench.index.get([others.id])
    assert bench.index.count() == 17
    assert bench.agrees()


def test_a_source_of_nothing_prunes_nothing(bench: Bench) -> None:
    bench.take([*papers_of(3)])
    with pytest.raises(NoSource, match="none were removed"):
        bench.take([UnreadableRecord("line 1", "it is none")], prune=True)
    assert bench.index.count() == 3


def test_what_cannot_be_taken_is_told_and_the_rest_goes_on(bench: Bench) -> None:
    empty = replace(papers_of(1)[0], id="2401.99999", abstract="", title="Editorial")
    summary = bench.take(
        [*papers_of(3), UnreadableRecord("line 4", "it is no JSON"), empty, *papers_of(3, 10)]
    )

    assert (summary.added, summary.unreadable, summary.without_abstract) == (6, 1, 1)
    assert summary.problems == ["line 4: it is no JSON"]


def test_what_has_no_abstract_is_found_by_its_title(bench: Bench) -> None:
    bare = replace(papers_of(1)[0], id="bib:knuth1984", abstract="", title="Literate programming in practice")
    summary = bench.take([*papers_of(3), bare])

    assert (summary.added, summary.by_title, summary.without_abstract) == (4, 1, 0)
    ((held, vector),) = bench.index.get([bare.id]).values()
    assert held.abstract == "" and vector is not None
    assert bench.take([*papers_of(3), bare]).unchanged == 4
    whole = replace(bare, abstract="Programs are written for people to read, and only then for machines.")
    assert bench.take([whole]).updated == 1
    assert bench.agrees()


def test_of_two_records_with_one_id_the_later_holds(bench: Bench) -> None:
    paper = papers_of(1)[0]
    summary = bench.take([paper, replace(paper, abstract="Later.")])
    assert (summary.added, bench.index.count()) == (1, 1)
    assert bench.index.get([paper.id])[paper.id][0].abstract == "Later."


def test_a_lost_table_is_made_anew_from_the_index(bench: Bench) -> None:
    papers = papers_of(30)
    bench.take([*papers])
    bench.table.forget([paper.id for paper in papers])
    summary = bench.take([*papers])

    assert (summary.repaired, summary.unchanged, summary.embedded) == (30, 30, 0)
    assert bench.agrees()


def test_a_lost_part_of_the_index_is_filled_again(bench: Bench) -> None:
    papers = papers_of(30)
    bench.take([*papers])
    bench.index.delete([paper.id for paper in papers[:4]])
    summary = bench.take([*papers])

    assert (summary.repaired, summary.added, summary.unchanged) == (4, 4, 26)
    assert bench.index.count() == 30
    assert bench.agrees()


class Waiter(Silent):
    """Remembers what it was told, and has enough when it is told to wait for the `patience`th time."""

    def __init__(self, patience: int) -> None:
        self.told: list[str] = []
        self.patience = patience

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        self.told.append(message)

    def check(self) -> None:
        if len(self.told) >= self.patience:
            raise Cancelled


def test_a_second_writer_waits_is_told_and_can_be_cancelled(bench: Bench, database: Path) -> None:
    table = table_of(str(database), "abstracts")
    waiter = Waiter(patience=2)
    with updating(table, Silent()) as writer:
        writer.report("12 papers embedded", 3, 10)
        with pytest.raises(Cancelled), updating(table, waiter):
            pass
    whose = f"process {os.getpid()}: 12 papers embedded: 30 %"
    assert waiter.told == [f"Waiting for another texgeist, which is changing this index ({whose})"] * 2
    with updating(table, waiter):  # and a progress file that cannot be removed loses no work
        progress = table.with_name(f"{table.name}.progress")
        progress.unlink()
        progress.mkdir()


def test_cancel_keeps_what_was_embedded(bench: Bench) -> None:
    class Impatient(Silent):
        checks = 0

        def check(self) -> None:
            Impatient.checks += 1
            if Impatient.checks > 4:
                raise Cancelled

    papers = papers_of(600)
    records = ListSource([Record(paper) for paper in papers])
    with pytest.raises(Cancelled) as stopped:
        Updater(bench.index, bench.table, lambda: bench.embedder, Impatient()).run(records)
    before = len(bench.embedder.texts)
    assert str(stopped.value) == f"Cancelled. Until then: {before} papers put into the index."
    summary = bench.take([*papers])

    assert 0 < before < 600
    assert len(bench.embedder.texts) == 600
    assert summary.embedded == 600 - before
    assert bench.agrees()


SYNC = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from conftest import HashEmbedder, ListSource, papers_of
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.hashes import HashTable, table_of, updating
from texgeist_retrieval.sources.records import Record
from texgeist_retrieval.index.update import Updater
from texgeist_retrieval.monitor import Silent
database, journal = sys.argv[1:3]
table = table_of(database, "abstracts")
with updating(table, Silent()):
    embedder = HashEmbedder(Path(journal))
    updater = Updater(open_index(database, create=True), HashTable(table), lambda: embedder, Silent())
    print("start", flush=True)
    updater.run(ListSource([Record(paper) for paper in papers_of(1200)]))
"""


@pytest.mark.slow
@pytest.mark.timeout(500)
def test_killed_anywhere_and_run_again(database: Path, tmp_path: Path) -> None:
    """Killed by signal at times that chance picks, index server and all in one of them. At the end the
    index and the table agree, and no text was embedded twice, but for the batch under way in a kill."""
    journal = tmp_path / "journal"
    command = [sys.executable, "-c", SYNC, str(database), str(journal), str(Path(__file__).parent)]
    chance = random.Random(5)
    kills = 0
    for attempt in range(30):
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        if kills < 5:
            time.sleep(chance.uniform(0.02, 0.6))
        else:
            process.wait(timeout=300)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
            if attempt == 2:
                _kill_server(database)
        process.wait()
        process.stdout.close()
        if process.returncode == 0:
            break
    assert process.returncode == 0
    assert kills >= 2, "it was hardly interrupted: the test showed nothing"

    bench = Bench(database)
    assert bench.index.count() == 1200
    assert bench.agrees()
    counts = Counter(journal.read_text().splitlines())
    assert len(counts) == 1200
    assert sum(counts.values()) - 1200 <= 64 * kills, "only a batch that was under way may be done again"
    bench.table.close()
    bench.index.close()


def _kill_server(database: Path) -> None:
    from texgeist_retrieval.shared_process import read_registration

    if server := read_registration(database):
        os.kill(server.pid, signal.SIGKILL)


def test_topics_are_given_by_the_nearest_centre(bench: Bench, tmp_path: Path, database: Path) -> None:
    """With topics found once, the extra is not needed: new papers get theirs, and nothing else changes."""
    import numpy as np
    from texgeist_retrieval.index.hashes import TOPICS, beside
    from texgeist_retrieval.index.topics import Topics, give_topics, load_topics

    papers = [replace(paper, topic="") for paper in papers_of(6)]
    centres = np.stack([vector_of(papers[0].abstract), vector_of(papers[1].abstract)])
    bench.take([*papers[:4]])
    table = table_of(str(database), "abstracts")
    assert load_topics(table) is None
    Topics(("passages, retrieval", "drafts"), centres).save(beside(table, TOPICS))

    assert give_topics(bench.index, table, Silent()) == ("passages, retrieval", "drafts")
    found = {paper.id: paper.topic for paper in bench.index.papers()}
    assert found[papers[0].id] == "passages, retrieval"
    assert found[papers[1].id] == "drafts"
    assert found[papers[2].id] == ""
    assert bench.take([*papers[:4]]).unchanged == 4
    assert bench.agrees()
