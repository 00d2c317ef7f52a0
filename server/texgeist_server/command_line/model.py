"""`texgeist model`: the embedding model on this machine."""

from __future__ import annotations

import typer

from .common import JSON, load_settings, messages, plainly, print_json, working
from .speaking import echo

app = typer.Typer(help="The embedding model on this machine.", no_args_is_help=True)


@app.command()
def fetch(
    force: bool = typer.Option(False, "--force", help="Fetch it again, though it is here."),
) -> None:
    """Fetch the embedding model, once; afterwards no network is needed."""
    from texgeist_retrieval.embedding.fetch import fetch_model

    from ..config import storage
    from ..config.user_file import data_of
    from ..embedders import build_embedder, is_ours

    if not is_ours(settings := load_settings()):
        with plainly(), working(f"Loading {settings.embedding.model}"):
            embedder = build_embedder(settings)
        messages().print(f"{embedder.name} ({embedder.dimension} numbers) is on this machine.", markup=False)
        return
    folder = storage.model_folder(data_of(settings))
    with plainly(), working("Fetching the embedding model") as monitor:
        fetch_model(folder, monitor, force=force)
    messages().print(f"The embedding model is in {folder}.", markup=False)


@app.command()
def status(as_json: bool = JSON) -> None:
    """Say whether the model is here, and which it is."""
    from texgeist_retrieval.embedding import is_fetched
    from texgeist_retrieval.embedding.model import read_manifest

    from ..config import storage
    from ..config.user_file import data_of

    folder = storage.model_folder(data_of(load_settings()))
    here = is_fetched(folder)
    manifest = read_manifest(folder) if here else None
    about = {
        "fetched": here,
        "folder": str(folder),
        "name": manifest.name if manifest else "",
        "dimension": manifest.dimension if manifest else 0,
        "source": manifest.source if manifest else "",
    }
    if as_json:
        print_json(about)
    elif here:
        echo(f"{about['name']} ({about['dimension']} numbers), from {about['source']}, in {folder}.")
    else:
        echo(f"Not in {folder} yet: `texgeist model fetch`.")
