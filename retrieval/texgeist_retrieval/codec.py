"""The line's values as plain data and back: how a `Query` reaches the worker and a `Result` comes from it.

What travels is every field but those marked `STAYS` (vectors, the candidates of a search). Both ends are
processes of one installation; what a stranger may have written is read by a gate of its own.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from numbers import Integral, Real
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def to_plain(value: Any) -> Any:
    """`value` in what JSON knows. Sets are sorted, so that equal values give equal text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in fields(value) if _travels(f.metadata)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(one) for key, one in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [to_plain(one) for one in value]
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):  # numpy's numbers too
        return float(value)
    raise TypeError(f"{type(value).__name__} does not travel")


def from_plain(kind: type[T], data: Any) -> T:
    """The value of type `kind` that `to_plain` took apart, also after a way through `json`."""
    made: T = _made(kind, data)
    return made


def _made(kind: Any, data: Any) -> Any:
    if data is None:
        return None
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        return kind(**{name: _made(hints[name], value) for name, value in data.items()})
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _made(next(one for one in inner if one is not types.NoneType), data)
    if origin is tuple:
        kinds = (inner[0],) * len(data) if inner[-1] is Ellipsis else inner
        return tuple(_made(one, value) for one, value in zip(kinds, data, strict=True))
    if origin is frozenset:
        return frozenset(data)
    return data


def _travels(metadata: Mapping[Any, Any]) -> bool:
    return bool(metadata.get("travels", True))


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
