"""A local arXiv: real answers of the API or the papers it is given, PDFs typeset here, and every way to
fail. For tests and benchmarks."""

from __future__ import annotations

import contextlib
import io
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from texgeist_retrieval.sources.arxiv import ArxivApi
from texgeist_retrieval.sources.client import SourceClient
from texgeist_retrieval.types import Paper

from ..http_server import got, send

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Arxiv:
    """What the server gives and what it was asked. `answers` come first, by path, one a request; then
    `feeds` and `pdfs`, then what `papers` and `pdf_of` make of an id."""

    feeds: dict[str, tuple[int, bytes]] = field(default_factory=dict)  # by id_list
    pdfs: dict[str, bytes] = field(default_factory=dict)  # by path after /pdf/
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    asked: list[tuple[float, str]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    delay_s: float = 0.0
    pdf_delay_s: float = 0.0
    papers: Mapping[str, Paper] = field(default_factory=dict)  # by id, for feeds made here
    pdf_of: Callable[[str], bytes] | None = None  # by id
    took: list[tuple[str, float]] = field(default_factory=list)  # path and seconds, as each ended
    address: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def paths(self) -> list[str]:
        return [path for _, path in self.asked]

    def asked_for(self, start: str) -> list[str]:
        return [path for path in self.paths() if path.startswith(start)]

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        began = time.monotonic()
        with self.lock:
            self.asked.append((began, handler.path))
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.delay_s:
                time.sleep(self.delay_s)
            self._answer(handler)
        finally:
            with self.lock:
                self.at_once -= 1
                self.took.append((handler.path, time.monotonic() - began))

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        with self.lock:
            special = self.answers.get(parts.path, [])
            chosen = special.pop(0) if special else None
        if chosen:
            chosen(handler)
        elif parts.path.startswith("/pdf/") and parts.path[5:] in self.pdfs:
            send(handler, 200, self.pdfs[parts.path[5:]])
        elif parts.path.startswith("/pdf/") and self.pdf_of:
            time.sleep(self.pdf_delay_s)
            send(handler, 200, self.pdf_of(parts.path[5:].rpartition("v")[0] or parts.path[5:]))
        elif parts.path == "/api/query":
            ids = parse_qs(parts.query).get("id_list", [""])[0]
            send(handler, *self.feeds.get(ids, (200, self._feed(ids))))
        else:
            send(handler, 404, b"no such paper")

    def _feed(self, ids: str) -> bytes:
        known = (entry(self.papers[id]) for id in ids.split(",") if id in self.papers)
        return EMPTY.replace(b"></feed>", b">" + "".join(known).encode() + b"</feed>")


EMPTY = b'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"></feed>'


def entry(paper: Paper) -> str:
    """A paper as the API tells it."""
    authors = "".join(
        f"<author><name>{escape(name)}</name></author>" for name in paper.authors or ("A. Author",)
    )
    categories = "".join(f'<category term="{escape(name)}"/>' for name in paper.categories)
    return (
        f"<entry><id>http://arxiv.org/abs/{paper.id}v1</id><title>{escape(paper.title)}</title>"
        f"<summary>{escape(paper.abstract)}</summary>"
        f"<published>{paper.year or 2020}-01-01T00:00:00Z</published>"
        f"<updated>2024-01-01T00:00:00Z</updated>{authors}{categories}</entry>"
    )


def papers_in(body: bytes, most: int = 5) -> list[Paper]:
    """What is read of this answer to a search for `most` papers."""

    class Given(SourceClient):
        def __init__(self) -> None: ...

        def get(self, *_: object) -> bytes:
            return body

    found = ArxivApi(Given(), "http://127.0.0.1/api/query").papers(most, query="all:x", max_results=most)
    return [paper for paper, _ in found]


@contextlib.contextmanager
def serving(state: Arxiv) -> Iterator[Arxiv]:
    """The server, for as long as it is needed; `state.address` is where it is."""

    with got(state.serve) as state.address:
        yield state


def typeset(pages: Sequence[Sequence[str]], columns: int = 1, row_by_row: bool = False) -> bytes:
    """A PDF with these lines a page, in one column or two; `row_by_row` writes across both columns."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4)
    for lines in pages:
        canvas.setFont("Times-Roman", 9)
        half = -(-len(lines) // columns)
        places = [(60 + 250 * (i // half), 780 - 12 * (i % half), line) for i, line in enumerate(lines)]
        if row_by_row:
            places.sort(key=lambda place: -place[1])
        for x, y, line in places:
            canvas.drawString(x, y, line)
        canvas.showPage()
    canvas.save()
    return file.getvalue()
