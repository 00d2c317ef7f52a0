"""An entry's preprint has been published: the published entry in its place, under its key.

Key, keywords, files and whatever else of the author's describes no publication stay; the arXiv id stays too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from texgeist_latex.bib.parser import read_bib
from texgeist_latex.errors import Unfit
from texgeist_latex.types import BibEntry, Bibliography, Draft, Edit, Reference
from texgeist_latex.writing.charsets import bibliography_charset, document_charset
from texgeist_latex.writing.entries import field_line, new_entry
from texgeist_latex.writing.entry_style import learn_style
from texgeist_latex.writing.targets import source_of

_NOWHERE = Path("entry.bib")
# Fields of a description, which the published one replaces.
_DESCRIBES = frozenset(
    """author title booktitle journal journaltitle year date month volume number pages publisher doi url urldate
    howpublished eprint archiveprefix eprinttype primaryclass eprintclass series address location editor issn isbn
    organization institution school type version""".split()
)
_ADDS = ("volume", "number", "pages")  # what a published paper has beside


def take_over(draft: Draft, entry: BibEntry, published: Reference, more: Mapping[str, str]) -> Edit:
    """The edit of the `.bib` file. `more` may hold volume, number and pages. Raises `Unfit` and
    `LatexError`s of files."""
    bibliography = _of(draft, entry)
    source = source_of(draft, entry.span.file)
    style = learn_style(bibliography, source.text)
    charset = bibliography_charset(draft, document_charset(draft, draft.root), source, style.raw_letters)
    biblatex = draft.style.package == "biblatex"
    text = new_entry(published, entry.key, style, charset, biblatex=biblatex)
    added = {name: _numbers(more[name]) for name in _ADDS if more.get(name)}
    kept = {name: value for name, value in entry.fields.items() if _stays(name, value)}
    lines = [field_line(name, value, style) for name, value in {**added, **kept}.items()]
    if lines:
        body = text.removesuffix("\n}").removesuffix(",")
        text = ",\n".join([body, *lines]) + ("," if style.trailing_comma else "") + "\n}"
    _check(text, entry.key)
    return Edit(source.path, entry.span.start, entry.span.end, text.replace("\n", source.newline))


def _of(draft: Draft, entry: BibEntry) -> Bibliography:
    for bibliography in draft.bibliographies:
        if bibliography.kind == "bib" and bibliography.path == entry.span.file and bibliography.exists:
            return bibliography
    raise Unfit(f"{entry.key} stands in no .bib file.", "Change it by hand.")


def _stays(name: str, value: str) -> bool:
    return name not in _DESCRIBES and not (name == "note" and re.search("arxiv|preprint", value, re.I))


def _numbers(text: str) -> str:
    """`12-34` with BibTeX's dash; nothing but what volumes and pages are made of."""
    return re.sub(r"\s*[-–]+\s*", "--", re.sub(r"[^\w\s.,:/()+–-]", "", text))


def _check(text: str, key: str) -> None:
    read = read_bib(_NOWHERE, text)
    if read.problems or [entry.key for entry in read.entries] != [key]:
        raise Unfit(f"The published entry of {key} cannot be written.", "Change it by hand.")
