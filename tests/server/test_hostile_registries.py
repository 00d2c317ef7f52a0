"""`texgeist add` against registries that lie: whatever they answer, the bibliography gets one sound entry, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.writing.admission import LONGEST_KEY, is_citable
from texgeist_server.cli import build
from typer.testing import CliRunner

from ..retrieval.hostile_server import Say, answer, endless, hostile
from .registry_server import Known, Registries, serving

DOI, ARXIV = "10.1109/stars.2021.77", "2201.00001"
OLD = "@string{me = {Me}}\n@article{kept2020,\n  title = {Kept},\n  author = me,\n  year = 2020,\n}\n% mine\n"
NASTY = (
    "\\input{/etc/passwd}", "\\write18{id} \\def\\x{\\x\\x}\\x", "}, crossref = {kept2020}, note = {", "@string{me = {You}}",
    "@preamble{\"\\immediate\\write18{id}\"}", "}\n@article{kept2020, title={Other}}\n", "a\r\n\n% b\x00\x1b[2J\ud83d\u202e",
    "{" * 3000, "}" * 3000, "$" * 999, "\\" * 999, "%" * 999, "#1 ~ ^ _ &", "\"" * 99, "K" * 100_000, "k \\relax " * 20_000,
    "^^5cinput{x}", "\\end{document}", "<script>alert(1)</script>", "0", "\\'{", "é" * 5000, "and and and", "others",
)  # fmt: skip
Add = Callable[..., Any]


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    path = tmp_path / "paper" / "references.bib"
    path.parent.mkdir()
    path.write_text(OLD)
    return path


@pytest.fixture
def add(tmp_path: Path, bib: Path, monkeypatch: pytest.MonkeyPatch) -> Add:
    def run(wanted: str = DOI) -> Any:
        monkeypatch.setenv("TEXGEIST_CONFIG", str(tmp_path / "config.toml"))
        monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
        monkeypatch.setenv("TEXGEIST_CACHE", str(tmp_path / "cache"))
        done = CliRunner().invoke(build("add"), ["add", wanted, "--bib", str(bib), "--online"])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return done

    return run


@pytest.fixture
def registries() -> Iterator[Registries]:
    with serving(Registries()) as state:
        yield state


def is_sound(bib: Path, added: bool) -> None:
    text = bib.read_text()
    read = read_bib(bib, text)
    assert text.startswith(OLD) and not read.problems and len(read.entries) == 1 + added
    if not added:
        assert text == OLD
        return
    kept, new = read.entries
    assert (
        (kept.key, kept.fields["author"]) == ("kept2020", "Me")
        and is_citable(new.key)
        and len(new.key) <= LONGEST_KEY
    )
    assert len(text) < 40_000 and not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e\ud800-\udfff]", text)
    assert not re.search(r"\\(?:input|write|immediate|def|relax|end|x)\b", text) and "^^" not in text
    assert {"title", "year"} <= {*new.fields} and not {"crossref", "note"} & {*new.fields}


@pytest.mark.parametrize("nasty", NASTY)
def test_what_a_registry_writes_stays_in_its_field(
    add: Add, bib: Path, registries: Registries, nasty: str
) -> None:
    given = nasty.encode("utf-8", "replace").decode()
    work = {"volume": given, "issue": given, "page": given, "subtitle": [given], "URL": given, "key": given}
    registries.papers[:] = [
        Known(f"{given} of Stars", (f"Ada {given}", given), 2021, given, doi=DOI, more=work)
    ]
    done = add()
    is_sound(bib, done.exit_code == 0)
    if done.exit_code:
        assert "Traceback" not in done.stderr and done.stderr.strip().endswith(".")


@pytest.mark.parametrize("nasty", [n for n in NASTY if not re.search(r"[\x00\x1b]", n)])
def test_so_does_what_arxiv_writes(add: Add, bib: Path, registries: Registries, nasty: str) -> None:
    paper = Known(f"{nasty} of Stars", (f"Ada {nasty}", nasty), 2021, arxiv=ARXIV, comment=nasty)
    registries.papers[:] = [paper]
    is_sound(bib, add(ARXIV).exit_code == 0)


@pytest.mark.parametrize("wanted", [DOI, ARXIV])
def test_another_paper_than_the_one_asked_for_is_none(add: Add, bib: Path, wanted: str) -> None:
    other = Registries([Known("Another", ("A B",), 2021, "J", doi="10.1109/other.1", arxiv="2201.99999")])
    with serving(other) as state:
        same = dict.fromkeys(("crossref", "openalex", "arxiv"), b"")
        raw = {**same, "crossref": state._crossref({"filter": "doi:10.1109/other.1", "rows": "5"})}
        raw["openalex"] = state._openalex({"filter": "doi:10.1109/other.1", "per-page": "5"})
        raw["arxiv"] = state._arxiv({"id_list": "2201.99999", "max_results": "5"})
        state.raw.update(raw)
        done = add(wanted)
    assert done.exit_code == 1 and "was not found at" in done.stderr
    is_sound(bib, added=False)


JSON = {"content_type": "application/json"}
ANSWERS: dict[str, Callable[[list[int]], Say]] = {
    "to this machine": lambda _: answer(302, b"", location="http://127.0.0.1:9/works"),
    "to the cloud's own": lambda _: answer(302, b"", location="http://169.254.169.254/latest"),
    "to a file": lambda _: answer(302, b"", location="file:///etc/passwd"),
    "to a private network": lambda _: answer(307, b"", location="http://10.0.0.1/"),
    "without an end": lambda took: endless(200, b'{"message":' * 100_000, 200_000_000, took, **JSON),
    "an error without an end": lambda took: endless(400, b"x" * 1_000_000, 200_000_000, took),
    "packed": lambda _: answer(200, b"\x1f\x8b\x08" + b"\x00" * 100, content_encoding="gzip"),
    "deep": lambda _: answer(200, b"[" * 200_000, **JSON),
    "a page to log in": lambda _: answer(200, b"<html>log in</html>"),
    "a billion laughs": lambda _: answer(200, b'<!DOCTYPE x [<!ENTITY a "aaaa">]><feed>&a;</feed>'),
}


@pytest.mark.parametrize("wanted", [DOI, ARXIV])
@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_is_none_adds_nothing(
    add: Add, bib: Path, monkeypatch: pytest.MonkeyPatch, name: str, wanted: str
) -> None:
    took: list[int] = []
    with hostile(ANSWERS[name](took)) as server:
        for registry in ("CROSSREF", "OPENALEX", "ARXIV"):
            monkeypatch.setenv(f"TEXGEIST_{registry}_ADDRESS", server.url)
        monkeypatch.setenv("TEXGEIST_ARXIV_PAUSE", "0")
        done = add(wanted)
    assert done.exit_code == 1 and "Traceback" not in done.stderr and "\x1b" not in done.stderr
    assert "Nothing was added." in done.stderr and all(one < 60_000_000 for one in took)
    is_sound(bib, added=False)
