"""Plans the edits for an offer that the author accepts: the entry of a paper, the published version instead
of a preprint's entry, or a new sentence instead of the author's sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from texgeist_latex.bib.parser import read_bib
from texgeist_latex.errors import NoPlace, Unfit
from texgeist_latex.tex.sentences import renamed
from texgeist_latex.types import BibEntry, Draft, Edit, EditPlan, Offer, Reference
from texgeist_latex.writing.admission import checked_references
from texgeist_latex.writing.blocks import identifier_of, old_block, place_of
from texgeist_latex.writing.charsets import bibliography_charset, document_charset
from texgeist_latex.writing.entries import field_line, new_entry
from texgeist_latex.writing.entry_style import learn_style
from texgeist_latex.writing.habits import layout_of
from texgeist_latex.writing.new_entries import new_entries
from texgeist_latex.writing.prose import break_lines
from texgeist_latex.writing.targets import bibliography_of, source_of


def plan_entry(draft: Draft, reference: Reference, bibliography: Path | None = None) -> EditPlan:
    """Plans the paper's entry in the given or chosen bibliography, if it has none. The text is not
    changed."""
    charset = document_charset(draft, draft.root)
    papers = new_entries(draft, checked_references([reference]), bibliography, draft.root, charset)
    return papers.plan()


def plan_taking(draft: Draft, section_id: str, offer: Offer, references: Sequence[Reference]) -> EditPlan:
    """Plans the replacement of the author's sentence by the new sentence, and adds entries that are missing.
    `references`: the papers that it cites. Raises NoPlace if the author's sentence is gone."""
    identifier = identifier_of(section_id)
    block = old_block(draft, identifier)
    source = source_of(draft, block.span.file) if block else None
    place = place_of(source, block, offer.stands) if source and block else None
    if source is None or place is None:
        raise NoPlace("The sentence was changed again, so it was left as it is.", "Update the section again.")
    charset = document_charset(draft, source.path)
    given = {id: key for key, id in offer.papers}
    papers = new_entries(draft, checked_references(references), None, source.path, charset, given)
    changed = {key: papers.keys[id] for id, key in given.items() if papers.keys.get(id, key) != key}
    text = renamed(offer.new, changed)
    lines = break_lines([text], layout_of(draft, source.path)).replace("\n", source.newline)
    return papers.plan([Edit(source.path, *place, lines)], text, identifier)


_NOWHERE = Path("entry.bib")
# Bibliographic fields, which are taken from the published entry.
_DESCRIBES = frozenset(
    """author title booktitle journal journaltitle year date month volume number pages publisher doi url urldate
    howpublished eprint archiveprefix eprinttype primaryclass eprintclass series address location editor issn isbn
    organization institution school type version""".split()
)
_ADDS = ("volume", "number", "pages")  # fields that only a published paper has


def take_over(draft: Draft, entry: BibEntry, published: Reference, more: Mapping[str, str]) -> Edit:
    """The edit that replaces a preprint's entry by the entry of its published version. `more`: volume, number
    and pages. Raises `Unfit` if the entry cannot be written, and other `LatexError`s if a file cannot be
    read."""
    bibliography = bibliography_of(draft, entry)
    source = source_of(draft, entry.span.file)
    style = learn_style(bibliography, source.text)
    charset = bibliography_charset(draft, document_charset(draft, draft.root), source, style.raw_letters)
    biblatex = draft.style.package == "biblatex"
    text = new_entry(published, entry.key, style, charset, biblatex=biblatex)
    added = {name: numbers(more[name]) for name in _ADDS if more.get(name)}
    kept = {name: value for name, value in entry.fields.items() if _stays(name, value)}
    lines = [field_line(name, value, style) for name, value in {**added, **kept}.items()]
    if lines:
        body = text.removesuffix("\n}").removesuffix(",")
        text = ",\n".join([body, *lines]) + ("," if style.trailing_comma else "") + "\n}"
    _check(text, entry.key)
    return Edit(source.path, entry.span.start, entry.span.end, text.replace("\n", source.newline))


def _stays(name: str, value: str) -> bool:
    return name not in _DESCRIBES and not (name == "note" and re.search("arxiv|preprint", value, re.I))


def numbers(text: str) -> str:
    """The text with BibTeX's dash in ranges (`12--34`), and only with characters that are valid in volumes
    and pages."""
    return re.sub(r"\s*[-–]+\s*", "--", re.sub(r"[^\w\s.,:/()+–-]", "", text))


def _check(text: str, key: str) -> None:
    read = read_bib(_NOWHERE, text)
    if read.problems or [entry.key for entry in read.entries] != [key]:
        raise Unfit(f"The published entry of {key} cannot be written.", "Change it by hand.")
