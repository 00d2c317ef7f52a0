"""What an editor sends over standard input, read by the message. Nothing heavy is imported: the first message is
answered before there is a server."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Executor
from typing import BinaryIO


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
