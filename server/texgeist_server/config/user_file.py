"""The user's settings for the command line and every editor: reads and changes a TOML file."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.paths import expanded

from ..errors import ServerError
from .storage import config_file

if TYPE_CHECKING:
    from .settings import Settings
    from .values import Declared


def user_values() -> tuple[dict[str, Any], list[str]]:
    """The values in the user's file, and a message if it cannot be read."""
    file = config_file()
    try:
        return tomllib.loads(file.read_text("utf-8")), []
    except FileNotFoundError:
        return {}, []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return {}, [f"{file} cannot be read ({error}); the defaults are used."]


def load(
    given: Mapping[str, Any] | None = None, workspace: Mapping[str, Any] | None = None
) -> tuple[Settings, list[str]]:
    """The settings from the user's file, overridden by `given` (nested values from an editor or an option),
    and by the values that a workspace may set. Also returns a message for each rejected value."""
    from .values import read_settings

    values, problems = user_values()
    merged = dict(values)
    for group, inner in (given or {}).items():
        old = merged.get(group)
        merged[group] = {**old, **inner} if isinstance(old, dict) and isinstance(inner, dict) else inner
    settings, more = read_settings(merged, workspace)
    return settings, problems + more


def own_bibliographies(settings: Settings) -> tuple[Path, ...]:
    """Bibliographies outside of projects that may be written to. Relative paths are ignored, because a
    project could determine which files they name."""
    named = (expanded(name) for name in settings.papers.bibliographies)
    return tuple(path for path in named if path.is_absolute())


class BadSetting(ServerError):
    """An unknown setting, an invalid value, or an unreadable settings file."""


def setting_named(name: str) -> Declared:
    """The setting with this name. Raises `BadSetting`, which suggests the nearest name."""
    import difflib

    from .values import declared

    known = {".".join(setting.path): setting for setting in declared()}
    name = name.removeprefix("texgeist.")
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        help_ = f"Did you mean {near[0]}?" if near else "`texgeist config show` lists them."
        raise BadSetting(f"There is no setting {name}.", help_)
    return known[name]


def value_of(text: str) -> Any:
    """The value that a command-line argument means in TOML (a number, true, false or a list); else the text
    itself."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def set_in(file: Path, name: str, text: str | None) -> str:
    """Sets a setting in the file, or removes it if `text` is None, also one that texgeist no longer has. Returns
    the new value as text, as texgeist now reads it; "" for a removed setting.

    Raises `BadSetting`, and then leaves the file unchanged.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    from .values import read_settings

    group, _, key = name.removeprefix("texgeist.").partition(".")
    try:
        old = file.read_text("utf-8") if file.exists() else ""
        document = tomlkit.parse(old)
    except (OSError, UnicodeDecodeError, TOMLKitError) as error:
        raise BadSetting(f"{file} cannot be read ({error}).", "Correct the file, or move it away.") from error
    table = document.get(group, {})
    if not isinstance(table, dict):
        raise BadSetting(f"[{group}] in {file} is not a table.", "Correct the file, or move it away.")
    if text is None and key in table:
        del table[key]
        _replace(file, tomlkit.dumps(document))
        return ""
    setting_named(name)  # raises for a name that nobody knows
    if text is None:
        return ""
    document.setdefault(group, tomlkit.table())[key] = _fitting(group, key, text)
    _replace(file, tomlkit.dumps(document))
    return shown(read_settings(tomllib.loads(file.read_text("utf-8")))[0], (group, key))


def _fitting(group: str, key: str, text: str) -> Any:
    """The value of `text` in the type of the setting: `2020` is a number for some settings and text for
    others. Raises `BadSetting` if it fits no type."""
    from .values import read_settings

    problems: list[str] = []
    for value in (value_of(text), text):
        _, found = read_settings({group: {key: value}})
        if not found:
            return value
        problems += found
    raise BadSetting(
        f"{problems[0].rpartition('. ')[0]}.",  # without the part on what is done instead
        f"Nothing was changed. `texgeist config set {group}.{key} --unset` restores the default.",
    )


def shown(settings: Settings, path: tuple[str, str]) -> str:
    dumped: Mapping[str, Any] = settings.model_dump(by_alias=True, mode="json")
    return json.dumps(dumped[path[0]][path[1]], ensure_ascii=False)


def _replace(file: Path, text: str) -> None:
    """Replaces the file atomically, keeping its permissions. A link is followed."""
    target = file.resolve()
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part.touch(0o600)
        part.write_text(text, "utf-8")
        part.chmod(stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600)
        part.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise BadSetting(f"{file} cannot be written: {error.strerror}.", "Nothing was changed.") from error
