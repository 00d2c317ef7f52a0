"""The id of a paper in what somebody pastes: a DOI, an arXiv id, or a web address that holds one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from texgeist_latex.bib.identity import arxiv_id_of, doi_of
from texgeist_latex.types import BibEntry, Bibliography, Span

LONGEST = 500  # characters of what may hold an id
_NOWHERE = Span(Path("pasted"), 0, 0)


@dataclass(frozen=True, slots=True)
class PaperId:
    kind: Literal["arxiv", "doi"]
    id: str

    @property
    def named(self) -> str:
        return f"arXiv:{self.id}" if self.kind == "arxiv" else self.id


def paper_id(text: str) -> PaperId | None:
    """The one id in a text; None where there is none. By the rules that entries are read by."""
    text = unquote(unescaped(text.strip()[:LONGEST]))
    entry = BibEntry("pasted", "misc", {"url": text}, _NOWHERE, 1)
    if arxiv := arxiv_id_of(entry) or arxiv_id_of(_with(entry, "eprint", text)):
        return PaperId("arxiv", arxiv)
    found = re.search(r"10\.\d{4,9}/[^\s\"<>{}|\\^`?#]+", text)
    doi = doi_of(_with(entry, "doi", found[0].rstrip(".,;)"))) if found else ""
    return PaperId("doi", doi) if doi else None


def unescaped(text: str) -> str:
    """Without the backslashes that LaTeX wants before signs which ids may hold: Springer's have a `_`."""
    return re.sub(r"\\([_%&#])", r"\1", text)


def _with(entry: BibEntry, field: str, text: str) -> BibEntry:
    return BibEntry(entry.key, entry.type, {field: text}, entry.span, 1)


def entry_of(wanted: PaperId, bibliographies: Iterable[Bibliography]) -> BibEntry | None:
    """The entry that has this id already: then nobody needs to be asked."""
    entries = (entry for each in bibliographies if each.exists for entry in each.entries)
    read = arxiv_id_of if wanted.kind == "arxiv" else doi_of
    return next((entry for entry in entries if read(entry) == wanted.id), None)
