"""Records as they come: our own JSON lines, arXiv's snapshot, damaged files, OAI-PMH and the search API."""

from __future__ import annotations

import gzip
import json
import re
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from texgeist_retrieval.errors import SourceUnavailable
from texgeist_retrieval.sources.arxiv import ARXIV, ApiQuery
from texgeist_retrieval.sources.client import SourceClient
from texgeist_retrieval.sources.oai import OaiHarvest
from texgeist_retrieval.sources.pacing import Pacing
from texgeist_retrieval.sources.records import Record, RecordFile, UnreadableRecord, is_withdrawn, read_record

from ...http_server import got, send

SNAPSHOT = {
    "id": "0704.0001",
    "submitter": "A. Person",
    "authors": 'A. Person, B. M\\"uller',
    "title": "A title over\n  two lines",
    "comments": "12 pages",
    "journal-ref": "J. of Tests 1 (2008) 2",
    "doi": "10.1000/1",
    "categories": "hep-ph math.CO",
    "abstract": "  What it\nsays.\n",
    "versions": [
        {"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"},
        {"version": "v2", "created": "Tue, 24 Jul 2007 20:10:27 GMT"},
    ],
    "update_date": "2008-11-26",
    "authors_parsed": [["Person", "A.", ""], ['M\\"uller', "B.", "Jr."]],
}


def test_a_line_of_the_snapshot() -> None:
    paper = read_record(SNAPSHOT, lambda text: text.replace('\\"u', "ü")).paper
    assert paper.id == "0704.0001"
    assert paper.title == "A title over two lines"
    assert paper.abstract == "What it says."
    assert paper.authors == ("A. Person", "B. Müller Jr.")
    assert (paper.published, paper.updated, paper.version) == ("2007-04-02", "2008-11-26", 2)
    assert (paper.primary, paper.categories) == ("hep-ph", ("hep-ph", "math.CO"))
    assert (paper.doi, paper.venue, paper.year) == ("10.1000/1", "J. of Tests 1 (2008) 2", 2007)


@pytest.mark.parametrize("packing", ["plain", "gz", "zip"])
def test_every_packing(tmp_path: Path, packing: str) -> None:
    lines = "\n".join(json.dumps({**SNAPSHOT, "id": f"0704.{n:04}"}) for n in range(50)).encode()
    path = tmp_path / f"records.{packing}"
    if packing == "gz":
        path.write_bytes(gzip.compress(lines))
    elif packing == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("readme.txt", "small")
            archive.writestr("arxiv-metadata-oai-snapshot.json", lines)
    else:
        path.write_bytes(lines)
    source = RecordFile(path)
    found = [item.paper.id for item in source if isinstance(item, Record)]
    assert found == [f"0704.{n:04}" for n in range(50)]
    assert 0 < source.position <= source.size == path.stat().st_size


def test_bad_lines_are_named_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"id": "1", "title": "T", "abstract": "A"}\n{broken\n\n[1]\n{"title": "no id"}\n\n'
                    '{"id": "2", "title": "T", "abstract": "B", "authors": "X Y and Z W"}\n')  # fmt: skip
    items = list(RecordFile(path))
    assert [item.paper.id for item in items if isinstance(item, Record)] == ["1", "2"]
    assert [(item.where, item.reason) for item in items if isinstance(item, UnreadableRecord)] == [
        ("r.jsonl, line 2", "it is no JSON"),
        ("r.jsonl, line 4", "no JSON object"),
        ("r.jsonl, line 5", "it has no 'id'"),
    ]
    last = items[-1]
    assert isinstance(last, Record) and last.paper.authors == ("X Y", "Z W")


def test_a_file_that_breaks_off_is_an_error_after_what_it_held(tmp_path: Path) -> None:
    path = tmp_path / "half.jsonl.gz"
    lines = "\n".join(json.dumps({**SNAPSHOT, "id": f"0704.{n:04}", "x": str(n) * 99}) for n in range(5000))
    path.write_bytes(gzip.compress(lines.encode())[:-4000])
    got: list[Any] = []
    with pytest.raises(SourceUnavailable, match="breaks off"):
        got.extend(RecordFile(path))
    assert len(got) > 1000


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "big.jsonl"
    with path.open("w") as file:
        file.writelines(json.dumps({**SNAPSHOT, "abstract": "word " * 200}) + "\n" for n in range(8_000))
    tracemalloc.start()
    count = sum(1 for _ in RecordFile(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 8_000
    assert peak < 5_000_000 < path.stat().st_size


@pytest.mark.parametrize(
    ("abstract", "comments", "gone"),
    [
        ("This paper has been withdrawn by the author due to an error.", "", True),
        ("We study drugs.", "This submission has been withdrawn by arXiv administrators", True),
        ("We study drugs.", "Withdrawn. Superseded by 1234.5678", True),
        ("We study drugs.", "This paper is requested to be withdrawn because of an error", True),
        ("We study drugs.", "12 pages. Due to a flaw in Lemma 9, the paper has been withdrawn", True),
        ("We study drugs.", "Part II of a lecture, arXiv:1801.00539 (now withdrawn)", False),
        ("We study drugs.", "The companion paper has been withdrawn", False),
        ("The drug was withdrawn from the market in 2004; we ask why.", "", False),
        ("Withdrawn behaviour of adolescents is studied.", "", False),
        ("We study drugs.", "The submission will not be withdrawn", False),
        ("We study how papers are withdrawn.", "12 pages, accepted", False),
        ("The paper studies why troops were withdrawn.", "", False),
    ],
)
def test_a_withdrawal_stands_in_words(abstract: str, comments: str, gone: bool) -> None:
    assert is_withdrawn(abstract, comments) is gone


def test_real_records_are_all_read(shared_data: Path) -> None:
    items = list(RecordFile(shared_data / "arxiv" / "records.jsonl.gz"))
    records = [item for item in items if isinstance(item, Record)]
    assert len(records) == 20_000
    assert sum("/" in record.paper.id for record in records) > 1000, "old-style ids are whole"
    assert 5 < sum(record.gone for record in records) < 500


Answer = Callable[[dict[str, str]], tuple[int, bytes]]


@pytest.fixture
def arxiv() -> Iterator[Callable[[Answer], str]]:
    """Starts a server that answers by a function of the request's parameters."""
    with ExitStack() as servers:

        def start(answer: Answer) -> str:
            def serve(handler: BaseHTTPRequestHandler) -> None:
                send(handler, *answer(dict(parse_qsl(urlsplit(handler.path).query))))

            return servers.enter_context(got(serve))

        yield start


def client() -> SourceClient:
    return SourceClient(ARXIV, Pacing(0, "test"))


def oai_record(identifier: str, deleted: bool = False) -> str:
    if deleted:
        header = f'<header status="deleted"><identifier>oai:arXiv.org:{identifier}</identifier></header>'
        return f"<record>{header}</record>"
    return f"""<record><header><identifier>oai:arXiv.org:{identifier}</identifier></header><metadata>
      <arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>{identifier}</id><created>2024-01-02</created>
      <updated>2024-02-03</updated><authors><author><keyname>Müller</keyname><forenames>B.</forenames></author>
      </authors><title>T {identifier}</title><categories>cs.CL cs.IR</categories><doi>10.1/2</doi>
      <abstract> What it
      says. </abstract></arXiv></metadata></record>"""


def oai(inside: str) -> bytes:
    return (
        '<?xml version="1.0"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        f"<responseDate>2026-11-20T01:02:03Z</responseDate>{inside}</OAI-PMH>"
    ).encode()


def test_a_harvest_follows_its_tokens(arxiv: Callable[[Answer], str]) -> None:
    asked: list[dict[str, str]] = []
    busy = [True]

    def answer(parameters: dict[str, str]) -> tuple[int, bytes]:
        asked.append(parameters)
        if "resumptionToken" not in parameters:
            token = '<resumptionToken completeListSize="3">a|2</resumptionToken>'
            return 200, oai(
                f"<ListRecords>{oai_record('2401.00001')}{oai_record('math/0101001')}{token}</ListRecords>"
            )
        if busy.pop() if busy else False:
            return 503, b""
        return 200, oai(
            f"<ListRecords>{oai_record('2401.00002', deleted=True)}<resumptionToken/></ListRecords>"
        )

    source = OaiHarvest(client(), arxiv(answer), "cs", "2026-11-01")
    items = list(source)

    assert asked[0] == {"verb": "ListRecords", "metadataPrefix": "arXiv", "set": "cs", "from": "2026-11-01"}
    assert asked[-1] == {"verb": "ListRecords", "resumptionToken": "a|2"}
    assert len(asked) == 3, "a 503 is asked again"
    records = [item for item in items if isinstance(item, Record)]
    assert [(r.paper.id, r.gone) for r in records] == [
        ("2401.00001", False), ("math/0101001", False), ("2401.00002", True)
    ]  # fmt: skip
    assert records[0].paper.authors == ("B. Müller",)
    assert records[0].paper.abstract == "What it says."
    assert (source.until, source.size, source.position) == ("2026-11-20", 3, 3)


def test_a_refused_harvest_says_why(arxiv: Callable[[Answer], str]) -> None:
    body = oai('<error code="badArgument">no such set</error>')
    with pytest.raises(SourceUnavailable, match="no such set"):
        list(OaiHarvest(client(), arxiv(lambda _: (200, body)), "nope"))
    with pytest.raises(SourceUnavailable, match="a list of records"):
        list(OaiHarvest(client(), arxiv(lambda _: (200, b"<html>we are down"))))


def feed(ids: list[tuple[str, str]], total: int) -> bytes:
    entries = "".join(
        f"<entry><id>http://arxiv.org/abs/{i}v1</id><updated>{day}T00:00:00Z</updated><title>T</title>"
        f"<published>2020-01-01T00:00:00Z</published><summary>A {i}</summary></entry>"
        for i, day in ids
    )
    return (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/">'
        f"<o:totalResults>{total}</o:totalResults>{entries}</feed>"
    ).encode()


def test_a_query_is_read_page_by_page_down_to_the_date(arxiv: Callable[[Answer], str]) -> None:
    papers = [(f"2401.{n:05}", f"2026-10-{30 - n // 40:02}") for n in range(500)]
    hiccups = [True]

    def answer(parameters: dict[str, str]) -> tuple[int, bytes]:
        assert parameters["search_query"] == "cat:cs.CL AND ti:retrieval"
        assert (parameters["sortBy"], parameters["sortOrder"]) == ("lastUpdatedDate", "descending")
        start = int(parameters["start"])
        if start == 200 and hiccups:
            hiccups.pop()
            return 200, feed([], 500)
        return 200, feed(papers[start : start + 200], 500)

    address = arxiv(answer)
    everything = list(ApiQuery(client(), address, "cat:cs.CL AND ti:retrieval"))
    recent = list(ApiQuery(client(), address, "cat:cs.CL AND ti:retrieval", since="2026-10-22"))

    assert len(everything) == 500
    assert [i.paper.id for i in recent if isinstance(i, Record)] == [
        i for i, day in papers if day >= "2026-10-22"
    ]


def test_an_empty_first_page_is_no_empty_list(arxiv: Callable[[Answer], str]) -> None:
    pages = [feed([], 3), feed([("2401.00001", "2026-10-01")], 1)]
    source = ApiQuery(client(), arxiv(lambda _: (200, pages.pop(0))), "cat:cs.CL")
    assert len(list(source)) == 1 and source.size == 1
    with pytest.raises(SourceUnavailable, match=re.escape("after 0 of 3")):
        list(ApiQuery(client(), arxiv(lambda _: (200, feed([], 3))), "cat:cs.CL"))
    assert list(ApiQuery(client(), arxiv(lambda _: (200, feed([], 0))), "cat:cs.CL")) == []
