"""`texgeist ask` over an index of full papers: answered from passages, with their places, over real processes."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.types import Result, Section, Usage
from texgeist_server.adapters import setup_of
from texgeist_server.command_line.exits import NOTHING_FOUND
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.sections import runs
from texgeist_server.sections.queries import question_query
from texgeist_server.sections.requests import QuestionRequest

from ..local_index import shelf_of
from ..retrieval.model_server import ModelServer, Turn, ids_in
from .editor import editor
from .test_cli import texgeist

QUESTION = "Does sleep after learning improve the recall of word pairs?"
NOTHING = (
    "No passage of a full paper in the library supports this. Papers with only an abstract were not searched."
)
ANSWER = "Sleep was found to help healthy people of any age remember more."
PAPERS = [
    ("10.5555/sleep", "Sleep and Recall", "4 Results", 7,
     "Sleep after learning improves recall of word pairs by a fifth in healthy adults of all ages."),
    ("10.5555/naps", "Short Naps", "Discussion", 9,
     "Naps of twenty minutes leave the recall of word pairs as it was in school children."),
    ("10.5555/replay", "Replay", "Introduction", None,
     "The hippocampus replays what was learned while the animal is asleep in its cage."),
]  # fmt: skip


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    lines = [
        {"id": f"doi:{id}", "title": title, "year": 2019, "authors": ["Ada Moon"],
         "sections": [{"heading": heading, "sentences": [{"text": text, "page": page}]}]}
        for id, title, heading, page, text in PAPERS
    ]  # fmt: skip
    with shelf_of(tmp_path_factory.mktemp("shelf"), lines) as data:
        yield data


@pytest.fixture
def ask(env: dict[str, str], shelf: Path, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    def run(
        *arguments: str, model: ModelServer | None = None, code: int = 0
    ) -> subprocess.CompletedProcess[str]:
        done = texgeist(environment(env, shelf, tmp_path, model), "ask", *arguments)
        assert done.returncode == code, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    return run


def environment(
    env: dict[str, str], shelf: Path, folder: Path, model: ModelServer | None = None
) -> dict[str, str]:
    config = folder / "config.toml"
    address = f'[writer]\nprovider = "openai"\nbaseUrl = "{model.url}/v1"\nmodel = "m"\n' if model else ""
    config.write_text(address)
    return {**env, "TEXGEIST_DATA": str(shelf), "TEXGEIST_CONFIG": str(config), "TEXGEIST_CACHE": str(folder)}


def brain(relevance: float = 0.9, answer: str = ANSWER) -> Callable[[dict[str, Any]], Turn]:
    """Weighs every passage alike, searches once more, and answers from the first passage."""

    def turn(request: dict[str, Any]) -> Turn:
        text = json.dumps(request["messages"])
        form = request["response_format"]["json_schema"]["schema"]["properties"]
        if "searches" in form:
            if "You searched for" in text:
                return Turn({"searches": [], "enough": "It is answered."})
            wanted = {"query": "Naps do not change what is recalled.", "missing": "the other side"}
            return Turn({"searches": [wanted], "enough": ""})
        if "label" in form:
            return Turn({"label": "supported", "sureness": 90, "missing": ""})
        said = {"summary": "It bears on sleep.", "relevance": relevance}
        if "passages" in form:
            ids = form["passages"]["items"]["properties"]["id"]["enum"]
            return Turn({"passages": [{"id": id, **said} for id in ids]})
        if "corrections" in form:
            return Turn({"corrections": []})
        return Turn({"plan": [], "section": f"{answer.removesuffix('.')} [{ids_in(request)[0]}]."})

    return turn


def test_without_a_model_the_best_passages_are_the_answer(ask: Any) -> None:
    told = json.loads(ask(QUESTION, "--json").stdout)
    first = told["answer"]["sentences"][0]["evidence"][0]
    assert (first["paper"], first["heading"], first["section"]) == (
        "doi:10.5555/sleep",
        "4 Results",
        "results",
    )
    assert first["page"] == 7 and first["text"] == PAPERS[0][4] and 0 < first["score"] <= 1
    assert told["queries"] == [QUESTION] and told["writer"] == "extractive"

    shown = ask(QUESTION).stdout
    assert "“Sleep after learning improves recall" in shown and "(4 Results, p. 7) [1]." in shown
    assert "\n    4 Results, p. 7: “Sleep after" in shown and "Sleep and Recall" in shown


def test_a_model_searches_weighs_and_answers_by_closed_keys(ask: Any, model: ModelServer) -> None:
    model.brain = brain()
    told = json.loads(ask(QUESTION, "--json", model=model).stdout)
    assert told["answer"]["text"] == ANSWER.replace(".", " [1].")
    assert told["queries"] == [QUESTION, "Naps do not change what is recalled."]
    assert told["stopped"] == "The model has enough: It is answered."
    cited = told["answer"]["sentences"][0]["evidence"][0]
    assert cited["summary"] == "It bears on sleep." and cited["heading"]
    assert [one["id"] for one in told["papers"]] == [cited["paper"]]
    sent = [json.dumps(request["messages"]) for request in model.requests]
    assert any("Answer the researcher's question" in one and "by a reader" in one for one in sent)
    assert not any("Sleep and Recall" in one and "doi:10.5555" in one for one in sent)


def test_a_question_that_no_paper_is_about_has_no_answer(ask: Any) -> None:
    alien = "Which isotopes have half-lives in a cryogenic ion trap?"
    told = json.loads(ask(alien, "--json", code=NOTHING_FOUND).stdout)
    assert told["answer"] == {"text": "", "sentences": []} and told["papers"] == []
    assert NOTHING in told["notes"] and "question itself" in told["stopped"]


def test_an_editor_shows_the_answer_with_the_place_of_each_passage(
    env: dict[str, str], shelf: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    text = f"\\documentclass{{article}}\n\\begin{{document}}\n{QUESTION}\n\\end{{document}}\n"
    (folder / "main.tex").write_text(text)

    async def scenario() -> None:
        async with editor(folder, env=environment(env, shelf, tmp_path)) as one:
            path = folder / "main.tex"
            one.open(path)
            actions = await one.actions(path, one.range(path, QUESTION))
            await one.run(actions["texgeist: answer the selected question"])
            await one.until(lambda: bool(one.panels), 90)
            [panel] = one.panels
            assert "4 Results, p. 7" in panel["markdown"] and "Sleep and Recall" in panel["markdown"]
            await one.execute("insertPending", {"uri": one.uri(path)})
            await one.until(lambda: "texgeist:begin" in one.texts[path])
            after = one.texts[path]
            assert re.search(r"\n%[^\n]*Sleep after learning\s", after), after
            assert "\\citep{" in after or "\\cite{" in after

    asyncio.run(asyncio.wait_for(scenario(), 150))


def test_calls_for_an_answer_that_passages_did_not_give_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    query = question_query(QUESTION, "the question")
    nothing = Result(query, Section("", ()), (), usage=Usage(calls=2))
    monkeypatch.setattr(runs, "has_passages", lambda *_: True)
    monkeypatch.setattr(runs, "_written_from_passages", lambda *_: nothing)
    run, setup = runs.run, setup_of(Settings(), Keys())
    monkeypatch.setattr(runs, "run", lambda *_: replace(nothing, usage=Usage(calls=3)))
    assert run(QuestionRequest(query), setup, Silent()).usage == Usage(calls=5)
