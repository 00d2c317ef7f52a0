"""`texgeist config`: the user's own settings, for the command line and for every editor."""

from __future__ import annotations

import typer

from .common import JSON, load_settings, messages, plainly, print_json
from .speaking import echo

app = typer.Typer(
    help="Your own settings: where they stand, what they are, changing one.", no_args_is_help=True
)


@app.command()
def path() -> None:
    """Say where the file with your settings is, or would be."""
    from ..config.storage import config_file

    echo(config_file())


@app.command()
def show(
    name: str | None = typer.Argument(None, help="One setting, such as writer.provider."),
    as_json: bool = JSON,
) -> None:
    """Show every setting, with a star where it is yours and not the default."""
    from ..config.changing import setting_named, shown
    from ..config.declared import declared
    from ..config.settings import Settings

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


@app.command("set")
def set_(
    name: str = typer.Argument(..., help="The setting, such as writer.provider."),
    value: str | None = typer.Argument(None, help="Its value; a list as ['a', 'b']."),
    unset: bool = typer.Option(False, "--unset", help="Back to the default."),
) -> None:
    """Set one setting in your file; all else in it stays as it is. Keys are no settings: they come from the
    environment or the editor."""
    from ..config.changing import set_in
    from ..config.storage import config_file

    if (value is None) == (not unset):
        raise typer.BadParameter("Give a value, or --unset.")
    with plainly():
        now = set_in(config_file(), name, value)
    messages().print(f"{name.removeprefix('texgeist.')} = {now}, in {config_file()}", markup=False)
