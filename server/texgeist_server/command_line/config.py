"""`texgeist config` and `texgeist model`: manage the user's settings and models on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .common import JSON, load_settings, plainly, print_json, working
from .terminal import echo, inform

if TYPE_CHECKING:
    from ..config.settings import Settings

config_app = typer.Typer(help="Show and change your settings.", no_args_is_help=True)
model_app = typer.Typer(help="Download the models that run on this machine.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(config_app, name="config")
    app.add_typer(model_app, name="model")


@config_app.command()
def path() -> None:
    """Print the path of your settings file, even if the file does not exist yet."""
    from ..config.storage import config_file

    echo(config_file())


@config_app.command()
def show(
    name: str | None = typer.Argument(None, help="A single setting, such as writer.provider."),
    as_json: bool = JSON,
) -> None:
    """Show all settings. A star marks those that you changed from the default."""
    from ..config.settings import Settings
    from ..config.user_file import setting_named, shown
    from ..config.values import declared

    with plainly():
        settings, usual = load_settings(), Settings()
        wanted = [setting_named(name)] if name else list(declared())
        if as_json and not name:
            print_json(settings.model_dump(by_alias=True, mode="json"))
            return
        for setting in wanted:
            value = shown(settings, setting.path)
            star = " " if value == shown(usual, setting.path) else "*"
            echo(value if name else f"{star} {'.'.join(setting.path)} = {value}")


@config_app.command("set")
def set_(
    name: str = typer.Argument(..., help="The setting, such as writer.provider."),
    value: str | None = typer.Argument(None, help="The value; write a list as ['a', 'b']."),
    unset: bool = typer.Option(False, "--unset", help="Reset the setting to its default."),
) -> None:
    """Change a setting in your settings file; the rest of the file is kept. API keys are not settings: they
    come from environment variables or the editor."""
    from ..config.storage import config_file
    from ..config.user_file import set_in

    if (value is None) == (not unset):
        raise typer.BadParameter("Give a value, or --unset.")
    with plainly():
        now = set_in(config_file(), name, value)
    name = name.removeprefix("texgeist.")
    inform(f"{name} = {now}, in {config_file()}" if now else f"{name} is no longer in {config_file()}.")


@model_app.command()
def fetch(
    kind: str = typer.Argument("embedding", help="`embedding`, or `writer` for the local writer's model."),
    name: str = typer.Argument(
        "", help="The writer's model; without a name, the largest that fits into this machine's memory."
    ),
    file: Path | None = typer.Option(
        None, "--from", help="Use this GGUF file for the writer; nothing is downloaded."
    ),
    force: bool = typer.Option(False, "--force", help="Download the model even if it exists."),
) -> None:
    """Download the embedding model, or a language model for the local writer. Needed only once; afterwards
    the model works offline."""
    if kind not in ("embedding", "writer"):
        raise typer.BadParameter(f"There is no model {kind!r} to fetch: give `embedding` or `writer`.")
    with plainly():
        settings = load_settings()
    if kind == "writer":
        _fetch_writer(settings, name, file, force)
    elif name or file:
        raise typer.BadParameter("Only `writer` takes a name or --from.")
    else:
        _fetch_embedding(settings, force)


def _fetch_writer(settings: Settings, name: str, file: Path | None, force: bool) -> None:
    from texgeist_retrieval.models import gguf

    from ..config import storage

    folder = storage.writer_models()
    with plainly():
        if file:
            taken = gguf.adopt(file, folder)
        else:
            model = gguf.published(name)
            inform(
                f"{model.name}: {model.size / 1e9:.1f} GB from {model.repository}, licence {model.licence}."
            )
            with working(f"Fetching {model.name}") as monitor:
                taken = gguf.fetch(model, folder, monitor, force=force)
    inform(f"The model {taken.stem} is in {folder}. `texgeist config set writer.provider local` uses it.")


def _fetch_embedding(settings: Settings, force: bool) -> None:
    from texgeist_retrieval.embedding.fetch import fetch_model

    from ..config import storage
    from ..embedders import build_embedder, is_ours

    if not is_ours(settings):
        with plainly(), working(f"Loading {settings.embedding.model}"):
            embedder = build_embedder(settings)
        inform(f"{embedder.name} ({embedder.dimension} numbers) is on this machine.")
        return
    folder = storage.model_folder()
    with plainly(), working("Fetching the embedding model") as monitor:
        fetch_model(folder, monitor, force=force)
    inform(f"The embedding model is in {folder}.")
