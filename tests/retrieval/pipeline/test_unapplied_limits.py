"""Limits on an index of bare ids, as the hosted collection is one, on a real server: filtered after the papers
were looked up, deeper and deeper, and told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.errors import IndexMismatch, IndexReadOnly
from texgeist_retrieval.fulltext import ArxivSource
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.milvus import MilvusIndex
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline.search import SearchResult, find
from texgeist_retrieval.services import Services
from texgeist_retrieval.types import Filters, Matrix, Paper, Query, QueryPart, Vector

from ..arxiv_server import Arxiv
from ..index.conftest import Proxy
from ..milvus_server import TOKEN, hosted_collection
from .conftest import OneSentenceEach

pytestmark = pytest.mark.milvus
COLLECTION = "hosted_limits"
QUERY = Query("sentence", (QueryPart("The query.", "the sentence"),), text="The query.")


def library() -> list[Paper]:
    """600 papers, the nearer to the query the lower their number: one in five of 2020, one in three of cs.CL."""
    return [
        Paper(
            f"2401.{n:05d}",
            f"Paper {n}",
            f"Abstract {n}.",
            year=2016 + n % 5,
            categories=("cs.CL",) if n % 3 == 0 else ("math.CO",),
        )
        for n in range(600)
    ]


class Straight:
    """The query lies along the first axis, the papers in a fan beside it."""

    name, dimension = "all-mpnet-base-v2", 768

    def embed_query(self, text: str) -> Vector:
        return np.eye(1, 768, dtype=np.float32)[0]

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return np.stack([self.embed_query(text) for text in texts])


def fan(count: int) -> Matrix:
    angles = np.linspace(0.1, 1.4, count)
    rows = np.zeros((count, 768), dtype=np.float32)
    rows[:, 0] = np.cos(angles)
    rows[np.arange(count), 1 + np.arange(count) % 767] = np.sin(angles)
    return rows


@pytest.fixture(scope="module")
def hosted(milvus_server: str) -> Iterator[str]:
    papers = library()
    with hosted_collection(milvus_server, COLLECTION, papers, fan(600), [n % 7 for n in range(600)]):
        yield milvus_server


@pytest.fixture
def index(hosted: str) -> Iterator[MilvusIndex]:
    opened = open_index(hosted, token=TOKEN, collection=COLLECTION)
    yield opened
    opened.close()


def services(index: MilvusIndex, arxiv: Arxiv, cache: Path, gate_seconds: float = 0) -> Services:
    arxiv.papers = {paper.id: paper for paper in library()}
    source = ArxivSource(arxiv.address, cache, gate_seconds=gate_seconds, gate_folder=cache)
    return Services(Straight(), index, source, OneSentenceEach())


def ids(found: SearchResult) -> list[int]:
    return [int(candidate.paper.id[-5:]) for candidate in found.candidates]


def test_topics_are_numbers_there(index: MilvusIndex) -> None:
    found = index.search(fan(1), 20, Filters(topics=("3", "5")))[0]
    assert len(found) == 20
    assert {candidate.paper.topic for candidate in found} == {"3", "5"}
    assert {int(candidate.paper.id[-5:]) % 7 for candidate in found} == {3, 5}
    with pytest.raises(
        IndexMismatch, match="knows topics by number alone, and 3, graphs are not all numbers"
    ):
        index.search(fan(1), 20, Filters(topics=("3", "graphs")))
    with pytest.raises(IndexMismatch, match="by number alone"):
        index.search(fan(1), 20, Filters(topics=(str(2**63),)))  # no number of a field


def test_it_cannot_be_written_to_whoever_owns_it(hosted: str) -> None:
    """Citegeist's schema has no place for what is known of a paper."""
    opened = open_index(hosted, token=TOKEN, collection=COLLECTION, writable=True)
    with pytest.raises(IndexReadOnly, match="not made by texgeist"):
        opened.delete(["2401.00001"])
    with pytest.raises(IndexReadOnly, match="not made by texgeist"):
        opened.upsert(library()[:1], fan(1))
    assert len(opened.get(["2401.00001"])) == 1
    opened.close()


def test_what_it_cannot_filter_is_filtered_when_the_papers_are_known(
    index: MilvusIndex, arxiv: Arxiv, tmp_path: Path
) -> None:
    found = find(QUERY, services(index, arxiv, tmp_path), 30, Filters(since="2020"), Silent())
    assert ids(found) == [n for n in range(600) if n % 5 == 4][:30]
    (note,) = found.notes
    assert note.startswith("The index holds neither dates nor categories: ")
    assert note.endswith("are within since 2020.")
    assert len(arxiv.asked) <= 3, "a request a step"


def test_where_there_are_not_enough_it_ends_and_says_so(
    index: MilvusIndex, arxiv: Arxiv, tmp_path: Path
) -> None:
    found = find(QUERY, services(index, arxiv, tmp_path), 30, Filters(since="2021"), Silent())
    assert ids(found) == []
    assert found.notes[0].endswith("papers were looked up, and 0 of them are within since 2021. To find more, "
                                   "widen the limits.")  # fmt: skip
    assert len(arxiv.asked) <= 5


@pytest.mark.parametrize("way", ["freeze", "cut"])
def test_a_server_that_dies_between_two_searches_costs_what_lies_deeper(
    hosted: str, arxiv: Arxiv, tmp_path: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from texgeist_retrieval.index import milvus

    monkeypatch.setattr(milvus, "SCAN_SECONDS", 2.0)
    proxy = Proxy(int(hosted.rsplit(":", 1)[1]))
    index = open_index(f"http://127.0.0.1:{proxy.port}", token=TOKEN, collection=COLLECTION)

    class Killer(Silent):
        def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
            if "searching deeper" in message:
                getattr(proxy, way)()

    found = find(QUERY, services(index, arxiv, tmp_path), 30, Filters(since="2020"), Killer())
    index.close()
    proxy.cut()
    assert 0 < len(found.candidates) < 30 and {n % 5 for n in ids(found)} == {4}
    assert found.notes[0].endswith("The results so far were used.")
    assert "The index at http://127.0.0.1" in found.notes[0]


def test_many_query_rows_go_in_calls_that_are_answered_in_time(
    index: MilvusIndex, arxiv: Arxiv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every search of a FLAT index reads all vectors, for each row anew."""
    rows: list[int] = []
    searched = MilvusIndex.search

    def counted(self: MilvusIndex, vectors: Matrix, top: int, filters: Filters = Filters()) -> object:
        rows.append(len(vectors))
        return searched(self, vectors, top, filters)

    monkeypatch.setattr(MilvusIndex, "search", counted)
    pages = tuple(QueryPart(f"Page {n}.", f"page {n}") for n in range(9))
    query = Query("draft", pages, abstract="The abstract.")
    found = find(query, services(index, arxiv, tmp_path), 10, Filters(), Silent())
    assert rows == [1] * 10 and ids(found) == list(range(10))


def test_cold_metadata_of_240_papers_and_afterwards_offline(
    index: MilvusIndex, arxiv: Arxiv, tmp_path: Path
) -> None:
    """One request; a cache that outlives the run; with arXiv gone, what is in it is used, and it is said."""
    first = find(QUERY, services(index, arxiv, tmp_path, gate_seconds=3), 238, Filters(), Silent())
    assert len(arxiv.asked) == 1 and len(first.candidates) == 238

    again = find(QUERY, services(index, arxiv, tmp_path, gate_seconds=3), 238, Filters(), Silent())
    assert len(arxiv.asked) == 1 and ids(again) == ids(first)

    gone = ArxivSource("http://127.0.0.1:9", tmp_path, gate_seconds=0)
    offline = replace(services(index, arxiv, tmp_path), source=gone)
    inside = find(QUERY, offline, 238, Filters(), Silent())
    assert ids(inside) == ids(first) and inside.notes == ()
    beyond = find(QUERY, offline, 300, Filters(), Silent())
    assert set(ids(first)) <= set(ids(beyond)) and len(beyond.candidates) == 240
    assert "Of 302 papers found, the 240 that were looked up earlier were used." in beyond.notes[0]
    assert len(beyond.left_out) == 62


def test_records_that_have_aged_are_better_than_none(
    index: MilvusIndex, arxiv: Arxiv, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from texgeist_retrieval.fulltext import arxiv as store

    find(QUERY, services(index, arxiv, tmp_path), 20, Filters(), Silent())
    monkeypatch.setattr(store, "FRESH_S", -1.0)
    gone = ArxivSource("http://127.0.0.1:9", tmp_path, gate_seconds=0)
    found = find(QUERY, replace(services(index, arxiv, tmp_path), source=gone), 20, Filters(), Silent())
    assert ids(found) == list(range(20))
    assert "the 22 that were looked up earlier were used" in found.notes[0]
