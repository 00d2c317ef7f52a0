"""The worker process: `python -P -m texgeist_server.worker`. It ends when its standard input ends."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TextIO

from texgeist_latex.errors import LatexError
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.errors import RetrievalError
from texgeist_retrieval.monitor import StopEvent

from ..adapters import setup_of
from ..config.credentials import Keys
from ..config.settings import Settings
from ..errors import ServerError
from ..sections.requests import Request
from .tasks import TASKS

Frame = dict[str, Any]
_KINDS = {kind.__name__: kind for kind in TASKS}


class TaskRunner:
    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lock = threading.Lock()
        self._stops: dict[int, threading.Event] = {}
        self._pool = ThreadPoolExecutor(max_workers=4)

    def take(self, frame: Frame) -> None:
        if "cancel" in frame:
            if stop := self._stops.get(frame["cancel"]):
                stop.set()
            return
        self._stops[frame["id"]] = threading.Event()
        self._pool.submit(self._run, frame)

    def end(self) -> None:
        for stop in self._stops.values():
            stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _run(self, frame: Frame) -> None:
        number = frame["id"]

        def tell(message: str, done: int | None, total: int | None) -> None:
            self._send({"id": number, "progress": [message, done, total]})

        try:
            request, settings, keys = read_call(frame["call"])
            answer = TASKS[type(request)](
                request, setup_of(settings, keys), StopEvent(self._stops[number], tell)
            )
            self._send({"id": number, "answer": to_plain(answer)})
        except (RetrievalError, LatexError, ServerError) as error:
            self._send({"id": number, "error": _described(error, error.help, error.retryable)})
        except BaseException as error:  # noqa: BLE001  (the server must receive every failure)
            import traceback

            traceback.print_exc()
            self._send({"id": number, "error": _described(error, "The log has the details.", False)})
        finally:
            self._stops.pop(number, None)

    def _send(self, frame: Frame) -> None:
        with self._lock, contextlib.suppress(BrokenPipeError):
            self._out.write(json.dumps(frame, ensure_ascii=False) + "\n")
            self._out.flush()


def read_call(call: Frame) -> tuple[Request[Any], Settings, Keys]:
    """Decodes a call. Raises ValueError for an invalid request, KeyError for an unknown request class."""
    kind = _KINDS[call["request"]]
    return (
        from_plain(kind, call["with"]),
        Settings.model_validate(call["settings"]),
        from_plain(Keys, call["keys"]),
    )


def _described(error: BaseException, help: str, retryable: bool) -> Frame:
    message = str(error) or type(error).__name__
    return {"kind": type(error).__name__, "message": message, "help": help, "retryable": retryable}


@contextlib.contextmanager
def _frames_only() -> Iterator[TextIO]:
    """Reserves standard output for frames: what libraries print goes to standard error."""
    with os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n") as out:
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        yield out


def main() -> None:
    with _frames_only() as out:
        worker = TaskRunner(out)
        for line in sys.stdin.buffer:
            worker.take(json.loads(line))
        worker.end()
    os._exit(0)  # a task that ignores its stop event must not keep the process alive


if __name__ == "__main__":
    main()
