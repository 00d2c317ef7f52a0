"""Reads PDFs as body text: a process with limits extracts the text, words are mended, and only the body is
kept."""

from __future__ import annotations

import json
from typing import Any

from ..errors import PaperUnreadable
from ..ports import Monitor
from .body import body_pages
from .mend import mend_pages, plain_lines
from .pdf_processes import PROCESSES

LONGEST_S = 30.0  # for one PDF; a paper of 30 pages takes less than a second


def read_pdf(data: bytes, monitor: Monitor | None = None, longest_s: float = LONGEST_S) -> list[str]:
    """The body text page by page, without references, appendix and acknowledgements; "" for a page without
    body text. Raises `PaperUnreadable` with the reason, and `Cancelled`."""
    lines = plain_lines(extract(data, monitor, longest_s))
    if not any(any(page) for page in lines):
        raise PaperUnreadable("Its PDF holds no text, only pictures of it.")
    return mend_pages(body_pages(lines))


def extract(data: bytes, monitor: Monitor | None = None, longest_s: float = LONGEST_S) -> list[str]:
    """The raw text of each page, with a line for each printed line."""
    return list(extract_all(data, monitor, longest_s)["pages"])


def extract_all(data: bytes, monitor: Monitor | None = None, longest_s: float = LONGEST_S) -> dict[str, Any]:
    """The answer of the program `extract.py`: `pages`, the `fonts` of their lines, `title` and `author` from
    the file's metadata (often ""), and more. Raises `PaperUnreadable` and `Cancelled`."""
    if not data.lstrip()[:5] == b"%PDF-":
        raise PaperUnreadable("It is no PDF.")
    with PROCESSES.process() as process:
        answer = process.ask(data, monitor, longest_s)
    try:
        said = dict(json.loads(answer))
    except ValueError:
        said = {}
    if "password" in str(said.get("error", "")).casefold():
        raise PaperUnreadable("Its PDF is locked with a password.")
    if "pages" not in said:
        raise PaperUnreadable("Its PDF is damaged or protected.")
    return said


def looks_whole(data: bytes) -> bool:
    """Whether the PDF is complete: it has the marker at the end of the file."""
    return data.lstrip()[:5] == b"%PDF-" and b"%%EOF" in data[-2048:]
