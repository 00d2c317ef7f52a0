"""JSON schemas with closed keys: evidence ids and papers are enumerations, so nothing else can be named.
Services do not enforce every keyword (lengths, counts), so `checks` validates each answer again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object. Every property is required, because providers' strict modes accept nothing
    else."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(items)}


def _one_of(ids: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(ids)}


TEXT: Schema = {"type": "string"}


def text_schema(needs: bool = False) -> Schema:
    """The schema of a written section: a plan with a line for each paragraph, then the text with citations as
    `[id]`. The ids are checked when the answer is read. `needs`: True adds a list of requests to the
    author."""
    return object_of({"plan": _array(TEXT), "section": TEXT} | ({"needs": _array(TEXT)} if needs else {}))


def summary_schema(evidence: Sequence[str]) -> Schema:
    """The schema of a summary: the paper's relation to the draft, and for each passage its relevance (0 to
    10) and the reason."""
    passage = object_of({"id": _one_of(evidence), "relevance": {"type": "integer"}, "supports": TEXT})
    return object_of({"summary": TEXT, "passages": _array(passage)})


def relevances_schema(ids: Sequence[str]) -> Schema:
    """The schema of ratings of passages, by id: the reason why a passage matters, and its relevance (0 to
    1)."""
    passage = object_of({"id": _one_of(ids), "summary": TEXT, "relevance": {"type": "number"}})
    return object_of({"passages": {**_array(passage), "maxItems": len(ids)}})


def bounded(schema: Any, most: int = 12) -> Any:
    """The schema with a maximal length for every list that has none, because small models may repeat an item
    forever."""
    if not isinstance(schema, Mapping):
        return [bounded(item, most) for item in schema] if isinstance(schema, list) else schema
    inner = {key: bounded(value, most) for key, value in schema.items()}
    return {"maxItems": most, **inner} if inner.get("type") == "array" else inner
