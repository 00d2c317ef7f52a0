"""Waits for a model: with a time limit, immediate cancellation, and retries.

The call runs in a separate thread, because a read from a socket cannot be interrupted. The waiting thread
checks the monitor ten times per second and returns on cancellation; `client` then closes the connection, so
that the server stops too."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from contextvars import ContextVar
from typing import TypeVar

from ..addresses import is_loopback, origin
from ..errors import WriterTimedOut, WriterUnavailable
from ..monitor import pause
from ..ports import Monitor

T = TypeVar("T")

TRIES = 3
LONGEST_PAUSE = 30.0  # seconds between two tries, whatever the server requests
CONNECT = 5.0  # seconds
STOP: ContextVar[threading.Event | None] = ContextVar("stop", default=None)  # of this thread's call
_LOOK = 0.1  # seconds between checks for cancellation


class TransientFailure(Exception):
    """A failure that may pass. `pause`: the wait in seconds that the server requests, or None."""

    def __init__(self, message: str, pause: float | None = None) -> None:
        super().__init__(message)
        self.pause = pause


class Stopped(Exception):
    """Raised inside a call when nobody waits for its result any more."""


def patiently(
    call: Callable[[threading.Event], T], monitor: Monitor, seconds: float, name: str, address: str = ""
) -> T:
    """Returns the result of `call(stop)`. The call is tried again if it raises `TransientFailure`; all tries
    together take at most `seconds`. `address`: the server's address, for the message. Raises `Cancelled`,
    `WriterUnavailable` if time or tries run out, and errors of the call."""
    deadline = time.monotonic() + seconds
    for attempt in range(TRIES):
        try:
            return _bounded(call, monitor, deadline, seconds, name)
        except TransientFailure as failure:
            wait = min(failure.pause if failure.pause is not None else 0.5 * 2**attempt, LONGEST_PAUSE)
            if attempt == TRIES - 1 or time.monotonic() + wait >= deadline:
                where = f" at {origin(address)}" if address else ""
                raise WriterUnavailable(
                    f"{name}{where} is not available: {failure}.", _advice(address)
                ) from None
            pause(wait, monitor)
    raise AssertionError("unreachable")


def _advice(address: str) -> str:
    if is_loopback(address):
        return (
            "Start the model server on this machine (Ollama: `ollama serve`; LM Studio: `lms server start`), or "
            "use the extractive writer."
        )
    return "Try again in a moment, or use the extractive writer."


def _bounded(
    call: Callable[[threading.Event], T], monitor: Monitor, deadline: float, seconds: float, name: str
) -> T:
    stop, future = threading.Event(), Future[T]()
    threading.Thread(target=_run, args=(call, stop, future), name="texgeist-model-call", daemon=True).start()
    try:
        while True:
            monitor.check()
            try:
                return future.result(timeout=_LOOK)
            except NotYet:
                if future.done():
                    raise
                if time.monotonic() >= deadline:
                    raise WriterTimedOut(
                        f"{name} did not finish its answer within {seconds:.0f} seconds.",
                        "Try again, raise `writer.timeoutSeconds`, or use the extractive writer.",
                    ) from None
    finally:
        stop.set()


def _run(call: Callable[[threading.Event], T], stop: threading.Event, future: Future[T]) -> None:
    STOP.set(stop)
    try:
        future.set_result(call(stop))
    except BaseException as error:  # noqa: BLE001 passed on to the waiting thread
        future.set_exception(error)
