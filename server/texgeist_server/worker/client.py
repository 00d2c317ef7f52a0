"""The server's side of the worker process: starts it on demand, sends it requests, and kills it if it does
not stop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.errors import Cancelled

from ..errors import TaskFailed, WorkerDied
from ..sections.requests import A, Request, answer_type

if TYPE_CHECKING:
    from ..config.credentials import Keys
    from ..config.settings import Settings

log = logging.getLogger(__name__)
Progress = Callable[[str, int | None, int | None], None]
GRACE = 2.0  # seconds that a cancelled task has to stop
IDLE = 900.0  # seconds after which an idle worker is ended to free its memory
_Waiting = tuple[asyncio.subprocess.Process, asyncio.Future[Any], Progress]
_LONGEST_FRAME = 256 * 1024 * 1024


def left_behind(future: asyncio.Future[Any]) -> str:
    """The message of a cancelled task about the changes that it had made; "" if it had changed nothing."""
    error = future.exception() if future.done() else None
    if not isinstance(error, TaskFailed) or error.kind != Cancelled.__name__:
        return ""
    return "" if str(error) == str(Cancelled()) else error.sentence()


def call_of(request: Request[Any], settings: Settings, keys: Keys) -> dict[str, Any]:
    """The request as sent to the worker, with the current settings and keys."""
    return {
        "request": type(request).__name__,
        "with": to_plain(request),
        "settings": settings.model_dump(mode="json"),
        "keys": asdict(keys),
    }


def read_answer(request: Request[A], answer: Any) -> A:
    return cast(A, from_plain(answer_type(type(request)), answer))


class Worker:
    """A worker process, started with the first request, and again after it has ended."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[int, _Waiting] = {}
        self._count = 0
        self._starting = asyncio.Lock()
        self._closed = False
        self._idle: asyncio.TimerHandle | None = None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    async def do(self, request: Request[A], settings: Settings, keys: Keys, progress: Progress) -> A:
        """Returns the answer to the request. Raises `TaskFailed` with the worker's message, `WorkerDied`.

        Cancelling the awaiting task asks the worker to stop, and kills it after `GRACE` seconds.
        """
        process = await self._start()
        self._count += 1
        number = self._count
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = (process, future, progress)
        try:
            await self._send({"id": number, "call": call_of(request, settings, keys)})
            return read_answer(request, await asyncio.shield(future))
        except asyncio.CancelledError:
            self._waiting[number] = (process, future, lambda *_: None)
            await self._stop_task(number, future)
            if left := left_behind(future):
                raise asyncio.CancelledError(left) from None
            raise
        finally:
            self._waiting.pop(number, None)
            self._rest()

    async def close(self) -> None:
        """Ends the process and prevents a new start: an event loop that closes while asyncio starts a process
        would hang."""
        async with self._starting:
            self._closed = True
        await self._end()

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin:
            process.stdin.close()
        await _ended(process, 1.0)

    async def _stop_task(self, number: int, future: asyncio.Future[Any]) -> None:
        with contextlib.suppress(WorkerDied, ConnectionError):
            await self._send({"cancel": number})
        done, _ = await asyncio.wait({future}, timeout=GRACE)
        if done:
            future.exception()  # marks the exception as retrieved, so that asyncio does not log it
        elif self._process:
            log.warning("the worker did not stop within %.0f s and is ended", GRACE)
            await self._kill()

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if self._reader:
            await self._reader

    async def _start(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._closed:
                raise WorkerDied(None)
            if self._idle:
                self._idle.cancel()
            if self._process and self._process.returncode is None:
                return self._process
            import tempfile

            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",  # do not import modules from the editor's working directory
                "-m",
                "texgeist_server.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=None,
                cwd=tempfile.gettempdir(),
                env={**os.environ, "PYTHONUTF8": "1"},
                limit=_LONGEST_FRAME,
            )
            self._reader = asyncio.create_task(self._read(self._process))
            return self._process

    async def _send(self, frame: dict[str, Any]) -> None:
        if not self._process or not self._process.stdin:
            raise WorkerDied(None)
        self._process.stdin.write(json.dumps(frame).encode() + b"\n")
        try:
            await self._process.stdin.drain()
        except ConnectionError:
            raise WorkerDied(self._process.returncode) from None

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Reads the process's frames. When it ends or sends an invalid frame, its pending requests fail."""
        assert process.stdout
        try:
            async for line in process.stdout:
                self._take(json.loads(line))
        except Exception:
            log.exception("what the worker said cannot be read; it is ended")
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        code = await process.wait()
        for owner, future, _ in list(self._waiting.values()):
            if owner is process and not future.done():
                future.set_exception(WorkerDied(code))
                future.exception()  # as above; the waiting task may have been cancelled

    def _take(self, frame: dict[str, Any]) -> None:
        if (waiting := self._waiting.get(frame["id"])) is None or waiting[1].done():
            return
        _, future, progress = waiting
        if "progress" in frame:
            progress(*frame["progress"])
        elif "error" in frame:
            future.set_exception(TaskFailed(**frame["error"]))
        else:
            future.set_result(frame["answer"])

    def _rest(self) -> None:
        if self._idle:
            self._idle.cancel()
        if not self._waiting:
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(IDLE, lambda: loop.create_task(self._close_if_idle()))

    async def _close_if_idle(self) -> None:
        if not self._waiting:
            await self._end()


async def _ended(process: asyncio.subprocess.Process, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
