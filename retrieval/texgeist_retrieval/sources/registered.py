"""Reads from paper registries (Crossref, OpenAlex, arXiv) the metadata of a paper and what its record does
not contain: retractions, the published version of a preprint, and the newest version.

The answers are untrusted. The paper passes the gate for records (`admission`); all other values must be a
word of a closed list, a DOI, a year or a number."""

from __future__ import annotations

import contextlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..cache_file import Cache
from ..codec import from_plain, to_plain
from ..errors import PaperUnreadable, SourceUnavailable
from ..monitor import SILENT
from ..ports import Monitor
from ..types import Paper
from .admission import NotAdmitted, admit
from .records import Record

if TYPE_CHECKING:
    from .client import SourceClient

Kind = Literal["article", "inproceedings", "preprint", "other"]
Notice = Literal["retracted", "withdrawn", "concern", "corrected"]
DOI = re.compile(r"10\.\d{4,9}/[^\s\"<>\x00-\x1f]{1,200}")
MOST_LISTED = 1000  # authors, notices
_LONGEST_PART = 40  # letters of a volume or a page range
_MARKED = re.compile(
    r"^\W*(retracted|withdrawn|retraction)\b(?:\s+(?:article|paper|chapter))?\s*[:\-–—\])]+\s*", re.I
)
FORMULA = "\N{OBJECT REPLACEMENT CHARACTER}"  # in a title to search for; words_of drops it
PAGE = 200
MOST = 5_000  # papers of a query; later results have little to do with the query
_FILTER = re.compile(r"[a-z][\w.-]*:\S")
FRESH_S = 7 * 24 * 3600.0
UNKNOWN_S = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Registered:
    """A paper as a registry describes it. `years`: the years of print, of online publication and of the
    conference, since authors cite any of them. `published`: the DOI of the published version of a preprint.
    `newest`: the number of the newest version at arXiv."""

    paper: Paper
    kind: Kind
    years: tuple[int, ...] = ()
    notices: tuple[Notice, ...] = ()
    published: str = ""
    newest: int | None = None
    volume: str = ""
    number: str = ""
    pages: str = ""

    @property
    def gone(self) -> bool:
        """Whether the paper was retracted or withdrawn."""
        return bool({"retracted", "withdrawn"} & set(self.notices))


class WorksService:
    """Common code of the registries: sends parameters to one address, and limits the size of answers."""

    usual = ""  # address
    path = "works"
    largest = 16 << 20  # bytes of an answer

    def __init__(self, client: SourceClient, address: str = "") -> None:
        self._client = client
        self._address = f"{(address or self.usual).rstrip('/')}/{self.path}"

    def close(self) -> None:
        self._client.close()

    def _get(self, parameters: Mapping[str, str], monitor: Monitor) -> bytes:
        return self._client.get(self._address, parameters, self.largest, monitor)


class Registry(WorksService, ABC):
    """A service that looks up papers and receives only ids and titles. Each call sends one or two requests
    and may raise `SourceError`."""

    name: str
    by_id: Literal["doi", "arxiv"] = "doi"  # the kind of ids that `with_ids` accepts
    ids_at_once: int
    titles_at_once = 1

    @abstractmethod
    def with_ids(self, ids: Sequence[str], monitor: Monitor) -> dict[str, Registered]:
        """The papers with these ids; unknown ids are absent."""

    @abstractmethod
    def titled(self, titles: Sequence[str], monitor: Monitor) -> dict[str, list[Registered]]:
        """The results of a search for each title; they may be other papers."""


def registered(known: dict[str, Any], kind: Kind, **more: Any) -> Registered | None:
    """The paper made from the fields in `known`, with `more` fields of `Registered`. A publisher's mark
    before the title ("Retracted: …") is removed and becomes a notice. Returns None for an invalid record."""
    title = known.get("title")
    notices: tuple[Notice, ...] = more.pop("notices", ())
    if isinstance(title, str) and (mark := _MARKED.match(title)):
        title = title[mark.end() :]
        notices = (*notices, "withdrawn" if mark[1].lower() == "withdrawn" else "retracted")
    try:
        paper = admit({**known, "title": title})
    except NotAdmitted:
        return None
    if not paper.title:
        return None
    return Registered(paper, kind, notices=tuple(dict.fromkeys(notices)), **more)


def doi_in(value: object) -> str:
    """The DOI in an address or text, in lower case; "" if there is none."""
    match = DOI.search(value) if isinstance(value, str) else None
    return match[0].lower() if match else ""


def part(value: object) -> str:
    """The value if it can be a volume, a number or a page range, else ""."""
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    return text if len(text) <= _LONGEST_PART and re.fullmatch(r"[\w\s.,:/()+–-]*", text) else ""


def words_of(title: str) -> list[str]:
    """The words of a title to search for. Punctuation is removed, because it is syntax in a query. Words with
    an apostrophe are left out, because a search finds neither of their parts."""
    return [word for word in re.split(r"[^\w'’]+", title) if word and not re.search("['’_]", word)]


def by_words(titles: Sequence[str], search: Callable[[str], list[Registered]]) -> dict[str, list[Registered]]:
    """The results for each title: one call of `search` with the words of the title."""
    searches = {title: " ".join(words_of(title)) for title in titles}
    return {title: search(words) if words else [] for title, words in searches.items()}


def batches(asked: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (asked[start : start + size] for start in range(0, len(asked), size))


def json_of(body: bytes, name: str) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise SourceUnavailable(f"{name} did not answer with JSON.", "Try again later.") from None


def works_in(body: bytes, name: str, *path: str) -> list[Any]:
    """The list of works at `path` of an answer. Raises `SourceUnavailable` if there is no list."""
    items = dig(json_of(body, name), *path)
    if not isinstance(items, list):
        raise SourceUnavailable(f"{name} did not answer with a list of works.", "Try again later.")
    return items


def dig(value: Any, *names: str) -> Any:
    """The value at this path of nested objects; None if there is none."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def listed(value: object) -> list[Any]:
    return value[:MOST_LISTED] if isinstance(value, list) else []


def text_of(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


class Harvest(WorksService):
    """A service as the source of an index. `position`: number of records read so far; `size`: number of all
    records, None if unknown. After the iteration, `until` is the date from which the next run must continue,
    or "" if the next run must read everything."""

    def __init__(
        self,
        client: SourceClient,
        address: str = "",
        text: str = "",
        since: str = "",
        monitor: Monitor = SILENT,
    ) -> None:
        """`text`: the query in the service's syntax. `since`: only records from this ISO date on; "" for
        all."""
        super().__init__(client, address)
        self._text, self._since, self._monitor = text, since, monitor
        self.position = 0
        self.size: int | None = None
        self.until = ""

    def _ask(self, parameters: Mapping[str, str]) -> bytes:
        try:
            return self._get(parameters, self._monitor)
        except PaperUnreadable as error:  # its message is about a PDF
            raise SourceUnavailable(f"{self._address} has no list of papers.", "Try again later.") from error


@dataclass(frozen=True, slots=True)
class QueryDialect:
    """The parameters of a query in a registry's syntax, and the paths in its answer to the number of works
    and to the cursor."""

    name: str
    parse: Callable[[bytes], Iterator[Registered]]
    with_abstract: str  # the filter for papers with an abstract
    since: str  # the name of the filter for the date
    words: str  # the name of the parameter with the words to search for
    page: Mapping[str, str]  # the parameters of every page
    total: tuple[str, ...]  # the path in the answer to the number of works
    cursor: tuple[str, ...]  # the path in the answer to the cursor


class WorksQuery(Harvest):
    """The papers of OpenAlex or Crossref that match a query and have an abstract. The query consists of
    words, or is a filter in the registry's syntax (`primary_location.source.id:S123`, `issn:0010-4620`);
    nothing else is sent. Results are read page by page with a cursor, the most relevant first
    (https://docs.openalex.org/how-to-use-the-api/get-lists-of-entities/paging,
    https://api.crossref.org/swagger-ui/index.html)."""

    largest = 64 << 20
    dialect: QueryDialect

    def __iter__(self) -> Iterator[Record]:
        cursor = "*"
        while cursor and self.position < MOST:
            works, cursor = self._read(self._ask(self._page(cursor)))
            if not works:
                return
            for work in works:
                self.position += 1
                if work.paper.abstract:
                    yield Record(work.paper, gone=work.gone)
        self.until = self._reached()

    def _page(self, cursor: str) -> dict[str, str]:
        known = self.dialect
        filters = [known.with_abstract, *([f"{known.since}:{self._since}"] if self._since else [])]
        words = {} if _FILTER.match(self._text) else {known.words: self._text}
        chosen = ",".join(filters if words else [*filters, self._text])
        return {**words, "filter": chosen, "cursor": cursor, **known.page}

    def _read(self, body: bytes) -> tuple[list[Registered], str]:
        """The works of a page, and the cursor of the next page, "" on the last page."""
        answer = json_of(body, self.dialect.name)
        total = dig(answer, *self.dialect.total)
        if isinstance(total, int) and not isinstance(total, bool):
            self.size = min(total, MOST)
        return list(self.dialect.parse(body)), str(dig(answer, *self.dialect.cursor) or "")

    def _reached(self) -> str:
        return ""


class RegisteredStore:
    """Caches the answers of registries by request, so that a second run sends nothing. A retraction may come
    years after the paper; therefore an answer is used for a week, and an empty answer for a day."""

    def __init__(self, path: Path) -> None:
        self._cache = Cache(path)

    def get(self, asked: Sequence[str], *, whatever_age: bool = False) -> dict[str, list[Registered]]:
        """The cached answers by request, an empty list if the registry has no answer. Requests without a
        fresh answer are absent; with `whatever_age`, old answers are returned as well."""
        known: dict[str, list[Registered]] = {}
        for name, kept in self._cache.get(asked).items():
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):  # of an older version
                works = [from_plain(Registered, work) for work in json.loads(kept.value)]
                if whatever_age or kept.age_s < (FRESH_S if works else UNKNOWN_S):
                    known[name] = works
        return known

    def put(self, answers: Mapping[str, Iterable[Registered]]) -> None:
        self._cache.put(
            {name: json.dumps([to_plain(work) for work in works]) for name, works in answers.items()}
        )
