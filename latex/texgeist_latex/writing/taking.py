"""A sentence that was written anew, in place of the author's own: when the author says so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from texgeist_latex.errors import NoPlace
from texgeist_latex.types import Draft, Edit, EditPlan, Offer, Reference
from texgeist_latex.writing.admission import checked_references
from texgeist_latex.writing.blocks import identifier_of, old_block
from texgeist_latex.writing.charsets import document_charset
from texgeist_latex.writing.habits import layout_of
from texgeist_latex.writing.merged_blocks import place_of
from texgeist_latex.writing.new_entries import new_entries
from texgeist_latex.writing.prose import break_lines
from texgeist_latex.writing.sentences import renamed
from texgeist_latex.writing.targets import source_of


def plan_entry(draft: Draft, reference: Reference, bibliography: Path | None = None) -> EditPlan:
    """The paper's entry into the bibliography (the one named, where one is), if it has none, and nothing into the
    text."""
    charset = document_charset(draft, draft.root)
    papers = new_entries(draft, checked_references([reference]), bibliography, draft.root, charset)
    edits = (*papers.wiring, *papers.edits)
    new_files = tuple(edit.file for edit in papers.edits) if papers.is_new else ()
    return EditPlan(edits, "", papers.entries, dict(papers.keys), papers.reused, new_files, papers.notes)


def plan_taking(draft: Draft, section_id: str, offer: Offer, references: Sequence[Reference]) -> EditPlan:
    """The new sentence in place of the author's, with entries for those of its papers that have none.
    `references` are those that it cites. Raises NoPlace where the author's is not there any more."""
    identifier = identifier_of(section_id)
    block = old_block(draft, identifier)
    source = source_of(draft, block.span.file) if block else None
    place = place_of(source, block, offer.stands) if source and block else None
    if source is None or place is None:
        raise NoPlace("The sentence was changed again, so it was left as it is.", "Update the section anew.")
    charset = document_charset(draft, source.path)
    given = {id: key for key, id in offer.papers}
    papers = new_entries(draft, checked_references(references), None, source.path, charset, given)
    changed = {key: papers.keys[id] for id, key in given.items() if papers.keys.get(id, key) != key}
    text = renamed(offer.new, changed)
    lines = break_lines([text], layout_of(draft, source.path)).replace("\n", source.newline)
    edits = (Edit(source.path, *place, lines), *papers.wiring, *papers.edits)
    new_files = tuple(edit.file for edit in papers.edits) if papers.is_new else ()
    return EditPlan(
        edits, text, papers.entries, dict(papers.keys), papers.reused, new_files, papers.notes, identifier
    )
