"""Renames a citation key everywhere: in citations, in the entry, and in fields that refer to entries."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from texgeist_latex.bib.embedded import item_heads
from texgeist_latex.bib.keys import aliases
from texgeist_latex.disk.gate import DOCUMENTS
from texgeist_latex.disk.paths import real
from texgeist_latex.errors import Unfit
from texgeist_latex.tex.arguments import Arguments
from texgeist_latex.tex.command_names import CONTROL_ENTRIES, groups_of, is_citation
from texgeist_latex.tex.markdown import cited_key, is_markdown
from texgeist_latex.tex.scan import scan, without_comments
from texgeist_latex.types import BibEntry, Bibliography, Draft, Edit, EditPlan, Problem, SourceFile, Span
from texgeist_latex.writing.new_entries import defined_keys
from texgeist_latex.writing.targets import check_not_made, source_of

_KEY = re.compile(r"[^\s,{}()\"'#%~\\=]+")  # valid for BibTeX and biblatex
_LONGEST = 200
_HEAD = re.compile(r"@[^\s{(@]+\s*[{(]\s*")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_MOST_NAMED = 8  # places listed in a note
_NAMES = re.compile(
    r"\b(?:crossref|xref|xdata|related|entryset)\s*=\s*(?:\{(?P<braced>[^{}]*)\}|\"(?P<quoted>[^\"{}]*)\")",
    re.I,
)


def plan_renaming(
    draft: Draft, old: str, new: str, others: Sequence[Draft] = (), loose: Sequence[SourceFile] = ()
) -> EditPlan:
    """Plans the renaming of the key in all places, also in `others`, which use the same entry. A note lists
    the places that are not changed: in text that LaTeX does not read, and in `loose` texts, which no document
    includes. Raises `Unfit` if the new key is not available, or if an unread text may cite the old key;
    `OutOfBounds` if the key occurs in a file that must not be written, because a partial renaming would be
    worse."""
    for each in (draft, *others):
        check_key(each, old, new)
        _check_read(each, old)
        for file in dict.fromkeys(span.file for span in places_of(each, old)):
            each.gate.check(file)
    spans = list(dict.fromkeys(span for each in (draft, *others) for span in places_of(each, old)))
    if owner := next((e for b in draft.bibliographies for e in b.entries if old.lower() in aliases(e)), None):
        raise Unfit(f"{old} is another name of {owner.key} (in its field ids).", "Rename it there by hand.")
    if any(e.key == old and e.type in CONTROL_ENTRIES for b in draft.bibliographies for e in b.entries):
        raise Unfit(
            f"{old} is not a paper: its entry contains options of the bibliography style.",
            "Rename it by hand.",
        )
    if not spans:
        raise Unfit(f"{old} is not a key of this project.", "Put the cursor on a citation key.")
    ordered = sorted(spans, key=lambda span: (span.file.suffix == ".bib", str(span.file), span.start))
    edits = tuple(Edit(s.file, s.start, s.end, new) for s in ordered)
    return EditPlan(edits, "", "", {}, notes=tuple(_left((draft, *others), old, spans, loose)))


def _left(
    drafts: Sequence[Draft], key: str, spans: Sequence[Span], loose: Sequence[SourceFile]
) -> Iterator[str]:
    renamed = {(span.file, span.start) for span in spans}
    own = {command for draft in drafts for command in _own_commands(draft)}
    texts = {file: draft.sources[file] for draft in drafts for file in draft.files}
    for sources, why in (
        (texts.values(), "commented out or not read by LaTeX"),
        (loose, "no document includes it"),
    ):
        places = [
            f"{source.path.name}:{source.text.count(chr(10), 0, at) + 1}"
            for source in sources
            for at in cited_in(source.text, key, own)
            if (source.path, at) not in renamed
        ]
        if places:
            more = f" and {len(places) - _MOST_NAMED} more" if len(places) > _MOST_NAMED else ""
            yield f"{key} remains in {', '.join(places[:_MOST_NAMED])}{more} ({why})."


def with_sources_of(draft: Draft, others: Sequence[Draft]) -> Draft:
    """The draft with the texts of the other drafts added, for an edit of all of them."""
    found = {path: source for other in others for path, source in other.sources.items()}
    return replace(draft, sources={**found, **draft.sources})


def unread_files(draft: Draft) -> set[str]:
    """The included texts that were not read, for example texts outside of the project's folder."""
    read = {real(file) for file in draft.files}
    return {
        str(each.target)
        for each in draft.inclusions
        if each.target is not None
        and each.target.suffix.lower() in DOCUMENTS
        and real(each.target) not in read
    }


def cut_short(draft: Draft) -> Problem | None:
    return next((problem for problem in draft.problems if problem.code == "too-long"), None)


def _check_read(draft: Draft, key: str) -> None:
    """Raises `Unfit` if part of the document was not read, because it may cite the key."""
    if unread := unread_files(draft):
        names = ", ".join(sorted(unread)[:5]) + (f" and {len(unread) - 5} more" if len(unread) > 5 else "")
        raise Unfit(
            f"{draft.root.name} includes {names}, which was not read and may cite {key}; nothing was renamed.",
            "Open the folder that holds all of it, then rename again.",
        )
    if name := next(_computed(draft), ""):
        raise Unfit(
            f"{name}, by a computed name, which was not read and may cite {key}; nothing was renamed.",
            "Write the file's name out there, or rename by hand.",
        )
    if cut := cut_short(draft):
        raise Unfit(f"{cut.message} The rest may cite {key}; nothing was renamed.", "Split the file.")


def _computed(draft: Draft) -> Iterator[str]:
    r"""Inclusions with computed file names, as in a `\foreach`, which cannot be followed."""
    known = {(each.span.file, each.span.start) for each in draft.inclusions}
    for file in draft.files:
        found = scan(draft.sources[file].text)
        body = found.document.end if found.document and file != draft.root else 0
        for item in found.items:
            if item.kind != "include" or item.start < body or not item.groups:
                continue
            name = found.words(item.groups[-1])
            if (file, item.groups[-1][0]) not in known and re.search(r"[\\#]", name):
                yield f"{file.name} includes {name[:60]}"


def check_key(draft: Draft, old: str, new: str) -> None:
    """Raises `Unfit` if the new key is invalid or in use."""
    in_markdown = is_markdown(draft.root) and cited_key(new) != f"@{new}"
    if not _KEY.fullmatch(new) or len(new) > _LONGEST or new == "*" or in_markdown:
        raise Unfit(
            f"“{new[:40]}” cannot be a citation key.", "Use letters, digits, and signs such as : . _ -"
        )
    taken = next((e for b in draft.bibliographies for e in b.entries if e.key.lower() == new.lower()), None)
    if taken is not None and taken.key.lower() != old.lower():
        raise Unfit(f"{taken.key} is the key of another entry.", "Choose another key.")
    if owner := next((e for b in draft.bibliographies for e in b.entries if new.lower() in aliases(e)), None):
        raise Unfit(f"{new} is another name of {owner.key} (in its field ids).", "Choose another key.")
    if new.lower() != old.lower() and new.lower() in defined_keys(draft):
        raise Unfit(
            f"{new} is in use: BibTeX or biber may read it as the key of an entry.", "Choose another key."
        )


def places_of(draft: Draft, key: str) -> Iterator[Span]:
    for citation in draft.citations:
        if citation.key == key:
            yield citation.span
    for bibliography in draft.bibliographies:
        yield from _in_bibliography(draft, bibliography, key)


def _own_commands(draft: Draft) -> set[str]:
    return {citation.command.rstrip("*") for citation in draft.citations}


def cited_in(text: str, key: str, own: Collection[str]) -> Iterator[int]:
    """The positions of the key in citation commands (`own`: the document's own), also in comments and
    fields."""
    if key not in text:
        return
    text = text.replace("%", " ")
    arguments = Arguments(text)
    for command in _COMMAND.finditer(text):
        known = is_citation(command[1])
        if not known and command[1] not in own:
            continue
        for low, high in arguments.read(command.end(), groups_of(command[1]) if known else 2)[2]:
            for name in re.finditer(r"[^\s,]+", text[low:high]):
                if name[0] == key:
                    yield low + name.start()


def _in_bibliography(draft: Draft, bibliography: Bibliography, key: str) -> Iterator[Span]:
    """The spans of the key in its entry, and in fields of other entries, where BibTeX ignores case."""
    if not bibliography.exists:
        return
    if bibliography.kind != "thebibliography":
        yield from _in_fields(draft, bibliography, key)
    mine = [e for e in bibliography.entries if e.key == key]
    naming = [e for e in bibliography.entries if key.lower() in named_by(e)]
    if not mine and not naming:
        return
    if bibliography.kind == "bib":
        check_not_made(draft, bibliography.path)
    for entry in mine:
        text = source_of(draft, entry.span.file).text
        if bibliography.kind == "thebibliography":
            item = next(item_heads(without_comments(text), entry.span.start, entry.span.end), None)
            at = item.key[0] if item else -1
        else:
            head = _HEAD.match(text, entry.span.start)
            at = head.end() if head else -1
        if at >= 0 and text.startswith(key, at):
            yield Span(entry.span.file, at, at + len(key))
        else:
            raise Unfit(f"The key was not found in the entry of {key}.", "Rename it by hand.")
    for entry in naming:
        text = source_of(draft, entry.span.file).text
        for field in _NAMES.finditer(text, entry.span.start, entry.span.end):
            group = "braced" if field["braced"] is not None else "quoted"
            for name in re.finditer(r"[^\s,]+", field[group]):
                if name[0].lower() == key.lower():
                    start = field.start(group) + name.start()
                    yield Span(entry.span.file, start, start + len(name[0]))


def _in_fields(draft: Draft, bibliography: Bibliography, key: str) -> Iterator[Span]:
    r"""Citations in the bibliography's text, such as `note = {see \cite{key}}`."""
    text, own = source_of(draft, bibliography.path).text, _own_commands(draft)
    for at in cited_in(text, key, own):
        yield Span(bibliography.path, at, at + len(key))


_FIELDS = frozenset(("crossref", "xref", "xdata", "related", "entryset"))


def named_by(entry: BibEntry) -> set[str]:
    """The keys, in lower case, of entries that this entry refers to."""
    values = (entry.fields.get(name, "") for name in _FIELDS)
    return {key for value in values for key in _listed(value)}


def _listed(value: str) -> set[str]:
    return {key.lower() for key in re.split(r"[\s,]+", value) if key}
