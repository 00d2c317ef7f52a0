"""What the fields of a collection may be in Milvus; of another kind a field is as if it were not there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import IndexMismatch

TEXTS, VECTORS = ("VARCHAR",), ("FLOAT_VECTOR",)
NUMBERS = ("INT64", "INT32", "INT16", "INT8")
KINDS = {
    "topic": (*TEXTS, *NUMBERS),
    "published": NUMBERS,
    "categories": ("ARRAY",),
    "hash": TEXTS,
    "paper": ("JSON",),
}
_NEEDED = {"id": TEXTS, "embedding": VECTORS}


def kind_of(field: dict[str, Any] | None) -> str:
    """The name of a field's type, "" for a field that is not there."""
    return str(getattr(field["type"], "name", field["type"])) if field else ""


def check_needed(fields: Mapping[str, dict[str, Any]], where: str) -> None:
    """Raises `IndexMismatch` where what no search can do without is missing, or of another kind."""
    help_text = "Name a collection that texgeist or Citegeist made."
    if not fields.keys() >= _NEEDED.keys():
        raise IndexMismatch(f"{where[:1].upper()}{where[1:]} has no fields `id` and `embedding`.", help_text)
    for name, kinds in _NEEDED.items():
        if (kind := kind_of(fields[name])) not in kinds:
            said = f"The field `{name}` of {where} is of the type {kind}, and should be {kinds[0]}."
            raise IndexMismatch(said, help_text)
