"""Values as plain data and back: how a request reaches the worker, an answer comes from it, and caches keep them.

What travels is every field but those marked `STAYS` (vectors, the candidates of a search). What comes back is
validated against the type that is expected.
"""

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
    """`value` in JSON's types. Sets are sorted, so that equal values give equal text."""
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
    if isinstance(value, Real):  # numpy's numbers too
        return float(value)
    raise TypeError(f"{type(value).__name__} does not travel")


def from_plain(kind: type[T], data: Any) -> T:
    """The value of type `kind` that `to_plain` made plain, also after a round trip through `json`. Raises ValueError
    for data that is no such value."""
    known: Any = kind
    made: T = _adapter(known).validate_python(data)
    return made


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)
