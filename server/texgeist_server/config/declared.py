"""The settings one by one, for what lists them: the manifest, the documents, `texgeist config`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from .settings import Group, Settings


@dataclass(frozen=True, slots=True)
class Declared:
    """One setting as declared: `path` in camelCase ("relatedWork.breadth")."""

    path: tuple[str, str]
    field: FieldInfo
    machine: bool


def declared() -> Iterator[Declared]:
    """Every setting, in the order of declaration."""
    for group_name, group in Settings.model_fields.items():
        model = group.annotation
        assert isinstance(model, type) and issubclass(model, Group)
        for name, field in model.model_fields.items():
            extra = field.json_schema_extra
            machine = isinstance(extra, dict) and extra.get("scope") == "machine"
            yield Declared((to_camel(group_name), to_camel(name)), field, machine)
