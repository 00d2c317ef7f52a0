"""A local arXiv: real answers of the API, PDFs that are typeset here, and every way to fail."""

from __future__ import annotations

import io
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Arxiv:
    """What the server gives and what it was asked. `answers` come first, by path, one a request."""

    feeds: dict[str, tuple[int, bytes]] = field(default_factory=dict)  # by id_list
    pdfs: dict[str, bytes] = field(default_factory=dict)  # by path after /pdf/
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    asked: list[tuple[float, str]] = field(default_factory=list)
    at_once: int = 0
    most_at_once: int = 0
    delay_s: float = 0.0
    address: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def paths(self) -> list[str]:
        return [path for _, path in self.asked]

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        with self.lock:
            self.asked.append((time.monotonic(), handler.path))
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if self.delay_s:
                time.sleep(self.delay_s)
            self._answer(handler)
        finally:
            with self.lock:
                self.at_once -= 1

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        with self.lock:
            special = self.answers.get(parts.path, [])
            chosen = special.pop(0) if special else None
        if chosen:
            chosen(handler)
        elif parts.path.startswith("/pdf/") and parts.path[5:] in self.pdfs:
            send(handler, 200, self.pdfs[parts.path[5:]])
        elif parts.path == "/api/query":
            ids = parse_qs(parts.query).get("id_list", [""])[0]
            send(handler, *self.feeds.get(ids, (200, EMPTY)))
        else:
            send(handler, 404, b"no such paper")


EMPTY = b'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"></feed>'


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes, **headers: str) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


@pytest.fixture
def arxiv() -> Iterator[Arxiv]:
    state = Arxiv()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            state.serve(self)

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    state.address = f"http://127.0.0.1:{server.server_address[1]}"
    yield state
    server.shutdown()
    server.server_close()


@pytest.fixture
def answers(shared_data: Path) -> Callable[[str], tuple[int, bytes]]:
    """A real answer of the API by the beginning of its file's name: status and body."""

    def answer(name: str) -> tuple[int, bytes]:
        (path,) = (shared_data / "arxiv" / "api").glob(f"{name}_s0_m100_*.json")
        record = json.loads(path.read_text(encoding="utf-8"))
        return record["status_code"], record["body"].encode()

    return answer


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


@pytest.fixture(scope="session")
def pdf() -> Callable[..., bytes]:
    return typeset


@pytest.fixture(scope="session")
def reply() -> Callable[..., None]:
    return send
