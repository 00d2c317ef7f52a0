"""The closed-key contract as JSON schemas: evidence and papers are enumerations, nothing else can be named.

Services do not enforce every keyword (lengths, counts), so `checks` looks at each answer again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Schema = Mapping[str, Any]


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Every property is required: strict modes of providers accept nothing else."""
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
"""On what a paragraph of a section ends, named before it is written: else all end on the same turn."""


def section_schema(evidence: Sequence[str], papers: Sequence[str], outlined: bool = False) -> Schema:
    """Paragraphs of sentences, each with ids from `evidence`; `papers` that were left out, with reasons.
    With `outlined` the answer begins with its outline, and with where each statement of the draft will
    stand: what is planned first is better ordered, and nothing of the draft is forgotten."""
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
    """Paragraphs of sentences on evidence, and on the author's `own` passages; `needs`: what neither says."""
    paragraph = object_of({"theme": TEXT, "sentences": _array(sentence_schema(evidence, own))})
    return object_of({"paragraphs": _array(paragraph), "needs": _array(TEXT)})


def sentence_schema(evidence: Sequence[str], own: Sequence[str] = ()) -> dict[str, Any]:
    """`more`: further parts of the sentence, each with the evidence that is cited at its end, and with the author's
    passages that it stands on."""
    ids = _array(_one_of(evidence))
    authors = {"own": _array(_one_of(own))} if own else {}
    part = object_of({"text": TEXT, "evidence": ids, **authors})
    first = {"lead": TEXT, "text": TEXT, "evidence": ids, "textual": {"type": "boolean"}}
    return object_of({**first, **authors, "more": _array(part)})


def repair_schema(evidence: Sequence[str], papers: Sequence[str], own: Sequence[str] = ()) -> Schema:
    """Sentences in place of the numbered ones that were rejected, or added behind one."""
    given = sentence_schema(evidence, own)["properties"]
    mended = object_of({"number": {"type": "integer"}, "added": {"type": "boolean"}, **given})
    return object_of({"sentences": _array(mended), "unused": _unused(papers)})


def plan_schema(papers: Sequence[str]) -> Schema:
    """Themes in the order of the section, each with its papers, and the papers that fit none."""
    theme = object_of({"title": TEXT, "papers": _array(_one_of(papers))})
    return object_of({"themes": _array(theme), "unused": _unused(papers)})


def summary_schema(evidence: Sequence[str]) -> Schema:
    """What a paper is to the draft, and for each passage how much it matters (0 to 10) and why."""
    passage = object_of({"id": _one_of(evidence), "relevance": {"type": "integer"}, "supports": TEXT})
    return object_of({"summary": TEXT, "passages": _array(passage)})


def relevance_schema() -> Schema:
    """Why one passage matters, and how much (0 to 1)."""
    return object_of({"summary": TEXT, "relevance": {"type": "number"}})


def relevances_schema(ids: Sequence[str]) -> Schema:
    """The same of several passages, each under its id."""
    passage = object_of({"id": _one_of(ids), "summary": TEXT, "relevance": {"type": "number"}})
    return object_of({"passages": {**_array(passage), "maxItems": len(ids)}})


def _unused(papers: Sequence[str]) -> dict[str, Any]:
    """As many as there are: a search may bring more that are off the subject than lists else have."""
    return {**_array(object_of({"paper": _one_of(papers), "reason": TEXT})), "maxItems": len(papers)}


def bounded(schema: Any, most: int = 12) -> Any:
    """The schema with an end to every list that has none, for small models that else repeat an item for ever."""
    if not isinstance(schema, Mapping):
        return [bounded(item, most) for item in schema] if isinstance(schema, list) else schema
    inner = {key: bounded(value, most) for key, value in schema.items()}
    return {"maxItems": most, **inner} if inner.get("type") == "array" else inner
