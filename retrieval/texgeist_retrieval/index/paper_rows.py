"""The fields of a paper in a collection.

    id          VARCHAR, primary key: the arXiv id, `doi:…` or `bib:…`
    embedding   FLOAT_VECTOR, cosine: the abstract alone, as in Citegeist's hosted collection
    topic       VARCHAR
    published   INT64, as in 20240131; month and day are 00 if unknown; 0 if the year is unknown
    categories  ARRAY of VARCHAR: the arXiv categories and their archives (cs.CL and cs)
    hash        VARCHAR, SHA-256 of the source's record
    paper       JSON, all metadata

The hosted collection of Citegeist's authors has id (50 bytes), embedding, hash, and topic as INT64, a number
without a name."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from ..errors import IndexMismatch
from ..sources.admission import (
    CATEGORY_BYTES,
    HASH_BYTES,
    ID_BYTES,
    TOPIC_BYTES,
    NotAdmitted,
    admit,
    fields_of,
)
from ..types import Candidate, Filters, Paper, Vector

MOST_CATEGORIES = 100  # of a paper, including the archives


def collection_schema(client: Any, dimension: int, description: str) -> Any:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False, description=description)
    schema.add_field("id", DataType.VARCHAR, max_length=ID_BYTES, is_primary=True)
    schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=dimension)
    schema.add_field("topic", DataType.VARCHAR, max_length=TOPIC_BYTES)
    schema.add_field("published", DataType.INT64)
    schema.add_field(
        "categories",
        DataType.ARRAY,
        element_type=DataType.VARCHAR,
        max_capacity=MOST_CATEGORIES,
        max_length=CATEGORY_BYTES,
    )
    schema.add_field("hash", DataType.VARCHAR, max_length=HASH_BYTES)
    schema.add_field("paper", DataType.JSON)
    return schema


def to_row(paper: Paper, vector: Vector, digest: str, present: Collection[str]) -> dict[str, Any]:
    """A row with the fields that the collection has (`present`). The paper has passed `admission`."""
    own: dict[str, Any] = {
        "topic": paper.topic,
        "published": date_number(paper),
        "categories": with_archives(paper),
        "hash": digest,
        "paper": to_json(paper),
    }
    row = {name: value for name, value in own.items() if name in present}
    return {"id": paper.id, "embedding": vector, **row}


def to_json(paper: Paper) -> dict[str, Any]:
    """All metadata; empty fields are left out, except authors and abstract."""
    known = {name: value for name, value in fields_of(paper).items() if value not in ("", None, ())}
    return known | {"authors": paper.authors, "abstract": paper.abstract}


def from_row(row: Mapping[str, Any]) -> Paper:
    """The paper of a row; it has only an id if the collection stores no metadata. Raises `NotAdmitted` for an
    invalid record, because the index may come from others."""
    known = row.get("paper") or {}
    if isinstance(known, str | bytes):
        known = _parsed(known)
    topic = row.get("topic")
    topic = str(topic) if isinstance(topic, int) else topic
    said = known if isinstance(known, Mapping) else {}
    return admit({"title": "", **said, "id": row["id"], "topic": topic})


def found_in(row: Mapping[str, Any]) -> Paper | None:
    """The paper of a search result. If its record is invalid, the paper has only an id, as in a collection
    without metadata; if the id is also invalid, returns None."""
    try:
        return from_row(row)
    except NotAdmitted:
        pass
    try:
        return admit({"id": row["id"]})
    except NotAdmitted:
        return None


def readable(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Paper, Mapping[str, Any]]]:
    """The rows with a valid record, as pairs (paper, row)."""
    for row in rows:
        try:
            yield from_row(row), row
        except NotAdmitted:
            continue


def _parsed(text: str | bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def date_number(paper: Paper) -> int:
    digits = paper.published[:10].replace("-", "")
    if not digits.isdigit() and paper.year:
        digits = f"{paper.year:04}"
    return int(digits.ljust(8, "0")) if digits.isdigit() else 0


def with_archives(paper: Paper) -> list[str]:
    """Adds archives: `cs.CL` yields `cs.CL` and `cs`, so that a filter may name either."""
    names = dict.fromkeys(filter(None, (paper.primary, *paper.categories)))
    archives = dict.fromkeys(name.partition(".")[0] for name in names)
    return [*names, *(archive for archive in archives if archive and archive not in names)][:MOST_CATEGORIES]


def filter_expression(filters: Filters, present: Collection[str], numbered: bool = False) -> str:
    """Milvus' boolean expression for the filters; "" if there are none. Filters for fields that the
    collection lacks (`present`) are left out. `numbered`: True if the collection's topics are numbers; then
    raises `ValueError` for a topic that is not a number."""
    terms: list[str] = []
    if "published" in present:
        if filters.since:
            terms.append(f"published >= {_first_day(filters)}")
        if filters.until:
            terms.append(f"published > 0 and published <= {_last_day(filters)}")
    if filters.categories and "categories" in present:
        terms.append(f"array_contains_any(categories, {strings(filters.categories)})")
    if filters.topics and "topic" in present:
        topics = (
            json.dumps([topic_number(topic) for topic in filters.topics])
            if numbered
            else strings(filters.topics)
        )
        terms.append(f"topic in {topics}")
    return " and ".join(terms)


def topic_number(topic: str) -> int:
    """The topic as a number. Raises `ValueError` if it is not a 64-bit integer."""
    number = int(topic)
    if not -(2**63) <= number < 2**63:
        raise ValueError(topic)
    return number


def unapplied(filters: Filters, present: Collection[str]) -> Filters:
    """The filters that `filter_expression` leaves out, because the collection has no fields for them."""
    return Filters(
        since="" if "published" in present else filters.since,
        until="" if "published" in present else filters.until,
        categories=() if "categories" in present else filters.categories,
        topics=() if "topic" in present else filters.topics,
    )


def is_within(paper: Paper, filters: Filters) -> bool:
    """Whether a paper passes the filters, as in `filter_expression`. A paper without date or topic passes no
    filter for it."""
    day = date_number(paper)
    if filters.since and day < _first_day(filters):
        return False
    if filters.until and not 0 < day <= _last_day(filters):
        return False
    if filters.topics and paper.topic not in filters.topics:
        return False
    return not filters.categories or bool(set(filters.categories) & set(with_archives(paper)))


def _first_day(filters: Filters) -> int:
    return int(filters.since.replace("-", "").ljust(8, "0"))


def _last_day(filters: Filters) -> int:
    return int(filters.until.replace("-", "").ljust(8, "9"))


def id_expression(ids: Collection[str]) -> str:
    return f"id in {strings(ids)}"


def strings(values: Collection[str]) -> str:
    return json.dumps(list(values), ensure_ascii=False)


def candidates_of(hits: Iterable[Any], query: int, seen: dict[str, tuple[Paper, Vector]]) -> list[Candidate]:
    """The candidates of one search. `seen`: caches the papers and vectors read from rows, because searches
    share most papers."""
    candidates: list[Candidate] = []
    for hit in hits:
        id, similarity = str(hit["id"]), float(hit["distance"])
        if id not in seen:
            entity = hit["entity"]
            if (paper := found_in({**entity, "id": id})) is None:
                continue
            seen[id] = paper, np.asarray(entity["embedding"], dtype=np.float32)
        paper, vector = seen[id]
        candidates.append(Candidate(paper, similarity, 0, query, similarity, vector=vector))
    return candidates


# Accepted Milvus types of each field; a field of another type is treated as missing.

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
    return str(getattr(field["type"], "name", field["type"])) if field else ""


def check_needed(fields: Mapping[str, dict[str, Any]], where: str) -> None:
    """Raises `IndexMismatch` if a field that every search needs is missing or has another type."""
    help_text = "Name a collection that texgeist or Citegeist made."
    if not fields.keys() >= _NEEDED.keys():
        raise IndexMismatch(f"{where[:1].upper()}{where[1:]} has no fields `id` and `embedding`.", help_text)
    for name, kinds in _NEEDED.items():
        if (kind := kind_of(fields[name])) not in kinds:
            said = f"The field `{name}` of {where} is of the type {kind}, and should be {kinds[0]}."
            raise IndexMismatch(said, help_text)
