"""The declared settings, and how they are validated from plain data of an editor, a workspace or the user's
file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from .settings import Group, Settings

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared setting; `path` is in camelCase ("relatedWork.breadth")."""

    path: tuple[str, str]
    field: FieldInfo
    machine: bool


def declared() -> Iterator[Declared]:
    """All settings, in the order of declaration."""
    for group_name, group in Settings.model_fields.items():
        model = group.annotation
        assert isinstance(model, type) and issubclass(model, Group)
        for name, field in model.model_fields.items():
            extra = field.json_schema_extra
            machine = isinstance(extra, dict) and extra.get("scope") == "machine"
            yield Declared((to_camel(group_name), to_camel(name)), field, machine)


_LONGEST = 60  # characters of a value in a message
CLIENTS_OWN = frozenset({"server", "trace"})  # settings that an editor uses to start the server


def read_settings(
    user: Mapping[str, Any], workspace: Mapping[str, Any] | None = None
) -> tuple[Settings, list[str]]:
    """Validates settings from plain data. Returns also a message for each rejected value.

    A rejected value does not affect others: its default is used, and the message names its path.
    """
    problems: list[str] = []
    merged = _plain(user)
    for path, value in _leaves(_plain(workspace or {})):
        if path in _machine_paths():
            problems.append(
                f"texgeist.{'.'.join(path)} is not taken from a workspace: set it in your own settings."
            )
        else:
            _put(merged, path, value)
    return _validate(merged, problems)


def _validate(data: dict[str, Any], problems: list[str]) -> tuple[Settings, list[str]]:
    for _ in range(100):
        try:
            return Settings.model_validate(data), problems
        except ValidationError as error:
            found: dict[tuple[str, ...], list[ErrorDetails]] = {}
            for detail in error.errors(include_url=False):
                path = tuple(_camel(part) for part in detail["loc"] if isinstance(part, str))[:2]
                found.setdefault(path, []).append(detail)
            for path, details in found.items():
                if _drop(data, path):
                    problems.append(_sentence(path, details[0]["type"], _reason(details)))
    return Settings(), problems


def _reason(details: Sequence[ErrorDetails]) -> str:
    """The reason for rejecting a value. If a setting has several possible types, `details` contains an error
    for each type. In a list of allowed words, only the wrong word is named, because there may be dozens of
    allowed words."""
    first, kind, place = details[0]["msg"], details[0]["type"], details[0]["loc"][-1]
    if kind == "tuple_type":
        return "Input should be a list, such as ['a', 'b']"
    if isinstance(place, int) and kind == "literal_error":
        return f"{str(details[0]['input'])[:_LONGEST]!r} is not one of its values"
    if isinstance(place, int):
        return first
    return ", or ".join([first, *(f"{other['msg'][:1].lower()}{other['msg'][1:]}" for other in details[1:])])


def _sentence(path: tuple[str, ...], kind: str, message: str) -> str:
    name = ".".join(path)
    name = f"texgeist.{name}"
    if kind == "extra_forbidden":
        return f"There is no setting {name}; it is ignored."
    return f"{name}: {message}. The default is used."


def _camel(name: str) -> str:
    return to_camel(name) if "_" in name else name


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of `data` with camelCase names and without `null`. Dotted names ({"writer.model": "x"}) become
    nested."""
    plain: dict[str, Any] = {}
    for name, value in data.items():
        if value is None or name in CLIENTS_OWN:
            continue
        path = tuple(_camel(part) for part in str(name).removeprefix("texgeist.").split("."))
        _put(plain, path, _plain(value) if isinstance(value, Mapping) else value)
    return plain


def _put(data: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for part in path[:-1]:
        inner = data.setdefault(part, {})
        if not isinstance(inner, dict):
            inner = data[part] = {}
        data = inner
    old = data.get(path[-1])
    data[path[-1]] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value


def _drop(data: dict[str, Any], path: tuple[str, ...]) -> bool:
    """Removes the value at this path. Returns whether there was a value."""
    for part in path[:-1]:
        data = data.get(part, {})
        if not isinstance(data, dict):
            return False
    there = bool(path) and path[-1] in data
    data.pop(path[-1] if path else "", None)
    return there


def _leaves(data: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, value in data.items():
        if isinstance(value, Mapping) and not path:
            yield from _leaves(value, (name,))
        else:
            yield (*path, name), value


def _machine_paths() -> frozenset[tuple[str, ...]]:
    return frozenset(setting.path for setting in declared() if setting.machine)
