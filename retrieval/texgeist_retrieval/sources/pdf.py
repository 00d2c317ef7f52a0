"""PDFs as body text: extracted in a bounded process, mended, cut to what the authors say themselves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from ..errors import PaperUnreadable
from ..ports import Monitor
from .body import body_pages
from .mend import mend_pages, plain_lines

LONGEST_S = 30.0  # for one PDF; a paper of 30 pages takes under one second
STEP_S = 0.05
_PROGRAM = Path(__file__).with_name("extract.py")
_AT_ONCE = threading.BoundedSemaphore(max(os.cpu_count() or 1, 1))


def read_pdf(data: bytes, monitor: Monitor | None = None, longest_s: float = LONGEST_S) -> list[str]:
    """Body text page by page, without references, appendix and acknowledgements; "" for a page that has
    none. Raises `PaperUnreadable` with the reason, and `Cancelled`."""
    lines = plain_lines(extract(data, monitor, longest_s))
    if not any(any(page) for page in lines):
        raise PaperUnreadable("Its PDF holds no text, only pictures of it.")
    return mend_pages(body_pages(lines))


def extract(data: bytes, monitor: Monitor | None = None, longest_s: float = LONGEST_S) -> list[str]:
    """The raw text of each page, one line a printed line."""
    return list(extract_all(data, monitor, longest_s)["pages"])


def extract_all(data: bytes, monitor: Monitor | None = None, longest_s: float = LONGEST_S) -> dict[str, Any]:
    """`pages` as `extract` gives them, and `title` and `author` as the file says them, mostly ""."""
    if not data.lstrip()[:5] == b"%PDF-":
        raise PaperUnreadable("It is no PDF.")
    with _AT_ONCE:
        code, output = _run(data, monitor, longest_s)
    try:
        answer = json.loads(output)
    except ValueError:
        answer = {}
    if code != 0 or "pages" not in answer:
        raise PaperUnreadable("Its PDF is damaged or protected.")
    return dict(answer)


def looks_whole(data: bytes) -> bool:
    """False for half a file: a PDF says at its end that it ends."""
    return data.lstrip()[:5] == b"%PDF-" and b"%%EOF" in data[-2048:]


def _run(data: bytes, monitor: Monitor | None, longest_s: float) -> tuple[int, bytes]:
    """`-I` keeps the program from importing anything that lies beside it. Files stand in for pipes, so
    that nothing blocks and the wait can be broken off."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as answer:
        given.write(data)
        given.seek(0)
        program = subprocess.Popen(
            [sys.executable, "-I", str(_PROGRAM)], stdin=given, stdout=answer, stderr=subprocess.DEVNULL
        )
        try:
            code = _ended(program, monitor, longest_s)
        finally:
            if program.poll() is None:
                program.kill()
            program.wait()
        answer.seek(0)
        return code, answer.read()


def _ended(program: subprocess.Popen[bytes], monitor: Monitor | None, longest_s: float) -> int:
    end = time.monotonic() + longest_s
    while True:
        try:
            return program.wait(timeout=STEP_S)
        except subprocess.TimeoutExpired:
            if monitor:
                monitor.check()
            if time.monotonic() > end:
                raise PaperUnreadable(f"Its PDF could not be read within {longest_s:.0f} s.") from None
