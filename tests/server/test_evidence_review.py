"""The page on which evidence is ticked, over its real server."""

from __future__ import annotations

import asyncio
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from texgeist_latex.errors import NoPlace
from texgeist_retrieval.types import AskedQuery, Evidence, EvidenceRun, Paper, Passage
from texgeist_server.errors import Busy
from texgeist_server.review.evidence_review import EvidenceReview, only
from texgeist_server.review.http import BadRequest

NASTY = "<script>alert(1)</script>"


def run_of(*files: str) -> EvidenceRun:
    papers = tuple(Paper(f"p{n}", f"Paper {n} {NASTY}", year=2000 + n, files=files) for n in (1, 2, 3))
    evidence = tuple(
        Evidence(
            str(n),
            Passage(f"p{n}", 7, f"Text {n} {NASTY}", None, "results", "3 Results", n),
            0.5,
            0.8,
            "",
            0.9,
            "q",
        )
        for n in (1, 2, 3)
    )
    asked = (
        AskedQuery("q", "default", "your abstract", ("1", "2")),
        AskedQuery("r", "model", "the other side", ("2", "3")),
        AskedQuery("s", "model", "", (), "It says again what was asked."),
    )
    return EvidenceRun(asked, evidence, papers, "The model has enough.", 2, failed=True)


class Desk:
    """A review with a loop of its own, and what was drafted from it."""

    def __init__(self, run: EvidenceRun) -> None:
        self.drafted: list[EvidenceRun] = []
        self.busy = self.moved = False
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.review = EvidenceReview(
            self.loop, "Discussion", Path("/x/main.tex"), run, self.draft, lambda: "To m."
        )
        self.url = self.review.serve()

    async def draft(self, chosen: EvidenceRun) -> str:
        if self.busy:
            raise Busy("Another job is running.")
        if self.moved:
            raise NoPlace("There is no such heading any more.", "Gather it again.")
        self.drafted.append(chosen)
        return "7"

    def get(self, name: str) -> tuple[int, bytes, Any]:
        return self._open(urllib.request.Request(self.url + name))

    def post(self, name: str, body: Any) -> tuple[int, bytes, Any]:
        data = json.dumps(body).encode()
        return self._open(urllib.request.Request(self.url + name, data, {"Content-Type": "application/json"}))

    def _open(self, request: urllib.request.Request) -> tuple[int, bytes, Any]:
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read(), answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read(), error.headers


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    (tmp_path / "a paper.pdf").write_bytes(b"%PDF-1.7 words")
    made = Desk(run_of(str(tmp_path / "gone.pdf"), str(tmp_path / "a paper.pdf")))
    yield made
    made.review.close()
    made.loop.call_soon_threadsafe(made.loop.stop)


def test_the_page_gets_all_that_was_found_and_by_which_query(desk: Desk) -> None:
    status, body, _ = desk.get("api/evidence")
    told = json.loads(body)
    assert status == 200 and (told["heading"], told["file"]) == ("Discussion", "main.tex")
    assert [q["found"] for q in told["queries"]] == [["1", "2"], ["2", "3"], []]
    assert told["queries"][2]["refused"] == "It says again what was asked."
    first = told["evidence"][0]
    assert (first["score"], first["vector"], first["model"], first["page"]) == (0.8, 0.5, 0.9, 7)
    assert first["heading"] == "3 Results" and first["pdf"] == "pdf/1#page=7" and told["sends"] == "To m."
    status, page, headers = desk.get("")
    assert (
        status == 200 and b"evidence.js" in page and "script-src 'self'" in headers["Content-Security-Policy"]
    )


def test_what_is_ticked_alone_is_drafted_from(desk: Desk) -> None:
    status, body, _ = desk.post("api/draft", {"ids": ["3", "1"]})
    assert (status, json.loads(body)) == (200, {"job": "7"})
    (run,) = desk.drafted
    assert [one.id for one in run.evidence] == ["1", "3"] and [p.id for p in run.papers] == ["p1", "p3"]
    assert [q.found for q in run.queries] == [("1",), ("3",), ()] and not run.failed
    desk.busy = True
    status, body, _ = desk.post("api/draft", {"ids": ["1"]})
    assert status == 409 and "Another job is running." in json.loads(body)["error"]
    desk.busy, desk.moved = False, True
    status, body, _ = desk.post("api/draft", {"ids": ["1"]})
    assert status == 409 and "Gather it again." in json.loads(body)["error"]


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ([], "Nothing is ticked"),
        (["1", "9"], "There is no evidence 9 here."),
        ("1", "list of ids"),
        (None, "list of ids"),
        ([1], "list of ids"),
        ([["1"]], "list of ids"),
    ],
)
def test_a_choice_that_is_none_is_refused_in_words(desk: Desk, ids: Any, said: str) -> None:
    status, body, _ = desk.post("api/draft", {"ids": ids})
    assert status == 400 and said in json.loads(body)["error"] and not desk.drafted
    with pytest.raises(BadRequest):
        only(run_of(), ids)


def test_the_pdf_is_the_users_own_and_no_other_file(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "secret.pdf").write_bytes(b"%PDF-secret")
    (tmp_path / "secret.txt").write_text("secret")
    status, body, headers = desk.get("pdf/1")
    assert (status, body, headers["Content-Type"]) == (200, b"%PDF-1.7 words", "application/pdf")
    for name in ("pdf/9", "pdf/", "pdf/../secret.pdf", "pdf/%2e%2e/secret.txt", f"pdf/{tmp_path}/secret.pdf"):
        status, body, _ = desk.get(name)
        assert status == 404 and b"secret" not in body
    other = Desk(run_of(str(tmp_path / "secret.txt"), "secret.pdf"))
    assert (
        other.get("pdf/1")[0] == 404 and json.loads(other.get("api/evidence")[1])["evidence"][0]["pdf"] == ""
    )
    other.review.close()


def test_a_page_of_elsewhere_is_answered_nothing(desk: Desk) -> None:
    request = urllib.request.Request(desk.url + "api/evidence", headers={"Origin": "http://example.org"})
    assert desk._open(request)[0] == 403
    assert desk.get("api/draft")[0] == 404 and desk.post("api/evidence", {})[0] == 404
