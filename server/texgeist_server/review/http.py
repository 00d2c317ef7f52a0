"""The review page on loopback: static files and a JSON API, behind a token in the address.

Under `http://127.0.0.1:PORT/TOKEN/`; any other path is 404. Requests and answers are JSON; errors are
`{"error": "sentence"}` with a 4xx or 5xx status.

- GET `api/state`: `{stage: empty|searching|ready|reading|writing|written|failed, accepts, message,
  progress: percentage|null, version, draft: {title, file}, sends, takes, text,
  options: {breadth, depth, diversity}, limits, pinned: [id], excluded: [id], papers: [Paper], chosen: [id]}`.
  Paper: `{id, title, authors, year, url, rank, similarity, x, y, cited, why, left_out, score, redundancy,
  evidence: {text, page}|null}`; x and y in [-1, 1] with the draft at (0, 0).
- GET `api/state?after=VERSION`: answers when the version is greater, or after 20 s.
- POST `api/choose` `{breadth, depth, diversity, pinned, excluded}`: the state after choosing, without model
  or network. If the search is no longer in memory, it is repeated and the stage is `searching`.
  Unknown ids: 400.
- POST `api/write`, same body: `{job}`; writes the section and inserts it in the editor. 409 if the search is
  repeated.
- POST `api/read`, same body: `{job}`; writes the section as a preview, which becomes `text` (LaTeX) of the
  state; "" again after another choice. `api/write` then inserts this text.
- POST `api/cancel`: `{}`.
- POST `api/draft` `{text}` or `{pdf: base64, name}`, with `{since, until, categories}`: searches for this draft and
  returns the state. Only if the state says `accepts`, without an editor.

A page of another origin can neither read (no CORS; `Host` and `Origin` are checked) nor act: a POST needs
`Content-Type: application/json`, which requires a preflight that is never granted.
"""

from __future__ import annotations

import hmac
import json
import logging
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from texgeist_retrieval.defaults import MOST_BREADTH, MOST_DEPTH

from ..sections.requests import Choice

log = logging.getLogger(__name__)
LIMITS = {"breadth": (1, MOST_BREADTH), "depth": (1, MOST_DEPTH), "diversity": (0, 1)}
STATIC = Path(__file__).parent / "static"
MOST_BODY = 40_000_000  # bytes; a dropped PDF in base64
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
FOR_PDFS = {  # the browser's PDF viewer needs its own scripts and styles
    "Content-Security-Policy": "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
Plain = dict[str, Any]
Api = Callable[[str, str, Plain], Plain]  # method, name and arguments; raises BadRequest
Pdfs = Callable[[str], Path | None]  # the user's PDF for an evidence id


class BadRequest(Exception):
    """A request that cannot be fulfilled; the page shows the message."""

    def __init__(self, message: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(message)
        self.status = status


class PageServer:
    """Serves a single page for a review, with the file `first`. `api` and `pdfs` are called on the server's
    threads."""

    def __init__(self, api: Api, first: str = "index.html", pdfs: Pdfs = lambda _: None) -> None:
        self.token = secrets.token_urlsafe(24)
        page = _Page(api, self.token, first, pdfs)
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, page))
        self._http.daemon_threads = True
        thread = threading.Thread(target=self._http.serve_forever, name="texgeist-review", daemon=True)
        thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/{self.token}/"

    def close(self) -> None:
        """Ends the server on another thread, because ending waits for requests in progress."""
        threading.Thread(target=self._end, daemon=True).start()

    def _end(self) -> None:
        self._http.shutdown()
        self._http.server_close()


@dataclass(frozen=True, slots=True)
class _Page:
    """The page that `_Handler` serves; see `PageServer`. Paths begin with the `token`."""

    api: Api
    token: str
    first: str
    pdfs: Pdfs


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "texgeist"
    sys_version = ""
    timeout = 60

    def __init__(self, page: _Page, *given: Any) -> None:
        self._page = page
        super().__init__(*given)  # handles the connection

    def do_GET(self) -> None:
        self._serve("GET")

    def do_POST(self) -> None:
        self._serve("POST")

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing, because the address contains the token."""

    def _serve(self, method: str) -> None:
        try:
            self._route(method)
        except BadRequest as error:
            self._json({"error": str(error)}, error.status)
        except ConnectionError:
            self.close_connection = True
        except Exception:
            log.exception("the review page's request failed")
            message = "Something went wrong; the log has the details."
            self._json({"error": message}, HTTPStatus.INTERNAL_SERVER_ERROR)

    def _route(self, method: str) -> None:
        body = self._body(method)  # first: a kept connection would parse an unread body as a request
        self._check_origin()
        try:
            parts = urlsplit(self.path)
        except ValueError:
            raise BadRequest("There is nothing here.", HTTPStatus.NOT_FOUND) from None
        _, given, *rest = parts.path.split("/", 2) if "/" in parts.path else ("", "")
        if not rest or not hmac.compare_digest(given.encode(), self._page.token.encode()):
            raise BadRequest("There is nothing here.", HTTPStatus.NOT_FOUND)
        if rest[0].startswith("api/"):
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            self._json(self._page.api(method, rest[0].removeprefix("api/"), {**query, **body}))
        elif method == "GET" and rest[0].startswith("pdf/"):
            self._pdf(rest[0].removeprefix("pdf/"))
        elif method == "GET":
            self._file(rest[0] or self._page.first)
        else:
            raise BadRequest("Only GET is answered here.", HTTPStatus.METHOD_NOT_ALLOWED)

    def _check_origin(self) -> None:
        port = self.connection.getsockname()[1]
        hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        origin = self.headers.get("Origin")
        if self.headers.get("Host") not in hosts or (
            origin is not None and origin not in {f"http://{host}" for host in hosts}
        ):
            raise BadRequest("This page is for this machine alone.", HTTPStatus.FORBIDDEN)

    def _body(self, method: str) -> Plain:
        data = self._bounded()
        if method != "POST":
            return {}
        if (self.headers.get("Content-Type") or "").split(";")[0].strip() != "application/json":
            raise BadRequest("Send JSON.", HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
        try:
            body = json.loads(data or b"{}")
        except (ValueError, RecursionError):
            raise BadRequest("That is not JSON.") from None
        if not isinstance(body, dict):
            raise BadRequest("Send a JSON object.")
        return body

    def _bounded(self) -> bytes:
        """The request body. Its length must be given in a single Content-Length header; else raises
        `BadRequest`, and the connection is closed."""
        said = self.headers.get_all("Content-Length") or []
        if not said and "Transfer-Encoding" not in self.headers:
            return b""
        closing, self.close_connection = self.close_connection, True
        length = said[0].strip() if len(said) == 1 else ""
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdecimal()):
            raise BadRequest("Say how long the body is.", HTTPStatus.LENGTH_REQUIRED)
        if len(length) > 9 or int(length) > MOST_BODY:
            raise BadRequest("That is too long.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        data = self.rfile.read(int(length))
        self.close_connection = closing or len(data) < int(length)
        return data

    def _file(self, name: str) -> None:
        try:
            file = (STATIC / name).resolve()
            there = file.suffix in TYPES and file.is_relative_to(STATIC.resolve()) and file.is_file()
        except (OSError, ValueError):  # too long, or with invalid characters
            there = False
        if not there:
            raise BadRequest("There is nothing here.", HTTPStatus.NOT_FOUND)
        self._send(file.read_bytes(), TYPES[file.suffix], HTTPStatus.OK)

    def _pdf(self, name: str) -> None:
        file = self._page.pdfs(name)
        if file is None or file.suffix.lower() != ".pdf" or not file.is_file():
            raise BadRequest("The PDF is not there.", HTTPStatus.NOT_FOUND)
        self._send(file.read_bytes(), "application/pdf", HTTPStatus.OK, FOR_PDFS)

    def _json(self, value: Plain, status: HTTPStatus = HTTPStatus.OK) -> None:
        self._send(json.dumps(value, ensure_ascii=False).encode(), "application/json", status)

    def _send(self, data: bytes, kind: str, status: HTTPStatus, headers: Mapping[str, str] = HEADERS) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def read_choice(given: Plain, before: Choice, known: set[str]) -> Choice:
    """Validates the page's numbers and lists. Raises `BadRequest`."""
    changes: dict[str, Any] = {}
    for name, (low, high) in LIMITS.items():
        value = given.get(name)
        if value is None:
            continue
        whole = name != "diversity"
        kind = int if whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
            raise BadRequest(f"{name} is a {'whole ' if whole else ''}number from {low} to {high}.")
        changes[name] = value
    for name in ("pinned", "excluded"):
        if name in given:
            changes[name] = _known_ids(name, given[name], known)
    return replace(before, **changes)


def _known_ids(name: str, ids: Any, known: set[str]) -> tuple[str, ...]:
    if not isinstance(ids, list) or not all(isinstance(id, str) for id in ids):
        raise BadRequest(f"{name} is a list of ids.")
    if unknown := sorted(set(ids) - known):
        raise BadRequest(f"There is no paper {unknown[0]} here.")
    return tuple(ids)
