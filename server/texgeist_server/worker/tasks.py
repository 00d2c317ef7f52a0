"""What a worker can do: one function a task, plain JSON in and out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..keys import Keys
from ..outcome import ask_from_json, to_json

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

    from ..settings import Settings

Plain = dict[str, Any]


def run(given: Plain, monitor: Monitor) -> Plain:
    """A recipe: `{recipe, ask, index?, writer?, options?}` to an `Outcome`."""
    from .. import recipes

    job = recipes.Job(
        given["recipe"],
        ask_from_json(given["ask"]),
        given.get("index"),
        given.get("writer", "auto"),
        given.get("options", {}),
    )
    return to_json(recipes.run(job, settings_of(given), Keys(**given["keys"]), monitor))


def fetch_model(given: Plain, monitor: Monitor) -> Plain:
    """Puts the embedding model on this machine."""
    from texgeist_retrieval.embedding.fetch import fetch_model as fetch

    from .. import paths
    from ..config import data_of

    folder = paths.model_folder(data_of(settings_of(given)))
    fetch(folder, monitor)
    return {"folder": str(folder)}


def ping(given: Plain, monitor: Monitor) -> Plain:
    """Says that the worker is there, and its process id."""
    import os

    return {"pid": os.getpid()}


def settings_of(given: Plain) -> Settings:
    from ..settings import Settings

    return Settings.model_validate(given["settings"])


TASKS: dict[str, Callable[[Plain, Any], Plain]] = {
    "run": run,
    "fetch_model": fetch_model,
    "ping": ping,
}
