"""Citations for a sentence, answers to a question, and sections by a model, over the real process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from .editor import Editor, editor
from .slow import SlowArxiv, SlowModel
from .test_cli import texgeist

pytestmark = pytest.mark.model
SENTENCE = "Dense retrieval finds passages by their meaning 😀 and not by their words"
QUESTION = "How can language models retrieve passages and reflect on their own generations?"


async def select(one: Editor, path: Path, words: str, title: str) -> None:
    actions = await one.actions(path, one.range(path, words))
    await one.run(actions[f"texgeist: {title}"])


@pytest.mark.parametrize("profile", ["vscode", "neovim-0.11"])
async def test_citations_for_a_sentence(paper: Path, searching: dict[str, str], profile: str) -> None:
    path = paper / "sections" / "method.tex"
    path.write_text(path.read_text() + f"\n\nNote 𝒳. {SENTENCE}. More follows.\n")
    async with editor(paper, profile, searching) as one:
        one.open(path)
        before = one.texts[path]
        one.picks = "1. "
        await select(one, path, SENTENCE, "find citations for the selection")
        said = await one.said("written into method.tex")
        text = one.texts[path]
        if profile == "vscode":
            [asked] = one.lists
            assert len(asked["items"]) > 3 and "sentence" in asked["title"]
            assert all(item["detail"] and item["description"] for item in asked["items"])
            assert said.startswith("texgeist: Citations written") and "3 papers cited" in said
        else:
            assert "\n1. " in one.questions[0] and ": “" in one.questions[0] and "1 paper cited" in said
        key = text.split(SENTENCE)[1].split("}")[0].split("{")[1].split(",")[0]
        hover = await one.hover(path, key)
    assert text.split(SENTENCE)[1].startswith("~\\citep{") or text.split(SENTENCE)[1].startswith(" \\citep{")
    assert ". More follows." in text
    assert "chance to fit your sentence" in hover.replace("\\", "")
    assert said.count("paper") == 1
    assert before.replace(SENTENCE, "") in text.replace(
        text.split(SENTENCE)[1].split("}")[0] + "}", ""
    ).replace(SENTENCE, "")


async def test_a_sentence_that_is_gone_is_not_cited(
    paper: Path, searching: dict[str, str], slow_arxiv: SlowArxiv
) -> None:
    slow_arxiv.seconds = 0.4
    path = paper / "sections" / "method.tex"
    path.write_text(path.read_text() + f"\n\n{SENTENCE}. More follows.\n")
    async with editor(paper, env=searching, settings=slow_arxiv.settings()) as one:
        one.open(path)
        await select(one, path, SENTENCE, "find citations for the selection")
        await one.until(lambda: slow_arxiv.asked > 0)
        one.type(path, one.texts[path].index("Dense retrieval finds"), "Sparse", len("Dense"))
        await one.said("so nothing was inserted")
    assert one.edits == []


@pytest.mark.parametrize("profile", ["vscode", "neovim-0.11"])
async def test_nothing_is_cited_that_nobody_picked(
    paper: Path, searching: dict[str, str], profile: str
) -> None:
    path = paper / "sections" / "method.tex"
    path.write_text(path.read_text() + f"\n\n{SENTENCE}. More follows.\n")
    async with editor(paper, profile, searching) as one:
        one.open(path)
        one.picks_first = 0
        await select(one, path, SENTENCE, "find citations for the selection")
        await one.said("No paper was chosen, so nothing was inserted.")
        await one.until(lambda: not one.statuses[-1]["jobs"])
        late = await one.execute("picked", {"id": "no-such-list", "chosen": ["1"]})
        await one.said("has expired")
    assert one.edits == [] and not (paper / ".texgeist").exists() and late == {"taken": False}
    assert len(one.lists) + len(one.questions) == 1


async def test_without_lists_and_questions_nothing_is_inserted(
    paper: Path, searching: dict[str, str]
) -> None:
    path = paper / "sections" / "method.tex"
    path.write_text(path.read_text() + f"\n\n{SENTENCE}. More follows.\n")
    async with editor(paper, "eglot", searching) as one:
        one.open(path)
        await select(one, path, SENTENCE, "find citations for the selection")
        said = await one.said("inserted")
    assert one.edits == [] and "no list to choose from" in said and "texgeist cite" in said


async def test_what_was_written_is_shown_explained_and_taken_back(
    paper: Path, searching: dict[str, str]
) -> None:
    path, bib = paper / "sections" / "method.tex", paper / "references.bib"
    path.write_text(path.read_text() + f"\n\n{SENTENCE}. More follows.\n")
    async with editor(paper, env=searching) as one:
        one.open(path)
        one.open(bib)
        before = dict(one.texts)
        nothing = await one.execute("showWritten", {"uri": one.uri(path)})
        assert "has written nothing" in nothing["error"]
        await select(one, path, SENTENCE, "find citations for the selection")
        await one.said("written into method.tex")
        assert one.texts[bib] != before[bib]
        shown = await one.execute("showWritten", {"uri": one.uri(path), "here": True})
        line = one.texts[path].splitlines()[shown["place"]["range"]["start"]["line"]]
        assert SENTENCE in line and shown["place"]["uri"] == one.uri(path)
        await one.execute("whyThese", {"uri": one.uri(path)})
        await one.until(lambda: len(one.panels) == 1)
        assert (
            one.panels[0]["markdown"].count("*It says*") == 3 and SENTENCE[:20] in one.panels[0]["markdown"]
        )
        record = paper / ".texgeist" / "provenance.json"
        assert record.exists()
        one.client.messages.clear()
        await one.execute("undoWritten", {"uri": one.uri(path)})
        await one.said("undone")
        assert one.texts == before and not record.exists()
        await select(one, path, SENTENCE, "find citations for the selection")
        await one.said("written into method.tex")
        one.type(path, one.texts[path].index("\\cite", one.texts[path].index(SENTENCE)) + 6, "x")
        now = dict(one.texts)
        await one.execute("undoWritten", {"uri": one.uri(path)})
        await one.said("was edited since")
        assert one.texts == now and record.exists()


async def test_an_answer_to_a_question(paper: Path, searching: dict[str, str]) -> None:
    path = paper / "sections" / "conclusion.tex"
    path.write_text(path.read_text() + f"\n{QUESTION}\n\nThe end.\n")
    async with editor(paper, "eglot", searching) as one:
        one.open(path)
        before = one.texts[path]
        await select(one, path, QUESTION, "answer the selected question")
        await one.said("The answer is shown.")
        assert one.texts[path] == before and one.edits == []
        page = next(m.message for m in one.messages if "## Evidence" in m.message)
        assert "\n> " in page and "abstract)" in page
        actions = await one.actions(path, one.range(path, QUESTION))
        await one.run(actions["texgeist: insert the last result"])
        await one.said("An answer written into conclusion.tex")
    after = one.texts[path].split(QUESTION, 1)[1]
    assert "% texgeist:begin answer" in after and "\\cite" in after
    assert after.index("texgeist:end") < after.index("The end.")


async def test_a_model_writes_when_the_user_chose_one(
    paper: Path, searching: dict[str, str], slow_model: SlowModel
) -> None:
    settings = slow_model.settings()
    async with editor(paper, env=searching, settings=settings) as one:
        path = paper / "main.tex"
        one.open(path)
        status = await one.execute("status", {})
        await one.execute("relatedWork", {"uri": one.uri(path), "from": "abstract"})
        said = await one.said("written into")
    assert slow_model.prompts and "127.0.0.1" in status["sends"]
    took = "2 calls, about 2,000 tokens sent and 200 written"
    assert f"The model took {took}." in said, "the strands, and the section"
    section = one.texts[path].split("texgeist:begin")[1]
    assert "treat a neighbouring question of kind" in " ".join(section.split()), said
    record = json.loads((paper / ".texgeist" / "provenance.json").read_text())
    assert all("openai" in one["writer"] for one in record["citations"].values())


def test_a_dry_run_shows_the_exact_text_and_sends_nothing(
    paper: Path, searching: dict[str, str], slow_model: SlowModel
) -> None:
    written = slow_model.settings()["writer"]
    config = Path(searching["TEXGEIST_CONFIG"])
    lines = [f'{name} = "{value}"' for name, value in written.items()]
    config.write_text("\n".join(["[writer]", *lines]))
    command = ("related-work", str(paper / "main.tex"), "--breadth", "2", "--json")
    done = texgeist(searching, *command, "--dry-run")
    shown = json.loads(done.stdout)
    assert slow_model.prompts == [] and shown["sends"] is True
    assert "Language models can draft a related-work section in seconds" in shown["text"]
    estimate = shown["estimate"]
    assert estimate["input_tokens"] > 100
    hosted = json.loads(texgeist(searching, *command, "--index", "citegeist", "--dry-run").stdout)
    assert slow_model.prompts == [] and hosted["estimate"]["input_tokens"] > estimate["input_tokens"], (
        "pages would be read"
    )
    done = texgeist(searching, *command)
    assert done.returncode == 0, done.stderr
    for prompt in slow_model.prompts:
        for message in json.loads(prompt):
            content = message["content"]
            parts = [content] if isinstance(content, str) else [part["text"] for part in content]
            if message["role"] == "user" and "summary of" not in shown["text"]:
                assert any(part[:200] in shown["text"] for part in parts)


async def test_a_worker_that_dies_is_told_and_replaced(
    paper: Path, searching: dict[str, str], slow_arxiv: SlowArxiv
) -> None:
    async with editor(paper, env=searching, settings=slow_arxiv.settings()) as one:
        path = paper / "main.tex"
        one.open(path)
        before = dict(one.texts)
        await one.execute("relatedWork", {"uri": one.uri(path), "from": "abstract"})
        await one.until(lambda: slow_arxiv.asked > 0, 120)
        assert one.client._server
        listed = subprocess.run(
            ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(one.client._server.pid)],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        worker = next(line for line in listed.splitlines() if "texgeist_server.worker" in line)
        os.kill(int(worker.split()[0]), signal.SIGKILL)
        await one.said("ended unexpectedly")
        assert one.texts == before
        slow_arxiv.seconds = 0.0
        await one.execute("relatedWork", {"uri": one.uri(path), "from": "abstract"})
        await one.said("written into")
