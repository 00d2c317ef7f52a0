"""Converts values to plain data and back, for requests to the worker process, its answers, and caches.

Fields marked `STAYS` (vectors, the candidates of a search) are left out. Data is validated against the
expected type when it is converted back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


def to_plain(value: Any) -> Any:
    """`value` as JSON types. Sets are sorted, so that equal values yield equal text."""
    if is_dataclass(value) and not isinstance(value, type):
        travelling = (f.name for f in fields(value) if f.metadata.get("travels", True))
        return {name: to_plain(getattr(value, name)) for name in travelling}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [to_plain(item) for item in value]
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):  # including numpy's numbers
        return float(value)
    raise TypeError(f"{type(value).__name__} does not travel")


def from_plain(kind: type[T], data: Any) -> T:
    """Converts a result of `to_plain`, or its JSON, back to a `kind`. Raises ValueError for invalid data."""
    known: Any = kind
    made: T = _adapter(known).validate_python(data)
    return made


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
