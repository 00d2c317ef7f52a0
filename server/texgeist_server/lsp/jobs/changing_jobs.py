"""Jobs that make small changes: remove a section, accept an offered sentence, weaken a claim, replace a
pasted id by a citation key and add its entry, check and correct a bibliography."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.bib.pasted import entry_of, ids_in, paper_id
from texgeist_latex.reading.completion import argument_at, is_cite
from texgeist_latex.tex.markdown import completed_key, is_markdown, typed_key
from texgeist_latex.types import Draft, Edit, EditPlan
from texgeist_retrieval.text.words import number_of

from ...errors import EditRefused
from ...sections.edit_requests import place_now
from ...sections.requests import PaperById, ProjectReport, SavedProject, VerifiedProject, WeakerSentence
from ...sections.safeguards import check_certain, first_lines, own_words
from ..edits.applying import apply_plan
from .panels import show_panel

if TYPE_CHECKING:
    from .jobs import Job
    from .writing import Writing

REMOVE = "Remove it all"


async def remove(writing: Writing, job: Job, path: Path, section: str) -> None:
    """Removes a generated section; its entries stay in the bibliography."""
    from texgeist_latex.writing.edits import plan_removal

    draft = await writing.editor.reader.draft(path)
    check_certain(draft)
    plan = await asyncio.to_thread(plan_removal, draft, section)
    if not await _may_remove(writing, draft, section):
        job.say("The section was kept.")
        return
    if not await apply_plan(writing.editor, plan, draft, "texgeist: remove the section"):
        raise EditRefused("The document was edited meanwhile, so nothing was removed.", "Try again.")
    writing.since[draft.root] = "a section was removed"
    job.say("The section was removed. Its entries stay in the bibliography.")
    writing.editor.refresh()


async def _may_remove(writing: Writing, draft: Draft, section: str) -> bool:
    """Asks the user, showing the text, before the author's own words are removed with the section. Raises
    `EditRefused` if the editor cannot ask."""
    own = await asyncio.to_thread(own_words, draft, section)
    if own is None:
        return True
    words = f"The section {section} holds text that texgeist did not write"
    if not writing.editor.client.messages_with_actions:
        raise EditRefused(f"{words}, so it was kept.", "Move it elsewhere, or delete the section by hand.")
    question = f"{words}. Remove it too?\n{first_lines(own)}"
    return await writing.editor.ask(question, [REMOVE, "Keep it"]) == REMOVE


async def weaken(writing: Writing, job: Job, path: Path, start: int, end: int) -> None:
    """Lets the model reword a sentence that claims more than its source. The edit is first shown as a diff if
    the editor supports that. Raises `EditRefused` in Markdown, where the model could change citations."""
    if is_markdown(path):
        raise EditRefused("Sentences are reworded in LaTeX documents only.", "Change it by hand.")
    draft = await writing.editor.reader.draft(path)
    old = draft.sources[path].text[start:end] if path in draft.sources else ""
    made = await writing.tasks.do(WeakerSentence(_saved(writing, draft), str(path), old), job.report)
    plan = EditPlan((Edit(path, start, end, made),), made, "", {})
    if made == old:
        job.word = "The model suggests no change to this sentence."
    elif await apply_plan(writing.editor, plan, draft, "texgeist: weaken the sentence", shown=True):
        writing.since[draft.root] = "a sentence was weakened"
        job.word = "The sentence was weakened."
    else:
        raise EditRefused("The document was edited meanwhile, or you discarded the edit.", "Try again.")
    writing.editor.say(job.word)


async def show_report(writing: Writing, job: Job, path: Path) -> None:
    checked = await _verified(writing, await writing.editor.reader.draft(path), job)
    count = len(checked.corrections)
    show_panel(writing.editor, "Bibliography", checked.report)
    job.say(f"{checked.summary} {number_of(count, 'entry')} can be corrected." if count else checked.summary)


async def correct_entries(writing: Writing, job: Job, path: Path) -> None:
    """Corrects the entries with the verdict `to-correct` in a single edit, which is first shown as a diff if the
    editor supports that."""
    from ...bibliography_checks.corrections import plan_corrections

    checked = await _verified(writing, await writing.editor.reader.draft(path), job)
    draft = await writing.editor.reader.draft(path)
    draft, plan = await asyncio.to_thread(plan_corrections, draft, checked.corrections)
    label = "texgeist: correct the bibliography"
    if plan.edits and not await apply_plan(writing.editor, plan, draft, label, shown=True):
        raise EditRefused("The bibliography was edited meanwhile, or you discarded the edit.", "Try again.")
    if plan.edits:
        writing.since[draft.root] = "entries were corrected"
    done = f"{number_of(len(plan.edits), 'entry')} corrected." if plan.edits else "Nothing to correct."
    job.say(" ".join([done, *plan.notes]))


async def _verified(writing: Writing, draft: Draft, job: Job) -> VerifiedProject:
    job.report("Checking the bibliography")
    return await writing.tasks.do(ProjectReport(_saved(writing, draft)), job.report)


def _saved(writing: Writing, draft: Draft) -> SavedProject:
    return SavedProject(str(draft.root), str(writing.editor.configuration.folder_of(draft.root) or ""))


_BEFORE = " \t\n~([{,;<\"'“‘"  # allowed before an id; after others it is part of a path or field


def pasted_at(text: str, offset: int) -> tuple[int, int] | None:
    r"""Start and end of the id at `offset`, which may be a word in a line or the whole line. Returns None if
    there is no such id, or if it is the argument of a command other than a citation, such as \url."""
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    for low, high, _ in ids_in(text[begin : end if end >= 0 else len(text)]):
        start, stop = begin + low, begin + high
        if start <= offset <= stop:
            inside = argument_at(text, start)
            needed = inside and not is_cite(inside[0]) and not text[inside[1] : start].strip()
            linked = text.endswith("](", 0, start)  # the target of a link in Markdown
            return None if needed or linked or text[:start][-1:] not in _BEFORE else (start, stop)
    return None


async def add_entry(writing: Writing, job: Job, path: Path, start: int, end: int) -> None:
    """Adds the entry for the id at `start` to `end`, and replaces the id by the citation key."""
    from texgeist_latex.writing.taking import plan_entry

    before = await writing.editor.reader.draft(path)
    check_certain(before)
    text = _with(before, path).sources[path].text
    await asyncio.to_thread(_check_outside, before, path, start)
    pasted = text[start:end]
    wanted = paper_id(pasted)
    there = entry_of(wanted, before.bibliographies) if wanted else None
    found = None
    if there is None:
        found = await writing.tasks.do(PaperById(pasted), job.report)
    draft = await writing.editor.reader.draft(path)
    low, high = place_now(text, _with(draft, path), path, start, end)
    await asyncio.to_thread(_check_outside, draft, path, low)
    plan, key, said = EditPlan((), "", "", {}), there.key if there else "", ""
    if found is not None:
        plan = plan_entry(draft, found.reference, path if path.suffix.lower() == ".bib" else None)
        key = plan.keys[found.reference.id]
        if found.reference.id not in plan.reused:
            said = f"{key} was added, as {found.source} has it: “{found.reference.title}”."
    plan = replace(plan, edits=(_in_place(draft, path, low, high, key), *plan.edits))
    if not await apply_plan(writing.editor, plan, draft, f"texgeist: add {key}"):
        raise EditRefused("The document was edited meanwhile, so nothing was added.", "Try again.")
    writing.since[draft.root] = "an id was replaced by its key"
    notes = found.notes if found else ()
    job.say(" ".join([said or f"{key} is there already.", *notes, *plan.notes]))


def _check_outside(draft: Draft, path: Path, offset: int) -> None:
    """Raises EditRefused if `offset`, where the id was pasted, is inside a bibliography entry: there the id
    is the value of a field."""
    if path.suffix.lower() != ".bib":
        return
    from texgeist_latex.bib.parser import read_bib

    entries = read_bib(path, _with(draft, path).sources[path].text).entries
    if any(entry.span.start <= offset < entry.span.end for entry in entries):
        raise EditRefused(
            "This id is inside an entry, so nothing was added.", "Paste it on a line of its own."
        )


def _with(draft: Draft, path: Path) -> Draft:
    """A copy of the draft that has the text of an open bibliography among its sources."""
    if path in draft.sources:
        return draft
    from texgeist_latex.writing.targets import source_of

    return replace(draft, sources={**draft.sources, path: source_of(draft, path)})


def _in_place(draft: Draft, path: Path, start: int, end: int, key: str) -> Edit:
    """The edit that replaces the id by the key. In a bibliography the edit deletes the id, and also its line
    if the line would be empty."""
    from texgeist_latex.writing.prose import citation

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
    if is_markdown(path) and typed_key(text, start):
        return Edit(path, start, end, completed_key(text, start, end, key))
    inside = argument_at(text, start)
    if inside and is_cite(inside[0], {citation.command.rstrip("*") for citation in draft.citations}):
        return Edit(path, start, end, key)
    return Edit(path, start, end, citation(draft.style.parenthetical, [key]))
