"""What holds for every index, on Milvus Lite and on a real server alike."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.errors import IndexMissing
from texgeist_retrieval.index import open_index, place_of
from texgeist_retrieval.index.milvus import MilvusIndex
from texgeist_retrieval.types import Filters, Paper

from ..milvus_server import TOKEN
from .conftest import papers_of, vector_of, vectors_of

Opened = Callable[..., MilvusIndex]


@pytest.fixture(params=["lite", pytest.param("server", marks=pytest.mark.milvus)])
def opened(request: pytest.FixtureRequest) -> Iterator[Opened]:
    """Opens the same new index again and again."""
    name = f"papers_{uuid.uuid4().hex[:8]}"
    if request.param == "lite":
        location = str(request.getfixturevalue("database"))
    else:
        location = request.getfixturevalue("milvus_server")
    indexes: list[MilvusIndex] = []

    def open_it(**options: object) -> MilvusIndex:
        given = {"token": TOKEN, "collection": name, **options}
        indexes.append(open_index(location, **given))  # type: ignore[arg-type]
        return indexes[-1]

    yield open_it
    for index in indexes:
        index.close()


def test_a_paper_comes_back_as_it_went_in(opened: Opened) -> None:
    index = opened(create=True)
    papers = papers_of(60)
    index.upsert(papers, vectors_of(papers), [f"{n:064x}" for n in range(60)])

    found = index.search(vectors_of(papers[:2]), 5)

    assert [len(hits) for hits in found] == [5, 5]
    best = found[1][0]
    assert best.paper == papers[1]
    assert best.similarity == pytest.approx(1, abs=1e-4)
    assert [hit.found_by for hit in found[1]] == [1] * 5
    assert best.vector is not None
    assert np.allclose(best.vector, vector_of(papers[1].abstract), atol=1e-6)
    exact = np.sort(vectors_of(papers) @ vector_of(papers[0].abstract))[::-1][:5]
    assert [hit.similarity for hit in found[0]] == pytest.approx(list(exact), abs=1e-4)


def test_a_draft_of_many_pages_is_searched_in_several_calls_and_their_order_kept(opened: Opened) -> None:
    index = opened(create=True)
    papers = papers_of(60)
    index.upsert(papers, vectors_of(papers), [f"{n:064x}" for n in range(60)])
    found = index.search(vectors_of([*papers, *papers]), 3)
    assert [hits[0].paper.id for hits in found] == [paper.id for paper in (*papers, *papers)]
    assert [hits[0].found_by for hits in found] == list(range(120))


def test_it_is_all_there_when_opened_again(opened: Opened) -> None:
    papers = papers_of(30)
    first = opened(create=True)
    first.upsert(papers, vectors_of(papers), ["ab" * 32] * 30)
    first.close()

    again = opened()

    status = again.status()
    assert (status.papers, status.model, status.dimension) == (30, "all-mpnet-base-v2", 768)
    assert status.metadata
    assert "Milvus" not in status.location, "the token is nobody's business"
    assert {paper.id: paper for paper in again.papers()} == {paper.id: paper for paper in papers}
    assert dict(again.hashes()) == dict.fromkeys((paper.id for paper in papers), "ab" * 32)
    assert again.get([papers[3].id, "nowhere"]).keys() == {papers[3].id}


def test_a_paper_is_replaced_and_deleted_by_id(opened: Opened) -> None:
    index = opened(create=True)
    papers = papers_of(10)
    index.upsert(papers, vectors_of(papers))
    index.upsert(papers[:1], vectors_of(papers[9:]))
    index.delete([papers[5].id, "nowhere"])

    assert index.count() == 9
    assert papers[5].id not in index.get([papers[5].id])
    nearest = index.search(vectors_of(papers[9:]), 2)[0]
    assert {hit.paper.id for hit in nearest} == {papers[0].id, papers[9].id}


LIMITS: dict[Filters, Callable[[Paper], bool]] = {
    Filters(since="2015"): lambda p: (p.year or 0) >= 2015,
    Filters(until="2004-03-03"): lambda p: 0 < (p.year or 0) <= 2003,
    Filters(until="2004"): lambda p: 0 < (p.year or 0) <= 2004,
    Filters(categories=("stat", "hep-th")): lambda p: bool(p.categories),
    Filters(since="2004-03", until="2004-03-04"): lambda p: p.year == 2004,
    Filters(categories=("stat",)): lambda p: "stat.ML" in p.categories,
    Filters(categories=("hep-th",), topics=("topic 1", "topic 2")): lambda p: (
        "hep-th" in p.categories and p.topic in ("topic 1", "topic 2")
    ),
    Filters(topics=('no "such" topic\\',)): lambda p: False,
}


def test_limits_are_kept(opened: Opened) -> None:
    index = opened(create=True)
    papers = [*papers_of(40), Paper("bib:undated", "A title", "No date and no category.")]
    index.upsert(papers, vectors_of(papers))
    for filters, expected in LIMITS.items():
        hits = index.search(vectors_of(papers[:1]), 50, filters)[0]
        assert {hit.paper.id for hit in hits} == {p.id for p in papers if expected(p)}, filters


def test_the_place_hides_the_token() -> None:
    assert place_of("https://user:secret@host:19530") == "https://host:19530"
    assert place_of("/home/me/library.db") == "/home/me/library.db"


def test_an_index_whose_files_are_lost_is_not_taken_for_an_empty_one(database: Path) -> None:
    from texgeist_retrieval.index.hashes import HashTable, record_hash, table_of, text_hash

    index = open_index(str(database), create=True)
    assert index.count() == 0
    table = HashTable(table_of(str(database), "abstracts"))
    paper = papers_of(1)[0]
    table.record([(paper.id, record_hash(paper), text_hash(paper.abstract))])
    table.close()
    index.close()

    with pytest.raises(IndexMissing, match="texgeist put 1 paper into it"):
        open_index(str(database))
