"""`texgeist verify` over its real process: the fixed JSON form, exit codes, bad files."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from texgeist_latex.entry_checks.records import Records
from texgeist_server.bibliography_checks.checking import check, entries_of, read_file
from texgeist_server.library import syncing

from ..json_answers import hold
from ..local_index import Quick, called, end_servers

RECORD = {
    "type": "inproceedings",
    "fields": {
        "title": "Steady Tracking of Distant Objects with Learned Memories",
        "author": "Ada Lovelace and Charles Babbage",
        "booktitle": "CVPR",
        "year": "2021",
    },
}
ENTRIES = """
@inproceedings{good, title={Steady Tracking of Distant Objects with Learned Memories},
  author={Lovelace, A. and Babbage, C.}, booktitle={CVPR}, year={2021}}
@inproceedings{wrong, title={Steady Tracking of Distant Objects with Learned Memories},
  author={Kurt Weill and Lotte Lenya}, booktitle={ICML}, year={2021}}
@article{other, title={A Study that Nobody has Heard of}, author={Kurt Weill}, journal={Songs}, year=1999}
@manual{book, title={How to Use It}, year=1999}
@article{torn, title={Half
@article{last, title={The One after It}, author={Emmy Noether}, journal={Songs}, year=1999}
"""


def texgeist(
    env: dict[str, str], *arguments: str, command: str = "verify"
) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-P", "-m", "texgeist_server", command, *arguments]
    done = subprocess.run(line, env=env, capture_output=True, text=True, timeout=170, check=False)
    hold([command, *arguments], done.stdout)
    return done


@pytest.fixture
def registry(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.write(json.dumps(RECORD) + "\n\nnot json\n[]\n")
    return path


def written(tmp_path: Path, text: str, name: str = "refs.bib") -> Path:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / name


def test_the_json_form_and_the_verdicts(tmp_path: Path, registry: Path, env: dict[str, str]) -> None:
    done = texgeist(env, str(written(tmp_path, ENTRIES)), "--known", str(registry), "--json")
    assert done.returncode == 4, done.stderr
    read = json.loads(done.stdout)
    assert read["sentences"] == [] and "1 entry (book) against a record: the sources list few" in str(read)
    assert all(list(entry) == ["key", "verdict", "problems", "records"] for entry in read["entries"])
    assert {entry["key"]: entry["verdict"] for entry in read["entries"]} == {
        "good": "ok",
        "wrong": "suspect",
        "other": "not-found",
        "book": "unknown",
        "last": "not-found",
        "torn": "unknown",
    }
    (problem, *_) = next(entry["problems"] for entry in read["entries"] if entry["key"] == "wrong")
    assert problem.keys() == {"code", "message", "severity", "file", "line"}
    assert (problem["file"], problem["line"], problem["severity"]) == ("refs.bib", 4, "error")
    assert "Ada Lovelace" in problem["message"]
    assert "2 lines are not records" in done.stderr


@pytest.mark.parametrize("name", ["refs.bib", "paper.md"])
def test_slips_are_corrected_and_nothing_else(
    tmp_path: Path, registry: Path, env: dict[str, str], name: str
) -> None:
    text = ENTRIES.replace("Lovelace, A.", "Lovelace, Adah")
    written(tmp_path, "---\nbibliography: refs.bib\n---\nText [@good].\n", "paper.md")
    written(tmp_path, text)
    path = str(tmp_path / name)
    before = json.loads(texgeist(env, path, "--known", str(registry), "--json").stdout)
    (slip,) = [entry for entry in before["entries"] if entry["verdict"] == "to-correct"]
    wanted = {"field": "author", "old": "Lovelace, Adah", "new": "Ada Lovelace"}
    assert slip["key"] == "good" and slip["problems"][0]["correction"] == wanted
    done = texgeist(env, path, "--known", str(registry), "--fix", "--json")
    assert "+  author={Lovelace, Ada and Babbage, C.}" in done.stderr
    assert (tmp_path / "refs.bib").read_text() == text.replace("Lovelace, Adah", "Lovelace, Ada")
    verdicts = {entry["key"]: entry["verdict"] for entry in json.loads(done.stdout)["entries"]}
    assert verdicts["good"] == "ok", "what is said is the state after the correction"


def test_the_same_remark_on_many_entries_is_printed_once(tmp_path: Path, env: dict[str, str]) -> None:
    text = "\n".join(f"@article{{k{n}, title={{The title {n} of it}}, author={{A. Roe}}}}" for n in range(9))
    said = texgeist(env, str(written(tmp_path, text))).stdout
    assert said.startswith("No record of any paper is known here") and "--online" in said.splitlines()[0]
    assert said.count("Missing: journal and year.") == 1 and "9 entries (k0, k1, k2" in said


def test_cited_entries_come_first_and_repeated_entries_share_a_line(
    tmp_path: Path, env: dict[str, str]
) -> None:
    entry = "@article{%s, title={The title %s of it}, author={A. Roe}, journal={J}, year=%s}\n"
    ahead = "".join(entry % (f"a{n}", n, 2999) for n in range(9))
    changed = entry % ("a0", 0, 1999)
    written(tmp_path, ahead * 2 + changed)
    text = "\\documentclass{article}\\begin{document}\\cite{a7}\\bibliography{refs}\\end{document}"
    main = str(written(tmp_path, text, "main.tex"))
    lines = texgeist(env, main).stdout.splitlines()[1:]
    assert "error: a7: suspect:" in lines[0] and "error: a0 (not cited): suspect:" in lines[2]
    repeated = "refs.bib:10: warning: %s entries%s with the key and the fields of an earlier entry: delete the copies: a0 "
    assert any(line.startswith(repeated % (8, " (not cited)")) for line in lines), (
        "the copy of a7, which is cited, has another line"
    )
    drawn = texgeist(env, main, command="draft").stderr
    assert (
        "a0 is already an entry in line 1 of refs.bib, with another year." in drawn
        and repeated % (9, "") in drawn
    )


@pytest.mark.parametrize("kind", ["html", "md", "json"])
def test_a_report_for_co_authors_names_records_and_runs_nothing(
    tmp_path: Path, registry: Path, env: dict[str, str], kind: str
) -> None:
    evil = "<script>alert(1)</script> | [x](javascript:1)"
    text = (
        ENTRIES + f"@article{{evil, title={{Unknown {evil}}}, author={{John Doe {evil}}}, year={{1999}}}}\n"
    )
    path = tmp_path / f"report.{kind}"
    texgeist(env, str(written(tmp_path, text)), "--known", str(registry), "--report", str(path))
    report = path.read_text()
    assert "suspect" in report and "records.jsonl.gz: Steady Tracking" in report and "good" in report
    if kind != "json":
        assert not re.search(r"(?<!\\)<script|href=.javascript", report)
        assert kind == "html" or not re.search(r"(?<!\\)\]\(javascript", report)
        assert report.index("wrong") < report.index("good")
    refused = texgeist(env, str(tmp_path / "refs.bib"), "--report", str(tmp_path / "report.exe"))
    assert refused.returncode == 1 and ".html" in refused.stderr
    other = {
        "html": '<!doctype html><html lang="en"><title>My page</title>',
        "md": "# References of my thesis\n",
    }
    others = other.get(kind, "{} My own notes")
    for content, code in ((report, 4), (others, 1)):
        path.write_text(content)
        done = texgeist(
            env, str(tmp_path / "refs.bib"), "--known", str(registry), "--fix", "--report", str(path)
        )
        assert done.returncode == code
    assert path.read_text() == others, "what is not an earlier report stays"


def test_a_master_bibliography_that_the_settings_name_is_corrected(
    tmp_path: Path, registry: Path, env: dict[str, str]
) -> None:
    master, project = written(tmp_path, ENTRIES.replace("Lovelace, A.", "Lovelace, Adah")), tmp_path / "paper"
    project.mkdir()
    main = written(
        project, "\\documentclass{a}\\begin{document}\\bibliography{../refs}\\end{document}", "main.tex"
    )
    (tmp_path / "config.toml").write_text(f"[papers]\nbibliographies = ['{master}']\n")
    for chosen, there in (({}, True), ({"TEXGEIST_CONFIG": str(tmp_path / "config.toml")}, False)):
        texgeist({**env, **chosen}, str(main), "--known", str(registry), "--fix")
        assert ("Adah" in master.read_text()) is there


def test_exit_codes_by_severity(tmp_path: Path, registry: Path, env: dict[str, str]) -> None:
    good, wrong, other = ("@" + part for part in ENTRIES.strip().split("@")[1:4])
    for text, code in ((good, 0), (good + other, 3), (good + other + wrong, 4)):
        done = texgeist(env, str(written(tmp_path, text)), "--known", str(registry))
        assert done.returncode == code, done.stdout + done.stderr
    assert "wrong: suspect:" in done.stdout and "other: not-found:" in done.stdout
    assert "invented" not in done.stdout


def test_of_a_project_what_is_cited_and_missing_and_what_is_unused(
    tmp_path: Path, env: dict[str, str]
) -> None:
    written(tmp_path, ENTRIES.split("@article{torn")[0])
    main = written(
        tmp_path,
        "\\documentclass{article}\\begin{document}\nSo \\cite{good,gone}.\n\\bibliography{refs}\\end{document}\n",
        "main.tex",
    )
    done = texgeist(env, str(main), "--json")
    read = json.loads(done.stdout)
    draft = {(item["code"], item["file"], item["line"]) for item in read["draft"]}
    assert ("undefined-citation", "main.tex", 2) in draft and done.returncode == 4
    unused = [item["message"] for item in read["draft"] if item["code"] == "unused"]
    assert unused == ["wrong is not cited.", "other is not cited.", "book is not cited."]
    assert {entry["verdict"] for entry in read["entries"]} == {"unknown"}  # nothing is known of papers


@pytest.mark.parametrize(
    ("name", "content"),
    [("records.jsonl", b"nothing here\n"), ("records.jsonl.gz", b"\x1f\x8btorn"), ("none.jsonl", None)],
)
def test_a_registry_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, env: dict[str, str], name: str, content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = texgeist(env, str(written(tmp_path, ENTRIES)), "--known", str(tmp_path / name), "--json")
    assert done.returncode == 1 and list(json.loads(done.stdout)) == ["error"]
    assert "Traceback" not in done.stderr and len(done.stderr.strip().splitlines()) == 1


def test_the_users_own_index_is_asked(tmp_path: Path, env: dict[str, str]) -> None:
    import numpy as np
    from texgeist_retrieval.index import open_index
    from texgeist_retrieval.types import Paper

    good = written(tmp_path, ENTRIES.split("@inproceedings{wrong")[0])
    done = texgeist(env, str(good), "--json")
    assert done.returncode == 0 and done.stderr == ""  # there is no index yet, and nobody minds
    assert json.loads(done.stdout)["entries"][0]["verdict"] == "unknown"
    data = tmp_path / "data"
    index = open_index(str(data / "library.db"), create=True)
    authors = ("Ada Lovelace", "Charles Babbage", "Mary Somerville")
    title = RECORD["fields"]["title"]  # type: ignore[index]
    paper = Paper("2103.09999", title, "About memories.", authors, 2021, origin="arXiv")
    index.upsert([paper], np.eye(1, 768, dtype=np.float32))
    index.close()
    done = texgeist({**env, "TEXGEIST_DATA": str(data)}, str(good), "--json")
    (entry,) = json.loads(done.stdout)["entries"]
    assert done.returncode == 0 and entry["verdict"] == "unknown", done.stdout + done.stderr
    assert any("Mary Somerville" in problem["message"] for problem in entry["problems"])


INVENTED = """@article{k, title={Quiet Rivers Remember Every Stone They Carried}, author={Kurt Weill},
  journal={Songs}, year={2021}, eprint={2105.01234}, archivePrefix={arXiv}}"""
AS_A_RECORD = {
    "id": "2105.01234",
    "title": "Quiet Rivers Remember Every Stone They Carried",
    "abstract": "Rivers remember.",
    "authors": ["Kurt Weill"],
    "year": 2021,
    "journal-ref": "Songs",
    "origin": "arXiv",
}
OF_ARXIV = {
    **AS_A_RECORD,
    "authors_parsed": [["Weill", "Kurt", ""]],
    "versions": [{"version": "v1", "created": "Mon, 3 May 2021 19:18:42 GMT"}],
}


@pytest.mark.parametrize(
    ("source", "text", "verdict"),
    [
        ("mine.bib", INVENTED, "unknown"),
        ("mine.jsonl", json.dumps(AS_A_RECORD), "unknown"),
        ("snapshot.jsonl", json.dumps(OF_ARXIV), "ok"),
    ],
)
def test_a_record_of_no_known_origin_is_no_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, text: str, verdict: str
) -> None:
    """Else an invented entry would be confirmed by the bibliography that it stands in."""
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TEXGEIST_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: Quick())
    called(["index", "add", str(written(tmp_path, text, source))])
    done = called(["verify", str(written(tmp_path, INVENTED)), "--json"])
    assert json.loads(done.stdout)["entries"][0]["verdict"] == verdict
    called(["index", "add", str(tmp_path / "refs.bib")])  # and its own record takes the place of another
    done = called(["verify", str(tmp_path / "refs.bib"), "--json"])
    end_servers(tmp_path / "data")
    assert json.loads(done.stdout)["entries"][0]["verdict"] == "unknown"


def test_a_thesis_and_its_paper_are_two_works_and_a_copy_is_told_once(
    tmp_path: Path, env: dict[str, str]
) -> None:
    text = "".join(
        f"@{kind}{{{key}, title={{{title}}}, author={{Ada Lovelace}}, year=1999}}\n"
        for kind, key, title in (
            ("mastersthesis", "thesis", "On Songs and the Sea"),
            ("article", "paper", "On Songs and the Sea"),
            ("article", "one", "On Bells and the Sea"),
            ("misc", "two", "On Bells and the Sea"),
            ("misc", "two", "On Bells and the Sea"),
        )
    )
    draft = json.loads(texgeist(env, str(written(tmp_path, text)), "--json").stdout)["draft"]
    assert [(item["code"], item["line"]) for item in draft] == [("repeated-entry", 5), ("same-paper", 4)]


def test_an_entry_with_the_id_of_another_paper_is_not_called_the_same_paper(tmp_path: Path) -> None:
    text = "@misc{owner, title={On Masts and Sails}, author={Ada Lovelace}, year=2020, eprint={2001.00001}}\n"
    text += "@misc{stray, title={Rivers of Ice}, author={Kurt Weill}, year=2020, eprint={2001.00001}}\n"
    read = read_file(written(tmp_path, text))
    assert [remark.code for remark in check(read, [], 2026).draft] == ["same-paper"]
    assert not check(read, [Records(entries_of(read)[:1], "r")], 2026).draft
