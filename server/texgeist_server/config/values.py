"""The declared settings, and how they are validated from plain data of an editor, a workspace or the user's
file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from .settings import MACHINE, Group, Settings

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
            machine = model.machine or field.json_schema_extra == MACHINE
            yield Declared((to_camel(group_name), to_camel(name)), field, machine)


_LONGEST = 60  # characters of a value in a message
CLIENTS_OWN = frozenset({"server", "trace"})  # settings that an editor uses to start the server
_REMOVED = {  # settings that cannot be ignored without harm, and what to do instead
    "texgeist.storage": "name the folder in the environment variable TEXGEIST_DATA",
    "texgeist.papers.fullText": 'to fetch no papers from arXiv, set texgeist.papers.arxiv to "never"',
}


def read_settings(
    user: Mapping[str, Any], workspace: Mapping[str, Any] | None = None
) -> tuple[Settings, list[str]]:
    """Validates settings from plain data. Returns also a message for each rejected value.

    A rejected value does not affect others: its default is used. Of a list, only the rejected items are left out.
    """
    problems: list[str] = []
    merged = _plain(user)
    for path, value in _leaves(_plain(workspace or {})):
        if path in _machine_paths():
            problems.append(
                f"texgeist.{'.'.join(path)} is not taken from a workspace: set it in your own settings."
            )
        elif len(path) == 1:  # in place of a group, it would replace the machine settings of this group too
            problems.append(f"There is no setting texgeist.{path[0]}; it is ignored.")
        else:
            _put(merged, path, value)
    try:
        return Settings.model_validate(merged), problems
    except ValidationError as error:
        rejected: dict[tuple[str, ...], list[ErrorDetails]] = {}
        for detail in error.errors(include_url=False):
            rejected.setdefault(tuple(str(part) for part in detail["loc"][:2]), []).append(detail)
    for path, details in rejected.items():
        items = [detail for detail in details if isinstance(detail["loc"][-1], int)]
        _drop(merged, path, {detail["loc"][-1] for detail in items})
        problems.append(_sentence(f"texgeist.{'.'.join(path)}", items or details, bool(items)))
    return Settings.model_validate(merged), problems


def _sentence(name: str, details: Sequence[ErrorDetails], items: bool) -> str:
    """What is wrong with a value, or with `items` of its list, and what is done instead. If a setting has several
    possible types, `details` contains an error for each type."""
    first, *others = (detail["msg"] for detail in details)
    if items:
        words = ", ".join(repr(str(detail["input"])[:_LONGEST]) for detail in details[:5])
        return f"{name} does not take {words}. The other values are used."
    if details[0]["type"] == "extra_forbidden":
        return f"There is no setting {name}; {_REMOVED.get(name, 'it is ignored')}."
    if details[0]["type"] == "tuple_type":
        first = "Input should be a list, such as ['a', 'b']"
    reason = ", or ".join([first, *(f"{other[:1].lower()}{other[1:]}" for other in others)])
    return f"{name}: {reason}. The default is used."


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


def _drop(data: dict[str, Any], path: tuple[str, ...], items: set[str | int]) -> None:
    """Removes the value at `path`, or only the rejected `items` of a list."""
    for part in path[:-1]:
        data = data[part]
    value = data.pop(path[-1])
    if items:
        data[path[-1]] = [item for at, item in enumerate(value) if at not in items]


def _leaves(data: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, value in data.items():
        if isinstance(value, Mapping) and not path:
            yield from _leaves(value, (name,))
        else:
            yield (*path, name), value


def _machine_paths() -> frozenset[tuple[str, ...]]:
    return frozenset(setting.path for setting in declared() if setting.machine)
