"""Reads a LaTeX project as a paper: the user's own earlier paper, or an unpacked source from arXiv.

The project is read like a draft, but only inside its folder, and no program is run.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.errors import LatexError
from texgeist_retrieval.errors import PaperUnreadable
from texgeist_retrieval.monitor import SILENT
from texgeist_retrieval.sources.admission import with_abstract
from texgeist_retrieval.sources.records import Record, one_line
from texgeist_retrieval.text.sentences import split_sentences
from texgeist_retrieval.types import Block, Paper, TextSection

if TYPE_CHECKING:
    from texgeist_latex.reading.contents import TextPart
    from texgeist_latex.types import Draft
    from texgeist_retrieval.ports import Monitor

_MOST = 8_000_000  # bytes read of a file
_BEGIN = re.compile(rb"^[^%\n]*\\begin\s*\{document\}", re.MULTILINE)
_CLASS = re.compile(rb"^[^%\n]*\\document(?:class|style)\b", re.MULTILINE)
_DATE = re.compile(rb"^[^%\n]*\\date\s*\{([^{}]*)\}", re.MULTILINE)
_PART = re.compile(rb"\\documentclass\s*(?:\[[^\]]*\])?\s*\{(?:subfiles|standalone)\}")


def roots_in(files: Sequence[Path]) -> frozenset[Path]:
    """The files that are root documents. Preambles and parts (subfiles, standalone) are not."""
    found = set()
    for path in files:
        try:
            with path.open("rb") as file:
                text = file.read(_MOST)
        except OSError:
            continue
        if _CLASS.search(text) and _BEGIN.search(text) and not _PART.search(text):
            found.add(path)
    return frozenset(found)


def whose_pictures(roots: frozenset[Path]) -> frozenset[Path]:
    """Paths, without suffix, of PDFs that are not separate papers: PDFs typeset from the root documents, and
    pictures that these documents include."""
    from texgeist_latex.reading.contents import figures
    from texgeist_latex.reading.draft import read_draft

    found = {root.with_suffix("") for root in roots}
    for root in roots:
        try:
            found |= figures(read_draft(root, root=root, workspace=root.parent, programs=False))
        except (LatexError, OSError):
            continue
    return frozenset(found)


def record_of_project(path: Path, monitor: Monitor = SILENT) -> Record:
    """The paper with the root document `path`. Raises `LatexError`, `PaperUnreadable`, `OSError`."""
    from texgeist_latex.reading.contents import full_text
    from texgeist_latex.reading.draft import read_draft

    draft = read_draft(path, root=path, workspace=path.parent, programs=False)
    parts = full_text(draft)
    if sum(len(piece.text) for part in parts for piece in part.pieces) < 80:
        raise PaperUnreadable("There is next to no text in it.")
    sections = tuple(_section(part) for part in parts)
    return Record(with_abstract(_paper(path, draft), sections), sections=sections)


def _section(part: TextPart) -> TextSection:
    blocks: list[Block] = []
    for piece in part.pieces:
        if piece.whole:
            blocks.append(Block(piece.text, whole=True))
        else:
            blocks += [Block(sentence) for sentence in split_sentences(piece.text)]
    return TextSection(part.heading, tuple(blocks))


def _paper(path: Path, draft: Draft) -> Paper:
    """The paper's metadata. The arXiv id is taken from the name of the folder or file, as in unpacked
    sources."""
    from texgeist_retrieval.sources.arxiv import ARXIV_ID

    from .pdfs import year_of_id

    named = ARXIV_ID.search(path.parent.name) or ARXIV_ID.search(path.stem)
    id_ = named["id"] if named else ""
    return Paper(
        id=id_ or _id_of(path),
        title=one_line(draft.title) or one_line(path.stem.replace("_", " ")),
        abstract=one_line(draft.abstract),
        authors=tuple(one_line(name) for name in draft.authors),
        year=year_of_id(id_) or _year_of(path),
    )


def _year_of(path: Path) -> int | None:
    r"""The year in `\date` if exactly one year is named there; else None, for example for `\today`."""
    from .pdfs import YEAR

    with path.open("rb") as file:
        named = _DATE.search(file.read(_MOST))
    years = set(YEAR.findall(named[1].decode("ascii", "replace"))) if named else set()
    return int(years.pop()) if len(years) == 1 else None


def _id_of(path: Path) -> str:
    """An id for a paper that has none, made from the path of its file. So the record of a changed file
    replaces the earlier record."""
    return f"file:{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:16]}"
