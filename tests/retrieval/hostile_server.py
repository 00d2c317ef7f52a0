"""A real HTTP server on loopback that answers every request with the bytes that a test gives it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from ..http_server import body_of, got, send

Say = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class Hostile:
    """`say` writes the whole answer, head and all; `asked` are the paths, `sent` the bodies that came."""

    say: Say
    url: str = ""
    asked: list[str] = field(default_factory=list)
    sent: list[bytes] = field(default_factory=list)
    written: int = 0  # bytes of bodies that the client took


@contextlib.contextmanager
def hostile(say: Say) -> Iterator[Hostile]:
    state = Hostile(say)

    def serve(asked: BaseHTTPRequestHandler) -> None:
        state.asked.append(asked.path)
        state.sent.append(body_of(asked))
        state.say(asked)
        asked.close_connection = True

    with got(serve) as state.url:
        yield state


def answer(status: int, body: bytes, **headers: str) -> Say:
    """One answer, whole."""
    return lambda handler: send(handler, status, body, **headers)


def endless(status: int, piece: bytes, most: int, took: list[int], **headers: str) -> Say:
    """`piece` again and again, until `most` bytes are written or the client leaves; `took` has for each request how
    many bytes have gone out so far."""

    def say(handler: BaseHTTPRequestHandler) -> None:
        head(handler, status, **headers)
        place = len(took)
        took.append(0)
        while took[place] < most:
            handler.wfile.write(piece)
            took[place] += len(piece)

    return say


def head(handler: BaseHTTPRequestHandler, status: int, **headers: str) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
