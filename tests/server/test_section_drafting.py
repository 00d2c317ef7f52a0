"""Evidence for a section and the section from it, over real processes: the command line with a real index and a
scripted model over HTTP, and an editor."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ..local_index import shelf_of
from ..retrieval.model_server import ModelServer, Turn, ids_in, text_of
from ..retrieval.writing.texts import corrections
from .editor import editor
from .test_cli import texgeist

PAPERS = {
    "sleep": ("Sleep and Recall", "Results", "Sleep after learning improves recall of word pairs by a fifth in healthy adults of all ages"),
    "naps": ("Short Naps", "Results", "Naps of twenty minutes leave the recall of word pairs as it was in school children"),
    "caffeine": ("Caffeine at Night", "Discussion", "Caffeine before bed shortens deep sleep and delays the consolidation of memory"),
    "replay": ("Replay", "Introduction", "The hippocampus replays what was learned while the animal is asleep in its cage"),
}  # fmt: skip
DRAFT = r"""\documentclass{article}
\usepackage{natbib}
% texgeist: findings: recall was 12.4 points better after sleep
\begin{document}
\title{Sleep and Word Pairs}\maketitle
\begin{abstract}
We ask whether sleep after learning improves the recall of word pairs in adults.
\end{abstract}
\section{Introduction}
Sleep after learning is said to improve the recall of word pairs.
\section{Discussion}
Recall was better after sleep, as our note says.

\subsection{Limits}
Few took part.

\bibliographystyle{plainnat}
\bibliography{references}
\end{document}
"""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with an index of full papers."""
    lines = [
        {"id": f"doi:10.5555/{id}", "title": title, "year": 2019,
         "sections": [{"heading": heading, "sentences": [[0, f"{text}."]]}]}
        for id, (title, heading, text) in PAPERS.items()
    ]  # fmt: skip
    with shelf_of(tmp_path_factory.mktemp("shelf"), lines) as data:
        yield data


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(DRAFT)
    (folder / "references.bib").write_text("")
    return folder / "main.tex"


@pytest.fixture
def at(env: dict[str, str], shelf: Path, tmp_path: Path) -> Callable[..., dict[str, str]]:
    def environment(model: ModelServer | None = None) -> dict[str, str]:
        config = tmp_path / "config.toml"
        address = f'[writer]\nprovider = "openai"\nbaseUrl = "{model.url}/v1"\nmodel = "m"\n' if model else ""
        config.write_text(address)
        return {
            **env,
            "TEXGEIST_DATA": str(shelf),
            "TEXGEIST_CONFIG": str(config),
            "TEXGEIST_CACHE": str(tmp_path),
        }

    return environment


def evidence(env: dict[str, str], draft: Path, section: str, *more: str) -> dict[str, Any]:
    done = texgeist(env, "evidence", str(draft), "--section", section, "--json", *more)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def is_search(request: dict[str, Any]) -> bool:
    return "searches" in request["response_format"]["json_schema"]["schema"]["properties"]


def writer_of(sentences: Callable[[list[str], list[str]], list[str]]) -> Callable[..., Turn]:
    """A model that gathers with one search and then writes `sentences` of (evidence ids, own ids)."""

    def brain(request: dict[str, Any]) -> Turn:
        text = json.dumps(request["messages"])
        if is_search(request):
            if "You searched for" in text:
                return Turn({"searches": [], "enough": "Both sides are there."})
            search = {"query": "Caffeine before bed delays consolidation.", "missing": "the other side"}
            return Turn({"searches": [search], "enough": ""})
        form = request["response_format"]["json_schema"]["schema"]["properties"]
        if "corrections" in form:  # it says again what was rejected
            return Turn(corrections((2, sentences(["1"], [])[1])))
        if "label" in form:  # a sentence is held against its passages
            return Turn({"label": "supported", "sureness": 90, "missing": ""})
        said = {"summary": "It bears on sleep.", "relevance": 0.9}
        if "passages" in form:  # passages are weighed
            ids = form["passages"]["items"]["properties"]["id"]["enum"]
            return Turn({"passages": [{"id": id, **said} for id in ids]})
        own = re.findall(r'<own id="(\w+)"', text_of(request))
        written = " ".join(sentences(ids_in(request), own))
        return Turn({"plan": [], "section": written, "needs": ["How participants were recruited"]})

    return brain


def said(text: str, evidence: list[str], own: list[str]) -> str:
    ids = ", ".join([*evidence, *own])
    return f"{text.removesuffix('.')} [{ids}]." if ids else text


def test_evidence_without_a_model(at: Any, draft: Path) -> None:
    before = draft.read_text()
    found = evidence(at(), draft, "Discussion")
    first = found["evidence"][0]
    fields = {"paper", "title", "section", "heading", "page", "text", "score", "vector", "model", "summary"}
    assert fields <= set(first) and first["model"] is None
    assert "doi:10.5555/sleep" in {one["paper"] for one in found["evidence"]}
    assert "recall was 12.4 points better after sleep" in found["queries"]
    assert found["stopped"].startswith("There is no")
    assert draft.read_text() == before and not (draft.parent / ".texgeist").exists()

    best = evidence(at(), draft, "Discussion", "--top", "1")
    assert [one["id"] for one in best["evidence"]] == [first["id"]] and len(found["evidence"]) > 1
    assert {id for asked in best["asked"] for id in asked["found"]} == {first["id"]}


def test_evidence_by_the_agent_and_nothing_paid_twice(at: Any, draft: Path, model: ModelServer) -> None:
    model.brain = writer_of(lambda ids, own: [])
    env = at(model)
    found = evidence(env, draft, "Discussion")
    assert found["queries"][-1] == "Caffeine before bed delays consolidation."
    assert found["stopped"] == "The model has enough: Both sides are there."
    assert "doi:10.5555/caffeine" in {one["paper"] for one in found["evidence"]}
    assert all(one["model"] == 0.9 and one["summary"] == "It bears on sleep." for one in found["evidence"])
    assert all(abs(one["score"] - 0.4 * one["vector"] - 0.54) < 0.01 for one in found["evidence"])
    paid = len(model.requests)
    assert sum(map(is_search, model.requests)) == 2
    again = evidence(env, draft, "Discussion")
    assert len(model.requests) == paid and again["queries"] == found["queries"]


def test_a_section_is_written_behind_the_authors_words(at: Any, draft: Path, model: ModelServer) -> None:
    model.brain = writer_of(
        lambda ids, own: [
            said("Healthy people of any age were found to remember more after a night.", ids[:1], []),
            said("We recruited sixty students.", [], []),
        ]
    )
    env = at(model)
    done = texgeist(env, "draft-section", str(draft), "--section", "Discussion", "--apply", "--json")
    assert done.returncode == 0, done.stderr
    text = draft.read_text()
    block = re.search(r"\n\n% texgeist:begin discussion\n.*?% texgeist:end discussion", text, re.S)
    assert block and text.replace(block[0], "") == DRAFT
    assert text.index("Few took part.") < block.start() < text.index("\\bibliographystyle")
    assert re.search(r"remember more after a\s+night~\\citep\{\w+\}\.", block[0])
    assert "\nWe recruited" not in block[0] and "sixty" in re.sub(r"\n%\s+", " ", block[0])
    assert "% texgeist: needs How participants were recruited." in block[0]
    key = re.findall(r"\\citep\{(\w+)\}", block[0])[0]
    assert key in (draft.parent / "references.bib").read_text()
    record = json.loads((draft.parent / ".texgeist" / "provenance.json").read_text())
    told = json.loads(done.stdout)
    assert told["asked"][-1]["by"] == "model" and told["stopped"].startswith("The model has")
    assert record["citations"][key]["section"] == "discussion"

    once_more = texgeist(env, "draft-section", str(draft), "--section", "Discussion", "--apply")
    assert once_more.returncode == 0, once_more.stderr
    assert draft.read_text().count("texgeist:begin discussion") == 1
    mine = draft.read_text().replace("remember more", "remember much more")
    draft.write_text(mine)
    kept = texgeist(env, "draft-section", str(draft), "--section", "Discussion", "--apply")
    assert kept.returncode == 0 and draft.read_text() == mine, kept.stderr
    preview = texgeist(env, "draft-section", str(draft), "--section", "Discussion", "--apply", "--dry-run")
    assert "recall was 12.4 points better after sleep" in preview.stdout and draft.read_text() == mine


def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(
    at: Any, draft: Path, model: ModelServer
) -> None:
    model.brain = writer_of(lambda ids, own: [])
    env = at(model)
    arguments = ("draft-section", str(draft), "--section", "Discussion", "--dry-run", "--json")
    told = json.loads(texgeist(env, *arguments).stdout)
    assert not model.requests
    evidence(env, draft, "Discussion")
    weighed = [r for r in model.requests if not is_search(r)]
    by_default = [r for r in weighed if "Caffeine before bed delays" not in str(r["messages"])]
    assert by_default and len(weighed) > len(by_default)
    for request in by_default:
        for message in request["messages"]:
            assert message["content"] in told["text"]
    assert f"{len(by_default)} calls that rate" in told["summary"]

    without = texgeist(env, *arguments, "--writer", "anthropic")
    assert without.returncode == 0, without.stderr
    assert "calls that rate" in json.loads(without.stdout)["summary"]


def test_without_a_model_the_notes_change_nothing_that_is_set(at: Any, draft: Path) -> None:
    done = texgeist(at(), "draft-section", str(draft), "--section", "Introduction", "--apply")
    assert done.returncode == 0, done.stderr
    block = re.search(
        r"\n\n% texgeist:begin introduction\n(.*?)\n% texgeist:end introduction", draft.read_text(), re.S
    )
    assert block and all(line.startswith("%") for line in block[1].splitlines() if line)
    assert "\\citep{" in block[1] and "Sleep after learning improves recall" in re.sub(
        r"\n%\s+", " ", block[1]
    )
    kept = draft.read_text()  # notes cite in comments alone, which was taken for a section that cites nothing
    again = texgeist(at(), "draft-section", str(draft), "--section", "Introduction", "--apply")
    assert again.returncode == 0 and "unchanged" in again.stderr, again.stderr
    assert draft.read_text() == kept and kept.count("% texgeist:begin") == 1


def test_cancel_leaves_everything_as_it_was(at: Any, draft: Path, model: ModelServer) -> None:
    model.brain = lambda _: Turn("late", seconds=20.0)
    command = [sys.executable, "-P", "-m", "texgeist_server", "draft-section", str(draft), "--section", "Discussion",
               "--apply"]  # fmt: skip
    running = subprocess.Popen(command, env=at(model), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 90
    while not model.requests and time.monotonic() < deadline:
        time.sleep(0.1)
    began = time.monotonic()
    running.send_signal(signal.SIGINT)
    _, stderr = running.communicate(timeout=30)
    assert running.returncode == 130 and "Cancelled, nothing was changed." in stderr
    assert time.monotonic() - began < 4.0
    assert draft.read_text() == DRAFT
    assert threading.active_count() < 50


async def test_a_section_is_drafted_from_what_was_ticked_alone(at: Any, draft: Path) -> None:
    async with editor(draft.parent, "vscode", at()) as one:
        one.open(draft)
        actions = await one.actions(draft, one.range(draft, "\\section{Discussion}"))
        await one.run(actions["texgeist: gather evidence for this section"])
        await one.said("Evidence for “Discussion”")
        await one.until(lambda: bool(one.client.shown_documents))
        url = one.client.shown_documents[-1].uri
        found = json.loads(await asyncio.to_thread(_fetch, f"{url}api/evidence"))
        assert found["heading"] == "Discussion" and len(found["evidence"]) > 1
        naps = next(e["id"] for e in found["evidence"] if e["title"] == "Short Naps")
        await one.idle()
        one.type(draft, one.texts[draft].index("Few took part"), "As in most such studies, ")
        assert json.loads(await asyncio.to_thread(_fetch, f"{url}api/draft", {"ids": [naps]}))["job"]
        one.type(draft, one.texts[draft].index("As in most"), "Few slept. ")  # the job may see it or not
        await one.said("written into")
        block = re.search(
            r"% texgeist:begin discussion\n.*?% texgeist:end discussion", one.texts[draft], re.S
        )
        assert block and len(set(re.findall(r"\\cite[a-z]*\{([^}]*)\}", block[0]))) == 1
        assert "Naps of twenty minutes" in re.sub(r"\n%\s+", " ", block[0]) and "by a fifth" not in block[0]


def _fetch(url: str, body: Any = None) -> bytes:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return bytes(answer.read())


def judge(request: dict[str, Any]) -> Turn:
    said_ = json.dumps(request["messages"])
    if "Passage:" not in said_:
        return Turn({"supports": "Sleep improves recall.", "contradicts": "Naps leave recall as it was."})
    label = "supported" if "by a fifth" in said_ else "contradicted" if "as it was" in said_ else "not stated"
    return Turn(
        {"label": label, "sureness": 90, "missing": "" if label == "supported" else "sleep <b>itself</b>"}
    )


def test_what_speaks_for_and_against_a_statement(at: Any, model: ModelServer) -> None:
    model.brain = judge
    asked = ("evidence", "Sleep after learning improves the recall of word pairs.", "--for-and-against")
    env = at(model)
    done = texgeist(env, *asked, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    sides = {one["paper"].rpartition("/")[2]: one["side"] for one in found["evidence"]}
    assert sides["sleep"] == "supports" and sides["naps"] == "contradicts"
    first, second = found["evidence"][:2]
    assert (first["heading"], first["sureness"], first["missing"]) == ("Results", 0.9, "")
    assert second["missing"] == "sleep <b>itself</b>" and len(found["queries"]) == 3
    told = texgeist(env, *asked).stdout
    assert told.index("For it:") < told.index("Sleep and Recall") < told.index("Against it:")

    paid = len(model.requests)
    alone = json.loads(texgeist(env, *asked, "--no-model", "--json").stdout)
    assert len(model.requests) == paid and {one["side"] for one in alone["evidence"]} == {"not judged"}
    assert alone["notes"][0].startswith("Without a language model")


async def test_an_editor_asks_what_speaks_for_and_against(at: Any, draft: Path, model: ModelServer) -> None:
    model.brain = judge
    statement = "Sleep after learning is said to improve the recall of word pairs."
    async with editor(draft.parent, "vscode", at(model)) as one:
        one.open(draft)
        actions = await one.actions(draft, one.range(draft, statement))
        await one.run(actions["texgeist: find evidence for and against the selection"])
        assert "For the statement: one passage; against it: one passage." in await one.said(
            "For the statement"
        )
        assert one.texts[draft] == DRAFT
        one.client.messages.clear()
        place = one.at(draft, "improve the recall")["position"]
        given = {"uri": one.uri(draft), "range": {"start": place, "end": place}}
        await one.execute("forAndAgainst", given)
        await one.said("For the statement: one passage")
        page = str(one.panels[-1]["markdown"])
    assert (
        page.index("For it")
        < page.index("Sleep and Recall")
        < page.index("Against it")
        < page.index("Short Naps")
    )
    assert "missing: sleep \\<b\\>itself" in page and "Results" in page
