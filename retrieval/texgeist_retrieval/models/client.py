"""The HTTP client of the language models, which limits answers before they are decoded.

A prompt contains the author's unpublished text, so redirects are not followed: only the address that the user
set is used. Answers are requested uncompressed, and compressed ones are refused, so that a few bytes cannot
expand to many. Limits in bytes apply to the whole answer, to an event of a stream and to an error's text.

Imports httpx2, which is slow: import this module only where a model is used."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import httpx2

from ..addresses import past_proxies
from .answers import error_message
from .retry import CONNECT, STOP, TransientFailure

MOST_ANSWER = 32 * 2**20  # bytes; 64,000 tokens with an event each take about 20 MB
MOST_EVENT = 2**20  # bytes between two empty lines
MOST_LINES = 1000  # lines of an event
MOST_ERROR = 64 * 2**10  # bytes of an error's text, truncated


class UnboundedAnswer(Exception):
    """The server's answer is too long, does not end, or is not a model's (for example a web page). The
    message is a verb phrase, before which the caller puts the model's name."""


class Connection:
    """A model server: its address, headers with the key, and the `seconds` allowed for an answer."""

    def __init__(self, url: str, headers: Mapping[str, str], seconds: float) -> None:
        self._url, self._headers = url, headers
        self._client = model_client(url, seconds, CONNECT)

    def events(self, request: Mapping[str, Any]) -> Iterator[Any]:
        """Posts the request, and yields the events of the streamed answer. Their fields are attributes of any
        type, None if absent. Raises `httpx2.HTTPError`, `UnboundedAnswer`, `TransientFailure` for an error
        inside the stream, and `ValueError` or `RecursionError` for invalid JSON."""
        with self._client.stream("POST", self._url, headers=self._headers, json=request) as response:
            if response.status_code != 200:
                response.read()
                raise httpx2.HTTPStatusError("", request=response.request, response=response)
            for data in event_data(response.iter_raw()):
                if data.startswith(b"[DONE]"):
                    return
                event = json.loads(data, object_hook=_Fields)
                if isinstance(event, _Fields) and event.get("error"):
                    raise TransientFailure(error_message(event["error"]))
                yield event


class _Fields(dict[str, Any]):
    __getattr__ = dict.get


def model_client(address: str, seconds: float, connect: float) -> httpx2.Client:
    """A client for the server at `address`, with `seconds` for an answer and the limits above."""

    def bound(response: httpx2.Response) -> None:
        if response.status_code != 200:
            response.headers.pop("content-encoding", None)  # shown unchanged, never decompressed
        stream = response.stream
        assert isinstance(stream, httpx2.SyncByteStream)
        response.stream = _Bounded(stream, _complaint(response), response.status_code, seconds)

    return httpx2.Client(
        limits=httpx2.Limits(max_keepalive_connections=0),  # one connection for each call
        timeout=httpx2.Timeout(seconds, connect=connect),
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        mounts=past_proxies(address),
        event_hooks={"request": [_end_on_stop], "response": [bound]},
    )


def _end_on_stop(request: httpx2.Request) -> None:
    """Closes the connection when nobody waits for its call any more: otherwise the server would go on
    generating, and the thread that reads the answer would stay blocked."""
    if (stop := STOP.get()) is None:
        return

    def watch(event: str, info: Mapping[str, Any]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            opened = info["return_value"].get_extra_info("socket")
            threading.Thread(target=_shut, args=(stop, opened), name="texgeist-stop", daemon=True).start()

    request.extensions["trace"] = watch


def _shut(stop: threading.Event, opened: socket.socket) -> None:
    stop.wait()
    with contextlib.suppress(OSError):  # the connection was closed already
        socket.socket.shutdown(opened, socket.SHUT_RDWR)


def _complaint(response: httpx2.Response) -> str:
    """What is wrong with the answer's headers; "" if nothing is. Errors are read in any format."""
    if response.status_code != 200:
        return ""
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        return "sent a packed answer, though it was asked for a plain one"
    if "html" in response.headers.get("content-type", "").lower():
        return "answered with a web page (perhaps one to log in) in place of a model's answer"
    return ""


class _Bounded(httpx2.SyncByteStream):
    """A stream that raises `UnboundedAnswer` beyond the limits; an error's text is truncated instead."""

    def __init__(self, stream: httpx2.SyncByteStream, complaint: str, status: int, seconds: float) -> None:
        self._stream = stream
        self._complaint = complaint
        self._is_error = status != 200
        self._end = time.monotonic() + seconds

    def __iter__(self) -> Iterator[bytes]:
        if self._complaint:
            raise UnboundedAnswer(self._complaint)
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if self._is_error and size >= MOST_ERROR:
                yield chunk[: len(chunk) - (size - MOST_ERROR)]
                return
            if size > MOST_ANSWER:
                raise UnboundedAnswer(f"answered with more than {MOST_ANSWER // 2**20} MB")
            if time.monotonic() > self._end:
                raise UnboundedAnswer("went on answering without an end")
            yield chunk

    def close(self) -> None:
        self._stream.close()


def event_data(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the data of each server-sent event (WHATWG HTML, section 9.2). Lines end with CR, LF or both, as
    for `bytes.splitlines`; `str.splitlines` would also split at characters inside of JSON texts."""
    line, data, size, lines, last = [], [], 0, 0, b""
    for piece in (piece for chunk in chunks for piece in chunk.splitlines(keepends=True)):
        half_of_an_end, last = piece == b"\n" and last[-1:] == b"\r", piece
        if half_of_an_end:
            continue
        line.append(piece)
        size += len(piece)
        if size > MOST_EVENT or lines > MOST_LINES:
            raise UnboundedAnswer("sent one piece of an answer that does not end")
        if piece[-1:] not in (b"\n", b"\r"):
            continue
        whole, line, lines = b"".join(line).rstrip(b"\r\n"), [], lines + 1
        if whole.startswith(b"data:"):
            data.append(whole[5:].strip())
        elif not whole:
            if data:
                yield b"\n".join(data)
            data, size, lines = [], 0, 0
