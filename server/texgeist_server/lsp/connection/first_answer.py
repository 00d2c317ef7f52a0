"""Reads the messages on standard input, and answers `initialize` before the server's libraries are imported.

Emacs blocks until it receives this answer, and building the classes of lsprotocol takes half a second. The
capabilities are generated from the server's own answer (`capabilities.json`, by `scripts/generate`). This
module imports only a few modules of the standard library.
"""

from __future__ import annotations

import json
from collections import deque
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, BinaryIO

from ... import __version__


class Messages:
    """The message bodies of a stream, in order. `look` does not consume a message."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._ahead: list[bytes] = []

    def look(self) -> bytes:
        """Returns the next body without consuming it; b"" at the end of the stream."""
        if not self._ahead:
            self._ahead.append(self._next())
        return self._ahead[0]

    def read(self) -> bytes:
        """Waits for the next body and returns it; b"" at the end of the stream."""
        return self._ahead.pop() if self._ahead else self._next()

    def _next(self) -> bytes:
        length = 0
        while line := self._stream.readline():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length" and value.strip().isdigit():
                length = int(value)
            if length and not line.strip():
                return self._stream.read(length)
        return b""


class ByMessage:
    """Reads whole messages, and gives their lines one by one to pygls, which asks for single lines. So there
    is a thread switch for each message, not for each line; the switches took half the time of a short
    answer."""

    def __init__(self, messages: Messages, pool: Executor) -> None:
        self._messages, self._pool = messages, pool
        self._head: deque[bytes] = deque()
        self._body = b""

    async def readline(self) -> bytes:
        if not self._head:
            from asyncio import get_running_loop

            self._body = await get_running_loop().run_in_executor(self._pool, self._messages.read)
            if self._body:
                self._head.extend((b"Content-Length: %d\r\n" % len(self._body), b"\r\n"))
        return self._head.popleft() if self._head else b""

    async def readexactly(self, size: int) -> bytes:
        """Returns the whole body; `size` is its length from the header."""
        return self._body


CAPABILITIES = Path(__file__).parents[1] / "capabilities.json"
_UNITS = ("utf-8", "utf-16", "utf-32")


def answer_first(messages: Messages, stdout: BinaryIO) -> int | str | None:
    """Answers the first message if it is `initialize`, without consuming it. Returns the answered id, or None
    for other messages, which the server answers."""
    request = _request(messages.look())
    if request is None:
        return None
    result = {
        "capabilities": offered(request["params"]["capabilities"]),
        "serverInfo": {"name": "texgeist", "version": __version__},
    }
    answer = json.dumps({"id": request["id"], "jsonrpc": "2.0", "result": result}).encode()
    stdout.write(b"Content-Length: %d\r\n\r\n%s" % (len(answer), answer))
    stdout.flush()
    answered: int | str = request["id"]
    return answered


def offered(client: dict[str, Any]) -> dict[str, Any]:
    """The server's capabilities. The capabilities of `client` affect only the position encoding and
    `prepareProvider`."""
    capabilities: dict[str, Any] = json.loads(CAPABILITIES.read_text("utf-8"))
    units = [one for one in _within(client, "general", "positionEncodings") or () if one in _UNITS]
    if units:
        capabilities["positionEncoding"] = units[0]
    if _within(client, "textDocument", "rename", "prepareSupport"):
        capabilities["renameProvider"] = {"prepareProvider": True}
    return capabilities


def _request(body: bytes) -> dict[str, Any] | None:
    try:
        said = json.loads(body)
    except ValueError:
        return None
    known = isinstance(said, dict) and said.get("method") == "initialize" and said.get("jsonrpc") == "2.0"
    if not known or not isinstance(said.get("id"), int | str):
        return None
    return said if isinstance(_within(said, "params", "capabilities"), dict) else None


def _within(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
