"""Another key for an entry, wherever it is named: in citations, on the entry, and in fields that name entries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from texgeist_latex.errors import Unfit
from texgeist_latex.types import BibEntry, Bibliography, Draft, Edit, EditPlan, Span
from texgeist_latex.writing.targets import source_of

_KEY = re.compile(r"[^\s,{}()\"'#%~\\=]+")  # of BibTeX and biblatex alike
_LONGEST = 200
_HEAD = re.compile(r"@[^\s{(@]+\s*[{(]\s*")
_ITEM = re.compile(r"\\bibitem\s*(?:\[(?:[^\[\]{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\])?\s*\{\s*")
_NAMES = re.compile(
    r"\b(?:crossref|xref|xdata|related|entryset)\s*=\s*(?:\{(?P<braced>[^{}]*)\}|\"(?P<quoted>[^\"{}]*)\")",
    re.I,
)


def plan_renaming(draft: Draft, old: str, new: str) -> EditPlan:
    """Every place of the key. Raises `Unfit` for a key that cannot be had, `OutOfBounds` where the key stands in
    a file that the project may not write: nothing is renamed then, as half would be worse."""
    check_key(draft, old, new)
    spans = list(dict.fromkeys(places_of(draft, old)))
    if owner := next((e for b in draft.bibliographies for e in b.entries if _is_alias(e, old)), None):
        raise Unfit(f"{old} is another name of {owner.key} (in its field ids).", "Rename it there by hand.")
    if not spans:
        raise Unfit(f"{old} is no key of this project.", "Put the cursor on a citation key.")
    for file in dict.fromkeys(span.file for span in spans):
        draft.gate.check(file)
    ordered = sorted(spans, key=lambda span: (span.file.suffix == ".bib", str(span.file), span.start))
    return EditPlan(tuple(Edit(s.file, s.start, s.end, new) for s in ordered), "", "", {})


def check_key(draft: Draft, old: str, new: str) -> None:
    """Raises `Unfit`."""
    if not _KEY.fullmatch(new) or len(new) > _LONGEST or new == "*":
        raise Unfit(
            f"“{new[:40]}” cannot be a citation key.", "Use letters, digits, and signs such as : . _ -"
        )
    taken = next((e for b in draft.bibliographies for e in b.entries if e.key.lower() == new.lower()), None)
    if taken is not None and taken.key.lower() != old.lower():
        raise Unfit(f"{taken.key} is the key of another entry.", "Choose one that is free.")
    if owner := next((e for b in draft.bibliographies for e in b.entries if _is_alias(e, new)), None):
        raise Unfit(f"{new} is another name of {owner.key} (in its field ids).", "Choose one that is free.")


def _is_alias(entry: BibEntry, key: str) -> bool:
    """Whether biblatex takes the key for this entry too."""
    return _names(entry.fields.get("ids", ""), key)


def places_of(draft: Draft, key: str) -> Iterator[Span]:
    for citation in draft.citations:
        if citation.key == key:
            yield citation.span
    for bibliography in draft.bibliographies:
        yield from _in_bibliography(draft, bibliography, key)


def _in_bibliography(draft: Draft, bibliography: Bibliography, key: str) -> Iterator[Span]:
    """The entry's own key, and the fields of others that name it: BibTeX takes a key in any case there."""
    if not bibliography.exists:
        return
    mine = [e for e in bibliography.entries if e.key == key]
    naming = [
        e for e in bibliography.entries if any(_names(v, key) for n, v in e.fields.items() if n in _FIELDS)
    ]
    if not mine and not naming:
        return
    for entry in mine:
        text = source_of(draft, entry.span.file).text
        head = (_ITEM if bibliography.kind == "thebibliography" else _HEAD).match(text, entry.span.start)
        if head and text.startswith(key, head.end()):
            yield Span(entry.span.file, head.end(), head.end() + len(key))
        else:
            raise Unfit(
                f"The entry of {key} is written in a way that is not understood.", "Rename it by hand."
            )
    for entry in naming:
        text = source_of(draft, entry.span.file).text
        for field in _NAMES.finditer(text, entry.span.start, entry.span.end):
            group = "braced" if field["braced"] is not None else "quoted"
            for name in re.finditer(r"[^\s,]+", field[group]):
                if name[0].lower() == key.lower():
                    start = field.start(group) + name.start()
                    yield Span(entry.span.file, start, start + len(name[0]))


_FIELDS = frozenset(("crossref", "xref", "xdata", "related", "entryset"))


def _names(value: str, key: str) -> bool:
    return key.lower() in (name.lower() for name in re.split(r"[\s,]+", value))
