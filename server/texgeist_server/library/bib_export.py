"""Exports the papers of an index as a `.bib` file, which `index add` and reference managers can read.

Entries are created and checked as for a document; bibtexparser writes the file. Data without a BibTeX field
is left out: vectors, topics, arXiv's dates of change, and paths of PDFs, which are valid only on this
machine.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.bib.keys import SCHOLAR, new_key
from texgeist_latex.errors import Unfit
from texgeist_latex.writing.admission import is_citable
from texgeist_latex.writing.entries import new_entry
from texgeist_latex.writing.entry_style import BibStyle
from texgeist_latex.writing.escape import Charset, escape
from texgeist_retrieval.types import Paper

from ..references import reference_of

if TYPE_CHECKING:
    from bibtexparser.library import Library
    from bibtexparser.model import Entry
    from texgeist_retrieval.ports import Monitor

LETTERS = Charset(any_letter=True)  # the file is UTF-8 and belongs to no document
REPORTED = 100  # papers between progress reports


def export_bib(papers: Iterable[Paper], size: int, target: Path, monitor: Monitor) -> tuple[int, list[str]]:
    """Returns the number of written papers, and the ids of papers that cannot be written as an entry."""
    from bibtexparser import write_string

    library, left_out = _library(papers, size, monitor)
    target.write_text(write_string(library), encoding="utf-8")
    return len(library.entries), left_out


def _library(papers: Iterable[Paper], size: int, monitor: Monitor) -> tuple[Library, list[str]]:
    from bibtexparser.library import Library

    keys: set[str] = set()
    entries: list[Entry] = []
    left_out: list[str] = []
    for count, paper in enumerate(papers, 1):
        key = _key(paper, keys)
        try:
            entries.append(_entry(paper, key))
        except Unfit:
            left_out.append(paper.id)
            continue
        keys.add(key)
        monitor.check()
        if count % REPORTED == 0:
            monitor.report("Exporting", count, size)
    return Library(entries), left_out


def _key(paper: Paper, taken: set[str]) -> str:
    """The citation key for a paper. A paper whose id is a citation key (`bib:…`) keeps this key."""
    own = paper.id.removeprefix("bib:")
    if own != paper.id and own not in taken and is_citable(own):
        return own
    return new_key(reference_of(paper), SCHOLAR, taken)


def _entry(paper: Paper, key: str) -> Entry:
    from bibtexparser import parse_string
    from bibtexparser.middlewares import RemoveEnclosingMiddleware
    from bibtexparser.model import Field

    text = new_entry(reference_of(paper), key, BibStyle(), LETTERS)
    made: Entry = parse_string(text, parse_stack=[RemoveEnclosingMiddleware()]).entries[0]
    if len(paper.published) > len("2024"):
        made.set_field(Field("date", paper.published))
    if paper.abstract:
        made.set_field(Field("abstract", escape(paper.abstract, LETTERS)))
    return made
