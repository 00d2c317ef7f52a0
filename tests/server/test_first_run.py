"""Nothing to search yet: the ways to papers are named, each with what it sends."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from texgeist_retrieval.pipeline.discovering import preview
from texgeist_retrieval.types import Query
from texgeist_server.lsp.jobs.writing import consent_question, discovered

from .conftest import ROOT
from .editor import editor
from .test_cli import texgeist

BIB = """@article{a, title = {Retrieval of scientific papers for citing}, author = {Jo Smith}, year = 2020}
@article{b, title = {Language models that write related work}, author = {Zo Li}, year = 2021}
"""
TEX = r"""\documentclass{article}\title{Citing}\begin{document}\maketitle
\begin{abstract}We retrieve scientific papers for citing and let language models write the related work of a
draft, so that every sentence can be checked against the paper that it cites.\end{abstract}
\section{Introduction}Much was said.\bibliographystyle{plain}\bibliography{my}\end{document}"""


@pytest.fixture
def with_model(env: dict[str, str], model_folder: Path) -> dict[str, str]:
    data = Path(env["TEXGEIST_DATA"])
    data.mkdir()
    (data / "model").symlink_to(model_folder.resolve())
    return env


@pytest.mark.model
def test_the_ways_to_papers_are_named(with_model: dict[str, str], paper: Path, tmp_path: Path) -> None:
    """Also if the library exists and is empty."""
    done = texgeist(with_model, "search", "papers to cite")
    assert done.returncode == 1 and "There is no library" in done.stderr
    assert all(f"index add {each}" in done.stderr for each in ("FILE.bib", "zotero", "sample"))
    for command, code, others in (
        (("related-work", str(paper / "main.tex"), "--dry-run"), 1, True),
        (("evidence", "papers to cite"), 1, False),  # abstracts would not help it
        (("doctor",), 0, True),
    ):
        done = texgeist(with_model, *command)
        said = done.stdout + done.stderr
        assert done.returncode == code and "index add zotero" in said, command
        assert ("index add sample" in said) is others
    (tmp_path / "my.bib").write_text(BIB)
    texgeist(with_model, "index", "add", str(tmp_path / "my.bib"))
    texgeist(with_model, "index", "remove", "bib:a", "bib:b")
    empty = texgeist(with_model, "search", "papers to cite")
    assert empty.returncode == 1 and "Your library is empty" in empty.stderr and "zotero" in empty.stderr


@pytest.mark.model
async def test_an_editor_offers_the_projects_own_bibliography(
    with_model: dict[str, str], tmp_path: Path
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "my.bib").write_text(BIB)
    (project / "main.tex").write_text(TEX)
    async with editor(project, env=with_model) as one:
        one.picks = "Use this project"
        one.open(project / "main.tex")
        await one.execute("relatedWork", {"uri": one.uri(project / "main.tex"), "from": "abstract"})
        await one.until(lambda: bool(one.questions), 120)
        assert "my.bib" in one.questions[0] and "nothing is sent" in one.questions[0]
        assert "no entry has an abstract" in one.questions[0]
        await one.until(lambda: Path(with_model["TEXGEIST_DATA"], "library.db").exists(), 120)
        await one.until(lambda: bool(one.messages), 120)


@pytest.mark.model
async def test_the_section_is_written_once_papers_were_chosen(
    with_model: dict[str, str], paper: Path
) -> None:
    """Nobody has to ask for it again."""

    def choose() -> bool:
        library = str(ROOT / "examples" / "library.bib")
        return texgeist(with_model, "index", "add", "--index", "library", library).returncode == 0

    async with editor(paper, env=with_model) as one:
        one.picks, one.choose_papers = "Choose Papers", choose
        one.open(paper / "main.tex")
        await one.execute("relatedWork", {"uri": one.uri(paper / "main.tex"), "from": "draft"})
        await one.until(lambda: "texgeist:begin" in one.texts[paper / "main.tex"], 150)
        assert not one.mends


def test_consent_to_discovery_names_what_is_sent() -> None:
    """To cite for a sentence, title and sentence are sent; a dry run prints the searches of both."""
    query = Query("sentence", (), "", "A Title", text="Bees count.")
    assert preview(query) == "search for: title\nsearch for: bees count"
    assert "“A Title”" in consent_question(query) and "“Bees count.”" in consent_question(query)
    assert "key words" in consent_question(Query("abstract", (), "", "A Title"))


async def test_a_question_that_is_closed_is_no_consent() -> None:
    async def closed(message: str, answers: list[str]) -> str:
        return ""

    settings = SimpleNamespace(index=SimpleNamespace(discover=()))
    writing: Any = SimpleNamespace(editor=SimpleNamespace(settings=settings, ask=closed))  # it has no tasks
    job: Any = SimpleNamespace(report=lambda message: None)
    assert await discovered(writing, Query("abstract", (), "", "A Title"), job) == ""
