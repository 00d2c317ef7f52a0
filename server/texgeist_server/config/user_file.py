"""The user's own settings for the command line and for every editor: a TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.paths import expanded

from .storage import config_file, data_folder

if TYPE_CHECKING:
    from .settings import Settings


def user_values(file: Path | None = None) -> tuple[dict[str, Any], list[str]]:
    """What the user's file says, and a sentence when it cannot be read."""
    file = file or config_file()
    try:
        return tomllib.loads(file.read_text("utf-8")), []
    except FileNotFoundError:
        return {}, []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return {}, [f"{file} cannot be read ({error}); the defaults are used."]


def load(
    given: Mapping[str, Any] | None = None, workspace: Mapping[str, Any] | None = None
) -> tuple[Settings, list[str]]:
    """Settings of the user's file, under what is `given` (an editor's or an option's, as nested names),
    and what a workspace may say; with a sentence for every value that was not taken."""
    from .values import read_settings

    values, problems = user_values()
    merged = dict(values)
    for group, inner in (given or {}).items():
        old = merged.get(group)
        merged[group] = {**old, **inner} if isinstance(old, dict) and isinstance(inner, dict) else inner
    settings, more = read_settings(merged, workspace)
    return settings, problems + more


def own_bibliographies(settings: Settings) -> tuple[Path, ...]:
    """Bibliographies outside of projects that may be written to. What is no whole path is none: a project
    could choose what it means."""
    named = (expanded(name) for name in settings.papers.bibliographies)
    return tuple(path for path in named if path.is_absolute())


def data_of(settings: Settings) -> Path:
    """The folder with the model, the library and the caches."""
    named = settings.storage.folder
    return expanded(named) if named else data_folder()
