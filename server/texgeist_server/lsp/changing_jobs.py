"""The jobs that change what was written: take a section out, take an offered sentence, weaken a claim."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.types import Draft, Offer

from ..errors import EditRefused
from ..sections import provenance
from ..sections.authors_edits import check_certain, own_words, shortened
from ..sections.laid_aside import without_section
from ..sections.offers import offers_of, references_in, taken
from ..sections.renamed_keys import called_now, keys_in
from . import lenses
from .applying import apply_plan
from .jobs import to_the_end
from .messages import ask_user, say

if TYPE_CHECKING:
    from .jobs import Job
    from .writing import Writing


REMOVE = "Remove it all"


async def remove(writing: Writing, job: Job, path: Path, section: str) -> None:
    """Takes a generated section out again; its entries stay in the bibliography."""
    from texgeist_latex.writing.edits import plan_removal

    async with writing.telling.of(job) as block:
        draft = await writing.editor.reader.draft(path)
        check_certain(draft)
        provenance.check(draft.root)
        plan = await asyncio.to_thread(plan_removal, draft, section)
        if not await _may_remove(writing, draft, section):
            block.word = "The section was kept."
            say(writing.editor.server, block.word)
            return
        if not await apply_plan(writing.editor, plan, draft, "texgeist: remove the section"):
            raise EditRefused("The document changed meanwhile, so nothing was removed.", "Try again.")
        writing.since[draft.root] = "a section was removed"
        await to_the_end(_forget, draft.root, section)
        block.word = "The section was removed. Its entries stay in the bibliography."
        say(writing.editor.server, block.word)
        lenses.refresh(writing.editor.server, writing.editor.client)


async def _may_remove(writing: Writing, draft: Draft, section: str) -> bool:
    """Asks before words of the author's go with the section, and shows which. Raises `EditRefused` where the editor
    cannot ask."""
    own = await asyncio.to_thread(own_words, draft, section)
    if own is None:
        return True
    words = f"The section {section} holds words that texgeist did not write"
    if not writing.editor.client.messages_with_actions:
        raise EditRefused(f"{words}, so it was kept.", "Move them out of it, or delete the section by hand.")
    question = f"texgeist: {words}. Remove them too?\n{shortened(own)}"
    return await ask_user(writing.editor.server, question, [REMOVE, "Keep it"]) == REMOVE


async def take(writing: Writing, job: Job, path: Path, section: str, offer: Offer) -> None:
    """Puts a new sentence in place of the author's."""
    from texgeist_latex.writing.taking import plan_taking

    async with writing.telling.of(job) as block:
        draft = await writing.editor.reader.draft(path)
        check_certain(draft)
        provenance.check(draft.root)
        data = called_now(provenance.read_to_write(draft.root), keys_in(draft))
        if offer not in offers_of(data, section):
            raise EditRefused("This sentence is not offered any more.", "Update the section.")
        references = references_in(data, section, offer)
        plan = await asyncio.to_thread(plan_taking, draft, section, offer, references)
        if not await apply_plan(writing.editor, plan, draft, "texgeist: take the new sentence"):
            raise EditRefused("The document changed meanwhile, so nothing was taken.", "Try again.")
        writing.since[draft.root] = "an offered sentence was taken"
        await to_the_end(_remember_taken, draft, section, offer, plan.keys)
        block.word = "The new sentence stands."
        lenses.refresh(writing.editor.server, writing.editor.client)


async def weaken(writing: Writing, job: Job, path: Path, start: int, end: int) -> None:
    """Has the model reword a sentence that claims more than its source; the edit is shown before it is made
    where the editor can do that."""
    from texgeist_latex.types import Edit, EditPlan

    async with writing.telling.of(job) as block:
        draft = await writing.editor.reader.draft(path)
        old = draft.sources[path].text[start:end] if path in draft.sources else ""
        folder = writing.editor.configuration.folder_of(draft.root)
        place = {"root": str(draft.root), "folder": str(folder or ""), "file": str(path), "text": old}
        made = await writing.tasks.do("weaken_sentence", place, block.report)
        plan = EditPlan((Edit(path, start, end, made["text"]),), made["text"], "", {})
        if made["text"] == old:
            block.word = "The model would leave the sentence as it is."
        elif await apply_plan(writing.editor, plan, draft, "texgeist: weaken the sentence", shown=True):
            writing.since[draft.root] = "a sentence was weakened"
            block.word = "The sentence was weakened."
        else:
            raise EditRefused("The document changed meanwhile, or the edit was discarded.", "Try again.")
        say(writing.editor.server, block.word)


def _forget(root: Path, section: str) -> None:
    provenance.write(root, without_section(provenance.read_to_write(root), section))


def _remember_taken(draft: Draft, section: str, offer: Offer, keys: dict[str, str]) -> None:
    """In the record as it is by now: the edit may have waited for long."""
    now = called_now(provenance.read_to_write(draft.root), keys_in(draft))
    if offer in offers_of(now, section):
        provenance.write(draft.root, taken(now, section, offer, keys))
