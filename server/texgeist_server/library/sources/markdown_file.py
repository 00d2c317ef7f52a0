"""A Markdown file as a paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import PaperUnreadable
from texgeist_retrieval.fulltext.markdown import LARGEST, MarkdownText, head_of, read_markdown
from texgeist_retrieval.sources.admission import with_abstract
from texgeist_retrieval.sources.records import Record, one_line
from texgeist_retrieval.types import Paper

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

_NAMES = re.compile(r" ?; ?| and | ?, ?|\n")

_BLANKS = re.compile(r"[^\S\n]+")
_BY = ("author", "authors", "doi", "arxiv", "eprint")
_BEGINNING = 20_000  # bytes in which a paper says so
_ABSTRACT = re.compile(
    r"^[ \t]{0,3}(?:#{1,6}[ \t]*)?[*_]{0,3}(?:\d{1,2}\.?[ \t]+)?abstract\b(?:[ \t#*_]*$|[*_]{0,3}[ \t]?[.:\u2013\u2014-])",
    re.IGNORECASE | re.MULTILINE,
)


def is_paper(path: Path) -> bool:
    """Whether a Markdown file of a folder is a paper, by its own word: its head names authors or an id, or it has an
    abstract. A README, a note or a list of changes has neither, and cited it would be a work of nobody."""
    with path.open("rb") as file:
        text = file.read(_BEGINNING).decode("utf-8", "replace").replace("\r\n", "\n")  # for `$`
    said = head_of(text)
    return any(said.get(name) for name in _BY) or _ABSTRACT.search(text) is not None


def record_of_markdown(path: Path, monitor: Monitor | None = None) -> Record:
    """Raises `PaperUnreadable`, `OSError`."""
    from texgeist_latex.disk.paths import regular

    state = regular(path)
    if state is None:
        raise PaperUnreadable("It is no regular file.")
    if state.st_size > LARGEST:
        raise PaperUnreadable(f"It is longer than {LARGEST >> 20} MB.")
    read = read_markdown(path.read_bytes().decode("utf-8", "replace"))
    if not any(c.isalnum() for s in read.sections for block in s.blocks for c in block.text):
        raise PaperUnreadable("There is no text in it.")
    return Record(with_abstract(_paper(path, read), read.sections), sections=read.sections)


def _paper(path: Path, read: MarkdownText) -> Paper:
    """By the head of the file; what that does not say is left open, for the title the file's name stands in."""
    from texgeist_retrieval.sources.arxiv import ARXIV_ID

    from .own_ids import id_of

    said = read.fields
    doi = re.sub(
        r"^(?:https?://)?(?:dx\.)?doi\.org/|^doi:\s*", "", said.get("doi", ""), flags=re.IGNORECASE
    ).lower()
    arxiv = ARXIV_ID.search(said.get("arxiv", "") or said.get("eprint", ""))
    year = re.search(r"\b(1[5-9]|20)\d\d\b", said.get("year", "") or said.get("date", ""))
    names = said.get("authors", "") or said.get("author", "")
    return Paper(
        id=arxiv["id"] if arxiv else f"doi:{doi}" if doi else id_of(path),
        title=one_line(read.title) or one_line(path.stem.replace("_", " ").replace("-", " ")),
        abstract=one_line(said.get("abstract", "")),
        authors=tuple(name for one in _NAMES.split(_BLANKS.sub(" ", names)) if (name := one_line(one))),
        year=int(year[0]) if year else None,
        doi=doi,
    )
