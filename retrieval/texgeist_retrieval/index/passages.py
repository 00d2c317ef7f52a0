"""Passages of full papers in Milvus, in a collection beside that of the abstracts.

id         VARCHAR, primary key: the paper's id, "#", and the place
paper      VARCHAR: the id of the paper, whose metadata is in the collection of abstracts
section    VARCHAR: its type, see `SectionType`
heading    VARCHAR: as printed
place      INT64, in the paper, from 1
page       INT64, 0 if unknown
text       VARCHAR
embedding  FLOAT_VECTOR, always the same: Milvus needs one. The vectors are beside the snapshot that is
           searched (`passage_vectors`), because they take hours to compute, and come one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast, get_args

import numpy as np

from ..errors import IndexMissing
from ..sources.admission import ID_BYTES, clean_line, clean_lines
from ..types import Passage, SectionType
from . import place_of, way_to
from .collection import Collection
from .paper_rows import NUMBERS, TEXTS, strings

LEAST_DIMENSION = 2  # the least that Milvus accepts
MOST = 100_000  # a larger page or place is invalid
TEXT_BYTES, HEADING_BYTES, SECTION_BYTES = 65_535, 1_000, 32
KINDS = {
    "paper": TEXTS,
    "section": TEXTS,
    "heading": TEXTS,
    "place": NUMBERS,
    "page": NUMBERS,
    "text": TEXTS,
}
SECTIONS: tuple[SectionType, ...] = get_args(SectionType)


def collection_of(abstracts: str) -> str:
    """The name of the passages' collection for a collection of abstracts."""
    return "passages" if abstracts == "abstracts" else f"{abstracts}_passages"


def open_passages(
    location: str,
    *,
    token: str = "",
    collection: str = "abstracts",
    create: bool = False,
    writable: bool = False,
) -> PassageIndex:
    """Opens the passages that belong to the abstracts of `collection`. Raises the errors of `open_index`, for
    example `IndexMissing` if no full paper was ever added."""
    name = collection_of(collection)
    try:
        connecting, place, local = way_to(location, token, create)
        return PassageIndex(
            connecting, place, name, "", LEAST_DIMENSION, create=create, writable=writable, local=local
        )
    except IndexMissing:
        raise IndexMissing(
            f"The index at {place_of(location)} holds no full papers, so there are no passages to search.",
            "Put some in: `texgeist index add` with full papers as JSON lines, or with PDFs.",
        ) from None


class PassageIndex(Collection):
    """The collection of passages."""

    _fields = tuple(KINDS)
    _kinds = KINDS
    _description = "texgeist, passages"

    @staticmethod
    def _schema(client: Any, dimension: int, description: str) -> Any:
        from pymilvus import DataType

        schema = client.create_schema(auto_id=False, enable_dynamic_field=False, description=description)
        schema.add_field("id", DataType.VARCHAR, max_length=ID_BYTES + 16, is_primary=True)
        schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=dimension)
        schema.add_field("paper", DataType.VARCHAR, max_length=ID_BYTES)
        schema.add_field("section", DataType.VARCHAR, max_length=SECTION_BYTES)
        schema.add_field("heading", DataType.VARCHAR, max_length=HEADING_BYTES)
        schema.add_field("place", DataType.INT64)
        schema.add_field("page", DataType.INT64)
        schema.add_field("text", DataType.VARCHAR, max_length=TEXT_BYTES)
        return schema

    def passages(self) -> Iterator[Passage]:
        """All passages of the index."""
        return (passage_of(row) for row in self._scan([*self._fields]))

    def count_by_paper(self) -> Counter[str]:
        """The number of passages of each paper; reads all rows."""
        return Counter(str(row["paper"]) for row in self._scan(["paper"]))

    def put(self, passages: Sequence[Passage]) -> None:
        """Inserts passages, or replaces them by paper and place."""
        self.check_writable()
        constant = np.eye(1, self._dimension, dtype=np.float32)[0]
        self._upsert([_row(passage) | {"embedding": constant} for passage in passages])

    def remove(self, papers: Sequence[str]) -> None:
        """Removes all passages of these papers."""
        self.check_writable()
        self._delete(papers, lambda part: f"paper in {strings(part)}")


def _row(passage: Passage) -> dict[str, Any]:
    return {
        "id": f"{passage.paper_id}#{passage.place}",
        "paper": passage.paper_id,
        "section": passage.section or "other",
        "heading": _cut(passage.heading, HEADING_BYTES),
        "place": passage.place,
        "page": passage.page or 0,
        "text": _cut(passage.text, TEXT_BYTES),
    }


def _cut(text: str, most: int) -> str:
    data = text.encode()
    return text if len(data) <= most else data[:most].decode(errors="ignore")


def passage_of(row: Mapping[str, Any]) -> Passage:
    """The passage of a row. The index may come from others, so invalid values count as missing."""
    section = row.get("section")
    return Passage(
        str(row.get("paper") or ""),
        _count(row.get("page")) or None,
        clean_lines(str(row.get("text") or "")),
        None,
        cast("SectionType", section) if section in SECTIONS else "other",
        clean_line(str(row.get("heading") or "")),
        _count(row.get("place")),
    )


def _count(value: object) -> int:
    """The value if it is a valid page or place, else 0."""
    return value if type(value) is int and 0 < value < MOST else 0
