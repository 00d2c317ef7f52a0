"""Abstracts for hovers: looked up again after a failure, and only in the index that is chosen now."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from texgeist_latex.reading.workspace import Workspace
from texgeist_retrieval.identity import title_name
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.types import Paper
from texgeist_server import index_places
from texgeist_server.adapters import setup_of
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.errors import WorkerDied
from texgeist_server.lsp.features.hover import Lookups, explain, lacking
from texgeist_server.sections.requests import Abstracts
from texgeist_server.worker import __main__ as worker

ID = "2001.00001"


class Worker:
    """Fails `failures` times, then answers."""

    def __init__(self, failures: int = 0) -> None:
        self.failures, self.asked = failures, 0
        self.goes_on = asyncio.Event()
        self.goes_on.set()

    async def do(self, request: Any) -> Any:
        self.asked += 1
        await self.goes_on.wait()
        if self.asked <= self.failures:
            raise WorkerDied(9)
        return dict.fromkeys(request.names, "An abstract.")


def configured(folder: Path) -> Any:
    settings = Settings.model_validate({"index": {"location": str(folder)}})
    return SimpleNamespace(settings=settings, keys=Keys(), trusted=True)


async def named() -> set[str]:
    return {ID}


async def hovered(one: Lookups) -> str | None:
    """The abstract at the hover after the one that starts the lookup."""
    if ID not in one.abstracts:
        one.want(named)
    if one._task is not None:
        await one._task
    return one.abstracts.get(ID)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    (tmp_path / "a").mkdir()


async def test_after_a_failure_it_is_asked_again_and_after_an_answer_not(tmp_path: Path) -> None:
    worker = Worker(failures=1)
    one = Lookups(configured(tmp_path / "a"), worker)  # type: ignore[arg-type]
    assert await hovered(one) is None
    assert await hovered(one) == "An abstract."
    assert await hovered(one) == "An abstract." and worker.asked == 2


async def test_an_answer_from_the_index_before_is_dropped(tmp_path: Path) -> None:
    worker, chosen = Worker(), configured(tmp_path / "a")
    one = Lookups(chosen, worker)  # type: ignore[arg-type]
    worker.goes_on.clear()
    one.want(named)
    await asyncio.sleep(0)
    chosen.settings = configured(tmp_path / "b").settings
    one.want(named)
    worker.goes_on.set()
    assert one._task is not None
    await one._task
    assert not one.abstracts
    assert await hovered(one) is None and worker.asked == 1  # nothing is at `b`


def test_an_entry_shows_the_abstract_that_the_library_has_by_title_and_where_it_is_cited(
    tmp_path: Path,
) -> None:
    (tmp_path / "refs.bib").write_text(
        '@misc{ants, title={{Ants} find \\"ubershort paths}, author={G{\\"o}del, Kurt}, doi={10.1234/x}, year=2019, booktitle={Ants 2019}}'
        "@misc{bees, title={Bees}, eprint={2001.00001}}@misc{told, title={Told}, abstract={A.}, doi={10.1234/y}}"
    )
    text = (
        "\\documentclass{article}\\begin{document}\nAnts \\cite{ants} and others \\cite{bees,told}.\n\n"
        "Again \\cite{ants} and again \\cite{ants}.\n\\bibliography{refs}"
    )
    (tmp_path / "main.tex").write_text(text)
    paper = Paper("1", "Ants find übershort paths", authors=("Kurt Gödel", "Jo Ann"))
    named = title_name(paper.title, paper.authors)
    known = {named: "We follow ants."}
    found = explain(Workspace(), tmp_path / "main.tex", text.index("{ants}") + 1, known)
    assert found is not None and "We follow ants." in found.markdown
    assert "\nAnts 2019\n" in found.markdown
    assert found.markdown.endswith("also cited at main.tex:4")
    names = lacking(Workspace(), tmp_path / "main.tex")
    assert found.lacks and names == {"doi:10.1234/x", named, ID}  # of all cited
    looked_up = explain(
        Workspace(), tmp_path / "main.tex", text.index("{ants}") + 1, dict.fromkeys(names, "")
    )
    assert looked_up is not None and not looked_up.lacks


def test_a_record_without_abstract_hides_no_abstract(monkeypatch: pytest.MonkeyPatch) -> None:
    discovered = Paper("doi:10.1234/x", "Ants", "We follow ants.", ("Jo Lee",))
    own = replace(discovered, abstract="")
    monkeypatch.setattr(index_places, "discovered_papers", lambda: {discovered.id: discovered})
    namesake = replace(discovered, id="doi:10.1234/y", abstract="Of others.", authors=("Ann Ray",))
    monkeypatch.setattr(worker, "_read_index", lambda *_: [own, namesake])
    names = (own.id, title_name(own.title, own.authors))
    found = worker.abstracts(Abstracts(names), setup_of(Settings(), Keys()), Silent())
    assert found == dict.fromkeys(names, "We follow ants.")
