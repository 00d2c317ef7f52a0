"""JSON schemas with closed keys: evidence ids and papers are enumerations, so nothing else can be named.
Services do not enforce every keyword (lengths, counts), so `checks` validates each answer again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Every property is required, because providers' strict modes accept nothing else."""
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
ENDS = ("finding", "works that part ways", "open question", "what the draft takes over", "contrast", "gap")
"""The kinds of paragraph endings, chosen before writing; otherwise all paragraphs end in the same way."""


def section_schema(evidence: Sequence[str], papers: Sequence[str], outlined: bool = False) -> Schema:
    """Paragraphs of sentences with ids from `evidence`; the `papers` left out, with reasons.

    With `outlined` the answer begins with its outline, and with the place of each statement of the draft,
    which improves the order and avoids omissions."""
    paragraph = object_of({"theme": TEXT, "sentences": _array(sentence_schema(evidence))})
    point = object_of(
        {
            "theme": TEXT,
            "point": TEXT,
            "papers": _array(_one_of(papers)),
            "tell": TEXT,
            "end": _one_of(ENDS),
            "next": TEXT,
        }
    )
    statement = object_of({"says": TEXT, "paragraph": {"type": "integer"}})
    statements = {**_array(statement), "maxItems": 24}
    first = {"outline": _array(point), "statements": statements} if outlined else {}
    return object_of({**first, "paragraphs": _array(paragraph), "unused": _unused(papers)})


def draft_schema(evidence: Sequence[str], own: Sequence[str]) -> Schema:
    """Paragraphs of sentences on evidence and on the author's `own` passages; `needs`: statements that
    neither supports."""
    paragraph = object_of({"theme": TEXT, "sentences": _array(sentence_schema(evidence, own))})
    return object_of({"paragraphs": _array(paragraph), "needs": _array(TEXT)})


def sentence_schema(evidence: Sequence[str], own: Sequence[str] = ()) -> dict[str, Any]:
    """`more`: further parts of the sentence, each with the evidence cited at its end and the author's
    passages that support it."""
    ids = _array(_one_of(evidence))
    authors = {"own": _array(_one_of(own))} if own else {}
    part = object_of({"text": TEXT, "evidence": ids, **authors})
    first = {"lead": TEXT, "text": TEXT, "evidence": ids, "textual": {"type": "boolean"}}
    return object_of({**first, **authors, "more": _array(part)})


def repair_schema(evidence: Sequence[str], papers: Sequence[str], own: Sequence[str] = ()) -> Schema:
    """Sentences that replace numbered ones, or that are added after one."""
    given = sentence_schema(evidence, own)["properties"]
    mended = object_of({"number": {"type": "integer"}, "added": {"type": "boolean"}, **given})
    return object_of({"sentences": _array(mended), "unused": _unused(papers)})


def plan_schema(papers: Sequence[str]) -> Schema:
    """Themes in the order of the section, each with its papers, and the papers left out."""
    theme = object_of({"title": TEXT, "papers": _array(_one_of(papers))})
    return object_of({"themes": _array(theme), "unused": _unused(papers)})


def summary_schema(evidence: Sequence[str]) -> Schema:
    """A paper's relation to the draft, and for each passage its relevance (0 to 10) and the reason."""
    passage = object_of({"id": _one_of(evidence), "relevance": {"type": "integer"}, "supports": TEXT})
    return object_of({"summary": TEXT, "passages": _array(passage)})


def relevance_schema() -> Schema:
    """The reason why a passage matters, and its relevance (0 to 1)."""
    return object_of({"summary": TEXT, "relevance": {"type": "number"}})


def relevances_schema(ids: Sequence[str]) -> Schema:
    """The same for several passages, by id."""
    passage = object_of({"id": _one_of(ids), "summary": TEXT, "relevance": {"type": "number"}})
    return object_of({"passages": {**_array(passage), "maxItems": len(ids)}})


def _unused(papers: Sequence[str]) -> dict[str, Any]:
    """The limit is the number of papers, since a search may find more off-topic papers than `bounded` allows."""
    return {**_array(object_of({"paper": _one_of(papers), "reason": TEXT})), "maxItems": len(papers)}


def bounded(schema: Any, most: int = 12) -> Any:
    """Sets a maximum for every list without one, because small models may repeat an item forever."""
    if not isinstance(schema, Mapping):
        return [bounded(item, most) for item in schema] if isinstance(schema, list) else schema
    inner = {key: bounded(value, most) for key, value in schema.items()}
    return {"maxItems": most, **inner} if inner.get("type") == "array" else inner
