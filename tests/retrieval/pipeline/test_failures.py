"""What fails on the way costs what it must and no more, and the result says so. Real HTTP servers."""

from __future__ import annotations

import socket
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from texgeist_retrieval.errors import Cancelled, SourceUnavailable
from texgeist_retrieval.fulltext import ArxivSource, EmptySource
from texgeist_retrieval.monitor import StopEvent
from texgeist_retrieval.pipeline import related_work
from texgeist_retrieval.services import Options
from texgeist_retrieval.types import Paper

from ..arxiv_server import typeset
from .conftest import Recorder, World, about

QUERY = "red fish swim in deep cold water"
LINES = ["Red fish swim in deep cold water and that is what this is about."] * 12


@pytest.fixture
def papers() -> list[Paper]:
    words = QUERY.split()
    return [
        Paper(f"2401.{i:05d}", f"Title {i}", f"{' '.join(words[: 7 - i % 3])} w{i}", ("A. B",), 2024)
        for i in range(9)
    ]


@pytest.fixture
def source(arxiv: Any, tmp_path: Path) -> ArxivSource:
    return ArxivSource(arxiv.address, tmp_path, gate_seconds=0)


def run(services: Any, breadth: int = 3) -> tuple[Any, float]:
    started = time.monotonic()
    result = related_work(about(QUERY), services, Options(breadth=breadth), Recorder())
    return result, time.monotonic() - started


def test_papers_are_read_and_what_cannot_be_read_stays_with_its_abstract(
    arxiv: Any, source: ArxivSource, papers: Any
) -> None:
    whole = typeset([LINES, ["Other things are written on this page."] * 12])
    arxiv.pdfs = {paper.id: whole for paper in papers}
    arxiv.pdfs[papers[0].id] = b"%PDF-1.5 torn\n%%EOF"
    arxiv.pdfs[papers[3].id] = whole[: len(whole) // 2]
    del arxiv.pdfs[papers[6].id]
    result, _ = run(replace(World(papers).services(), source=source), breadth=9)
    unread = {paper.candidate.paper.id for paper in result.selected if len(paper.evidence) == 1}
    assert unread == {papers[0].id, papers[3].id, papers[6].id} and len(result.selected) == 9
    assert any("3 of 9 papers could not be read in full" in note for note in result.notes)


def test_arxiv_that_is_down_costs_the_full_texts_only(papers: Any, tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}"
    source = ArxivSource(address, tmp_path, gate_seconds=0)
    result, seconds = run(replace(World(papers).services(), source=source))
    assert len(result.selected) == 3 and all(len(paper.evidence) == 1 for paper in result.selected)
    assert any("No paper could be read in full" in note and "arXiv" in note for note in result.notes)
    assert seconds < 1.5 + 2, "two pauses between three tries, and a margin"


def test_arxiv_that_accepts_and_never_answers_is_given_up(papers: Any, tmp_path: Path) -> None:
    from texgeist_retrieval.sources.arxiv import ARXIV
    from texgeist_retrieval.sources.client import SourceClient
    from texgeist_retrieval.sources.pacing import Pacing

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(64)
        source = ArxivSource(f"http://127.0.0.1:{silent.getsockname()[1]}", tmp_path, gate_seconds=0)
        source._client = SourceClient(ARXIV, Pacing(0, "test"), silence_s=0.3)  # instead of 10 s
        result, seconds = run(replace(World(papers).services(), source=source))
    assert len(result.selected) == 3
    assert any("did not answer in time" in note or "just now" in note for note in result.notes)
    assert seconds < 3 * 0.3 + 1.5 + 2, "three silences, two pauses, and a margin"


def test_a_bare_index_and_nobody_to_ask_says_what_to_do(papers: Any) -> None:
    services = replace(World(papers, bare=True).services(), source=EmptySource())
    with pytest.raises(SourceUnavailable, match="only the ids of the 9 papers") as caught:
        run(services)
    assert "Allow texgeist to ask arXiv" in caught.value.help


def test_metadata_that_lacks_some_leaves_those_out(papers: Any) -> None:
    services = World(papers, bare=True).services()
    del services.source.known[papers[0].id]
    result, _ = run(services, breadth=9)
    reasons = {out.paper.id: out.left_out for out in result.left_out}
    assert reasons[papers[0].id] == "Its title could not be fetched."
    assert len(result.selected) == 8


def test_cancel_while_papers_are_fetched_ends_the_job_soon(
    arxiv: Any, source: ArxivSource, papers: Any
) -> None:
    arxiv.delay_s = 30.0
    arxiv.pdfs = {paper.id: typeset([LINES]) for paper in papers}
    stop = threading.Event()
    services = replace(World(papers).services(), source=source)
    threading.Timer(0.3, stop.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        related_work(about(QUERY), services, Options(breadth=3), StopEvent(stop, lambda *_: None))
    assert time.monotonic() - started < 0.3 + 1.5
