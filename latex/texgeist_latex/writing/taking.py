"""Plans the edits for an offer that the author accepts: an entry for a paper, the published version in place
of a preprint, corrected fields of an entry, or a new sentence in place of the author's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from texgeist_latex.bib.parser import read_bib
from texgeist_latex.errors import Unfit
from texgeist_latex.types import (
    BibEntry,
    Draft,
    Edit,
    EditPlan,
    FieldCorrection,
    Reference,
    SourceFile,
)
from texgeist_latex.writing.admission import checked_references
from texgeist_latex.writing.entries import NUMBERS, field_line, new_entry, numbers, shown_authors
from texgeist_latex.writing.entry_style import BibStyle, learn_style
from texgeist_latex.writing.escape import Charset, escape
from texgeist_latex.writing.habits import bibliography_charset, document_charset
from texgeist_latex.writing.new_entries import new_entries
from texgeist_latex.writing.targets import bibliography_of, source_of


def plan_entry(draft: Draft, reference: Reference, bibliography: Path | None = None) -> EditPlan:
    """Plans the paper's entry in the given or chosen bibliography, if it has none. The text is not
    changed."""
    charset = document_charset(draft, draft.root)
    papers = new_entries(draft, checked_references([reference]), bibliography, draft.root, charset)
    return papers.plan()


_NOWHERE = Path("entry.bib")
_MOST_PLACES = 200  # at which the text of a correction may occur in an entry
# Bibliographic fields, which are taken from the published entry.
_DESCRIBES = frozenset(
    """author title booktitle journal journaltitle year date month volume number pages publisher doi url urldate
    howpublished eprint archiveprefix eprinttype primaryclass eprintclass series address location editor issn isbn
    organization institution school type version""".split()
)


def take_over(draft: Draft, entry: BibEntry, published: Reference, more: Mapping[str, str]) -> Edit:
    """The edit that replaces a preprint's entry by the entry of its published version. `more`: volume, number
    and pages. Raises `Unfit` if the entry cannot be written, and other `LatexError`s if a file cannot be
    read."""
    source, style, charset = _home(draft, entry)
    biblatex = draft.style.package == "biblatex"
    text = new_entry(published, entry.key, style, charset, biblatex=biblatex)
    added = {name: numbers(more[name]) for name in NUMBERS if more.get(name)}
    kept = {name: value for name, value in entry.fields.items() if _stays(name, value)}
    lines = [field_line(name, value, style) for name, value in {**added, **kept}.items()]
    if lines:
        body = text.removesuffix("\n}").removesuffix(",")
        text = ",\n".join([body, *lines]) + ("," if style.trailing_comma else "") + "\n}"
    read = _only_entry(text)
    if read is None or read.key != entry.key:
        raise Unfit(f"The published entry of {entry.key} cannot be written.", "Change it by hand.")
    return Edit(source.path, entry.span.start, entry.span.end, text.replace("\n", source.newline))


def correct(draft: Draft, entry: BibEntry, corrections: Sequence[FieldCorrection]) -> Edit:
    """The edit that gives an entry's fields the values of its record; every other byte stays. Raises `Unfit`
    if a correction would change other fields, and other `LatexError`s if a file cannot be read."""
    source, style, charset = _home(draft, entry)
    text = source.text[entry.span.start : entry.span.end]
    for wanted in corrections:
        value = _corrected(wanted, style, charset)
        found = list(_replaced(text, wanted, value)) if value else []
        if len(found) != 1:
            raise Unfit(f"The field {wanted.field} of {entry.key} cannot be corrected.", "Change it by hand.")
        text = found[0]
    return Edit(source.path, entry.span.start, entry.span.end, text)


def _home(draft: Draft, entry: BibEntry) -> tuple[SourceFile, BibStyle, Charset]:
    """The `.bib` file of an entry, its style, and the characters that may be written there."""
    bibliography = bibliography_of(draft, entry)
    source = source_of(draft, entry.span.file)
    style = learn_style(bibliography, source.text)
    charset = bibliography_charset(draft, document_charset(draft, draft.root), source, style.raw_letters)
    return source, style, charset


def _corrected(wanted: FieldCorrection, style: BibStyle, charset: Charset) -> str:
    if wanted.field == "author":
        order = replace(style, last_first="," in wanted.old)
        return "".join(shown_authors(Reference("", "", (wanted.new,), None), order, charset)[:1])
    return escape(wanted.new, charset, maths=False) if wanted.field == "publisher" else numbers(wanted.new)


def _replaced(text: str, wanted: FieldCorrection, value: str) -> Iterator[str]:
    """The entry with the value at each place where only the field that is meant changes."""
    before, places = _only_entry(text), list(re.finditer(re.escape(wanted.old), text))
    if before is None or len(places) > _MOST_PLACES:
        return
    for place in places:
        new = text[: place.start()] + value + text[place.end() :]
        after = _only_entry(new)
        if after is not None and (after.key, after.type) == (before.key, before.type):
            changed = {name for name, _ in before.fields.items() ^ after.fields.items()}
            if changed == {wanted.field}:
                yield new


def _only_entry(text: str) -> BibEntry | None:
    read = read_bib(_NOWHERE, text)
    return read.entries[0] if len(read.entries) == 1 and not read.problems else None


def _stays(name: str, value: str) -> bool:
    return name not in _DESCRIBES and not (name == "note" and re.search("arxiv|preprint", value, re.I))
