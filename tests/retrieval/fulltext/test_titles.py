"""arXiv asked for titles: one request, letters alone, and what comes back kept as any metadata."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote_plus, urlsplit

import pytest
from texgeist_retrieval.fulltext import ArxivSource
from texgeist_retrieval.fulltext.arxiv import LONGEST_ADDRESS, title_search
from texgeist_retrieval.types import Paper

from ...http_server import send
from ..arxiv_server import EMPTY, entry

PAPER = Paper("1706.03762", "Attention Is All You Need", "The abstract.", ("A. Vaswani",), 2017)


@pytest.fixture
def source(arxiv: Any, tmp_path: Path) -> ArxivSource:
    return ArxivSource(arxiv.address, tmp_path / "cache", gate_seconds=0, gate_folder=tmp_path)


def answering(body: bytes, status: int = 200) -> Any:
    return lambda handler: send(handler, status, body)


def test_one_request_for_all_titles_and_none_for_what_came(arxiv: Any, source: ArxivSource) -> None:
    body = EMPTY.replace(b"></feed>", b">" + entry(PAPER).encode() + b"</feed>")
    arxiv.answers["/api/query"] = [answering(body)]
    found = source.titled([PAPER.title, "Another: Work & More"])
    assert [paper.id for paper in found] == [PAPER.id]
    (path,) = arxiv.paths()
    asked = parse_qs(urlsplit(path).query)["search_query"][0]
    assert asked == 'ti:"Attention Is All You Need" OR ti:"Another Work More"'
    assert source.metadata([PAPER.id])[PAPER.id].title == PAPER.title and len(arxiv.paths()) == 1


@pytest.mark.parametrize(
    "hostile", ['x" OR all:secret', "a&max_results=9999", "a b%22+OR+id:1", "a\r\nHost: b"]
)
def test_a_title_cannot_change_the_question(hostile: str) -> None:
    asked = title_search([hostile], LONGEST_ADDRESS)
    inner = asked.removeprefix('ti:"').removesuffix('"')
    assert asked.startswith('ti:"') and inner.replace(" ", "").isalnum()


def test_as_many_titles_as_an_address_holds() -> None:
    asked = title_search([f"A title of some length number {n}" for n in range(999)], LONGEST_ADDRESS)
    assert len(quote_plus(asked)) <= LONGEST_ADDRESS and asked.count("ti:") > 50
