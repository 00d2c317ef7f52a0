"""An entry for the id that the author has pasted: looked up, held against what is there, written in the house's
style; the id gives way to the key."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.bib.pasted import entry_of, paper_id
from texgeist_latex.types import Draft, Edit, EditPlan

from ..errors import EditRefused
from ..sections.authors_edits import check_certain
from ..sections.edit_request import on_the_same_text
from .applying import apply_plan
from .messages import say

if TYPE_CHECKING:
    from .jobs import Job
    from .writing import Writing

_PASTED = re.compile(r"(?:\\[_%&#]|[^\s{}\"<>,;~%])+")
_TRACE = re.compile(r"10\.\d{4,9}/|\d{4}\.\d{4,5}|/\d{7}\b")
_IN_CITATION = re.compile(r"\\[A-Za-z]*cite[A-Za-z]*\*?\s*(?:\[[^\]\n]*\]\s*){0,2}\{[^{}]*$", re.I)
_IN_ARGUMENT = re.compile(r"\\[A-Za-z@]+\*?\s*(?:\[[^\]\n]*\]\s*|\{[^{}\n]*\}\s*)*\{[^{}]*$")


def pasted_at(text: str, offset: int) -> tuple[int, int] | None:
    """Where the id at `offset` stands, which is the only thing on its line or a word of it. Never in an argument
    that is no citation, as of \\url: the id is what that command needs."""
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    for match in _PASTED.finditer(text, begin, end if end >= 0 else len(text)):
        if match.start() <= offset <= match.end():
            word = match[0].rstrip(".)")
            told = _TRACE.search(word) and "=" not in word and paper_id(word)
            before = text[begin : match.start()]
            if _IN_ARGUMENT.search(before) and not _IN_CITATION.search(before):
                return None
            return (match.start(), match.start() + len(word)) if told else None
    return None


async def add_entry(writing: Writing, job: Job, path: Path, start: int, end: int) -> None:
    """The whole job."""
    from texgeist_latex.writing.taking import plan_entry
    from texgeist_retrieval.codec import from_plain

    from ..bibliography_checks.identified import Identified

    async with writing.telling.of(job) as block:
        before = await writing.editor.reader.draft(path)
        check_certain(before)
        again = on_the_same_text(_with(before, path), path, start, end)
        await asyncio.to_thread(_check_outside, before, path, start)
        pasted = _with(before, path).sources[path].text[start:end]
        wanted = paper_id(pasted)
        there = entry_of(wanted, before.bibliographies) if wanted else None
        found = None
        if there is None:
            found = from_plain(Identified, await writing.tasks.do("identify", {"text": pasted}, block.report))
        draft = await writing.editor.reader.draft(path)
        low, high = again(_with(draft, path))
        await asyncio.to_thread(_check_outside, draft, path, low)
        plan, key, said = EditPlan((), "", "", {}), there.key if there else "", ""
        if found is not None:
            plan = plan_entry(draft, found.reference, path if path.suffix.lower() == ".bib" else None)
            key = plan.keys[found.reference.id]
            if found.reference.id not in plan.reused:
                said = f"{key} was added, as {found.source} has it: “{found.reference.title}”."
        plan = replace(plan, edits=(_in_place(draft, path, low, high, key), *plan.edits))
        if not await apply_plan(writing.editor, plan, draft, f"texgeist: add {key}"):
            raise EditRefused("The document changed meanwhile, so nothing was added.", "Try again.")
        notes = found.notes if found else ()
        block.word = " ".join([said or f"{key} is there already.", *notes, *plan.notes])
        say(writing.editor.server, block.word)


def _check_outside(draft: Draft, path: Path, offset: int) -> None:
    """Raises EditRefused inside an entry of a bibliography: the id there is a field of it."""
    if path.suffix.lower() != ".bib":
        return
    from texgeist_latex.bib.parser import read_bib

    entries = read_bib(path, _with(draft, path).sources[path].text).entries
    if any(entry.span.start <= offset < entry.span.end for entry in entries):
        raise EditRefused(
            "This id stands inside an entry, so nothing was added.", "Paste it on a line of its own."
        )


def _with(draft: Draft, path: Path) -> Draft:
    """With the text of an open bibliography among its sources."""
    if path in draft.sources:
        return draft
    from texgeist_latex.writing.targets import source_of

    return replace(draft, sources={**draft.sources, path: source_of(draft, path)})


def _in_place(draft: Draft, path: Path, start: int, end: int, key: str) -> Edit:
    """The key where the id stood; in a bibliography the id goes, with its line if nothing else stands there."""
    text = _with(draft, path).sources[path].text
    if path.suffix.lower() == ".bib":
        line = text.rfind("\n", 0, start) + 1
        stop = text.find("\n", end)
        if (
            not text[line:start].strip()
            and not text[end : stop if stop >= 0 else len(text)].strip()
            and stop >= 0
        ):
            start, end = line, stop + 1
        return Edit(path, start, end, "")
    if _IN_CITATION.search(text, text.rfind("\n", 0, start) + 1, start):
        return Edit(path, start, end, key)
    command = draft.style.parenthetical
    return Edit(path, start, end, f"\\{command}{{{key}}}")
