"""How a paper stands in a collection.

    id          VARCHAR, primary key: the arXiv id, `doi:…` or `bib:…`
    embedding   FLOAT_VECTOR, cosine: the abstract alone, as in Citegeist's hosted collection
    topic       VARCHAR
    published   INT64, 20240131; month and day 00 where unknown, 0 without a year
    categories  ARRAY of VARCHAR: the arXiv categories and their archives (cs.CL and cs)
    hash        VARCHAR, SHA-256 of the record that was taken in
    paper       JSON, all that is known

The hosted collection has the first three alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from ..types import Candidate, Filters, Paper, Vector

OWN_FIELDS = ("topic", "published", "categories", "hash", "paper")
MOST_AUTHORS = 500  # a JSON field holds 64 KB, and collaborations have 3,000 authors
MOST_ABSTRACT = 20_000  # characters
_NAMES = tuple(field.name for field in fields(Paper))
_TUPLES = frozenset({"authors", "categories", "files"})


def collection_schema(client: Any, dimension: int, description: str) -> Any:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False, description=description)
    schema.add_field("id", DataType.VARCHAR, max_length=256, is_primary=True)
    schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=dimension)
    schema.add_field("topic", DataType.VARCHAR, max_length=512)
    schema.add_field("published", DataType.INT64)
    schema.add_field(
        "categories", DataType.ARRAY, element_type=DataType.VARCHAR, max_capacity=100, max_length=64
    )
    schema.add_field("hash", DataType.VARCHAR, max_length=64)
    schema.add_field("paper", DataType.JSON)
    return schema


def to_row(paper: Paper, vector: Vector, digest: str, present: Collection[str]) -> dict[str, Any]:
    """A row with those of our fields that the collection has (`present`)."""
    own: dict[str, Any] = {
        "topic": paper.topic[:128],
        "published": date_number(paper),
        "categories": with_archives(paper),
        "hash": digest,
        "paper": to_json(paper),
    }
    row = {name: value for name, value in own.items() if name in present}
    return {"id": paper.id, "embedding": vector, **row}


def to_json(paper: Paper) -> dict[str, Any]:
    """All that is known, what is empty left out."""
    known = {name: value for name in _NAMES if (value := getattr(paper, name)) not in ("", None, ())}
    return known | {"authors": paper.authors[:MOST_AUTHORS], "abstract": paper.abstract[:MOST_ABSTRACT]}


def from_json(known: Mapping[str, Any]) -> Paper:
    """Unknown names are left out, so that a newer texgeist's index can be read."""
    values: dict[str, Any] = {name: value for name, value in known.items() if name in _NAMES}
    values |= {name: tuple(values[name]) for name in _TUPLES & values.keys()}
    return Paper(**values)


def from_row(row: Mapping[str, Any]) -> Paper:
    """The paper of a row; with an id alone where the collection holds no metadata."""
    known = row.get("paper") or {}
    if isinstance(known, str | bytes):
        known = json.loads(known)
    return from_json({"title": "", **known, "id": str(row["id"]), "topic": row.get("topic") or ""})


def date_number(paper: Paper) -> int:
    digits = paper.published[:10].replace("-", "")
    if not digits.isdigit() and paper.year:
        digits = str(paper.year)
    return int(digits.ljust(8, "0")) if digits.isdigit() else 0


def with_archives(paper: Paper) -> list[str]:
    """`cs.CL` as `cs.CL` and `cs`, so that a filter may name either."""
    names = dict.fromkeys(filter(None, (paper.primary, *paper.categories)))
    archives = dict.fromkeys(name.partition(".")[0] for name in names)
    return [name[:64] for name in [*names, *(a for a in archives if a not in names)]][:100]


def filter_expression(filters: Filters, present: Collection[str]) -> str:
    """Milvus' boolean expression for those limits that the collection has fields for; "" for none."""
    terms: list[str] = []
    if "published" in present:
        if filters.since:
            terms.append(f"published >= {filters.since.replace('-', '').ljust(8, '0')}")
        if filters.until:
            terms.append(f"published > 0 and published <= {filters.until.replace('-', '').ljust(8, '9')}")
    if filters.categories and "categories" in present:
        terms.append(f"array_contains_any(categories, {_strings(filters.categories)})")
    if filters.topics and "topic" in present:
        terms.append(f"topic in {_strings(filters.topics)}")
    return " and ".join(terms)


def id_expression(ids: Collection[str]) -> str:
    return f"id in {_strings(ids)}"


def _strings(values: Collection[str]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


def candidates_of(hits: Iterable[Any], query: int, seen: dict[str, tuple[Paper, Vector]]) -> list[Candidate]:
    """Rows of one search share most papers: what stands in `seen` is not read out of its row again."""
    candidates = []
    for rank, hit in enumerate(hits, 1):
        id, similarity = str(hit["id"]), float(hit["distance"])
        if id not in seen:
            entity = hit["entity"]
            seen[id] = from_row({"id": id, **entity}), np.asarray(entity["embedding"], dtype=np.float32)
        paper, vector = seen[id]
        candidates.append(Candidate(paper, similarity, rank, query, similarity, vector=vector))
    return candidates
