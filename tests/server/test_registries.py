"""`texgeist verify --online` over real HTTP: what is asked, what is found, and what strangers' answers can do."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import unquote_plus

import pytest
from texgeist_retrieval.monitor import Silent
from texgeist_server.bibliography_checks.checking import check, entries_of, read_file
from texgeist_server.bibliography_checks.lookups import AbstractLookup
from texgeist_server.bibliography_checks.registries import ask_registries
from texgeist_server.config.settings import Settings

from tests.conftest import ROOT
from tests.server.registry_server import Known, Registries, environment, serving
from tests.server.test_bibliography_checks import texgeist, written

TITLE = "Steady Tracking of Distant Objects with Learned Memories"
ADA = ("Ada Lovelace", "Charles Babbage")
PAPER = Known(
    TITLE, ADA, 2021, "Conference on Computer Vision and Pattern Recognition", doi="10.1109/cvpr.2021.77"
)


def entry(key: str, kind: str = "article", **fields: str) -> str:
    return f"@{kind}{{{key}, " + ", ".join(f"{name}={{{value}}}" for name, value in fields.items()) + "}\n"


GOOD = {"title": TITLE, "author": "Ada Lovelace and Charles Babbage", "booktitle": "CVPR", "year": "2021"}


@pytest.fixture
def registries() -> Iterator[Registries]:
    with serving(Registries([PAPER])) as state:
        yield state


class Run:
    """In this process, which is quick; over the command line where that is what is tried."""

    def __init__(self, folder: Path, env: dict[str, str], state: Registries) -> None:
        self.env = {**env, **environment(state.address), "TEXGEIST_CONFIG": str(folder / "config.toml")}
        self._folder = folder
        self.said = ""

    def __call__(self, text: str) -> dict[str, Any]:
        read = read_file(written(self._folder, text))
        looked_up = ask_registries(entries_of(read), Settings(), True, Silent())
        self.said = "\n".join(looked_up.notes)
        report = check(read, looked_up.sources, 2026).as_json()
        return {one["key"]: one for one in json.loads(json.dumps(report))["entries"]}

    def by_command(self, text: str, *options: str, config: str = "") -> dict[str, Any]:
        written(self._folder, f"[papers]\n{config}\n", "config.toml")
        done = texgeist(self.env, str(written(self._folder, text)), "--json", *options)
        assert done.returncode in (0, 3, 4), done.stderr
        self.said = done.stdout
        return {one["key"]: one for one in json.loads(done.stdout)["entries"]}


@pytest.fixture
def verify(
    tmp_path: Path, env: dict[str, str], registries: Registries, monkeypatch: pytest.MonkeyPatch
) -> Run:
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    return Run(tmp_path, env, registries)


def codes(one: dict[str, Any]) -> set[str]:
    return {problem["code"] for problem in one["problems"]}


def test_earlier_answers_confirm_offline_and_their_gaps_prove_nothing(
    verify: Run, registries: Registries, env: dict[str, str], tmp_path: Path
) -> None:
    text = entry("a", "inproceedings", **GOOD)
    ask_abstracts = AbstractLookup(Settings(), Silent(), online=True)
    with mock.patch.dict(os.environ, verify.env):
        ask_abstracts.of(entries_of(read_file(written(tmp_path, text))))
    asked = len(registries.asked)
    none = entry("none", title="A Study that Nobody has Heard of", author="Kurt Weill", journal="Songs")
    found = verify.by_command(text + none)
    assert asked and len(registries.asked) == asked
    assert (found["a"]["verdict"], found["none"]["verdict"]) == ("ok", "unknown")
    assert "(asked earlier): https://doi.org/" in verify.said and "no registry was asked" in verify.said
    assert "1 entry (none) against a record: not asked yet" in verify.said


def test_nobody_is_asked_unasked(verify: Run, registries: Registries) -> None:
    text = entry("a", "inproceedings", **GOOD)
    assert verify.by_command(text)["a"]["verdict"] == "unknown" and registries.asked == []
    named = verify.by_command(text, config='registries = ["crossref"]')
    assert named["a"]["verdict"] == "ok"
    assert registries.asked and all(path.startswith("/crossref/works?") for path in registries.asked)
    registries.refuse["openalex"] = 403
    once = verify.by_command(entry("a", "inproceedings", **GOOD, doi=PAPER.doi), "--online")
    assert once["a"]["verdict"] == "ok" and "1 id or title was not looked up in OpenAlex" in verify.said


@pytest.mark.parametrize(("change", "passes"), [
    ({}, True),
    ({"title": "Unsteady Tracking of Nearby Subjects"}, True),  # not found: a warning
    ({"year": "2017"}, False),
])  # fmt: skip
def test_the_recipe_for_continuous_integration(
    verify: Run, tmp_path: Path, change: dict[str, str], passes: bool
) -> None:
    """The step of the README, run as GitHub runs it."""
    verify.by_command("")  # writes the settings
    written(tmp_path, entry("a", "inproceedings", **{**GOOD, **change}), "refs.bib")
    tex = "\\documentclass{article}\\begin{document}Words \\cite{a}.\\bibliography{refs}\\end{document}"
    written(tmp_path, tex, "paper.tex")
    recipe = (
        (ROOT / "README.md").read_text("utf-8").split("<!-- recipe:begin -->")[1].split("<!-- recipe:end")[0]
    )
    match = re.search(r"- run: \|\n((?: {10}.*\n)+)", recipe)
    assert match
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "texgeist"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m texgeist_server "$@"\n')
    program.chmod(0o755)
    env = {**verify.env, "PATH": f"{program.parent}:{verify.env['PATH']}"}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", match[1]]
    done = subprocess.run(
        command, env=env, cwd=tmp_path, capture_output=True, text=True, timeout=170, check=False
    )
    assert (done.returncode == 0) is passes, done.stdout + done.stderr
    assert "1 entry" in done.stdout


def test_what_exists_and_what_was_not_found(verify: Run) -> None:
    text = entry("good", "inproceedings", **GOOD)
    text += entry("doi", title="Songs of Another Kind Altogether", author="Kurt Weill", doi=PAPER.doi)
    text += entry("none", title="A Study that Nobody has Heard of", author="Kurt Weill", journal="Songs")
    found = verify(text)
    verdicts = {key: one["verdict"] for key, one in found.items()}
    assert verdicts == {"good": "ok", "doi": "suspect", "none": "not-found"}
    assert "other-paper" in codes(found["doi"])
    absent = found["none"]["problems"][-1]["message"]
    assert "Crossref, arXiv or OpenAlex" in absent and "may exist nevertheless" in absent


def test_a_formula_in_a_title_is_not_searched_for(verify: Run, registries: Registries) -> None:
    registries.papers.append(
        Known("Better Collection ofγ-Ray Light in 4π Steradians", ADA, 2020, "Optics", doi="10.9/4")
    )
    title = r"Better Collection of$\gamma$-Ray Light in 4$\pi$ Steradians"
    found = verify(
        entry("light", title=title, author="Ada Lovelace and Charles Babbage", journal="Optics", year="2020")
    )
    assert found["light"]["verdict"] == "ok"
    asked = unquote_plus(" ".join(registries.asked))
    assert "Better Collection Light in Steradians" in asked and 'ti:"Better Collection"' in asked


def test_the_key_of_openalex_is_sent_to_openalex_alone(
    verify: Run, registries: Registries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENALEX_API_KEY", "SECRETKEY")
    verify(entry("none", title="A Study that Nobody has Heard of", author="Kurt Weill", journal="Songs"))
    with_key = ["SECRETKEY" in asked for asked in registries.asked]
    assert any(with_key) and with_key == ["title.search" in asked for asked in registries.asked]


def test_only_ids_and_titles_are_sent(verify: Run, registries: Registries) -> None:
    secret = {
        "note": "SECRETNOTE",
        "abstract": "SECRETABSTRACT",
        "file": "SECRETFILE",
        "keywords": "SECRETWORD",
    }
    text = entry("SECRETKEY", **{**GOOD, "author": "Secretus Author", "journal": "SECRETJOURNAL", **secret})
    text += entry("mine", "unpublished", title="My SECRETMANUSCRIPT of This Year", author="Me")
    text += entry(
        "under", title="Another SECRETMANUSCRIPT of Mine", author="Me", journal="Nature", note="Under review"
    )
    text += entry("long", title="Word " * 5000, author="Me", journal="Songs", year="1999")
    text += entry("whole", title="x" * 200_000, author="Me", journal="Songs", year="1999")
    verify(text)
    sent = unquote_plus(" ".join(registries.asked))
    assert "Steady Tracking" in sent and "secret" not in sent.lower()
    assert max(map(len, registries.asked)) < 1000


def test_a_second_run_asks_nothing_and_offline_says_so(verify: Run, registries: Registries) -> None:
    text = entry("a", "inproceedings", **GOOD, doi=PAPER.doi)
    assert verify(text)["a"]["verdict"] == "ok"
    before = len(registries.asked)
    assert verify(text)["a"]["verdict"] == "ok" and len(registries.asked) == before
    for service in ("crossref", "openalex", "arxiv"):
        registries.refuse[service] = 400
    assert verify(text)["a"]["verdict"] == "ok"  # from what was kept
    found = verify(
        text
        + entry(
            "b", title="A Study that Nobody has Heard of", author="K. Weill", journal="Songs", year="1999"
        )
    )
    assert found["a"]["verdict"] == "ok" and found["b"]["verdict"] == "unknown"  # silence is no absence
    for name in ("Crossref", "OpenAlex", "arXiv"):
        assert f"1 id or title was not looked up in {name}" in verify.said


def test_works_that_are_none_are_left_out(verify: Run, registries: Registries) -> None:
    odd: list[dict[str, Any]] = [
        {"DOI": 7}, {"title": None}, {"title": [{}]}, {"author": "x"}, {"author": [7, {}, {"family": 3}]},
        {"issued": {"date-parts": "x"}}, {"issued": {"date-parts": [["x"]]}}, {"relation": []}, {"updated-by": {}},
        {"updated-by": [7, {"type": ["retraction"]}]}, {"container-title": 7}, {"type": "component"},
        {"update-to": [{"DOI": "10.5555/x", "type": "retraction"}]}, {"title": ["x" * 10_000]}, {"volume": {}},
    ]  # fmt: skip
    registries.papers[:] = [
        Known(TITLE, ADA, 2021, "CVPR", doi=f"10.5555/o{at}", more=more) for at, more in enumerate(odd)
    ]
    registries.papers.append(PAPER)
    text = entry("a", "inproceedings", **GOOD, doi=PAPER.doi)
    text += "".join(entry(f"b{at}", "inproceedings", **GOOD, doi=f"10.5555/o{at}") for at in range(len(odd)))
    assert verify(text)["a"]["verdict"] == "ok"


def test_a_registry_cannot_write_to_the_terminal(verify: Run, registries: Registries) -> None:
    registries.papers[:] = [
        Known("\x1b[2J" + TITLE, ("\x1b[31mMallory \u202eEvil",), 2021, "CVPR", doi=PAPER.doi)
    ]
    problems = verify(entry("a", "inproceedings", **GOOD, doi=PAPER.doi))["a"]["problems"]
    said = " ".join(problem["message"] for problem in problems)
    assert "Mallory" in said and not set("\x1b\u202e") & set(said)


def test_redirects_lead_nowhere_else(verify: Run, registries: Registries) -> None:
    with serving(Registries([PAPER])) as elsewhere:
        for service in ("crossref", "openalex", "arxiv"):
            registries.redirect[service] = f"{elsewhere.address}/{service}/works"
        with mock.patch.dict(os.environ, environment(registries.address)):
            assert verify(entry("a", "inproceedings", **GOOD))["a"]["verdict"] == "unknown"
        assert elsewhere.asked == [] and "redirects to" in verify.said


def test_retracted_withdrawn_and_corrected(verify: Run, registries: Registries) -> None:
    def known(name: str, doi: str = "", mark: str = "", **more: Any) -> Known:
        title = f"{mark}On the Healing Power of {name} at Sea"
        place = ("Songs", "journal-article", doi) if doi else ("", "posted-content")
        return Known(title, ADA, 2019, *place, **more)

    registries.papers[:] = [
        known("Songs", "10.5555/a", updated_by=("retraction",)),
        known("Bells", "10.5555/b", mark="RETRACTED: "),
        known("Drums", "10.5555/c", updated_by=("correction",)),
        known("Harps", "10.5555/d", retracted=True),
        known("Lutes", "10.5555/h", noticed_by=("retraction",)),  # only its notice says so
        known("Flutes", arxiv="1901.00001", comment="This paper has been withdrawn by the authors due to an error"),
        known("Horns", arxiv="1901.00002", version=3),
    ]  # fmt: skip

    def cited(key: str, name: str, kind: str = "misc", **more: str) -> str:
        title = f"On the Healing Power of {name} at Sea"
        return entry(key, kind, title=title, author="Ada Lovelace and Charles Babbage", year="2019", **more)

    text = "".join(
        cited(key, name, "article", journal="Songs", doi=f"10.5555/{key}")
        for key, name in (("a", "Songs"), ("b", "Bells"), ("c", "Drums"), ("d", "Harps"), ("h", "Lutes"))
    )
    text += cited("e", "Flutes", eprint="1901.00001")
    text += cited("f", "Horns", url="https://arxiv.org/abs/1901.00002v1")
    text += cited("g", "Horns", eprint="1901.00002")
    found = verify(text)
    expected: dict[str, set[str]] = {
        "a": {"retracted"}, "b": {"retracted"}, "c": {"corrected"}, "d": {"retracted"}, "h": {"retracted"},
        "e": {"withdrawn"}, "f": {"newer-version"}, "g": set(),
    }  # fmt: skip
    assert {key: codes(one) & set[str]().union(*expected.values()) for key, one in found.items()} == expected
    assert [key for key, one in found.items() if one["verdict"] == "suspect"] == ["a", "b", "d", "h", "e"]
    assert all(sum(p["code"] == "retracted" for p in one["problems"]) < 2 for one in found.values())


def test_a_preprint_that_has_been_published(verify: Run, registries: Registries) -> None:
    registries.papers[:] = [
        PAPER,
        Known(TITLE, ADA, 2020, arxiv="2006.00001", kind="posted-content"),
        Known(
            "Songs, a First Look",
            ADA,
            2019,
            kind="posted-content",
            doi="10.1101/2019.01",
            preprint_of="10.5555/songs",
        ),
        Known(
            "Songs and What They Do to Sailors",
            ADA,
            2020,
            "Journal of Songs",
            "journal-article",
            "10.5555/songs",
        ),
        Known(
            "Bells, a First Look",
            ADA,
            2019,
            kind="posted-content",
            doi="10.1101/2019.02",
            preprint_of="10.5555/none",
        ),
        Known("Bells", ADA, 2020, "", "journal-article", "10.5555/none"),
    ]
    text = entry(
        "a", "misc", title=TITLE, author="Ada Lovelace and Charles Babbage", eprint="2006.00001", year="2020"
    )
    text += entry(
        "b",
        title="Songs, a First Look",
        author="Ada Lovelace and Charles Babbage",
        journal="bioRxiv",
        doi="10.1101/2019.01",
        year="2019",
    )
    text += entry("c", title="Bells, a First Look", author="Ada Lovelace", doi="10.1101/2019.02", year="2019")
    found = verify(text)
    assert "published" not in codes(found["c"]), "the record of the DOI names no venue"
    for key, where in (("a", PAPER.venue), ("b", "Journal of Songs")):
        (message,) = (p["message"] for p in found[key]["problems"] if p["code"] == "published")
        assert where in message and found[key]["verdict"] == "ok"


def test_the_years_of_print_and_online_are_both_right(verify: Run, registries: Registries) -> None:
    online = {"published-online": {"date-parts": [[2018, 11]]}, "published-print": {"date-parts": [[2021]]}}
    registries.papers[:] = [Known(TITLE, ADA, 2018, "Songs", "journal-article", "10.5555/x", more=online)]
    fields = {
        "title": TITLE,
        "author": "Ada Lovelace and Charles Babbage",
        "journal": "Songs",
        "doi": "10.5555/x",
    }
    found = verify(
        entry("a", **fields, year="2018")
        + entry("b", **fields, year="2021")
        + entry("c", **fields, year="2012")
    )
    assert {key: one["verdict"] for key, one in found.items()} == {"a": "ok", "b": "ok", "c": "suspect"}
