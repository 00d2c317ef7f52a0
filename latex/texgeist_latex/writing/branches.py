"""Merges the versions of a file from two git branches: bibliographies by entry, and generated sections by sentence. A
merge by lines would mark conflicts inside entries and sentences."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Set
from pathlib import Path
from tempfile import TemporaryDirectory

from texgeist_latex.bib.parser import read_bib
from texgeist_latex.tex.sentences import split
from texgeist_latex.types import BibEntry, SourceFile
from texgeist_latex.writing.blocks import find_blocks, prose_span
from texgeist_latex.writing.merge import LineBreaks, merge

Entries = dict[str, BibEntry]  # by their key in the base
_NAME = Path("merged.bib")
_MOST_CONFLICTS = 127  # that `git merge-file` counts; it ends with 255 if it fails
_APART = "\n%\n"  # between lines, so that changes of neighbouring lines do not conflict


def merge_bib(base: str, ours: str, theirs: str) -> tuple[str, int]:
    """The merged text and its number of conflicts. Order and comments come from `ours`, or from `theirs` if
    only `theirs` changed them. If both changed the text between entries, or a key occurs twice, the texts are
    merged by lines."""
    text, conflicts = _merged(base, ours, theirs)
    return (text, conflicts) if conflicts else _keys_once(text, ours, theirs)


def _keys_once(text: str, ours: str, theirs: str) -> tuple[str, int]:
    """If the merged text has a key twice, but each branch once, marks a conflict, or removes the second entry
    if both agree. Returns the text and the number of conflicts. Case is ignored as in BibTeX."""
    known = _counted(ours) | _counted(theirs)
    entries, changes, conflicts = dict[str, BibEntry](), list[tuple[int, int, str]](), 0
    for second in read_bib(_NAME, text).entries:
        key = second.key.lower()
        first = entries.setdefault(key, second)
        if first is second or known[key] > 1:
            continue
        known[key] = 2
        bodies = [text[each.span.start : each.span.end] for each in (first, second)]
        end = re.compile(r"\s*").match(text, second.span.end)
        changes.append((second.span.start, end.end() if end else second.span.end, ""))
        if (first.key, first.type, first.fields) != (second.key, second.type, second.fields):
            mine, other = bodies if bodies[0] in ours else bodies[::-1]
            changes.append((first.span.start, first.span.end, _both(mine, other)))
            conflicts += 1
    for start, stop, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[stop:]
    return text, conflicts


def _counted(text: str) -> Counter[str]:
    return Counter(entry.key.lower() for entry in read_bib(_NAME, text).entries)


def _merged(base: str, ours: str, theirs: str) -> tuple[str, int]:
    start = _entries(base, {})
    mine, other = _entries(ours, start), _entries(theirs, start)
    known = [(base, start), (ours, mine), (theirs, other)]
    common = start.keys() & mine.keys() & other.keys()
    orders = [_frame(text, entries, common) for text, entries in known]
    gaps = [_frame(text, entries, set()) for text, entries in known]
    repeated = any(len(entries) < len(read_bib(_NAME, text).entries) for text, entries in known)
    if repeated or len({*gaps}) == 3:
        return _merge_lines(base, ours, theirs)
    bodies = [{key: text[e.span.start : e.span.end] for key, e in entries.items()} for text, entries in known]
    merged = {key: _decide(*(each.get(key, "") for each in bodies)) for key in mine | other}
    conflicts = sum(text.startswith("<<<<<<<") for text in merged.values())
    if gaps[2] not in gaps[:2] or orders[1] == orders[0] != orders[2]:
        ours, mine, other = theirs, other, mine
    return _written(ours, mine, other, merged), conflicts


def _entries(text: str, base: Entries) -> Entries:
    """The entries by key; entries that were renamed since the base, by their key in the base."""
    entries = read_bib(_NAME, text).entries
    keys = {entry.key for entry in entries}
    former = {repr(sorted(e.fields.items())): key for key, e in base.items() if key not in keys}
    return {e.key if e.key in base else former.pop(repr(sorted(e.fields.items())), e.key): e for e in entries}


def _gaps(text: str, entries: Entries) -> list[str]:
    """The texts before, between and after the entries."""
    edges = [0, *(edge for e in entries.values() for edge in (e.span.start, e.span.end)), len(text)]
    return [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _frame(text: str, entries: Entries, common: Set[str]) -> str:
    """The text between the entries without white space, with the keys of `common` at their places."""
    parts = zip(_gaps(text, entries), [*entries, ""], strict=True)
    return "".join("".join(gap.split()) + (key if key in common else "") for gap, key in parts)


def _decide(base: str, ours: str, theirs: str) -> str:
    """The merged text of an entry, "" if it was removed. An entry that one branch changed and the other removed
    stays. Conflict marks enclose both versions of the whole entry."""
    if theirs in (ours, base):
        return ours
    if ours == base or not (ours and theirs):
        return theirs if ours == base else ours or theirs
    text, conflicts = _merge_lines(*(version.replace("\n", _APART) for version in (base, ours, theirs)))
    text = text.replace(_APART, "\n")
    read = read_bib(_NAME, text)
    if conflicts or read.problems or len(read.entries) != 1:
        return _both(ours, theirs)
    return text


def _both(ours: str, theirs: str) -> str:
    return f"<<<<<<< ours\n{ours}\n=======\n{theirs}\n>>>>>>> theirs"


def _written(ours: str, mine: Entries, other: Entries, merged: dict[str, str]) -> str:
    """`ours` with the merged entries. An entry that only the other branch has follows the same entry as
    there."""
    texts, last = {"": list[str](), **{key: [merged[key]] for key in mine}}, ""
    for key in other:
        last = key if key in mine else last
        texts[last] += [] if key in mine else [merged[key]]
    apart = "\r\n\r\n" if "\r\n" in ours else "\n\n"
    first, *gaps = _gaps(ours, mine)
    parts = [first, *(text + apart for text in texts[""])]
    for key, gap in zip(mine, gaps, strict=True):
        text = apart.join(filter(None, texts[key]))
        parts += [text, gap if text else gap.lstrip()]
    return "".join(parts)


def _merge_lines(base: str, ours: str, theirs: str) -> tuple[str, int]:
    with TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("ours", "base", "theirs")]
        for file, text in zip(files, (ours, base, theirs), strict=True):
            file.write_bytes(text.encode(errors="surrogateescape"))
        labels = (part for file in files for part in ("-L", file.name))
        done = subprocess.run(["git", "merge-file", "-p", *labels, *files], capture_output=True)
    if done.returncode > _MOST_CONFLICTS:  # git merged nothing, for example because of a null character
        return _both(ours, theirs), 1
    return done.stdout.decode(errors="surrogateescape"), done.returncode


def merge_tex(base: str, ours: str, theirs: str) -> tuple[str, int]:
    """The merged text and its number of conflicts. Generated sections that both branches have are merged by sentence if
    that loses nothing; all other text is merged by lines."""
    texts = [base, ours, theirs]
    for identifier in [block.id for block in find_blocks([SourceFile(_NAME, base)])]:
        spans = [_prose_of(text, identifier) for text in texts]
        section = _merge_section(*(text[slice(*span)] for text, span in zip(texts, spans, strict=True)))
        if section is not None and all(end for _, end in spans):
            pairs = zip(texts, spans, strict=True)
            texts = [text[:start] + section + text[end:] for text, (start, end) in pairs]
    return _merge_lines(*texts)


def _prose_of(text: str, identifier: str) -> tuple[int, int]:
    """Start and end of the section with this id, (0, 0) unless there is exactly one."""
    blocks = [block for block in find_blocks([SourceFile(_NAME, text)]) if block.id == identifier]
    return prose_span(text, blocks[0]) if len(blocks) == 1 else (0, 0)


def _merge_section(base: str, ours: str, theirs: str) -> str | None:
    """The section with the changes of both branches. Returns None if it would lose a sentence that a branch
    wrote or both kept, or bring back a sentence that a branch removed."""
    newline = "\r\n" if "\r\n" in ours else "\n"
    merged = merge(base, ours, theirs, lines=LineBreaks(newline=newline)).text
    old, mine, other, made = (
        {piece.normal for piece in split(text)} for text in (base, ours, theirs, merged)
    )
    return merged if made - {""} == ((mine | other) - old | mine & other) - {""} else None
