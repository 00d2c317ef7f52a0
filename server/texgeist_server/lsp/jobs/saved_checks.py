"""The findings of `texgeist verify` as diagnostics: the worker checks a project when a document is saved.

For each project only one check runs at a time; a save during a check causes another check. A failed check is
only logged: the command line shows the reason.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.diagnostic_codes import ENTRY_CHECKS, OF_SENTENCES, is_off
from texgeist_latex.errors import LatexError

from ...bibliography_checks.places import NO_JUDGE, Find
from ...errors import ServerError
from ...sections.requests import EntryChecks, Request, SavedProject, SentenceChecks

if TYPE_CHECKING:
    from texgeist_latex.reading.workspace import Workspace

    from ...config.settings import Settings
    from ..connection.editor import Editor
    from .jobs import Tasks

log = logging.getLogger(__name__)
Finds = Mapping[Path, Sequence[Find]]  # by root document


class SavedChecks:
    """Runs the checks and stores their findings. Used on the event loop. `finds` is replaced as a whole and
    may be given to other threads. `changed` is called when the findings have changed."""

    def __init__(self, editor: Editor, tasks: Tasks) -> None:
        self._editor = editor
        self._tasks = tasks
        self.finds: Finds = {}
        self.changed: Callable[[], None] = lambda: None
        self._running: dict[Path, asyncio.Task[None]] = {}
        self._again: set[Path] = set()

    @property
    def shown(self) -> Finds:
        """The findings, without codes that the user has turned off."""
        off = self._editor.settings.diagnostics.off if self.finds else ()
        if not off:
            return self.finds
        return {
            root: [find for find in found if not is_off(find.code, off)] for root, found in self.finds.items()
        }

    def saved(self, path: Path) -> None:
        if self._editor.configuration.trusted:
            asyncio.get_running_loop().create_task(self._check(path))

    def end(self) -> None:
        for task in self._running.values():
            task.cancel()

    async def _check(self, path: Path) -> None:
        settings = await self._editor.configuration.loaded()
        if not _checks(settings, SavedProject("")):
            self._put({})
            return
        try:
            root = await self._editor.reader.read(lambda workspace: _root_with_entries(workspace, path))
        except (LatexError, OSError):
            return
        if root is None:
            return
        if root in self._running:
            self._again.add(root)
            return
        self._running[root] = asyncio.get_running_loop().create_task(self._run(root))

    async def _run(self, root: Path) -> None:
        folder = self._editor.configuration.folder_of(root)
        project = SavedProject(str(root), str(folder) if folder else "")
        try:
            while True:
                self._again.discard(root)
                found: list[Find] = []
                checks = _checks(self._editor.configuration.settings, project)
                for number, check in enumerate(checks, 1):
                    found += await self._tasks.do(check)
                    before = self.finds.get(root, ()) if number < len(checks) else ()
                    still = [find for find in before if find.code in OF_SENTENCES]  # kept until judged again
                    self._put({**self.finds, root: (*found, *still)})
                if root not in self._again:
                    return
        except ServerError as error:
            log.info("the entries were not checked: %s", error)
        finally:
            self._running.pop(root, None)

    def _put(self, finds: Finds) -> None:
        if finds != self.finds:
            self.finds = finds
            self.changed()


def _checks(settings: Settings, project: SavedProject) -> list[Request[tuple[Find, ...]]]:
    """The requests to the worker. No model is used if the user chose none or has turned off the findings of
    the model."""
    off, judged = settings.diagnostics.off, settings.diagnostics.unsupported
    checks: list[Request[tuple[Find, ...]]] = [] if ENTRY_CHECKS in off else [EntryChecks(project)]
    seen = judged != "off" and not all(is_off(code, off) for code in OF_SENTENCES)
    if seen and settings.writer.provider not in NO_JUDGE:
        checks.append(SentenceChecks(project, judged == "generated"))
    return checks


def _root_with_entries(workspace: Workspace, path: Path) -> Path | None:
    """The root document of `path`; None if its bibliographies have no entries, because then no worker needs
    to be started."""
    draft = workspace.draft(path)
    return draft.root if any(bibliography.entries for bibliography in draft.bibliographies) else None
