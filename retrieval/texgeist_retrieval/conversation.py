"""A conversation with a model that may call tools, in no provider's words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Tool:
    """What a model may call. `schema` is of an object, all of whose properties are required."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model made it: neither the name nor what is given has been checked."""

    id: str
    name: str
    given: Mapping[str, Any] = field(default_factory=dict)
    broken: bool = False  # what it gave is no JSON object


@dataclass(frozen=True, slots=True)
class Asked:
    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """What the model said. `raw` is the provider's own form of it, which goes back to it unchanged: thinking
    is signed, and has to stand before the calls that came of it."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    raw: Any = None


@dataclass(frozen=True, slots=True)
class Results:
    """What became of the calls: (id of the call, text), in their order."""

    results: tuple[tuple[str, str], ...]


Turn = Asked | Said | Results
