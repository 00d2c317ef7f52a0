"""Adds papers to the bibliography: papers that have an entry keep their key, other papers get an entry."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from texgeist_latex.bib.embedded import end_of_list
from texgeist_latex.bib.identity import KnownPapers, same_paper
from texgeist_latex.bib.keys import aliases, learn_key_style, new_key, reserved_keys
from texgeist_latex.errors import NoPlace
from texgeist_latex.types import BibEntry, Draft, Edit, EditPlan, Reference
from texgeist_latex.writing.admission import is_citable
from texgeist_latex.writing.entries import new_entry, new_item
from texgeist_latex.writing.entry_style import learn_style
from texgeist_latex.writing.escape import Charset
from texgeist_latex.writing.habits import bibliography_charset
from texgeist_latex.writing.targets import Target, check_appendable, choose_target, source_of


@dataclass(frozen=True, slots=True)
class NewEntries:
    """The keys of all papers, and the edits that add entries for new papers."""

    keys: dict[str, str]  # Reference.id -> citation key
    reused: frozenset[str]  # ids of papers that had an entry
    entries: str  # as appended, with line breaks \n
    edits: tuple[Edit, ...]
    target: Target | None  # None if no paper is new
    notes: tuple[str, ...] = ()

    def plan(
        self,
        edits: Sequence[Edit] = (),
        latex: str = "",
        section_id: str = "",
        notes: Sequence[str] | None = None,
        sentences: Sequence[str] = (),
    ) -> EditPlan:
        """The plan of an action that cites the papers: `edits` and the edits of the documents for a new
        bibliography, sorted by file and place, and then the new entries. `notes` replace the notes of this
        object."""
        wiring = self.target.wiring if self.target else ()
        in_documents = sorted([*edits, *wiring], key=lambda edit: (str(edit.file), edit.start))
        return EditPlan(
            (*in_documents, *self.edits),
            latex,
            self.entries,
            dict(self.keys),
            self.reused,
            (self.target.source.path,) if self.target and self.target.is_new else (),
            self.notes if notes is None else tuple(notes),
            section_id,
            tuple(sentences),
        )


def new_entries(
    draft: Draft,
    references: Sequence[Reference],
    wanted: Path | None,
    near: Path,
    charset: Charset,
    named: Mapping[str, str] | None = None,
) -> NewEntries:
    """Plans entries for the references. `near`: the file that will cite them, used to choose among
    bibliographies; `charset`: the charset of the document; `named`: keys already given to new papers, by
    Reference.id."""
    keys = _known_keys(draft, references)
    reused = frozenset(keys)
    missing = [reference for reference in references if reference.id not in keys]
    if not missing:
        return NewEntries(keys, reused, "", (), None)
    target = choose_target(draft, wanted, near)
    check_appendable(target)
    fresh = _name(draft, missing, target, keys, named or {})
    entries = _entries(draft, fresh, target, charset)
    edit = _append(draft, target, entries)
    return NewEntries(keys, reused, entries, (edit,), target, _note(draft, target))


def _known_keys(draft: Draft, references: Sequence[Reference]) -> dict[str, str]:
    known = KnownPapers(entry for each in draft.bibliographies for entry in each.entries)
    cited = {citation.key for citation in draft.citations}
    keys: dict[str, str] = {}
    for reference in references:
        found = [entry for entry in known.find(reference) if entry.key in cited or is_citable(entry.key)]
        if found:
            keys[reference.id] = min(found, key=lambda entry: entry.key not in cited).key
    return keys


def _name(
    draft: Draft,
    missing: Sequence[Reference],
    target: Target,
    keys: dict[str, str],
    named: Mapping[str, str],
) -> list[tuple[Reference, str]]:
    """The new papers with their keys, which are also added to `keys`. Two ids of the same paper share a
    key."""
    entries: list[BibEntry] = [*target.bibliography.entries]
    if not entries:
        entries = [entry for each in draft.bibliographies for entry in each.entries]
    style = learn_key_style(entries)
    documents = (draft, *draft.neighbours(target.source.path))
    defined = {*reserved_keys(target.source.text)}.union(*map(defined_keys, documents))
    taken = defined | {citation.key.lower() for each in documents for citation in each.citations}
    fresh: list[tuple[Reference, str]] = []
    for reference in missing:
        twin = next((key for other, key in fresh if same_paper(other, reference)), None)
        given = named.get(reference.id, "")
        key = twin or (given if given.lower() not in defined else "") or new_key(reference, style, taken)
        if twin is None:
            fresh.append((reference, key))
            taken.add(key.lower())
        keys[reference.id] = key
    return fresh


def defined_keys(draft: Draft) -> set[str]:
    """Keys in use, in lower case: of entries, their aliases, and everything that BibTeX or biber could read
    as an entry."""
    entries = [entry for each in draft.bibliographies for entry in each.entries]
    files = [each.path for each in draft.bibliographies if each.kind == "bib" and each.exists]
    texts = [source_of(draft, file).text for file in files]
    texts += [source.text for source in draft.sources.values() if "filecontents" in source.text]
    names = {entry.key.lower() for entry in entries}.union(*map(aliases, entries))
    return names.union(*map(reserved_keys, texts))


def _entries(draft: Draft, fresh: Sequence[tuple[Reference, str]], target: Target, document: Charset) -> str:
    if target.bibliography.kind == "thebibliography":
        charset = replace(document, encoding=target.source.encoding)
        label = any("label" in entry.fields for entry in target.bibliography.entries)
        return "\n\n".join(new_item(reference, key, charset, label=label) for reference, key in fresh)
    style = learn_style(target.bibliography, target.source.text)
    charset = bibliography_charset(draft, document, target.source, style.raw_letters)
    biblatex = draft.style.package == "biblatex"
    gap = "\n\n" if style.blank_line else "\n"
    return gap.join(new_entry(paper, key, style, charset, biblatex=biblatex) for paper, key in fresh) + "\n"


def _append(draft: Draft, target: Target, entries: str) -> Edit:
    source = target.source
    if target.bibliography.kind == "thebibliography":
        place = end_of_list(source.text)
        if place is None:
            raise NoPlace(
                "The thebibliography environment is never closed.",
                "Add \\end{thebibliography} and try again.",
            )
        lead = "" if source.text[:place].endswith("\n\n") else "\n"
        return Edit(source.path, place, place, f"{lead}{entries}\n\n".replace("\n", source.newline))
    if not source.text.strip():
        lead = ""
    elif not source.text.endswith(("\n", "\r")):
        lead = "\n\n"
    else:
        lead = "" if re.search(r"\n[ \t]*\r?\n\Z", source.text) else "\n"
    end = len(source.text)
    return Edit(source.path, end, end, (lead + entries).replace("\n", source.newline))


def _note(draft: Draft, target: Target) -> tuple[str, ...]:
    if target.is_new:
        made = f"The entries are in a new bibliography, {target.source.path.name}."
        return tuple(filter(None, (made, target.note)))
    count = sum(each.kind == "bib" and each.exists for each in draft.bibliographies)
    return (
        (f"The entries go into {target.source.path.name}, one of {count} bibliographies.",)
        if count > 1
        else ()
    )
