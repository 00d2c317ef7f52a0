"""The gate for records, attacked: nothing traces back, nothing that passes is refused by an index, and nothing
that is refused stands in the way of the rest."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.index.paper_rows import to_row
from texgeist_retrieval.index.update import Updater, embedded_text
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.sources.admission import NotAdmitted, admit
from texgeist_retrieval.sources.records import Record, RecordFile, UnreadableRecord, read_record
from texgeist_retrieval.types import Paper
from texgeist_server.library.sources.record_file import tidy

from .conftest import ListSource, papers_of, vector_of
from .hostile import lines
from .test_update import Bench, bench

__all__ = ["bench"]  # a fixture
PRESENT = ("topic", "published", "categories", "hash", "paper")
NOTHING = np.zeros(768, dtype=np.float32)
GOOD: dict[str, Any] = {"id": "2401.00001", "title": "A Title", "abstract": "What it says."}


def check_row(paper: Paper) -> None:
    """What the schema of a collection takes, in the words of Milvus: VARCHAR in bytes, JSON in 64 KB."""
    row = to_row(paper, NOTHING, "ab" * 32, PRESENT)
    assert 0 < len(row["id"].encode()) <= 256
    assert len(row["topic"].encode()) <= 512
    assert 0 <= row["published"] < 2**63
    assert len(row["categories"]) <= 100 and all(0 < len(name.encode()) <= 64 for name in row["categories"])
    assert len(json.dumps(row["paper"], ensure_ascii=False).encode()) <= 65_536
    text = json.dumps(row["paper"], ensure_ascii=False)
    assert all(letter.isprintable() or letter.isspace() or ord(letter) > 159 for letter in text)


@pytest.mark.parametrize(
    ("field", "value", "kept"),
    [
        ("doi", 5, ""),
        ("primary", {"a": 1}, ""),
        ("primary", "x" * 65, ""),
        ("year", int("9" * 20), None),
        ("year", True, None),
        ("published", "9" * 20, ""),
        ("topic", "é" * 300, "é" * 256),
        ("abstract", "é" * 40_000, "é" * 10_000),
        ("abstract", "a\0b\ud800c\u202ed", "a b c d"),
        ("authors", 5, ()),
        ("authors", ["A", {"x": 1}, "B\ud800"], ("A", "B")),
        ("categories", [["cs.CL"], "cs.IR", "é" * 33], ("cs.IR",)),
        ("files", ["/a/b\nc.pdf", 5, "/a/b  c.pdf"], ("/a/b  c.pdf",)),
        ("version", -1, None),
        ("url", "javascript:alert(1)", ""),
        ("url", "file:///etc/passwd", ""),
        ("url", "data:text/html,<script>", ""),
        ("url", "https://example.org@evil.example/x", ""),
        ("url", 'https://example.org/"><script>', ""),
        ("url", "https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
    ],
)
def test_what_is_of_no_use_is_left_out(field: str, value: object, kept: object) -> None:
    paper = admit({**GOOD, field: value})
    assert {name: getattr(paper, name) for name in (field, "id")} == {field: kept, "id": GOOD["id"]}
    check_row(paper)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("id", "é" * 250, "longer than 256 bytes"), ("id", "a\ud800", "cannot be written"),
        ("id", "a\x1b[2J", "cannot be written"), ("id", 704.1, "no text"), ("id", None, "no id"),
        ("id", "  ", "no id"), ("title", "x" * 100_000, "100,000 letters"), ("title", {"a": 1}, "no text"),
    ],
)  # fmt: skip
def test_what_a_paper_cannot_be_without_sets_it_aside(field: str, value: object, reason: str) -> None:
    with pytest.raises(NotAdmitted, match=reason):
        admit({**GOOD, field: value})


def test_a_record_at_every_bound_at_once_fits_or_is_set_aside() -> None:
    full: dict[str, Any] = {
        "id": "é" * 128,
        "title": "😀" * 2_000,
        "abstract": "é" * 40_000,
        "authors": ["é" * 100] * 600,
        "files": ["/é" * 100] * 90,
        "categories": [f"{'c' * 60}.{n}" for n in range(200)],
        "url": "u" * 1_000,
        "venue": "v" * 9_000,
    }
    check_row(admit(full))
    with pytest.raises(NotAdmitted, match="longer than an index can keep"):
        admit({**full, "abstract": '"' * 40_000, "venue": "\\" * 999})


def test_ordinary_records_pass_unchanged(shared_data: Path) -> None:
    records = (i for i in RecordFile(shared_data / "arxiv" / "records.jsonl.gz") if isinstance(i, Record))
    for item in islice(records, 3_000):
        assert admit({"id": item.paper.id, "title": item.paper.title}).title == item.paper.title
        check_row(item.paper)


@pytest.fixture
def hostile(tmp_path: Path) -> Callable[[int, int], RecordFile]:
    def file(count: int, seed: int) -> RecordFile:
        path = tmp_path / f"{seed}.jsonl"
        with path.open("wb") as stream:
            stream.writelines(lines(count, seed))
        return RecordFile(path, tidy)

    return file


def test_hostile_records_never_trace_back(hostile: Callable[[int, int], RecordFile]) -> None:
    items = list(hostile(3_000, 1))
    records = [item for item in items if isinstance(item, Record)]
    assert len(items) == 3_000 and 1_500 < len(records) < 2_900
    for item in records:
        check_row(item.paper)
    assert all(len(item.reason) < 120 for item in items if isinstance(item, UnreadableRecord))


def test_hostile_records_go_into_an_index(bench: Bench, hostile: Callable[[int, int], RecordFile]) -> None:
    """What passes the gate is stored by a real index, and comes back, and can be taken out again."""
    records = [item for item in hostile(400, 2) if isinstance(item, Record) and not item.gone]
    papers = {item.paper.id: item.paper for item in records if embedded_text(item.paper)}
    summary = bench.take([*hostile(400, 2)])

    assert summary.added == len(papers) == bench.index.count()
    assert summary.unreadable == sum(isinstance(item, UnreadableRecord) for item in hostile(400, 2))
    assert {id_: paper for id_, (paper, _) in bench.index.get(list(papers)).items()} == papers
    assert bench.agrees()
    bench.index.delete(list(papers))
    assert bench.index.count() == 0


def test_a_source_of_papers_passes_the_gate_too(bench: Bench) -> None:
    """A `.bib` file's key, a harvest's id: not only JSON has odd ones."""
    good = papers_of(3)
    odd = [replace(good[0], id="bib:" + "é" * 250), replace(good[0], id="x", title="T" * 100_000)]
    summary = bench.take([*odd, *good])
    assert (summary.added, summary.unreadable) == (3, 2)
    assert "256 bytes" in summary.problems[0] and "100,000 letters" in summary.problems[1]
    assert bench.agrees()


def test_rows_that_the_index_refuses_cost_themselves_alone(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index with narrower fields than ours: the gate cannot know them, the rest goes in all the same."""
    from texgeist_retrieval.index import milvus
    from texgeist_retrieval.index.paper_rows import to_row as narrow

    def too_long(paper: Paper, vector: Any, digest: str, present: Any) -> dict[str, Any]:
        row = narrow(paper, vector, digest, present)
        return {**row, "hash": "x" * 65} if paper.id in ("2401.00004", "2401.00008") else row

    monkeypatch.setattr(milvus, "to_row", too_long)
    summary = bench.take([*papers_of(40)])
    assert (summary.written, summary.unreadable, bench.index.count()) == (38, 2, 38)
    assert summary.problems[0].startswith("2401.00004: the index refuses it (")


def test_a_hash_that_is_none_counts_as_changed(bench: Bench) -> None:
    papers = papers_of(3)
    vectors = np.stack([vector_of(paper.abstract) for paper in papers])
    bench.index.upsert(papers, vectors, ["no hash", "zz" * 32, ""])
    summary = Updater(bench.index, bench.table, lambda: bench.embedder, Silent()).run(
        ListSource([Record(paper) for paper in papers])
    )
    assert (summary.repaired, summary.updated) == (3, 3)
    assert bench.agrees()


@pytest.mark.parametrize("filler", [" ", "\n", "; ", " and ", "\\'{", "{", "é", "\u2028"])
@pytest.mark.parametrize(
    "name", ["authors", "files", "abstract", "categories", "comments", "topic", "sections"]
)
def test_a_line_of_megabytes_costs_no_more_than_its_length(name: str, filler: str) -> None:
    long = filler * (150_000 // len(filler))
    for value in (long, [long], [filler] * 40_000):
        begun = time.process_time()
        with suppress(NotAdmitted):
            read_record({**GOOD, name: value}, tidy)
        assert time.process_time() - begun < 3  # the square of it: minutes


def test_a_word_that_a_pdf_broke_at_a_line_end_is_joined() -> None:
    paper = admit({"id": "a", "title": "On cumu\ufffelative regret", "abstract": "A set\x02\nting.\uffff"})
    assert (paper.title, paper.abstract) == ("On cumulative regret", "A setting.")
