"""Reads PDFs as body text: a process with limits extracts the text, words are mended, and only the body is kept.

Processes are reused, because starting a process takes four times as long as reading a paper."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from ..errors import PaperUnreadable
from ..monitor import SILENT
from ..ports import Monitor
from .body import Fonts, body_pages, mend_pages, plain_lines

LONGEST_S = 30.0  # for one PDF; a paper of 30 pages takes less than a second


def read_pdf(data: bytes, monitor: Monitor = SILENT, longest_s: float = LONGEST_S) -> list[str]:
    """The body text page by page, without references, appendix and acknowledgements; "" for a page without
    body text. Raises `PaperUnreadable` with the reason, and `Cancelled`."""
    lines = plain_lines(extract(data, monitor, longest_s).pages)
    if not any(any(page) for page in lines):
        raise PaperUnreadable("Its PDF holds no text, only pictures of it.")
    return mend_pages(body_pages(lines))


@dataclass(frozen=True, slots=True)
class PdfText:
    """What `extract.py` reads of a PDF. `pages`: the raw text of each page, with a line for each printed line;
    `fonts`: size, boldness, left edge and base of the lines of each page (`body.split_page`); `head`: the first lines with the height of their letters;
    `all_pages`: the number of pages, of which the first are read; `title`, `author`: from the file's metadata, often
    ""; `error`: why nothing was read."""

    pages: Sequence[str] = ()
    fonts: Fonts = ()
    head: Sequence[tuple[float, str]] = ()
    all_pages: int = 0
    title: str = ""
    author: str = ""
    error: str = ""


def extract(data: bytes, monitor: Monitor = SILENT, longest_s: float = LONGEST_S) -> PdfText:
    """Raises `PaperUnreadable` and `Cancelled`."""
    if not data.lstrip()[:5] == b"%PDF-":
        raise PaperUnreadable("It is no PDF.")
    with PROCESSES.process() as process:
        answer = process.ask(data, monitor, longest_s)
    try:
        read = PdfText(**json.loads(answer))  # pydantic would refuse half of a surrogate pair
    except ValueError:  # the process ended
        read = PdfText(error="no answer")
    if read.error:
        locked = "password" in read.error.casefold()
        raise PaperUnreadable(f"Its PDF is {'locked with a password' if locked else 'damaged or protected'}.")
    return read


def looks_whole(data: bytes) -> bool:
    """Whether the PDF is complete: it has the marker at the end of the file."""
    return data.lstrip()[:5] == b"%PDF-" and b"%%EOF" in data[-2048:]


STEP_S = 0.05
IDLE_S = 10.0  # how long an idle process is kept
MOST_ANSWER = 128 * 2**20  # bytes; the largest pages with every letter escaped have 72 MB
MOST_ASKED = 100  # PDFs after which a process is replaced, to free memory that PDFium leaks
_PROGRAM = Path(__file__).with_name("extract.py")


class PdfProcess:
    """A process that reads PDFs. Not thread-safe."""

    def __init__(self) -> None:
        # with -I the program imports nothing from its folder or the working folder
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.asked = 0

    @property
    def usable(self) -> bool:
        return self._process.poll() is None and self.asked < MOST_ASKED

    def ask(self, data: bytes, monitor: Monitor, longest_s: float) -> bytes:
        """Sends a PDF and returns the answer, b"" if the process died. Raises `PaperUnreadable` after
        `longest_s` seconds, and `Cancelled`; in both cases the process is ended."""
        self.asked += 1
        answer: list[bytes] = []
        thread = threading.Thread(target=lambda: answer.append(self._exchange(data)), daemon=True)
        thread.start()
        end = time.monotonic() + longest_s
        try:
            while thread.is_alive():
                monitor.check()
                if time.monotonic() >= end:
                    raise PaperUnreadable(f"Its PDF could not be read within {longest_s:.0f} s.")
                thread.join(STEP_S)
        except BaseException:
            self.end()
            raise
        return answer[0] if answer else b""

    def _exchange(self, data: bytes) -> bytes:
        given, answers = self._process.stdin, self._process.stdout
        assert given is not None and answers is not None
        with contextlib.suppress(OSError, ValueError):  # the process died, or was ended
            given.write(len(data).to_bytes(8, "big") + data)
            given.flush()
            length = int.from_bytes(_exactly(answers, 8), "big")
            return _exactly(answers, length) if length <= MOST_ANSWER else b""
        return b""

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()


def _exactly(pipe: IO[bytes], count: int) -> bytes:
    data = pipe.read(count)
    if len(data) < count:
        raise OSError("the process ended")
    return data


class PdfProcesses:
    """A pool of at most one process for each processor. A process is started when needed, and ended after
    `IDLE_S` without requests."""

    def __init__(self) -> None:
        self._free = threading.BoundedSemaphore(max(os.cpu_count() or 1, 1))
        self._lock = threading.Lock()
        self._idle: list[PdfProcess] = []
        self._timer: threading.Timer | None = None

    @contextlib.contextmanager
    def process(self) -> Iterator[PdfProcess]:
        with self._free:
            with self._lock:
                process = self._idle.pop() if self._idle else None
            if process is None or not process.usable:
                process = PdfProcess()
            try:
                yield process
            finally:
                self._keep(process)

    def _keep(self, process: PdfProcess) -> None:
        if not process.usable:
            process.end()
            return
        with self._lock:
            self._idle.append(process)
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(IDLE_S, self.end_idle)
            self._timer.daemon = True
            self._timer.start()

    def end_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()


PROCESSES = PdfProcesses()
