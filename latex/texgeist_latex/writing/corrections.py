"""Corrects fields of existing entries: only the named fields change, every other byte stays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from texgeist_latex.bib.parser import block_end, read_bib
from texgeist_latex.errors import Unfit
from texgeist_latex.types import BibEntry, Draft, Edit, FieldCorrection, Reference
from texgeist_latex.writing.charsets import bibliography_charset, document_charset
from texgeist_latex.writing.entries import shown_authors
from texgeist_latex.writing.entry_style import learn_style
from texgeist_latex.writing.escape import escape
from texgeist_latex.writing.taking import numbers
from texgeist_latex.writing.targets import bibliography_of, source_of

_NOWHERE = Path("entry.bib")
_STARTS = re.compile(r"([A-Za-z][\w-]*)\s*=\s*")


def correct(draft: Draft, entry: BibEntry, corrections: Sequence[FieldCorrection]) -> Edit:
    """The edit that gives the fields of an entry the values of its record. The result is parsed again, and
    must differ from the entry in these fields alone. Raises `Unfit` if other fields differ, and other
    `LatexError`s if a file cannot be read."""
    bibliography = bibliography_of(draft, entry)
    source = source_of(draft, entry.span.file)
    style = learn_style(bibliography, source.text)
    charset = bibliography_charset(draft, document_charset(draft, draft.root), source, style.raw_letters)
    text = source.text[entry.span.start : entry.span.end]
    for wanted in corrections:
        if wanted.field == "author":
            order = replace(style, last_first="," in wanted.old)
            names = shown_authors(Reference("", "", (wanted.new,), None), order, charset)
            value = names[0] if names else ""
        elif wanted.field == "publisher":
            value = escape(wanted.new, charset, maths=False)
        else:
            value = numbers(wanted.new)
        start, end = _value_of(text, wanted.field)
        old = text[start:end]
        if not value or old.count(wanted.old) != 1:
            raise Unfit(f"The field {wanted.field} of {entry.key} cannot be corrected.", "Change it by hand.")
        text = text[:start] + old.replace(wanted.old, value) + text[end:]
    _check(source.text[entry.span.start : entry.span.end], text, {c.field for c in corrections}, entry.key)
    return Edit(source.path, entry.span.start, entry.span.end, text)


def _value_of(text: str, name: str) -> tuple[int, int]:
    """Start and end of the field's value without its delimiters; (0, 0) if it is not a single braced, quoted
    or plain value."""
    at = text.find(",") + 1
    while at > 0 and (field := _STARTS.match(text, _skip(text, at))):
        start, end = field.end(), _end_of_value(text, field.end())
        if end is None:
            break
        if field[1].lower() == name:
            return (start + 1, end - 1) if text[start] in '{"' else (start, end)
        at = _skip(text, end)
        at = at + 1 if text[at : at + 1] == "," else 0
    return 0, 0


def _skip(text: str, at: int) -> int:
    return at + len(text[at:]) - len(text[at:].lstrip())


def _end_of_value(text: str, start: int) -> int | None:
    """The end of the value at `start`; None if it is not closed, or consists of several parts joined by
    `#`."""
    if text[start : start + 1] == "{":
        end = block_end(text, start)
    elif text[start : start + 1] == '"':
        match = re.compile(r'"(?:[^"{}]|\{[^{}]*\})*"').match(text, start)
        end = match.end() if match else None
    else:
        match = re.compile(r"[^\s,}#]+").match(text, start)
        end = match.end() if match else None
    return None if end is None or text[_skip(text, end) : _skip(text, end) + 1] == "#" else end


def _check(old: str, new: str, changed: set[str], key: str) -> None:
    before, after = read_bib(_NOWHERE, old), read_bib(_NOWHERE, new)
    if after.problems or len(after.entries) != 1 or after.entries[0].key != key:
        raise Unfit(f"The entry {key} cannot be corrected so that it can be read.", "Change it by hand.")
    fields = [
        {n: v for n, v in e.fields.items() if n not in changed} for e in (*before.entries, *after.entries)
    ]
    if fields[0] != fields[-1] or before.entries[0].type != after.entries[0].type:
        raise Unfit(f"Correcting {key} would change other fields.", "Change it by hand.")
