"""Sentences that what they cite does not bear out: on the command line and in an editor, by a model over HTTP, with
passages that the record of why holds. Nothing is said where nothing was read, and nothing sent unasked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from ..retrieval.model_server import ModelServer, Turn
from .editor import editor
from .judge_server import judging
from .test_bibliography_checks import texgeist
from .test_saved_checks import shown

MAIN = r"""\documentclass{article}
\begin{document}
Songs help all sailors at sea \cite{a}.
Bells hinder all sailors at sea \cite{a}.
% texgeist:begin related-work
Drums are unheard of on all ships \cite{a}. Harps help everybody who hears them \cite{a}.
% texgeist:end related-work
Flutes are unheard of in most books \cite{b}.
\bibliography{refs}
\end{document}
"""
BIB = "@article{a, title={On Songs}, author={K. Weill}, year=1999}\n@article{b, title={On Flutes}, author={K. Weill}, year=1999}\n"
RECORD: dict[str, Any] = {
    "version": 1,
    "citations": {"a": {"section": "related-work", "evidence": [
        {"page": 3, "similarity": 0.5, "summary": "", "text": "We find that songs and bells help sailors."},
        {"page": 4, "similarity": 0.4, "summary": "", "text": "Ships are described."},
    ]}},
    "sections": {},
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(BIB)
    (tmp_path / ".texgeist").mkdir()
    (tmp_path / ".texgeist" / "provenance.json").write_text(json.dumps(RECORD))
    return tmp_path


def test_on_the_command_line(folder: Path, env: dict[str, str]) -> None:
    main = folder / "main.tex"
    with judging() as judge:
        (folder / "config.toml").write_text(judge.config)
        chosen = {**env, "TEXGEIST_CONFIG": str(folder / "config.toml")}
        unasked = texgeist(chosen, str(main), "--json")
        assert json.loads(unasked.stdout)["sentences"] == [] and judge.asked == []
        done = texgeist(chosen, str(main), "--writer", "openai", "--json")
        sentences = json.loads(done.stdout)["sentences"]
        assert [(one["code"], one["line"], one["severity"]) for one in sentences] == [
            ("contradicted", 4, "information"), ("unsupported", 6, "information"),
        ]  # fmt: skip
        assert done.returncode == unasked.returncode == 0  # a hint is no error
        message = sentences[1]["message"]
        assert "does not say this: that anybody" in message and "(page" in message and "\x1b" not in message
        assert (
            "1 of 5 sentences were not judged" in done.stdout and len(judge.asked) == 1
        )  # four in one request
        assert not any("Flutes" in asked or "cite{" in asked for asked in judge.asked)
        texgeist(chosen, str(main), "--writer", "openai")
        assert len(judge.asked) == 1  # what was judged is not asked again


def test_the_evidence_of_a_key_that_was_renamed_by_hand(folder: Path, env: dict[str, str]) -> None:
    paper = {"id": "1", "title": "On Songs", "authors": ["Kurt Weill"], "year": 1999}
    record = {**RECORD, "citations": {"weill1999": {**RECORD["citations"]["a"], "paper": paper}}}
    (folder / ".texgeist" / "provenance.json").write_text(json.dumps(record))
    with judging() as judge:
        (folder / "config.toml").write_text(judge.config)
        chosen = {**env, "TEXGEIST_CONFIG": str(folder / "config.toml")}
        done = texgeist(chosen, str(folder / "main.tex"), "--writer", "openai", "--json")
    assert len(json.loads(done.stdout)["sentences"]) == 2


def test_sentences_of_a_markdown_document(folder: Path, env: dict[str, str]) -> None:
    (folder / "a.md").write_text("---\nbibliography: refs.bib\n---\nBells hinder all sailors at sea [@a].\n")
    with judging() as judge:
        (folder / "config.toml").write_text(judge.config)
        chosen = {**env, "TEXGEIST_CONFIG": str(folder / "config.toml")}
        done = texgeist(chosen, str(folder / "a.md"), "--writer", "openai", "--json")
    assert [one["line"] for one in json.loads(done.stdout)["sentences"]] == [4]


def test_a_model_server_that_does_not_answer_is_an_error(folder: Path, env: dict[str, str]) -> None:
    with judging() as judge:
        (folder / "config.toml").write_text(judge.config)
    chosen = {**env, "TEXGEIST_CONFIG": str(folder / "config.toml")}  # the server has ended
    done = texgeist(chosen, str(folder / "main.tex"), "--writer", "openai", "--json")
    assert done.returncode == 6 and "5 sentences were not judged" in done.stderr
    assert len(json.loads(done.stdout)["entries"]) == 2  # the report stays
    (folder / "refs.bib").write_text(BIB.splitlines()[0])  # b is cited and has no entry
    assert texgeist(chosen, str(folder / "main.tex"), "--writer", "openai").returncode == 4


def test_a_refused_key_is_an_error(folder: Path, env: dict[str, str], model: ModelServer) -> None:
    model.brain = lambda _: Turn(status=401, message="bad key")
    (folder / "config.toml").write_text(f'[writer]\nbaseUrl = "{model.url}/v1"\nmodel = "m"\n')
    chosen = {**env, "TEXGEIST_CONFIG": str(folder / "config.toml")}
    done = texgeist(chosen, str(folder / "main.tex"), "--writer", "openai", "--json")
    assert done.returncode == 1 and "refused the key (401). Check the key" in done.stderr
    assert len(json.loads(done.stdout)["entries"]) == 2  # the report stays


@pytest.mark.parametrize(("diagnostics", "codes"), [
    ({"unsupported": "all"}, {"unsupported", "contradicted"}), ({"unsupported": "off"}, set()),
    ({"off": ["unsupported", "contradicted"]}, set()), ({}, {"unsupported"}),
])  # fmt: skip
async def test_in_an_editor(
    folder: Path, env: dict[str, str], diagnostics: dict[str, object], codes: set[str]
) -> None:
    main, bib = folder / "main.tex", folder / "refs.bib"
    bib.write_text(BIB + "@article{c, title={T}, author={K. Weill}, year=2999}\n")
    with judging() as judge:
        writer = {"provider": "openai", "baseUrl": judge.address, "model": "m"}
        settings = {"writer": writer, "diagnostics": diagnostics}
        async with editor(folder, env=env, settings=settings) as one:
            one.open(main)
            one.open(bib)
            one.save(main)
            await one.until(lambda: "year-ahead" in shown(one, bib), 60)
            await one.until(lambda: codes <= shown(one, main).keys(), 60)
            assert shown(one, main).keys() & {"unsupported", "contradicted"} == codes
            assert bool(judge.asked) is bool(codes)
            if not codes:
                return
            hint = shown(one, main)["unsupported"]
            assert hint.severity == lsp.DiagnosticSeverity.Hint
            assert hint.range == one.range(main, "Drums are unheard of on all ships \\cite{a}.")
            for inside, citation in (
                (3, False),
                (len("Drums are unheard of on all ships \\cite{a") - 1, True),
            ):
                at = one.position(main, "Drums are unheard", inside)
                told = await one.client.text_document_hover_async(lsp.HoverParams(one.document(main), at))
                assert told and isinstance(told.contents, lsp.MarkupContent)
                assert "does not say this: that anybody" in told.contents.value
                assert ("Added" in told.contents.value) is citation
            titles = [action.title for action in await one.fixes(main, hint.range)]
            assert titles == ["texgeist: find a source for this", "texgeist: weaken the sentence"]


async def test_a_sentence_of_markdown_is_not_reworded(folder: Path, env: dict[str, str]) -> None:
    (folder / "a.qmd").write_text("Songs help all sailors at sea [@a_b].\n")
    async with editor(folder, env=env) as one:
        one.open(folder / "a.qmd")
        await one.execute(
            "weakenSentence", one.selected(folder / "a.qmd", "Songs help all sailors at sea [@a_b].")
        )
        await one.until(lambda: any("LaTeX documents only" in m.message for m in one.messages), 60)
        assert not one.edits


@pytest.mark.parametrize(("answer", "after"), [
    ("Drums may be known on 50% of ships ⟨1⟩.", "Drums may be known on 50\\% of ships \\cite{a}."),
    ("Drums may be known on some ships.", None),
    ("Drums \\input{x} ⟨1⟩.", None),
    ("See https://evil.example ⟨1⟩.", None),
])  # fmt: skip
async def test_a_sentence_is_weakened(
    folder: Path, env: dict[str, str], answer: str, after: str | None
) -> None:
    main, sentence = folder / "main.tex", "Drums are unheard of on all ships \\cite{a}."
    with judging(answer) as judge:
        settings = {"writer": {"provider": "openai", "baseUrl": judge.address, "model": "m"}}
        async with editor(folder, env=env, settings=settings) as one:
            one.open(main)
            await one.execute("weakenSentence", one.selected(main, sentence))
            if after is None:
                await one.until(lambda: any("model" in m.message for m in one.messages), 60)
                assert one.texts[main] == MAIN and not one.edits
                return
            await one.said("The sentence was weakened.")
            assert one.texts[main] == MAIN.replace(sentence, after)
            assert one.edits[0].change_annotations  # shown as a diff before it is made
