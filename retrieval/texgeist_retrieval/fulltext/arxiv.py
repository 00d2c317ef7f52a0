"""Papers from arXiv. Metadata is requested in batches, each full text in a separate request, with a pause
between requests. All results are cached."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

from ..addresses import host_of
from ..cache_file import Cache
from ..errors import MetadataIncomplete, PaperUnreadable, SourceUnavailable
from ..monitor import SILENT
from ..paths import private_folder
from ..ports import Monitor, PaperSource
from ..sources.arxiv import ARXIV, ArxivApi, split_id
from ..sources.client import AddressTooLong, SourceClient
from ..sources.pacing import Pacing, queue_of
from ..types import Paper, TextSection
from .layout import sections_of_pages
from .pdf import extract, looks_whole, read_pdf

ADDRESS = "https://export.arxiv.org"  # the host that arXiv reserves for programs; it also serves PDFs
_FOR_PEOPLE = ("arxiv.org", "www.arxiv.org")
LONGEST_ADDRESS = 6000  # characters of ids in a request, about 500 ids; servers accept addresses of 8 KB
LARGEST_PDF = 60 * 2**20


class ArxivSource(PaperSource):
    """`PaperSource` over the arXiv API and its PDFs.

    Only ids and titles of papers leave the machine. `base_url`: the address of a server with arXiv's paths (a
    mirror, or a test server); "" for arXiv. `gate_seconds`: the pause between two requests of all programs on
    the machine."""

    def __init__(
        self,
        base_url: str,
        cache: Path,
        gate_seconds: float,
        cache_megabytes: int = 1000,
        gate_folder: Path | None = None,
    ) -> None:
        base = (base_url or ADDRESS).rstrip("/")
        self._base = ADDRESS if host_of(base) in _FOR_PEOPLE else base
        self._client = SourceClient(ARXIV, Pacing(gate_seconds, queue_of(base, ARXIV.domains), gate_folder))
        self._metadata = MetadataStore(cache / "metadata.sqlite")
        self._pdfs = FileCache(cache / "pdf", cache_megabytes * 2**20)
        self._texts = FileCache(cache / "text", max(cache_megabytes * 2**20 // 10, 2**20))

    def metadata(self, ids: Sequence[str], monitor: Monitor = SILENT) -> dict[str, Paper]:
        """Returns metadata by the requested id. Only valid arXiv ids are sent, because arXiv refuses a whole
        request for one invalid id. If a request fails, raises `MetadataIncomplete` with the records of
        successful requests and the cached records of any age, or `SourceUnavailable` if there are none."""
        wanted = {id: split[0] for id in ids if (split := split_id(id))}
        known = self._metadata.get(list(wanted.values()))
        missing = list(dict.fromkeys(id for id in wanted.values() if id not in known))
        failed: SourceUnavailable | None = None
        try:
            for batch in batches(missing):
                known |= self._fetch_metadata(batch, monitor)
        except SourceUnavailable as error:
            failed = error
            known |= self._metadata.get([id for id in missing if id not in known], whatever_age=True)
        found = {asked: paper for asked, id in wanted.items() if (paper := known.get(id)) is not None}
        if failed is not None:
            raise MetadataIncomplete(failed, found) if found else failed
        return found

    def _fetch_metadata(self, ids: Sequence[str], monitor: Monitor) -> dict[str, Paper | None]:
        try:
            found = self._search(len(ids), monitor, id_list=list(ids))
        except AddressTooLong:
            if len(ids) == 1:
                raise
            half = len(ids) // 2
            return self._fetch_metadata(ids[:half], monitor) | self._fetch_metadata(ids[half:], monitor)
        papers = {paper.id: paper for paper in found}
        # arXiv sometimes returns an empty list for many valid ids, so an empty list marks no id as unknown
        unknown = [id for id in ids if id not in papers] if papers else []
        self._metadata.put(papers.values(), unknown)
        return {**dict.fromkeys(unknown), **papers}

    def titled(self, titles: Sequence[str], monitor: Monitor = SILENT) -> list[Paper]:
        """See `PaperSource`. Sends one request, with as many titles as fit into the address."""
        words = title_search(titles, LONGEST_ADDRESS)
        if not words:
            return []
        monitor.report("Asking arXiv for the works that were named")
        papers = self._search(3 * words.count("ti:"), monitor, query=words)
        self._metadata.put(papers, [])
        return papers

    def _search(self, most: int, monitor: Monitor, **search: Any) -> list[Paper]:
        """Sends one request and returns the papers in the answer."""
        api = ArxivApi(self._client, f"{self._base}/api/query", monitor)
        return [paper for paper, _ in api.papers(most, max_results=most, **search)]

    def pages(self, paper: Paper, monitor: Monitor = SILENT) -> list[str]:
        """See `PaperSource`. Raises `PaperUnreadable` or `SourceUnavailable`, each with a reason for the
        user."""
        split = split_id(paper.id)
        if split is None:
            raise PaperUnreadable("It is not on arXiv.")
        name = file_name(split[0], paper.version or split[1])
        stored = self._texts.get(f"{name}.json")
        if stored is not None:
            return list(json.loads(stored))
        pages = read_pdf(self._pdf(split[0], paper.version or split[1], name, monitor), monitor)
        self._texts.put(f"{name}.json", json.dumps(pages).encode())
        return pages

    def sections(self, paper: Paper, monitor: Monitor = SILENT) -> tuple[TextSection, ...]:
        """The full text by section, with page numbers. Raises the errors of `pages`."""
        split = split_id(paper.id)
        if split is None:
            raise PaperUnreadable("It is not on arXiv.")
        version = paper.version or split[1]
        data = self._pdf(split[0], version, file_name(split[0], version), monitor)
        read = extract(data, monitor)
        return sections_of_pages(read.pages, read.fonts)

    def _pdf(self, id: str, version: int | None, name: str, monitor: Monitor) -> bytes:
        stored = self._pdfs.get(f"{name}.pdf")
        if stored is not None:
            return stored
        address = f"{self._base}/pdf/{id}" + (f"v{version}" if version else "")
        body = self._client.get(address, {}, LARGEST_PDF, monitor)
        if not looks_whole(body):
            raise PaperUnreadable("arXiv did not send a complete PDF of it.")
        self._pdfs.put(f"{name}.pdf", body)
        return body

    def close(self) -> None:
        self._client.close()


def title_search(titles: Sequence[str], most: int) -> str:
    """arXiv's query for papers with one of these titles, as many as fit into `most` characters of an address.
    Only letters and digits of the titles are kept, because other characters belong to arXiv's query
    syntax."""
    terms, length = list[str](), 0
    for title in titles:
        words = re.findall(r"[A-Za-z0-9]+", title)
        term = f'ti:"{" ".join(words)}"' if len(words) > 1 else ""
        if term and term not in terms and (length := length + len(quote_plus(term)) + 4) <= most:
            terms.append(term)
    return " OR ".join(terms)


def batches(ids: Sequence[str]) -> Iterator[list[str]]:
    """Splits the ids into as few requests as possible, because requests are three seconds apart."""
    batch: list[str] = []
    for id in ids:
        if batch and sum(len(one) + 1 for one in batch) + len(id) > LONGEST_ADDRESS:
            yield batch
            batch = []
        batch.append(id)
    if batch:
        yield batch


FRESH_S = 30 * 24 * 3600.0  # seconds; then a paper may have a new version
UNKNOWN_S = 24 * 3600.0  # how long an id is remembered as unknown
_FIELDS = set(Paper.__dataclass_fields__)


class MetadataStore:
    """Records of papers by id."""

    def __init__(self, path: Path) -> None:
        self._cache = Cache(path)

    def get(self, ids: Sequence[str], *, whatever_age: bool = False) -> dict[str, Paper | None]:
        """The cached entries by id: a paper, or None for an id that is known not to exist. Entries that are
        no longer fresh are left out unless `whatever_age` is True."""
        return {
            id: _paper(kept.value) if kept.value else None
            for id, kept in self._cache.get(ids).items()
            if whatever_age or kept.age_s < (FRESH_S if kept.value else UNKNOWN_S)
        }

    def put(self, papers: Iterable[Paper], unknown: Iterable[str] = ()) -> None:
        self._cache.put({p.id: json.dumps(asdict(p)) for p in papers} | dict.fromkeys(unknown, ""))


def _paper(record: str) -> Paper:
    values = {name: value for name, value in json.loads(record).items() if name in _FIELDS}
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return Paper(**{**values, **lists})


class FileCache:
    """Files by name with a size limit; the least recently used are removed first."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    def get(self, name: str) -> bytes | None:
        path = self._folder / name
        try:
            data = path.read_bytes()
            os.utime(path)  # mark as recently used
        except OSError:
            return None
        return data

    def put(self, name: str, data: bytes) -> None:
        """Writes the file atomically, even if another program writes it at the same time. A full disk raises
        no error."""
        with contextlib.suppress(OSError):
            private_folder(self._folder)
            handle, temporary = tempfile.mkstemp(dir=self._folder, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                Path(temporary).replace(self._folder / name)
            except OSError:
                Path(temporary).unlink(missing_ok=True)
                raise
            self._make_room()

    def _make_room(self) -> None:
        files = [(path, path.stat()) for path in self._folder.iterdir() if path.is_file()]
        size = sum(stat.st_size for _, stat in files)
        for path, stat in sorted(files, key=lambda item: item[1].st_mtime):
            if size <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            size -= stat.st_size


def file_name(id: str, version: int | None) -> str:
    """A file name for the id on any file system: `hep-th/9901001` version 2 becomes `hep-th_9901001v2`."""
    return id.replace("/", "_") + (f"v{version}" if version else "")
