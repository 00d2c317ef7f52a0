"""Papers of OpenAlex or Crossref with an abstract, as a source of an index: for the fields that arXiv has not.

What is asked for is words, or a filter in the registry's own language (`primary_location.source.id:S123`,
`issn:0010-4620`); nothing else is sent. Both give long lists page by page, by a cursor
(https://docs.openalex.org/how-to-use-the-api/get-lists-of-entities/paging,
https://api.crossref.org/swagger-ui/index.html), the nearest to the words first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING

from ..harvest.records import Record
from ..ports import Monitor
from . import crossref, openalex
from .registered import AskedWorks, Registered, dig, json_of

if TYPE_CHECKING:
    from ..network.source_client import SourceClient

PAGE = 200
MOST = 5_000  # papers of a query: what comes later lies far from its words
_FILTER = re.compile(r"[a-z][\w.-]*:\S")


class WorksQuery(AskedWorks):
    """`position` of `size` as in other sources. After the iteration `until` is the day up to which the next run
    need not ask again, "" where all of it is asked for again."""

    largest = 64 << 20

    def __init__(
        self, client: SourceClient, address: str, text: str, since: str, monitor: Monitor | None
    ) -> None:
        super().__init__(client, address)
        self._text, self._since, self._monitor = text, since, monitor
        self.position = 0
        self.size: int | None = None
        self.until = ""

    def __iter__(self) -> Iterator[Record]:
        cursor = "*"
        while cursor and self.position < MOST:
            body = self._client.get(self._address, self._page(cursor), self.largest, self._monitor)
            works, cursor = self._read(body)
            if not works:
                return
            for work in works:
                self.position += 1
                if work.paper.abstract:
                    yield Record(work.paper, gone=bool({"retracted", "withdrawn"} & set(work.notices)))
        self.until = self._reached()

    def _page(self, cursor: str) -> dict[str, str]:
        raise NotImplementedError

    def _read(self, body: bytes) -> tuple[list[Registered], str]:
        raise NotImplementedError

    def _reached(self) -> str:
        return ""

    def _counted(self, total: object) -> None:
        if isinstance(total, int) and not isinstance(total, bool):
            self.size = min(total, MOST)


class OpenAlexQuery(WorksQuery):
    usual = openalex.ADDRESS

    def _page(self, cursor: str) -> dict[str, str]:
        filters = ["has_abstract:true", *([f"from_publication_date:{self._since}"] if self._since else [])]
        words = {} if _FILTER.match(self._text) else {"search": self._text}
        chosen = ",".join(filters if words else [*filters, self._text])
        return {**words, "filter": chosen, "per-page": str(PAGE), "cursor": cursor, "select": openalex.FIELDS}

    def _read(self, body: bytes) -> tuple[list[Registered], str]:
        meta = dig(json_of(body, "OpenAlex"), "meta")
        self._counted(dig(meta, "count"))
        return list(openalex.parse_works(body)), str(dig(meta, "next_cursor") or "")


class CrossrefQuery(WorksQuery):
    usual = crossref.ADDRESS

    def _page(self, cursor: str) -> dict[str, str]:
        filters = ["has-abstract:true", *([f"from-index-date:{self._since}"] if self._since else [])]
        words = {} if _FILTER.match(self._text) else {"query": self._text}
        chosen = ",".join(filters if words else [*filters, self._text])
        return {**words, "filter": chosen, "rows": str(PAGE), "cursor": cursor}

    def _read(self, body: bytes) -> tuple[list[Registered], str]:
        message = dig(json_of(body, "Crossref"), "message")
        self._counted(dig(message, "total-results"))
        return list(crossref.parse_works(body)), str(dig(message, "next-cursor") or "")

    def _reached(self) -> str:
        return date.today().isoformat()
