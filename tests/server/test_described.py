"""What the index says of a paper: asked for again after a failure, and of the index that is chosen now."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from texgeist_retrieval.types import CitedWork, Description
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.errors import ServerError, WorkerDied
from texgeist_server.index_places import index_place
from texgeist_server.lsp.features.hover import Lookups, name_of
from texgeist_server.passage_library import last_snapshot
from texgeist_server.worker import requests

WORK = CitedWork("Dense Retrieval", ("A. Moon",), 2020)
NAME = name_of(WORK)
SAID = Description("Moon (2020) retrieves.", "", "", None)


class Worker:
    """Fails as often as it is told, then tells one sentence."""

    def __init__(self, failures: int = 0) -> None:
        self.failures, self.asked = failures, 0
        self.goes_on = asyncio.Event()
        self.goes_on.set()

    async def do(self, request: Any) -> Any:
        self.asked += 1
        await self.goes_on.wait()
        if self.asked <= self.failures:
            raise WorkerDied(9)
        if isinstance(request, requests.Abstracts):
            return dict.fromkeys(request.ids, "An abstract.")
        return dict.fromkeys(request.papers, (SAID,))


def configured(folder: Path, snapshot: bool = True) -> Any:
    settings = Settings.model_validate({"index": {"location": str(folder)}})
    folder.mkdir(exist_ok=True)
    if snapshot:
        last_snapshot(settings, index_place(settings, Keys())).mkdir(parents=True, exist_ok=True)
    return SimpleNamespace(settings=settings, keys=Keys(), trusted=True)


async def hovered(one: Lookups) -> object:
    """What is said at the hover after one that asks."""
    one.want("", WORK)
    if one._task is not None:
        await one._task
    return one.descriptions.get(NAME)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TEXGEIST_CACHE", str(tmp_path / "cache"))


async def test_after_a_failure_it_is_asked_again_and_after_an_answer_not(tmp_path: Path) -> None:
    worker = Worker(failures=1)
    one = Lookups(configured(tmp_path / "a"), worker)  # type: ignore[arg-type]
    assert issubclass(WorkerDied, ServerError) and not await hovered(one)
    assert await hovered(one) == (SAID,)
    assert await hovered(one) == (SAID,) and worker.asked == 2


async def test_another_index_says_nothing_of_the_one_before(tmp_path: Path) -> None:
    worker, chosen = Worker(), configured(tmp_path / "a")
    one = Lookups(chosen, worker)  # type: ignore[arg-type]
    assert await hovered(one) == (SAID,)
    chosen.settings = configured(tmp_path / "b", snapshot=False).settings
    assert not await hovered(one) and worker.asked == 1


async def test_what_comes_after_another_index_was_chosen_is_dropped(tmp_path: Path) -> None:
    worker, chosen = Worker(), configured(tmp_path / "a")
    one = Lookups(chosen, worker)  # type: ignore[arg-type]
    worker.goes_on.clear()
    one.want("", WORK)
    await asyncio.sleep(0.05)
    assert worker.asked == 1
    chosen.settings = configured(tmp_path / "b", snapshot=False).settings
    one.want("", None)
    worker.goes_on.set()
    assert one._task is not None
    await one._task
    assert not one.descriptions.get(NAME)
