"""The command line: the fixed JSON forms, standard output kept clean, plain errors."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from contextvars import copy_context
from pathlib import Path
from unittest import mock

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_retrieval.defaults import UNSUPPORTED
from texgeist_retrieval.monitor import Pace
from texgeist_server.cli import main
from texgeist_server.command_line.terminal import working

from ..conftest import ROOT
from ..json_answers import hold
from ..local_index import close_logs


def texgeist(env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command. It is a process of its own if the embedding model is there, which would stay in the memory of
    this one; else it runs in this process, which saves its imports."""
    if (Path(env["TEXGEIST_DATA"]) / "model").exists():
        command = [sys.executable, "-P", "-m", "texgeist_server", *arguments]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=170, check=False)
    else:
        done = _here(env, arguments)
    hold(arguments, done.stdout)
    return done


def _here(env: dict[str, str], arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    said = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    with (
        mock.patch.dict(os.environ, env, clear=True),
        mock.patch.object(sys, "argv", ["texgeist", *arguments]),
        contextlib.redirect_stdout(said[0]),
        contextlib.redirect_stderr(said[1]),
        pytest.raises(SystemExit) as ended,
    ):
        copy_context().run(main)  # what messages know of the files ends with the command
    close_logs()
    stdout, stderr = (one.buffer.getvalue().decode() for one in said)
    return subprocess.CompletedProcess(arguments, int(ended.value.code or 0), stdout, stderr)


def test_draft_says_what_was_read(paper: Path, env: dict[str, str]) -> None:
    done = texgeist(env, "draft", str(paper / "sections" / "method.tex"), "--json")
    assert done.returncode == 0 and done.stderr == ""
    read = json.loads(done.stdout)
    assert read["root"] == "main.tex" and "sections/method.tex" in read["files"]
    assert read["sections"][0] == {
        "title": "Introduction",
        "level": 1,
        "file": "sections/introduction.tex",
        "line": 1,
    }
    assert read["bibliographies"] == ["references.bib"] and read["entries"] == 8
    assert read["citation_style"] == {"parenthetical": "citep", "textual": "citet"}
    assert read["related_work"] is None and read["insertion"]


@pytest.mark.model
def test_without_apply_nothing_is_touched(paper: Path, searching: dict[str, str]) -> None:
    before = {file: file.read_bytes() for file in paper.rglob("*") if file.is_file()}
    done = texgeist(searching, "related-work", str(paper / "main.tex"), "--breadth", "4", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["section"]["latex"].startswith("% texgeist:begin")
    keys = [citation["key"] for citation in found["citations"]]
    assert 2 <= len(keys) <= 4  # papers of another subject are left out
    assert all(set(sentence["keys"]) <= set(keys) for sentence in found["section"]["sentences"])
    assert all(f"{{{key}," in found["entries"] for key in keys)
    assert {edit["file"] for edit in found["edits"]} == {"main.tex", "references.bib"}
    assert {file: file.read_bytes() for file in paper.rglob("*") if file.is_file()} == before


@pytest.mark.model
def test_apply_writes_what_was_shown_and_why(paper: Path, searching: dict[str, str]) -> None:
    arguments = ("related-work", str(paper / "main.tex"), "--breadth", "3", "--json")
    shown = json.loads(texgeist(searching, *arguments).stdout)
    old = (paper / "references.bib").read_bytes()
    done = texgeist(searching, *arguments, "--apply")
    assert json.loads(done.stdout)["section"] == shown["section"]
    assert shown["section"]["latex"] in (paper / "main.tex").read_text()
    assert (paper / "references.bib").read_bytes().startswith(old)
    record = json.loads((paper / ".texgeist" / "provenance.json").read_text())
    assert record["citations"].keys() == {citation["key"] for citation in shown["citations"]}
    again = texgeist(searching, *arguments, "--apply")
    assert again.returncode == 0
    assert (paper / "main.tex").read_text().count("texgeist:begin") == 1
    assert json.loads(again.stdout)["entries"] == ""


@pytest.mark.model
def test_a_sentence_that_the_library_does_not_support_gets_no_citation(
    paper: Path, searching: dict[str, str]
) -> None:
    """Three papers on other subjects were offered for it."""
    file, sentence = (
        paper / "sections" / "introduction.tex",
        "Objects in the real world rarely exist in isolation.",
    )
    file.write_text(f"{file.read_text()}\n\n{sentence}\n")
    before = file.read_text()
    done = texgeist(searching, "cite", str(file), sentence, "--apply")
    said = " ".join(done.stderr.split())
    assert done.returncode and UNSUPPORTED in said
    assert file.read_text() == before
    plain = json.loads(texgeist(searching, "cite", str(file), sentence, "--json").stdout)
    assert plain["citations"] == [] and plain["notes"][0] == UNSUPPORTED
    assert all(left["chance"] < 0.5 for left in plain["left_out"][:3])


@pytest.mark.model
def test_search_ask_and_cite(paper: Path, searching: dict[str, str]) -> None:
    found = json.loads(texgeist(searching, "search", "dense retrieval", "--top", "5", "--json").stdout)
    assert all(paper["authors"] and paper["abstract"] for paper in found)
    assert [row["rank"] for row in found] == [1, 2, 3, 4, 5]
    assert all(paper["arxiv_id"] in paper["url"] and paper["why"] for paper in found)
    assert found[0]["similarity"] >= found[-1]["similarity"]

    question = "How can language models retrieve passages and reflect on their own generations?"
    answer = json.loads(texgeist(searching, "ask", question, "--breadth", "3", "--json").stdout)
    ids = {one["id"] for one in answer["papers"]}
    assert answer["answer"]["text"] and ids
    assert all(set(s["papers"]) <= ids for s in answer["answer"]["sentences"])

    file = paper / "sections" / "introduction.tex"
    sentence = "Self-RAG learns to retrieve, generate and critique with reflection tokens"
    claim = "With reflection tokens, Self-RAG learns to retrieve, generate and critique"
    file.write_text(f"{file.read_text()}\n\n{sentence}. {claim} (CITE). Words are exact \\cite{{}}.\n")
    done = texgeist(searching, "cite", str(file), sentence, "--json", "--apply")
    assert done.returncode == 0, done.stderr
    cited = json.loads(done.stdout)
    assert 1 <= len(cited["citations"]) <= 3
    assert all(citation["key"] in file.read_text() for citation in cited["citations"])
    written = file.read_text()
    done = texgeist(searching, "cite", str(file), sentence, "--apply")
    assert done.returncode == 1 and file.read_text() == written
    assert f"cites {cited['citations'][0]['key']}" in done.stderr and "--again" in done.stderr

    listed = json.loads(texgeist(searching, "cite", str(file), "--json").stdout)
    assert [row["claim"] for row in listed] == [claim, "Words are exact"]
    assert all(len(row["papers"]) == 3 and isinstance(row["entries"], list) for row in listed)
    assert "1. sections/introduction.tex:" in texgeist(searching, "cite", str(file)).stdout
    assert texgeist(searching, "cite", str(file), "1", "--apply").returncode == 0
    assert "(CITE)" not in file.read_text() and f"{claim} \\cite" in file.read_text()


def test_marked_places_are_listed_with_the_authors_entries_if_there_is_no_library(
    paper: Path, env: dict[str, str]
) -> None:
    file = paper / "main.tex"
    cited = read_draft(file).citations[0].key
    marked = (
        f"\nFIRST~\\cite{{{cited}}} is known.\n\n{'Other words. ' * 80}\n\nWe compare with FIRST (CITE).\n"
    )
    file.write_text(file.read_text().replace("\\bibliography{", f"{marked}\\bibliography{{", 1))
    done = texgeist(env, "cite", str(file))
    assert done.returncode == 0 and f"In your bibliography: {cited} (" in done.stdout
    assert "you cite it for FIRST" in done.stdout
    assert f"related-work {shlex.quote(str(file))} --discover" in done.stderr


@pytest.mark.model
def test_a_dry_run_of_a_provider_needs_no_key(paper: Path, searching: dict[str, str]) -> None:
    asked = ["related-work", str(paper / "main.tex"), "--writer", "anthropic", "--breadth", "3"]
    done = texgeist(searching, *asked, "--dry-run", "--json")
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)
    assert shown["sends"] and "Related Work You Can Check" in shown["text"]
    assert "a dry run has none" not in done.stdout
    assert "their titles would be sent as well" in shown["summary"]
    denied = texgeist(searching, *asked)
    assert denied.returncode == 1 and "There is no key for anthropic" in denied.stderr
    Path(searching["TEXGEIST_CONFIG"]).write_text('[writer]\nprovider = "anthropic"\n')
    command = ("cite", str(paper / "main.tex"), "Language models can draft a related-work section", "--json")
    shown = json.loads(texgeist({**searching, "ANTHROPIC_API_KEY": "x"}, *command, "--dry-run").stdout)
    assert not shown["sends"], "citations are found without a model"
    assert "anthropic" not in texgeist(searching, *command).stdout, "nor does a missing key matter"


def test_a_dry_run_on_a_hosted_index_shows_what_would_go_there(
    paper: Path, searching: dict[str, str]
) -> None:
    done = texgeist(
        searching, "related-work", str(paper / "main.tex"), "--index", "citegeist", "--dry-run", "--json"
    )
    shown = json.loads(done.stdout)
    assert shown["sends"] is True and "Language models can draft" in shown["text"]
    asked = texgeist(
        searching, "related-work", str(paper / "main.tex"), "--index", "citegeist", "--dry-run", "--json",
        "--writer", "anthropic",
    )  # fmt: skip
    assert "the titles that are found" in json.loads(asked.stdout)["summary"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("related-work", "main.tex"), "model fetch"),
        (("related-work", "main.tex", "--writer", "anthropic"), "model fetch"),
        (("related-work", "none.tex"), "none.tex"),
        (("cite", "main.tex", "These words stand nowhere."), "does not occur"),
    ],
)
def test_what_is_missing_is_said_with_what_to_do(
    paper: Path, env: dict[str, str], arguments: tuple[str, ...], words: str
) -> None:
    command, name, *rest = arguments
    done = texgeist(env, command, str(paper / name), *rest, "--json")
    assert done.returncode == 1 and list(json.loads(done.stdout)) == ["error"]
    assert words in done.stderr and "Traceback" not in done.stderr


NO_PLACE = {
    "no heading and no": "\\newcommand{\\ours}{a system of our own}\n",
    "has no \\end{document}": "\\documentclass{article}\\begin{document}\\section{Introduction}Words.\n",
    "is never closed": "\\documentclass{article}\\begin{document}\\section{Introduction}Words.\n"
    "\\bibliography{broken}\n\\end{document}\n",
    "no abstract and no introduction": "\\documentclass{article}\\begin{document}\\section{A}\\end{document}\n",
    "contains the bibliography": "\\documentclass{article}\\begin{document}\\section{Introduction}Words.\n"
    "% texgeist:begin related-work\n\\bibliography{other}\n% texgeist:end related-work\n\\end{document}\n",
    "“% texgeist:end related-work” is missing": "\\documentclass{article}\\begin{document}\\section{Introduction}\n"
    "% texgeist:begin related-work\nWords.\n\\end{document}\n",
}


@pytest.mark.parametrize("words", NO_PLACE)
def test_what_cannot_be_written_is_refused_before_any_search(
    tmp_path: Path, env: dict[str, str], words: str
) -> None:
    """There is neither a model nor an index, of which a search would speak first."""
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "main.tex").write_text(NO_PLACE[words])
    (folder / "broken.bib").write_text("@misc{open, title = {Never closed,\n")
    done = texgeist(env, "related-work", str(folder / "main.tex"))
    assert done.returncode == 1 and done.stdout == ""
    assert words in done.stderr and len(done.stderr.splitlines()) == 1


EVIL = "\x1b[2K\x1b[1A\x9b31m\u202egnp"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
MAIN = (
    f"\\documentclass{{article}}\n\\title{{A Title {EVIL}}}\n\\begin{{document}}\n"
    f"\\begin{{abstract}}Words {EVIL} on retrieval.\\end{{abstract}}\n\\section{{Heading {EVIL}}}\n"
    f"\\cite{{key{EVIL}}} \\cite{{other}}\n\\bibliography{{refs,x{EVIL}}}\n\\end{{document}}\n"
)


def test_verify_refuses_a_writer_that_cannot_judge(paper: Path, env: dict[str, str]) -> None:
    done = texgeist(env, "verify", str(paper / "main.tex"), "--writer", "local")
    assert done.returncode == 2 and "'local' is not one of" in done.stderr


@pytest.mark.parametrize("command", ["draft", "verify", "related-work"])
def test_no_control_character_of_a_project_reaches_the_terminal(
    tmp_path: Path, env: dict[str, str], command: str
) -> None:
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(f"@misc{{key{EVIL}, title={{T {EVIL}}}, year=1}}\n@misc{{a, title}}\n")
    done = texgeist(env, command, str(tmp_path / "main.tex"))
    assert not CONTROLS.search(done.stdout + done.stderr), (done.stdout, done.stderr)


def test_every_command_prints_through_one_place() -> None:
    """`typer.echo` and rich's own console hand on whatever they are given."""
    for file in (ROOT / "server" / "texgeist_server" / "command_line").glob("*.py"):
        if file.name != "terminal.py":
            assert not re.search(r"typer\.echo\(|(?<!\w)Console\(", file.read_text("utf-8")), file.name


def test_progress_without_a_terminal_says_total_and_remaining_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with working("Indexing") as monitor:
        for done in range(0, 700, 100):
            monitor.report("Embedding", done, 700)
            now[0] += 30
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "Embedding: 100 of 700, about 3 min left" and len(said) == 4, (
        "fewer lines, the longer it takes"
    )
    assert Pace().words("3 read", 10, 40) == "3 read: 25 %"
