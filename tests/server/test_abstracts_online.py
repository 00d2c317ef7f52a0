"""A real `.bib` has no abstracts: they come from the registries where the user allows it, and nothing is asked where not."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from unittest import mock
from urllib.parse import unquote_plus

import pytest
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.sources.records import Record
from texgeist_server.bibliography_checks.lookups import AbstractLookup
from texgeist_server.config.settings import Settings
from texgeist_server.library import syncing
from texgeist_server.library.sources import SourceRequest
from texgeist_server.library.sources.bib_file import open_bib
from texgeist_server.library.sources.online import open_crossref, open_openalex

from tests.local_index import Quick, commands, end_servers
from tests.server.registry_server import Known, Registries, environment, serving

DENSE = Known(
    "Dense Passages for Open Questions of Anybody",
    ("Ada Lovelace",),
    2020,
    arxiv="2004.04906",
    abstract="Two encoders find passages < all of them.",
)
HUGE = Known(
    "Tracking Distant Objects with Learned Memories",
    ("Charles Babbage",),
    2021,
    doi="10.1109/cvpr.2021.77",
    abstract="Objects are tracked with memories & more.",
)
BY_TITLE = Known(
    "A Study of Weaving Machines and Their Punched Cards",
    ("Joseph Jacquard",),
    2001,
    doi="10.5555/weaving",
    abstract="Cards steer machines.",
)
BIB = """
@misc{dense, title={Dense Passages for Open Questions of Anybody}, author={Ada Lovelace}, year=2020, eprint={2004.04906}, archivePrefix={arXiv}}
@article{tracking, title={Tracking Distant Objects with Learned Memories}, author={Charles Babbage}, year=2021, doi={10.1109/CVPR.2021.77}}
@article{weaving, title={A study of weaving machines and their punched cards}, author={Joseph Jacquard}, year=2001}
@article{has, title={This One Has an Abstract of Its Own}, author={Grace Hopper}, year=1952, doi={10.1109/cvpr.2021.77x}, abstract={It is its own.}}
@article{wrong, title={Something About Compilers That Nobody Registered}, author={Grace Hopper}, year=1952, doi={10.1109/cvpr.2021.77}}
@unpublished{secret, title={A Manuscript That Nobody May Know of Yet}, author={Ada Lovelace}, year=2026}
"""


@pytest.fixture
def registries() -> Iterator[Registries]:
    with serving(Registries([DENSE, HUGE, BY_TITLE])) as state:
        yield state


@pytest.fixture
def settings(registries: Registries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    (tmp_path / "refs.bib").write_text(BIB)
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    return Settings()


def abstracts(settings: Settings, file: Path, online: bool) -> tuple[dict[str, str], list[str]]:
    asked = AbstractLookup(settings, Silent(), online)
    read = open_bib(SourceRequest(str(file), settings, "", Silent(), asked))
    return {
        one.paper.title.split()[-1]: one.paper.abstract for one in read if isinstance(one, Record)
    }, asked.notes


def test_they_come_by_id_by_doi_and_by_title(settings: Settings, tmp_path: Path) -> None:
    found, notes = abstracts(settings, tmp_path / "refs.bib", online=True)
    assert found == {
        "Anybody": DENSE.abstract,
        "Memories": f"{HUGE.abstract} End.",
        "cards": f"{BY_TITLE.abstract} End.",
        "Own": "It is its own.",
        "Registered": "",  # its DOI is another paper's
        "Yet": "",  # nobody is told of a manuscript
    }
    assert notes == []


def test_nobody_is_asked_unasked_and_nothing_else_is_sent(
    settings: Settings, registries: Registries, tmp_path: Path
) -> None:
    assert set(abstracts(settings, tmp_path / "refs.bib", online=False)[0].values()) == {"", "It is its own."}
    assert registries.asked == []
    abstracts(settings, tmp_path / "refs.bib", online=True)
    sent = unquote_plus(" ".join(registries.asked))
    assert "2004.04906" in sent and "10.1109/cvpr.2021.77" in sent and "weaving" in sent
    assert "Manuscript" not in sent and "77x" not in sent and "Lovelace" not in sent


def test_openalex_gives_abstracts_where_publishers_give_none(
    settings: Settings, registries: Registries, tmp_path: Path
) -> None:
    registries.refuse = {"crossref": 503}
    assert abstracts(settings, tmp_path / "refs.bib", online=True)[0]["Memories"] == HUGE.abstract


@pytest.mark.parametrize("open_source", [open_openalex, open_crossref])
def test_papers_of_other_fields_are_a_source(open_source, settings: Settings, registries: Registries) -> None:
    registries.papers = [
        Known(f"Weaving with Machines, Part {number}", ("Joseph Jacquard",), 2001, doi=f"10.5555/{number}",
              abstract="" if number == 3 else f"Cards steer machine {number}.")
        for number in range(5)
    ]  # fmt: skip
    source = open_source(SourceRequest("weaving machines", settings, "", Silent()))
    papers = [record.paper for record in source]
    assert sorted(paper.id for paper in papers) == [f"doi:10.5555/{number}" for number in (0, 1, 2, 4)]
    assert papers[0].abstract.startswith("Cards steer machine")
    assert len(registries.asked) >= 3  # page by page
    assert "has" in registries.asked[0] and "weaving" in registries.asked[0]


def test_on_the_command_line(
    settings: Settings, registries: Registries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: Quick())
    run = commands(monkeypatch, tmp_path, data)
    try:
        first = run("index", "add", "refs.bib")
        assert "have no abstract" in first.stdout and "--online" in first.output
        second = run("index", "add", "refs.bib", "--online")
        assert "2 changed" in second.stdout and "--online" not in second.output
        third = run("index", "add", "refs.bib")  # what was fetched stays
        assert "0 changed" in third.stdout
        (tmp_path / "part.bib").write_text("@article{p, title={A Study of Looms}, doi={10.5555/parts}}")
        registries.refuse = {"crossref": 503}
        assert "--online" not in run("index", "add", "part.bib", "--online").output
        registries.refuse = {}
        (tmp_path / "new.bib").write_text("@article{n, title={A New Study of Looms}, doi={10.5555/looms}}")
        with mock.patch.dict(os.environ, environment("http://127.0.0.1:1")):
            silent = run("index", "add", "new.bib", "--online", code=6)
        assert "1 new" in silent.stdout and "no service that was asked answered" in " ".join(
            silent.output.split()
        )
        works = json.loads(run("index", "sync", "openalex:weaving machines", "--json").stdout)
        assert works["openalex:weaving machines"]["read"] == 1
    finally:
        end_servers(data)
