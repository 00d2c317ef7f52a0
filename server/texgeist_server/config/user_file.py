"""The user's own settings for the command line and for every editor: a TOML file, read and changed."""

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
from .storage import config_file, data_folder

if TYPE_CHECKING:
    from .settings import Settings
    from .values import Declared


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
    """Bibliographies outside of projects that may be written to. A relative path is ignored: a project
    could choose what it means."""
    named = (expanded(name) for name in settings.papers.bibliographies)
    return tuple(path for path in named if path.is_absolute())


def data_of(settings: Settings) -> Path:
    """The folder with the model, the library and the caches."""
    named = settings.storage.folder
    return expanded(named) if named else data_folder()


class BadSetting(ServerError):
    """An unknown setting, a value that it cannot have, or a settings file that cannot be read."""


def setting_named(name: str) -> Declared:
    """Raises `BadSetting`, with the nearest name."""
    import difflib

    from .values import REMOVED, declared

    known = {".".join(setting.path): setting for setting in declared()}
    name = name.removeprefix("texgeist.")
    if name in REMOVED:
        raise BadSetting(f"This setting was removed: {name}.", REMOVED[name])
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        help_ = f"Did you mean {near[0]}?" if near else "`texgeist config show` lists them."
        raise BadSetting(f"There is no setting {name}.", help_)
    return known[name]


def value_of(text: str) -> Any:
    """`text` as a shell hands it over: a number, true, false, a list as TOML writes it; else a word."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def set_in(file: Path, name: str, text: str | None) -> str:
    """Sets one setting in the file, or with None takes it out. Returns the value as it is read now, "" for a setting
    that was removed from texgeist and is taken out.

    Raises `BadSetting`, and leaves the file as it was."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    from .values import REMOVED, read_settings

    gone = text is None and name.removeprefix("texgeist.") in REMOVED
    group, key = name.removeprefix("texgeist.").split(".") if gone else setting_named(name).path
    try:
        old = file.read_text("utf-8") if file.exists() else ""
        document = tomlkit.parse(old)
    except (OSError, UnicodeDecodeError, TOMLKitError) as error:
        raise BadSetting(f"{file} cannot be read ({error}).", "Correct the file, or move it away.") from error
    table = document.setdefault(group, tomlkit.table())
    if not isinstance(table, dict):
        raise BadSetting(f"[{group}] in {file} is not a table.", "Correct the file, or move it away.")
    if text is None:
        table.pop(key, None)
    else:
        table[key] = _fitting(group, key, text)
    _replace(file, tomlkit.dumps(document))
    return "" if gone else shown(read_settings(tomllib.loads(file.read_text("utf-8")))[0], (group, key))


def _fitting(group: str, key: str, text: str) -> Any:
    """The value as it was meant: `2020` is a number for one setting and a word for another."""
    from .values import read_settings

    problems: list[str] = []
    for value in (value_of(text), text):
        _, found = read_settings({group: {key: value}})
        if not found:
            return value
        problems += found
    raise BadSetting(problems[0].replace(" The default is used.", ""), "Nothing was changed.")


def shown(settings: Settings, path: tuple[str, str]) -> str:
    dumped: Mapping[str, Any] = settings.model_dump(by_alias=True, mode="json")
    return json.dumps(dumped[path[0]][path[1]], ensure_ascii=False)


def _replace(file: Path, text: str) -> None:
    """Whole or not at all; where the file is a link, what it leads to. Who may read it stays as it is."""
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
