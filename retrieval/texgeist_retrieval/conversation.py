"""A conversation with a model that may call tools, independent of the provider."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a model may call. `schema` is an object schema; all its properties are required."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as made by the model; neither name nor arguments are checked."""

    id: str
    name: str
    given: Mapping[str, Any] = field(default_factory=dict)
    broken: bool = False  # True if the arguments are not a JSON object


@dataclass(frozen=True, slots=True)
class Asked:
    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """The model's turn. `raw` is the turn in the provider's format. It is sent back unchanged, because
    providers sign the model's thinking and require it before the calls that follow from it."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    raw: Any = None


@dataclass(frozen=True, slots=True)
class Results:
    """The results of the calls, in order: (id of the call, text)."""

    results: tuple[tuple[str, str], ...]


Turn = Asked | Said | Results
