"""The review's API over its real loopback server, on a real search."""

from __future__ import annotations

import asyncio
import base64
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft, EditPlan
from texgeist_latex.writing.edits import plan_related_work
from texgeist_retrieval.types import Result
from texgeist_server.config import user_file
from texgeist_server.plain_drafts import GivenDraft
from texgeist_server.review.http import STATIC, read_choice
from texgeist_server.review.standalone import Standalone, open_review
from texgeist_server.review.state import Review
from texgeist_server.sections.requests import Choice, Ping
from texgeist_server.sections.results import references_of, section_of
from texgeist_server.worker import client

from ..conftest import ROOT
from ..retrieval.arxiv_server import typeset
from .editor import editor
from .test_plain_drafts import BODY, REFERENCES

WRITTEN: list[Result] = []
ABSTRACT = "Citing with evidence\n\nWe ask how language models cite and invent papers, and ground each sentence in a passage."


@pytest_asyncio.fixture
async def review(paper: Path, library: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Review]:
    monkeypatch.setenv("TEXGEIST_DATA", str(library))
    monkeypatch.setenv("TEXGEIST_CONFIG", str(paper / "none.toml"))
    WRITTEN.clear()

    def landed(draft: Draft, plan: EditPlan, result: Result) -> str:
        WRITTEN.append(result)
        return "written"

    host = Standalone(GivenDraft(paper / "main.tex"), user_file.load({})[0], landed)
    made = await open_review(host, "abstract")
    made.serve()
    await asyncio.wait_for(host.jobs[0], 120)
    yield made
    made.close()
    await host.worker.close()


async def call(review: Review, method: str, name: str, body: Any = None) -> Any:
    async with httpx.AsyncClient(base_url=review.serve(), timeout=60) as client:
        response = await client.request(method, f"api/{name}", json=body)
    return response.json()


@pytest.mark.model
async def test_a_draft_is_pasted_or_dropped_on_the_page(
    library: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXGEIST_DATA", str(library))
    monkeypatch.setenv("TEXGEIST_CONFIG", str(tmp_path / "none.toml"))
    written: list[str] = []

    def landed(draft: Draft, plan: EditPlan, result: Result) -> str:
        written.append(plan.latex)
        return "written"

    host = Standalone(None, user_file.load({})[0], landed)
    review = await open_review(host, "abstract")
    try:
        empty = await call(review, "GET", "state")
        assert (empty["stage"], empty["accepts"], empty["papers"]) == ("empty", True, [])
        assert empty["sends"] == ""
        remote = {"writer": {"provider": "openai", "baseUrl": "http://models.example/v1"}}
        elsewhere = Standalone(None, user_file.load(remote)[0], landed)
        assert "http://models.example/v1" in elsewhere.sends(), "the page says where a text would go"
        for bad, why in (
            ({"text": " "}, "no abstract"),
            ({"text": ABSTRACT, "since": "soon"}, "since"),
            ({"pdf": "eA==", "name": "d.pdf"}, "It is no PDF"),
            ({"pdf": "x"}, "base64"),
        ):
            assert why in (await call(review, "POST", "draft", bad))["error"]

        assert (await call(review, "POST", "draft", {"text": ABSTRACT}))["stage"] == "searching"
        await asyncio.wait_for(host.jobs[-1], 120)
        pasted = await call(review, "GET", "state")
        assert pasted["stage"] == "ready" and pasted["draft"]["title"] == "Citing with evidence"
        pdf = base64.b64encode(typeset([BODY, REFERENCES])).decode()
        await call(review, "POST", "draft", {"pdf": pdf, "name": "d.pdf", "since": "2024"})
        await asyncio.wait_for(host.jobs[-1], 120)
        dropped = await call(review, "GET", "state")
        assert (
            min(paper["year"] for paper in dropped["papers"])
            >= 2024
            > min(p["year"] for p in pasted["papers"])
        )
        await call(review, "POST", "write", {})
        await asyncio.wait_for(host.jobs[-1], 120)
        assert "\\cite" in written[0]
    finally:
        review.close()
        await host.worker.close()


async def idle(review: Review) -> Any:
    """The state once nothing is being written any more."""
    for _ in range(600):
        if review.stage not in ("reading", "writing"):
            break
        await asyncio.sleep(0.1)
    return await call(review, "GET", "state")


@pytest.mark.model
async def test_the_whole_review(review: Review, paper: Path) -> None:
    state = await call(review, "GET", "state")
    assert state["stage"] == "ready" and state["takes"] == ""
    assert state["draft"] == {"title": read_draft(paper / "main.tex").title, "file": "main.tex"}
    papers = {p["id"]: p for p in state["papers"]}
    assert len(state["chosen"]) == state["options"]["breadth"] and set(state["chosen"]) <= papers.keys()
    assert all(papers[id]["why"] for id in state["chosen"])
    others = [p for p in papers.values() if p["id"] not in state["chosen"]]
    assert others and all(p["left_out"] and not p["why"] for p in others)
    assert all(p["x"] ** 2 + p["y"] ** 2 <= 1.001 for p in papers.values())
    near, far = min(papers.values(), key=lambda p: p["rank"]), max(papers.values(), key=lambda p: p["rank"])
    assert near["x"] ** 2 + near["y"] ** 2 < far["x"] ** 2 + far["y"] ** 2

    wanted = {**state["options"], "pinned": [], "excluded": []}
    five = await call(review, "POST", "choose", {**wanted, "breadth": 5})
    assert len(five["chosen"]) == 5 and five["version"] > state["version"]
    assert set(five["chosen"]) <= set(state["chosen"]), "fewer papers, no others"
    diverse = await call(review, "POST", "choose", {**wanted, "breadth": 5, "diversity": 1.0})
    assert diverse["chosen"] != five["chosen"]

    pin, out = far["id"], state["chosen"][0]
    body = {**wanted, "breadth": 5, "pinned": [pin], "excluded": [out]}
    chosen = await call(review, "POST", "choose", body)
    assert pin in chosen["chosen"] and out not in chosen["chosen"] and len(chosen["chosen"]) == 5
    assert {p["id"]: p for p in chosen["papers"]}[out]["left_out"]

    assert chosen["text"] == ""
    assert (await call(review, "POST", "read", body))["job"]
    read = await idle(review)
    assert read["stage"] == "ready" and read["chosen"] == chosen["chosen"] and not WRITTEN
    assert read["text"].count("texgeist:begin") == 1 and "\\cite" in read["text"]
    assert (await call(review, "POST", "choose", body))["text"] == read["text"], "nothing else is chosen"
    assert (await call(review, "POST", "choose", {**body, "breadth": 4}))["text"] == ""
    chosen = await call(review, "POST", "choose", body)

    waiting = asyncio.create_task(call(review, "GET", f"state?after={chosen['version']}"))
    await asyncio.sleep(0.1)
    assert not waiting.done()
    assert (await call(review, "POST", "write", body))["job"]
    assert (await asyncio.wait_for(waiting, 30))["version"] > chosen["version"]
    assert (await idle(review))["stage"] == "written"
    assert {one.candidate.paper.id for one in WRITTEN[0].selected} <= set(chosen["chosen"])
    plan = plan_related_work(
        read_draft(paper / "main.tex"), section_of(WRITTEN[0]), references_of(WRITTEN[0])
    )
    assert plan.keys.keys() <= set(chosen["chosen"])


def sentences(text: str) -> list[str]:
    """The words of the generated section."""
    return text[text.index("% texgeist:begin") : text.index("% texgeist:end")].split()


@pytest.mark.model
async def test_a_review_in_the_editor_lands_as_the_command_does(
    paper: Path, searching: dict[str, str]
) -> None:
    async with editor(paper, env=searching) as one:
        path = paper / "main.tex"
        one.open(path)
        opened = await one.execute("review", {"uri": one.uri(path), "quiet": True})
        assert Path(opened["page"]).name == "static"
        async with httpx.AsyncClient(base_url=opened["url"], timeout=60) as client:
            state: dict[str, Any] = {"stage": "", "version": 0}
            while state["stage"] != "ready":
                assert state["stage"] != "failed", state
                state = (await client.get(f"api/state?after={state['version']}")).json()
            body = {**state["options"], "breadth": 3, "pinned": [], "excluded": []}
            await client.post("api/read", json=body)
            while not state.get("text"):
                assert state["stage"] != "failed", state
                state = (await client.get(f"api/state?after={state['version']}")).json()
            assert "texgeist:begin" not in one.texts[path], "it was looked at, no more"
            looked_at = state["text"]
            await client.post("api/write", json=body)
            await one.said("written into")
            while state["stage"] != "written":
                state = (await client.get("api/state")).json()
                await asyncio.sleep(0.05)
    assert one.texts[path].count("% texgeist:begin") == 1
    assert sentences(looked_at) == sentences(one.texts[path])
    assert one.texts[paper / "references.bib"].count("\n@misc{") >= 3


@pytest.mark.model
async def test_a_search_that_was_let_go_is_made_again(
    review: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page outlives the worker, which gives its memory back when it is idle."""
    state = await call(review, "GET", "state")
    monkeypatch.setattr(client, "IDLE", 0.2)
    pid = await review.host.ask(Ping(), lambda *_: None)
    with pytest.raises(ProcessLookupError):
        for _ in range(200):
            await asyncio.sleep(0.05)
            os.kill(pid, 0)  # asks whether it is there
    monkeypatch.setattr(client, "IDLE", 900.0)

    pin, out = state["papers"][-1]["id"], state["chosen"][0]
    body = {**state["options"], "breadth": 4, "pinned": [pin], "excluded": [out]}
    refused = await call(review, "POST", "write", body)
    assert "is repeated" in refused["error"] and review.stage == "searching" and not WRITTEN
    assert "still running" in (await call(review, "POST", "choose", body))["error"]
    for _ in range(600):
        if (state := await call(review, "GET", "state"))["stage"] != "searching":
            break
        await asyncio.sleep(0.1)
    assert state["stage"] == "ready" and len(state["chosen"]) == 4
    assert pin in state["chosen"] and out not in state["chosen"]
    assert (await call(review, "POST", "write", body))["job"]
    for _ in range(600):
        if review.stage != "writing":
            break
        await asyncio.sleep(0.1)
    assert review.stage == "written" and WRITTEN


@pytest.mark.model
async def test_a_page_stays_while_another_job_runs(paper: Path, searching: dict[str, str]) -> None:
    async with editor(paper, env=searching) as one:
        path = paper / "main.tex"
        one.open(path)
        asked = {"uri": one.uri(path), "quiet": True}
        opened = await one.execute("review", asked)
        async with httpx.AsyncClient(base_url=opened["url"], timeout=60) as page:
            assert (await page.get("api/state")).json()["stage"] == "searching"
            assert "busy" in (await one.execute("review", asked))["error"]
        await asyncio.sleep(1)  # a page that is closed ends within half a second
        async with httpx.AsyncClient(base_url=opened["url"], timeout=60) as page:
            assert (await page.get("api/state")).status_code == 200


def test_vs_code_hands_on_every_request_of_the_page() -> None:
    """The panel's requests go through the client, which refuses those that it does not know."""
    known = re.search(r"PATHS = /(.*)/;", (ROOT / "client-vscode" / "src" / "review.ts").read_text())
    scripts = (file.read_text() for file in STATIC.glob("*.js"))
    asked = {path for text in scripts for path in re.findall(r"""["`](api/[^"`]+)["`]""", text)}
    assert known and {"api/read", "api/write", "api/cancel", "api/choose"} <= asked
    for path in asked:
        assert re.fullmatch(known[1].replace("\\/", "/"), re.sub(r"\$\{[^}]*\}", "7", path)), path


@pytest.mark.parametrize(
    "given",
    [
        {"breadth": 0},
        {"breadth": 61},
        {"breadth": 2.5},
        {"breadth": True},
        {"diversity": "0.5"},
        {"diversity": 1.1},
        {"pinned": ["unknown"]},
        {"excluded": "a"},
        {"excluded": [1]},
    ],
)
def test_what_is_out_of_bounds_is_refused(given: dict[str, Any]) -> None:
    from texgeist_server.review.http import BadRequest

    before = Choice(10)
    with pytest.raises(BadRequest):
        read_choice(given, before, {"a"})
    assert read_choice({"pinned": ["a"], "diversity": 1}, before, {"a"}).pinned == ("a",)
