"""`texgeist doctor`: checks the installation and says how to repair each fault. It contacts only model servers on
this machine."""

from __future__ import annotations

import platform
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer
from texgeist_retrieval.errors import LibraryMissing, RetrievalError
from texgeist_retrieval.text.words import number_of

from .common import JSON, plainly, print_json
from .exits import ways_to_papers, words_of
from .terminal import echo

if TYPE_CHECKING:
    from ..config.settings import Settings


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of a check. `state`: "ok", "note" (the user should know it) or "wrong" (a fault that
    prevents work)."""

    what: str
    state: Literal["ok", "note", "wrong"]
    message: str
    help: str = ""


def register(app: typer.Typer) -> None:
    app.command("doctor")(doctor)


def doctor(as_json: bool = JSON) -> None:
    """Check Python, model, index, API keys and settings, and explain how to repair each fault.

    The exit code is 1 if a fault prevents texgeist from working. No draft is read, no API key is shown, and
    nothing leaves this machine: only model servers on this machine are asked for their lists of models."""
    with plainly():
        found = list(_look())
    if as_json:
        print_json([asdict(one) for one in found])
    else:
        for one in found:
            state = "WRONG" if one.state == "wrong" else one.state
            echo(f"{state:5} {one.what}: {one.message}")
            if one.help:
                echo(textwrap.indent(one.help, "      "))
    raise typer.Exit(int(any(one.state == "wrong" for one in found)))


def _look() -> Iterator[Diagnosis]:
    from ..config import user_file

    settings, problems = user_file.load()
    yield Diagnosis("Python", "ok", f"{platform.python_version()}, {sys.executable}")
    yield from _settings(problems)
    yield _model(settings)
    yield _index(settings)
    yield _writer(settings)
    yield from _nearby(settings)


def _settings(problems: list[str]) -> Iterator[Diagnosis]:
    from ..config.storage import config_file

    file = config_file()
    if not problems:
        yield Diagnosis(
            "settings", "ok", str(file) if file.exists() else f"the defaults (there is no {file})"
        )
    for problem in problems:
        yield Diagnosis("settings", "wrong", problem, f"Correct it in {file}, or with `texgeist config set`.")


def _model(settings: Settings) -> Diagnosis:
    from texgeist_retrieval.embedding import is_fetched

    from ..config import storage
    from ..embedders import is_ours

    if not is_ours(settings):
        return Diagnosis("model", "note", f"{settings.embedding.model}, by sentence-transformers.")
    folder = storage.model_folder()
    if is_fetched(folder):
        return Diagnosis("model", "ok", str(folder))
    help_ = "Run `texgeist model fetch` (438 MB, once; it can be interrupted and resumed)."
    return Diagnosis("model", "wrong", "not downloaded yet.", help_)


def _index(settings: Settings) -> Diagnosis:
    from ..config.credentials import keys_from_environment
    from ..discovered import draft_here
    from ..index_places import index_place, open_as_it_is
    from ..passage_library import full_texts_of

    place = index_place(settings, keys_from_environment())
    if place.remote:
        help_ = "`texgeist index status` contacts it."
        return Diagnosis("index", "note", f"{place.location} (not contacted).", help_)
    try:
        opened = open_as_it_is(settings, place)
        about = opened.status()
        opened.close()
        if not about.papers:
            raise LibraryMissing(f"{about.location} is empty.")
        note = full_texts_of(settings, place).note
    except LibraryMissing:
        draft, count = draft_here(place)
        if not count:
            return Diagnosis("index", "note", "you have no library yet.", ways_to_papers("paper.tex"))
        papers = f"{number_of(count, 'paper')} discovered for {Path(draft).name}"
        return Diagnosis("index", "ok", f"no library; in this folder, {papers} are searched")
    except RetrievalError as error:
        return Diagnosis("index", "wrong", *words_of(error))
    return Diagnosis(
        "index", "note" if note else "ok", f"{number_of(about.papers, 'paper')} in {about.location}", note
    )


def _writer(settings: Settings) -> Diagnosis:
    from texgeist_retrieval.addresses import is_loopback
    from texgeist_retrieval.models.providers import provider_of

    from ..adapters import has_what_it_needs, writer_address
    from ..config.credentials import VARIABLES, keys_from_environment
    from ..config.storage import writer_models

    name, keys = settings.writer.provider, keys_from_environment()
    have = f"keys in the environment: {', '.join(filter(keys.of, VARIABLES)) or 'none'}"
    if fetched := sorted(file.stem for file in writer_models().glob("*.gguf")):
        have += f"; fetched for the local writer (`writer.provider` = local): {', '.join(fetched)}"
    if name == "extractive":
        return Diagnosis("writer", "ok", f"extractive, which sends nothing; {have}")
    provider = provider_of(name)
    if provider.files:
        return _local_writer(settings)
    if not has_what_it_needs(settings, name, keys):
        if provider.elsewhere:
            return Diagnosis(
                "writer", "note", f"{name} is not available from the command line.", provider.elsewhere
            )
        help_ = f"Set {provider.variables[-1]}, or in VS Code: “Set the API Key”."
        return Diagnosis("writer", "wrong", f"{name} has no key.", help_)
    address = writer_address(settings, name)
    if is_loopback(address):
        return _model_server(address, settings.writer.model, keys.of(name))
    return Diagnosis("writer", "ok", f"{name}; {have}")


def _local_writer(settings: Settings) -> Diagnosis:
    from texgeist_retrieval.errors import WriterError
    from texgeist_retrieval.models.local import check_place

    from ..config.storage import writer_models

    try:
        file = check_place(settings.writer.model, writer_models())
    except WriterError as error:
        return Diagnosis("writer", "wrong", str(error), error.help)
    size = f"{file.stat().st_size / 1e9:.1f} GB"
    return Diagnosis("writer", "ok", f"local, with {file.stem} ({size}); nothing leaves this machine")


def _model_server(address: str, model: str, key: str) -> Diagnosis:
    """Checks that the model server on this machine answers and lists the configured model."""
    from texgeist_retrieval.addresses import origin
    from texgeist_retrieval.models.nearby import server_at

    where = origin(address)  # the whole address may hold a password
    if (server := server_at(address, key=key)) is None:
        help_ = (
            "Start it (Ollama: `ollama serve`; LM Studio: `lms server start`), or correct `writer.baseUrl`."
        )
        return Diagnosis("writer", "wrong", f"{where} does not answer, or offers no models.", help_)
    names = [each.name for each in server.models]
    if {model, f"{model}:latest"} & {*names}:
        return Diagnosis("writer", "ok", f"{model} at {where}")
    help_ = "Set `writer.model` to one of these, or fetch the model (Ollama: `ollama pull`)."
    has = f"{where} answers, but has no model {model!r}" if model else "`writer.model` names no model"
    return Diagnosis(
        "writer", "wrong" if model else "note", f"{has}. Its models: {', '.join(names[:5])}.", help_
    )


def _nearby(settings: Settings) -> Iterator[Diagnosis]:
    """A note on each model server on this machine that the user could choose as the writer."""
    from texgeist_retrieval.models.nearby import model_servers

    from ..config.storage import model_ports

    for server in model_servers(model_ports()):
        if server.address == settings.writer.base_url.rstrip("/"):
            continue
        models = "; ".join(f"{model.name} {model.remark}".strip() for model in server.models[:5])
        yield Diagnosis(
            "model server",
            "note",
            f"{server.name} runs on this machine, and has {models}",
            f"To write with it: `texgeist config set writer.provider openai`, `… writer.baseUrl {server.address}`, "
            f"`… writer.model {server.models[0].name}`.",
        )
