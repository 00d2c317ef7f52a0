"""Reads the messages on standard input, and answers `initialize` before the server's libraries are imported.

Emacs blocks until that answer comes, and the classes of lsprotocol alone take half a second to build. The
capabilities are generated from what the server itself would answer (`capabilities.json`, by `scripts/generate`).
This module imports the standard library alone, and as little of it as possible."""

from __future__ import annotations

import json
from collections import deque
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, BinaryIO

from ... import __version__


class Messages:
    """The bodies of a stream's messages, in their order; one that was looked at is still to be read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._ahead: list[bytes] = []

    def look(self) -> bytes:
        """The next body without taking it; b"" at the end of the stream."""
        if not self._ahead:
            self._ahead.append(self._next())
        return self._ahead[0]

    def read(self) -> bytes:
        """The next body; b"" at the end of the stream. Waits for it."""
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
    """The same for pygls, which reads line by line: a message costs one change of threads instead of one a line, which
    was half of what a short answer cost."""

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
        """`size` is that of the body, as its head said."""
        return self._body


CAPABILITIES = Path(__file__).parents[1] / "capabilities.json"
_UNITS = ("utf-8", "utf-16", "utf-32")


def answer_first(messages: Messages, stdout: BinaryIO) -> int | str | None:
    """Answers the first message if it is `initialize`, and gives the id that was answered; the message is still to be
    read. Anything else is left to the server, which knows what to say."""
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
    """The capabilities for a client of these: only the units of positions, and whether a renaming may be prepared,
    depend on them."""
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
