"""Finds a paper's id in pasted text: a DOI or an arXiv id, alone or in a web address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from texgeist_latex.bib.identity import ARXIV_ID, arxiv_id_of, doi_of, dois_in, unescaped, without_marks
from texgeist_latex.types import BibEntry, Bibliography, Span

LONGEST = 500  # characters of text that is searched for an id
_NOWHERE = Span(Path("pasted"), 0, 0)


# Suffixes after the id in web addresses: the publisher's format or, for preprints, the version.
_FORM = re.compile(
    r"(?:/(?:abstract|full|full-?text|pdf|epdf|epub|html|meta|references|summary|download))+/?$|/$"
    r"|(?:(?<![/.])v\d+)?(?:\.(?:full|full-text|pdf|html?|epub|abstract))+(?:\+html)?$|(?<=\d)(?<!/)v\d$",
    re.I,
)
_RESOLVER = re.compile(r"(?:https?://)?(?:www\.|dx\.)?doi\.org/", re.I)
_ADDRESS = re.compile(
    r"(?:https?://|(?:www\.|(?:dx\.)?doi\.org/|arxiv\.org/)(?=[\w.]))"
    r"(?:\\[_%&#]|%[0-9A-Fa-f]{2}|;(?=\w)|[^\s{}\"<>\\%,;~])+",
    re.I,
)
_BARE_ARXIV = re.compile(rf"(?:arxiv\s*:\s*)?(?:(?<![a-z-])|(?=\d)){ARXIV_ID}(?:v\d+)?(?!\w)", re.I)
_LED = re.compile(r"doi\s*:\s*\Z", re.I)


@dataclass(frozen=True, slots=True)
class PaperId:
    """`others`: other ids to try if there is no paper with `id`, because a web address does not show where
    its id ends."""

    kind: Literal["arxiv", "doi"]
    id: str
    others: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        return (self.id, *self.others)

    @property
    def named(self) -> str:
        return f"arXiv:{self.id}" if self.kind == "arxiv" else self.id


def paper_id(text: str) -> PaperId | None:
    """The id in a text, read like a field of an entry. Returns None if there is none."""
    text = unquote(unescaped(text.strip()[:LONGEST]))
    entry = BibEntry("pasted", "misc", {"url": text}, _NOWHERE, 1)
    if arxiv := arxiv_id_of(entry) or arxiv_id_of(_with(entry, "eprint", text)):
        return PaperId("arxiv", arxiv)
    found = next((doi for _, _, doi in dois_in(text)), "")
    address = bool(_ADDRESS.match(text)) and not _RESOLVER.match(text)
    doi = without_marks(re.split(r"[?#&]" if address else r"[?#]", found)[0])
    if not doi_of(_with(entry, "doi", doi)):  # arXiv's DOIs are treated as arXiv ids
        return None
    if not address:
        return PaperId("doi", doi)
    cut = _FORM.sub("", doi)
    shorter = cut.rpartition("/")[0]
    others = [other for other in (doi, shorter) if other != cut and "/" in other]
    return PaperId("doi", cut, tuple(others))


def ids_in(text: str) -> Iterator[tuple[int, int, PaperId]]:
    """Every id in a text, which may be LaTeX: its start, its end, and the id. A web address or `doi:` is part
    of the span."""
    spans = [(m.start(), m.start() + len(without_marks(m[0]))) for m in _ADDRESS.finditer(text)]
    for start, end, _ in dois_in(text):
        led = _LED.search(text, max(0, start - 8), start)
        spans.append((led.start() if led else start, end))
    spans += [m.span() for m in _BARE_ARXIV.finditer(text)]
    behind = 0
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= behind and (id := paper_id(text[start:end])):
            behind = end
            yield start, end, id


def _with(entry: BibEntry, field: str, text: str) -> BibEntry:
    return BibEntry(entry.key, entry.type, {field: text}, entry.span, 1)


def entry_of(wanted: PaperId, bibliographies: Iterable[Bibliography]) -> BibEntry | None:
    """The entry that already has this id, so that no registry needs to be asked; None if there is none."""
    entries = [entry for each in bibliographies if each.exists for entry in each.entries]
    read = arxiv_id_of if wanted.kind == "arxiv" else doi_of
    return next((entry for id in wanted.ids for entry in entries if read(entry) == id), None)
