"""The arXiv source against a real HTTP server with arXiv's own answers, and every way it can fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from texgeist_retrieval.errors import Cancelled, PaperUnreadable, SourceUnavailable
from texgeist_retrieval.fulltext import ArxivSource
from texgeist_retrieval.monitor import StopEvent
from texgeist_retrieval.sources.arxiv import split_id
from texgeist_retrieval.types import Paper

from ...http_server import send
from ..arxiv_server import papers_in, typeset

Answers = Callable[[str], tuple[int, bytes]]
BODY = [["A first line of the body that says what the paper does."] * 3]


@pytest.fixture
def source(arxiv: Any, tmp_path: Path) -> ArxivSource:
    return ArxivSource(arxiv.address, tmp_path / "cache", gate_seconds=0, gate_folder=tmp_path)


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("2104.12255v1", ("2104.12255", 1)),
        ("hep-th/9901001", ("hep-th/9901001", None)),
        ("math.GT/0309136v2", ("math.GT/0309136", 2)),
        ("http://arxiv.org/abs/astro-ph/0601001v1", ("astro-ph/0601001", 1)),
        ("arXiv:1605.08386", ("1605.08386", None)),
        ("abc", None),
        ("bib:smith2020", None),
        ("doi:10.1/x", None),
    ],
)
def test_ids(text: str, split: tuple[str, int | None] | None) -> None:
    assert split_id(text) == split


def test_ids_go_in_one_request_and_are_kept(
    arxiv: Any, answers: Answers, source: ArxivSource, tmp_path: Path
) -> None:
    arxiv.feeds["0808.05394,1707.08567"] = answers("id_0808.05394_1707.08567")
    found = source.metadata(["0808.05394", "1707.08567v1", "abc", "bib:smith"])
    assert list(found) == ["1707.08567v1"]  # by the id as asked; the unknown and the impossible are absent
    assert len(arxiv.asked) == 1 and "abc" not in arxiv.paths()[0]
    again = ArxivSource(arxiv.address, tmp_path / "cache", gate_seconds=0)
    assert again.metadata(["0808.05394", "1707.08567"])["1707.08567"] == found["1707.08567v1"]
    assert len(arxiv.asked) == 1


@pytest.mark.parametrize("name", ["id_abc", "id_0000.0000"])
def test_an_error_entry_and_an_empty_list_are_no_papers(name: str, answers: Answers) -> None:
    assert papers_in(answers(name)[1]) == []


def test_an_empty_list_in_answer_to_many_is_asked_again_next_time(arxiv: Any, source: ArxivSource) -> None:
    assert source.metadata(["2104.12255", "1605.08386"]) == {}
    assert source.metadata(["2104.12255", "1605.08386"]) == {}
    assert len(arxiv.asked) == 2


def test_an_address_too_long_for_a_server_is_asked_in_parts(arxiv: Any, source: ArxivSource) -> None:
    arxiv.papers = {f"2401.{n:05d}": Paper(f"2401.{n:05d}", f"Title {n}") for n in range(20)}
    arxiv.answers["/api/query"] = [lambda handler: send(handler, 414, b"")]
    assert len(source.metadata(list(arxiv.papers))) == 20
    assert len(arxiv.asked) == 3


def test_busy_then_well_is_tried_again_after_the_pause_that_it_asks_for(
    arxiv: Any, answers: Answers, source: ArxivSource
) -> None:
    arxiv.feeds["1605.08386"] = answers("id_1605.08386")
    arxiv.answers["/api/query"] = [lambda handler: send(handler, 503, b"", Retry_After="1")]
    assert "1605.08386" in source.metadata(["1605.08386"])
    (first, _), (second, _) = arxiv.asked
    assert second - first >= 1.0


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda h: send(h, 503, b"", Retry_After="3600"), "could not answer now"),
        (lambda h: send(h, 400, b"bad"), "refused"),
        (lambda h: send(h, 200, b"<html>Down for a while"), "a list of papers"),
    ],
)
def test_what_fails_says_what_happened_at_once(
    answer: Any, words: str, arxiv: Any, source: ArxivSource
) -> None:
    arxiv.answers["/api/query"] = [answer] * 3
    started = time.monotonic()
    with pytest.raises(SourceUnavailable, match=words) as caught:
        source.metadata(["1605.08386"])
    assert caught.value.help
    assert time.monotonic() - started < 1.5 + 1.5, "two pauses between three tries, and a margin"


def test_refused_is_noticed_and_then_nobody_waits_again(tmp_path: Path) -> None:
    source = ArxivSource("http://127.0.0.1:9", tmp_path, gate_seconds=0)
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        source.metadata(["1605.08386"])
    started = time.monotonic()
    with pytest.raises(SourceUnavailable, match="just now"):
        source.pages(Paper("1605.08386", "T"))
    assert time.monotonic() - started < 1.5


def test_pages_are_fetched_once_by_id_and_version(arxiv: Any, source: ArxivSource, tmp_path: Path) -> None:
    arxiv.pdfs = {
        "hep-th/9901001v2": typeset(BODY),
        "hep-th/9901001v3": typeset([["Another version."] * 3]),
    }
    old = Paper("hep-th/9901001", "T", version=2)
    new = Paper("hep-th/9901001", "T", version=3)
    assert source.pages(old)[0].startswith("A first line of the body")
    assert source.pages(old) == source.pages(old)
    assert source.pages(new)[0].startswith("Another version.")
    assert arxiv.paths() == ["/pdf/hep-th/9901001v2", "/pdf/hep-th/9901001v3"]
    assert {path.name for path in (tmp_path / "cache" / "pdf").iterdir()} == {
        "hep-th_9901001v2.pdf",
        "hep-th_9901001v3.pdf",
    }


def test_half_a_pdf_is_tried_again_and_never_kept(arxiv: Any, source: ArxivSource, tmp_path: Path) -> None:
    whole = typeset(BODY)

    def half(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(whole)))
        handler.end_headers()
        handler.wfile.write(whole[: len(whole) // 2])
        handler.wfile.flush()
        handler.close_connection = True
        handler.connection.shutdown(2)

    arxiv.pdfs["2401.00001"] = whole
    arxiv.answers["/pdf/2401.00001"] = [half]
    assert source.pages(Paper("2401.00001", "T"))[0].startswith("A first line")
    arxiv.answers["/pdf/2401.00002"] = [lambda h: send(h, 200, whole[: len(whole) // 2])]
    with pytest.raises(PaperUnreadable, match="a complete PDF"):
        source.pages(Paper("2401.00002", "T"))
    assert [path.name for path in (tmp_path / "cache" / "pdf").iterdir()] == ["2401.00001.pdf"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"<html>no PDF</html>", "a complete PDF"),
        (b"%PDF-1.5\n" + b"\x00garbage" * 500 + b"\n%%EOF", "damaged"),
    ],
)
def test_a_bad_pdf_is_one_paper_that_cannot_be_read(
    body: bytes, words: str, arxiv: Any, source: ArxivSource
) -> None:
    arxiv.pdfs["2401.00001"] = body
    with pytest.raises(PaperUnreadable, match=words):
        source.pages(Paper("2401.00001", "T"))


def test_the_gate_keeps_requests_apart_and_alone(arxiv: Any, answers: Answers, tmp_path: Path) -> None:
    gate = 0.3
    arxiv.delay_s = 0.1
    ids = [f"2401.0000{i}" for i in range(1, 5)]
    # two sources as two programs: the gate is the machine's, not the object's
    sources = [ArxivSource(arxiv.address, tmp_path / str(i), gate, gate_folder=tmp_path) for i in range(2)]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(sources[i % 2].metadata, [id]) for i, id in enumerate(ids)]
        assert [job.result() for job in jobs] == [{}] * 4
    times = sorted(at for at, _ in arxiv.asked)
    assert arxiv.most_at_once == 1
    assert all(b - a >= gate - 0.02 for a, b in pairwise(times))


def test_cancel_ends_the_wait_at_the_gate(arxiv: Any, tmp_path: Path) -> None:
    source = ArxivSource(arxiv.address, tmp_path, 30, gate_folder=tmp_path)
    source.metadata(["2401.00001"])  # the next turn is half a minute away
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        source.metadata(["2401.00002"], StopEvent(stop, lambda *_: None))
    assert time.monotonic() - started < 0.2 + 1.5


def test_the_cache_keeps_to_its_size(tmp_path: Path) -> None:
    from texgeist_retrieval.fulltext.arxiv import FileCache

    store = FileCache(tmp_path, most_bytes=2500)
    for i in range(4):
        store.put(f"{i}.pdf", b"x" * 1000)
        time.sleep(0.02)
        store.get("0.pdf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0.pdf", "3.pdf"]
    assert store.get("1.pdf") is None
