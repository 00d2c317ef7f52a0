"""The command line as people know it: exit codes, loudness, completion, standard input, its own settings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from contextlib import closing
from contextvars import Context, copy_context
from dataclasses import replace
from pathlib import Path

import pytest
from texgeist_latex.disk.paths import seen_from
from texgeist_latex.errors import NoRoot
from texgeist_retrieval import errors
from texgeist_retrieval.defaults import UNSUPPORTED
from texgeist_retrieval.index.hashes import ABSTRACTS_ASKED, HashTable, table_of
from texgeist_retrieval.types import Candidate, Paper, Query, Result, Section
from texgeist_server.command_line.exits import (
    FAILED,
    KNOWN,
    NO_ANSWER,
    NOTHING_FOUND,
    Known,
    code_of,
    discovering,
    fetching_abstracts,
    ways_to_papers,
)
from texgeist_server.command_line.writing_commands import draft_to_write, nothing_to_cite
from texgeist_server.config import storage, user_file
from texgeist_server.errors import NothingToCite

from .test_cli import texgeist


def fed(env: dict[str, str], text: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-P", "-m", "texgeist_server", *arguments]
    return subprocess.run(
        command, env=env, input=text, capture_output=True, text=True, timeout=170, check=False, cwd=cwd
    )


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NothingToCite(), NOTHING_FOUND),
        (errors.IndexUnavailable("down"), NO_ANSWER),
        (errors.SourceUnavailable("arXiv does not answer"), NO_ANSWER),
        (errors.WriterUnavailable("overloaded"), NO_ANSWER),
        (errors.ModelUnreachable("no hub"), NO_ANSWER),
        (errors.NoSource("there is no such file"), FAILED),
        (errors.IndexMissing("no library"), FAILED),
        (errors.ModelMissing("the disk is full"), FAILED),
        (NoRoot("not there"), FAILED),
        (FileNotFoundError(2, "No such file"), FAILED),
    ],
)
def test_the_exit_code_says_whether_trying_again_helps(error: Exception, code: int) -> None:
    assert code_of(error) == code  # type: ignore[arg-type]


def test_proposed_commands_name_the_users_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my lit.bib").write_text("@misc{a, title = {A Title}}\n")
    Path("thesis.tex").write_text(
        "\\documentclass{article}\\begin{document}\\bibliography{my lit}\\end{document}"
    )
    context = copy_context()
    context.run(draft_to_write, Path("thesis.tex"), user_file.load()[0], written=False)
    said = context.run(ways_to_papers)
    assert "related-work" not in Context().run(ways_to_papers)  # without a draft
    assert "related-work thesis.tex --discover" in said and "index add 'my lit.bib' --online" in said


@pytest.mark.parametrize(
    ("known", "until", "there", "said"),
    [  # the bibliographies of the draft, the library's record of `my.bib`, the files there, the command
        ((), None, "", ""),
        ((), None, "my.bib", "texgeist index add my.bib --online"),
        ((), "", "", "texgeist index add my.bib --online"),
        ((), ABSTRACTS_ASKED, "", ""),
        ((), ABSTRACTS_ASKED, "new.bib", ""),
        (("my.bib",), ABSTRACTS_ASKED, "my.bib", ""),
        (("my.bib", "new.bib"), ABSTRACTS_ASKED, "", "texgeist index add new.bib --online"),
    ],
)
def test_abstracts_are_fetched_for_known_files_and_once(
    known: tuple[str, ...],
    until: str | None,
    there: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path))
    monkeypatch.setenv("TEXGEIST_CONFIG", str(tmp_path / "none.toml"))
    if until is not None:
        with closing(HashTable(table_of(str(storage.library()), "abstracts"))) as table:
            table.record_run(str(Path("my.bib").resolve()), until)
    if there:
        Path(there).touch()

    def proposals() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        KNOWN.set(Known("paper.tex", tuple(map(Path, known)), discovers=bool(said)))
        return fetching_abstracts(), discovering()

    abstracts, discovery = Context().run(proposals)
    assert [command for command, _ in abstracts] == ([said] if said else [])
    assert bool(discovery) is not bool(said)  # not after discovery


def test_a_bibliography_on_another_drive_of_windows_is_named_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os.path, "relpath", lambda *_: int("path is on mount 'D:', start on mount 'C:'"))
    assert seen_from(Path("/papers"), Path("/refs.bib")) == "/refs.bib"


@pytest.mark.parametrize(
    ("discovered", "said"), [("", "--discover"), ("It is cited by yours.", "widen them")]
)
def test_who_has_discovered_papers_already_gets_other_advice(discovered: str, said: str) -> None:
    paper = Paper("2001.00001", "A Title", "An abstract.", ("Ann Lee",))
    found = Candidate(paper, 0.5, already_cited=True, discovered=discovered)
    result = Result(Query("abstract", ()), Section("", ()), (), left_out=(found,), candidates=(found,))

    def refused(result: Result, discovers: bool = False) -> NothingToCite:
        KNOWN.set(Known("paper.tex", discovers=discovers))
        return nothing_to_cite(result)

    error = Context().run(refused, replace(result, notes=("9 requests.",)))
    assert "1 cited in your draft already" in str(error) and "9 requests" in str(error)
    assert said in error.help
    assert ("index add FOLDER" in error.help) is bool(discovered)
    cited = replace(result, query=Query("sentence", ()), notes=(UNSUPPORTED, "1 paper, 4 requests."), found=1)
    help_ = Context().run(refused, cited).help
    assert ("--discover" in help_) is (not discovered) and "4 requests" in help_
    assert "--discover" not in Context().run(refused, cited, discovers=True).help


def test_a_failure_is_json_where_json_was_asked_for(tmp_path: Path, env: dict[str, str]) -> None:
    done = texgeist(env, "draft", str(tmp_path / "missing.tex"), "--json")
    assert done.returncode == FAILED
    error = json.loads(done.stdout)["error"]
    assert error.keys() == {"kind", "message", "help", "retryable", "exit"}
    assert error["exit"] == FAILED and "missing.tex" in error["message"] and error["help"]
    assert f"{error['message']} {error['help']}" == done.stderr.strip()


def test_quiet_leaves_failures_alone_but_no_remarks(tmp_path: Path, env: dict[str, str]) -> None:
    loud = texgeist(env, "config", "set", "relatedWork.depth", "3")
    quiet = texgeist(env, "config", "set", "relatedWork.depth", "4", "-q")
    assert "relatedWork.depth = 3" in loud.stderr and quiet.stderr == quiet.stdout == ""
    failed = texgeist(env, "-q", "draft", str(tmp_path / "missing.tex"))
    assert failed.returncode == FAILED and "missing.tex" in failed.stderr


def test_a_draft_comes_by_standard_input(paper: Path, env: dict[str, str]) -> None:
    text = (paper / "main.tex").read_text("utf-8")
    done = fed(env, text, "draft", "-", "--json", cwd=paper)
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout)
    assert read["root"] == "standard-input.tex" and "sections/method.tex" in read["files"]
    assert read["entries"] == 8
    refused = fed(env, text, "related-work", "-", "--apply", cwd=paper)
    assert refused.returncode == 2 and "--apply" in refused.stderr
    assert not (paper / "standard-input.tex").exists()


@pytest.mark.model
def test_words_come_by_standard_input_and_ids_stay_whole_on_narrow_terminals(
    searching: dict[str, str], tmp_path: Path
) -> None:
    words = "retrieval of scientific papers with language models"
    by_input = fed(searching, words, "search", "-", "--json", "--top", "3", cwd=tmp_path)
    by_argument = texgeist(searching, "search", words, "--json", "--top", "3")
    assert json.loads(by_input.stdout) == json.loads(by_argument.stdout) != []
    narrow = texgeist({**searching, "COLUMNS": "40", "NO_COLOR": "1"}, "search", words, "--top", "3")
    assert "\x1b[" not in narrow.stdout and max(map(len, narrow.stdout.splitlines())) <= 40
    cells = [line.split("│") for line in narrow.stdout.splitlines() if line.startswith("│")]
    column = "".join(row[4].strip() for row in cells if len(row) > 4)
    for paper in json.loads(by_argument.stdout):
        assert paper["id"] in column


class TestConfig:
    def test_what_stands_in_the_file_stays(self, tmp_path: Path, env: dict[str, str]) -> None:
        file = Path(env["TEXGEIST_CONFIG"])
        file.write_text(
            '# mine\n[writer]\nprovider = "openai"  # the local one\n\n[future]\nx = 1\n', "utf-8"
        )
        done = texgeist(env, "config", "set", "writer.model", "qwen")
        assert done.returncode == 0, done.stderr
        text = file.read_text("utf-8")
        assert text.startswith('# mine\n[writer]\nprovider = "openai"  # the local one\nmodel = "qwen"\n')
        assert tomllib.loads(text)["future"] == {"x": 1}
        assert texgeist(env, "config", "show", "writer.model").stdout == '"qwen"\n'
        texgeist(env, "config", "set", "writer.model", "--unset")
        assert "model" not in tomllib.loads(file.read_text("utf-8"))["writer"]

    @pytest.mark.parametrize(
        ("name", "value", "word"),
        [
            ("writer.provder", "openai", "writer.provider"),
            ("writer.provider", "clippy", "writer.provider"),
            ("relatedWork.depth", "many", "relatedWork.depth"),
            ("writer.provder", "--unset", "writer.provider"),
        ],
    )
    def test_a_bad_setting_changes_nothing(
        self, env: dict[str, str], name: str, value: str, word: str
    ) -> None:
        done = texgeist(env, "config", "set", name, value)
        assert done.returncode == FAILED and word in done.stderr
        assert not Path(env["TEXGEIST_CONFIG"]).exists()

    @pytest.mark.skipif(os.name == "nt", reason="links and modes of POSIX")
    def test_a_linked_file_stays_a_link_and_keeps_its_mode(self, tmp_path: Path) -> None:
        """As those have it who keep their settings in a repository."""
        file, real = tmp_path / "config.toml", tmp_path / "dotfiles" / "texgeist.toml"
        real.parent.mkdir()
        real.write_text("# mine\n", "utf-8")
        real.chmod(0o640)
        file.symlink_to(real)
        user_file.set_in(file, "relatedWork.breadth", "12")
        assert file.is_symlink()
        assert real.read_text("utf-8") == "# mine\n\n[relatedWork]\nbreadth = 12\n"
        assert real.stat().st_mode & 0o777 == 0o640
        assert sorted(one.name for one in real.parent.iterdir()) == ["texgeist.toml"]
        new = tmp_path / "new.toml"
        user_file.set_in(new, "relatedWork.breadth", "12")
        assert new.stat().st_mode & 0o777 == 0o600

    @pytest.mark.parametrize("place", ["damaged", "folder", "folder/below/config.toml"])
    def test_what_cannot_be_read_or_written_is_said(self, place: str, tmp_path: Path) -> None:
        file = tmp_path / place
        if place == "damaged":
            file.write_text("[writer\n", "utf-8")
        elif place == "folder":
            file.mkdir()
        else:
            (tmp_path / "folder").write_text("a file")
        with pytest.raises(user_file.BadSetting, match="cannot be"):
            user_file.set_in(file, "relatedWork.breadth", "12")


class TestDoctor:
    def test_a_broken_set_up_is_told_with_what_to_do(self, env: dict[str, str]) -> None:
        Path(env["TEXGEIST_CONFIG"]).write_text(
            '[writer]\nprovider = "anthropic"\n[relatedWork]\ndepht = 3\n'
        )
        done = texgeist({**env, "OPENAI_API_KEY": "sk-never-shown"}, "doctor", "--json")
        assert done.returncode == 1
        found = {one["what"]: one for one in json.loads(done.stdout)}
        wrong = {name for name, one in found.items() if one["state"] == "wrong"}
        assert (
            wrong == {"settings", "model", "writer"}
            and "related-work paper.tex --discover" in found["index"]["help"]
        )
        assert all(found[name]["help"] for name in wrong)
        assert "depht" in found["settings"]["message"] and "ANTHROPIC_API_KEY" in found["writer"]["help"]
        assert "sk-never-shown" not in done.stdout + done.stderr
        assert not Path(env["TEXGEIST_DATA"], "library.db").exists()

    def test_fetched_writers_are_named(self, env: dict[str, str]) -> None:
        file = Path(env["TEXGEIST_DATA"], "writers", "small-1b.gguf")
        file.parent.mkdir(parents=True)
        file.touch()
        found = {one["what"]: one for one in json.loads(texgeist(env, "doctor", "--json").stdout)}
        assert "small-1b" in found["writer"]["message"]

    def test_a_writer_of_another_program_is_named_as_such(self, env: dict[str, str]) -> None:
        Path(env["TEXGEIST_CONFIG"]).write_text(
            '[writer]\nprovider = "editor"\nbaseUrl = "http://127.0.0.1:9"\n'
        )
        found = {one["what"]: one for one in json.loads(texgeist(env, "doctor", "--json").stdout)}
        assert found["writer"]["state"] == "note" and "VS Code" in found["writer"]["help"]

    @pytest.mark.model
    def test_a_whole_set_up_is_well(self, searching: dict[str, str]) -> None:
        done = texgeist(searching, "doctor")
        assert done.returncode == 0, done.stdout
        assert "papers in" in done.stdout and "WRONG" not in done.stdout


def test_caches_and_logs_lie_where_the_platform_keeps_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("TEXGEIST_DATA", raising=False)
    for name, folder in {
        "XDG_DATA_HOME": "data",
        "XDG_CACHE_HOME": "cache",
        "XDG_STATE_HOME": "state",
    }.items():
        monkeypatch.setenv(name, str(tmp_path / folder))
    if os.name == "posix" and sys.platform != "darwin":
        assert storage.cache_folder() == tmp_path / "cache" / "texgeist"
        assert storage.log_file().is_relative_to(tmp_path / "state")
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "elsewhere"))
    assert storage.cache_folder() == tmp_path / "elsewhere" / "cache"


def test_a_failure_is_logged_in_a_file_and_no_words_are(env: dict[str, str]) -> None:
    done = texgeist(env, "search", "secret words of a draft", "-v")
    assert done.returncode == FAILED
    for log in (Path(env["TEXGEIST_DATA"], "texgeist.log").read_text("utf-8"), done.stderr):
        assert "exit 1" in log and "secret words" not in log
