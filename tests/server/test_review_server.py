"""The review page's server under bodies and heads that no page sends."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from texgeist_server.review.http import MOST_BODY, PageServer


@pytest.fixture
def page() -> Iterator[PageServer]:
    server = PageServer(lambda method, name, given: {"method": method, "given": given})
    yield server
    server.close()


def send(page: PageServer, head: str, body: bytes = b"", piece: bytes = b"") -> tuple[str, int]:
    """The answer, and how many bytes of `piece` after `piece` the server took before it closed."""
    parts = urlsplit(page.url)
    taken = 0
    with socket.create_connection(("127.0.0.1", parts.port or 0), timeout=5) as line:
        path = head.replace("TOKEN", parts.path.strip("/")).replace("HOST", parts.netloc)
        line.sendall(path.encode() + b"\r\n\r\n" + body)
        end = time.monotonic() + 3
        try:
            while piece and taken < 200_000_000 and time.monotonic() < end:
                taken += line.send(piece)
        except OSError:
            pass
        try:
            line.settimeout(3)
            said = line.recv(65536)
            while "Connection: close" in head and (more := line.recv(65536)):
                said += more
            return said.decode(), taken
        except OSError:
            return "", taken


JSON = "Host: HOST\r\nContent-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("length", "status"),
    [
        ("Content-Length: 99999999999999999999", "413"), (f"Content-Length: {MOST_BODY + 1}", "413"),
        ("Content-Length: -1", "411"), ("Content-Length: x", "411"), ("Content-Length: ²", "411"),
        ("Content-Length: +5", "411"), ("Content-Length: " + "9" * 5000, "413"),
        ("Content-Length: 5\r\nContent-Length: 6", "411"), ("Transfer-Encoding: chunked", "411"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 5", "411"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_body_of_unknown_length_is_refused_and_not_read(
    page: PageServer, method: str, length: str, status: str
) -> None:
    said, taken = send(page, f"{method} /TOKEN/api/choose HTTP/1.1\r\n{JSON}{length}", piece=b"x" * 65536)
    assert taken < 20_000_000  # what the sockets hold
    assert not said or f" {status} " in said.splitlines()[0]
    said, _ = send(page, f"{method} /TOKEN/api/choose HTTP/1.1\r\n{JSON}{length}")
    assert f" {status} " in said.splitlines()[0]


def test_a_body_as_it_should_be_is_read(page: PageServer) -> None:
    said, _ = send(
        page, f"POST /TOKEN/api/choose HTTP/1.1\r\n{JSON}Connection: close\r\nContent-Length: 8", b'{"a": 1}'
    )
    assert " 200 " in said and '"a": 1' in said


@pytest.mark.parametrize("body", [b"[" * 100_000, b"{", b"[]", b"\xff\xff", b"9" * 5000])
def test_a_body_that_is_no_object_is_a_bad_request(page: PageServer, body: bytes) -> None:
    head = f"POST /TOKEN/api/choose HTTP/1.1\r\n{JSON}Content-Length: {len(body)}"
    said, _ = send(page, head, body)
    assert " 400 " in said.splitlines()[0]


@pytest.mark.parametrize(
    "path",
    ["*", "x", "//[", "/", "//", "/TOKEN", "/é/", "/TOKENx/api/a", "/TOKEN/../TOKEN/index.html", "/TOKEN//etc/passwd",
     "/TOKEN/../../http.py", "/TOKEN/%2e%2e/http.py", "/TOKEN/pdf/../../state.py", "/TOKEN/pdf//etc/x.pdf", "/TOKEN/.",
     "/TOKEN/a\0b.js", "/TOKEN/" + "a" * 9000 + ".js"],
)  # fmt: skip
def test_odd_paths_find_nothing(page: PageServer, path: str) -> None:
    said, _ = send(page, f"GET {path} HTTP/1.1\r\nHost: HOST")
    assert said.split(" ", 2)[1] in ("400", "404")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ("Host: evil.example", "403"), ("Host: HOST\r\nOrigin: https://evil.example", "403"), ("Host: HOST\r\nOrigin: null", "403"),
        ("Host: HOST\r\nOrigin: http://HOST.evil.example", "403"), ("Host: localhost", "403"), ("X: y", "403"),
        ("Host: HOST\r\nOrigin: http://HOST", "200"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_only_a_page_of_its_own_may_ask(page: PageServer, method: str, sent: str, status: str) -> None:
    head = (
        f"{method} /TOKEN/api/draft HTTP/1.1\r\n{sent}\r\nContent-Type: application/json\r\nContent-Length: 2"
    )
    said, _ = send(page, head, b"{}")
    assert f" {status} " in said.splitlines()[0] and "Access-Control" not in said
    assert "default-src 'none'" in said and "Cache-Control: no-store" in said


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_form_of_a_foreign_page_is_not_read(page: PageServer, kind: str) -> None:
    """What a browser sends to another origin without asking first is of these kinds."""
    said, _ = send(
        page,
        f"POST /TOKEN/api/draft HTTP/1.1\r\nHost: HOST\r\nContent-Type: {kind}\r\nContent-Length: 2",
        b"{}",
    )
    assert " 415 " in said.splitlines()[0]
