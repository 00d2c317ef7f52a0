"""The closest work that a draft does not cite, for the lens over its abstract.

The worker searches for it after a save that changed the abstract or the citations, and after the index was
updated, but never while the user types.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.errors import LatexError

from ...errors import EditRefused, ServerError
from ...sections import provenance
from ...sections.closest import Closest, plan_entry
from ...sections.provenance_changes import dismissed
from ...worker import requests
from ...worker.requests import SavedProject
from ..edits.applying import apply_plan

if TYPE_CHECKING:
    from texgeist_latex.reading.workspace import Workspace

    from ..connection.editor import Editor
    from .writing import Writing

log = logging.getLogger(__name__)
CITE, NOT_RELEVANT = "Cite", "Not relevant"


class ClosestWork:
    """Finds the closest uncited work of each draft. Used on the event loop. `known`, by root document, is
    replaced as a whole and may be given to other threads."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self.known: Mapping[Path, Closest] = {}
        self._roots: dict[Path, asyncio.Task[None]] = {}
        self._asked: dict[Path, tuple[str, frozenset[str]]] = {}
        self._told: set[tuple[Path, str]] = set()

    def look(self, writing: Writing, path: Path, tell: bool = False) -> None:
        """Searches in the background for the closest uncited work. `tell`: notify the user if this paper is
        closer than all cited papers."""
        if self._editor.configuration.trusted and path.suffix != ".bib":
            asyncio.get_running_loop().create_task(self._look(writing, path, tell))

    def synced(self, writing: Writing) -> None:
        for root in list(self._roots):
            self.look(writing, root, tell=True)

    async def _look(self, writing: Writing, path: Path, tell: bool) -> None:
        try:
            if "codeLens" not in (await self._editor.configuration.loaded()).editor.show:
                return
            root, about = await self._editor.reader.read(lambda workspace: _subject(workspace, path))
            if not tell and self._asked.get(root) == about:
                return
            if (before := self._roots.get(root)) is not None and not before.done():
                return
            task = asyncio.current_task()
            assert task
            self._roots[root] = task
            self._asked[root] = about
            folder = self._editor.configuration.folder_of(root)
            project = SavedProject(str(root), str(folder or ""))
            found = await writing.tasks.do(requests.NearestUncitedPaper(project))
        except (ServerError, LatexError, OSError) as error:
            log.info("the closest work was not looked for: %s", error)
            return
        others = {known: one for known, one in self.known.items() if known != root}
        now = {**others, root: found} if found else others
        if now != self.known:
            self.known = now
            self._editor.refresh()
        if found and found.nearer and tell and (root, found.paper.id) not in self._told:
            self._told.add((root, found.paper.id))
            await self.ask(writing, root)

    async def ask(self, writing: Writing, root: Path) -> None:
        """Shows the closest paper with buttons, and performs the action that the author chooses."""
        if (found := self.known.get(root)) is None:
            return
        nearer = (
            "Closer to your abstract than any paper that you cite"
            if found.nearer
            else "Closest work not cited"
        )
        question = f"{nearer}: “{found.paper.title}” ({found.paper.year or 'no year'}). {found.gist}"
        picked = await self._editor.ask(question, [CITE, NOT_RELEVANT])
        try:
            if picked == CITE:
                await self._cite(writing, root, found)
            elif picked == NOT_RELEVANT:
                await asyncio.to_thread(_dismiss, root, found)
                self.known = {known: one for known, one in self.known.items() if known != root}
                self._editor.refresh()
                self._asked.pop(root, None)
                self.look(writing, root)
        except (ServerError, LatexError) as error:
            self._editor.complain(error.sentence())
        except OSError as error:
            self._editor.complain(provenance.lost(root, error))

    async def _cite(self, writing: Writing, root: Path, found: Closest) -> None:
        """Adds only the entry, because the author decides where to cite it."""
        draft = await self._editor.reader.draft(root)
        plan = await asyncio.to_thread(plan_entry, draft, found.paper)
        if plan.edits and not await apply_plan(writing.editor, plan, draft, "texgeist: add the entry"):
            raise EditRefused("The bibliography was edited meanwhile, so nothing was added.", "Try again.")
        if plan.edits:
            writing.since[draft.root] = "an entry was added"
        key = plan.keys[found.paper.id]
        self._editor.say(f"“{found.paper.title}” is in your bibliography: cite it by its key, {key}.")


def _subject(workspace: Workspace, path: Path) -> tuple[Path, tuple[str, frozenset[str]]]:
    draft = workspace.draft(path)
    return draft.root, (draft.abstract, frozenset(citation.key for citation in draft.citations))


def title_of(found: Closest) -> str:
    """The title of the lens, in one line."""
    text = f"Closest work not cited: {found.paper.title}"
    return f"{text} — {found.gist}" if found.gist else text


def _dismiss(root: Path, found: Closest) -> None:
    old = provenance.read_to_write(root)
    provenance.write(root, dismissed(old, found.paper.id, found.paper.title, date.today().isoformat()))
