"""A PDF as a paper: its head by what stands on its first page, its text by section."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_retrieval.errors import PaperUnreadable
from texgeist_retrieval.sources.records import Record, one_line
from texgeist_retrieval.types import Paper

from .pdf_head import names_in, read_head

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor


ABSTRACT = re.compile(
    r"(?:^|\n)\W*abstract\b[\s.:—–-]*(?P<text>.{80,4000}?)"
    r"(?=\n\W*(?:\d+\W*\s+|I\.\s+)?(?:introduction|keywords|index terms|ccs concepts|key words)\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
MADE_UP_TITLE = re.compile(
    r"^(?:untitled|microsoft word|.*\.(?:tex|dvi|docx?|indd|pdf)$|[\d.\sv/-]*$)", re.IGNORECASE
)
LONGEST_ABSTRACT = 2500  # code points


def record_of_pdf(path: Path, monitor: Monitor | None = None) -> Record:
    """A PDF as a paper with its full text by section. Raises `PaperUnreadable`."""
    from texgeist_retrieval.fulltext.layout import sections_of_pages
    from texgeist_retrieval.fulltext.pdf import extract_all

    data = path.read_bytes()
    said = extract_all(data, monitor)
    sections = sections_of_pages(said["pages"], said.get("fonts", ()))
    return Record(_paper(path, data, said), sections=sections, note=_read_in_part(path, said))


def _read_in_part(path: Path, said: Mapping[str, Any]) -> str:
    read, there = len(said["pages"]), said["all_pages"]
    return f"{path.name}: its first {read:,} of {there:,} pages were read." if read < there else ""


def _paper(path: Path, data: bytes, said: Mapping[str, Any]) -> Paper:
    """The title is the one that the file itself names, else what stands in the largest
    letters, else the file's name, as reference managers make it; authors and year are those that file, page or
    name say, or nobody; the abstract is what follows that word on the first two pages."""
    import hashlib

    from texgeist_retrieval.sources.arxiv import ARXIV_ID

    first = "\n".join(said["pages"][:2]).replace("\r", "")
    match = ABSTRACT.search(first)
    body = one_line(match["text"] if match else first)[:LONGEST_ABSTRACT]
    if len(body) < 80:
        raise PaperUnreadable("Its first pages hold no text.")
    stamp = re.search(rf"arXiv:\s*({ARXIV_ID.pattern})", first)
    named = ARXIV_ID.fullmatch(path.stem) or ARXIV_ID.fullmatch(path.stem.replace("_", "/", 1))
    found = stamp or named
    id_ = found["id"] if found else ""
    head = read_head([(height, words) for height, words in said.get("head", ())], id_)
    title = one_line(said.get("title"))
    if not title or MADE_UP_TITLE.match(title):
        title = head.title or _title_of_name(path.stem)
    digest = hashlib.sha256(data).hexdigest()[:16]
    return Paper(
        id=id_ or f"pdf:{digest}",
        title=title,
        abstract=body,
        authors=names_in(one_line(said.get("author"))) or head.authors,
        year=head.year or _year_of_name(path.stem),
        files=(str(path.resolve()),),
    )


def _year_of_name(stem: str) -> int | None:
    match = re.search(r"\s-\s(\d{4})\s-\s", stem)
    return int(match[1]) if match else None


def _title_of_name(stem: str) -> str:
    """Zotero names files `Smith et al. - 2020 - Title`."""
    return one_line(re.split(r"\s-\s(?:\d{4}\s-\s)?", stem)[-1].replace("_", " "))
