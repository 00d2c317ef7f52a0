"""Diagnostics of the project, published after each change."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from texgeist_latex.diagnostic_codes import IN_OTHER_TOOLS, is_off
from texgeist_latex.types import Span

from ...bibliography_checks.places import place
from ...plain_text import visible
from .navigation import location_of

if TYPE_CHECKING:
    from texgeist_latex.reading.workspace import Workspace
    from texgeist_latex.types import Problem

    from ...config.settings import Settings
    from ..connection.configuration import Configuration
    from ..connection.documents import Opened
    from ..connection.editor import Editor
    from ..jobs.saved_checks import Finds, SavedChecks

ByUri = dict[str, tuple[int | None, list[lsp.Diagnostic]]]  # version and diagnostics by URI
_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "information": lsp.DiagnosticSeverity.Information,
    "hint": lsp.DiagnosticSeverity.Hint,
}


class Diagnostics:
    """Publishes diagnostics (push, not pull). Used on the event loop, except for `soon`."""

    def __init__(self, editor: Editor, checks: SavedChecks) -> None:
        self._editor = editor
        self._checks = checks
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._sent: ByUri = {}  # the files that have diagnostics
        self._again = False
        self._ended = False

    def due(self) -> None:
        """Publishes again. Runs one check at a time: changes during a check cause one other, so the last
        version is always checked."""
        if self._ended:
            return
        self._loop, self._again = asyncio.get_running_loop(), True
        if self._task is None or self._task.done():
            self._task = self._loop.create_task(self._publish())

    def soon(self) -> None:
        """Like `due`, but from any thread; for example when a big bibliography was loaded in the
        background."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.due)

    def closed(self, uri: str) -> None:
        """Publishes again, because other files may refer to what was not saved."""
        self._sent.pop(uri, None)
        self._send(uri, [])
        self.due()

    def end(self) -> None:
        self._ended = True
        if self._task:
            self._task.cancel()

    async def _publish(self) -> None:
        while self._again:
            self._again = False
            await self._look()

    async def _look(self) -> None:
        opened, finds = self._editor.documents.now, self._checks.shown

        def look(workspace: Workspace) -> ByUri:
            found = find(workspace, opened, self._editor.configuration)
            if finds:
                join(found, finds, workspace, opened, self._editor.configuration)
            return found

        found = await self._editor.reader.read(look)
        for uri in sorted(self._sent.keys() - found.keys()):
            self._send(uri, [])
        shown = {document.uri for document in opened.values()}
        for uri, (version, diagnostics) in found.items():
            if uri in shown or self._sent.get(uri) != (version, diagnostics):  # files not open: only changes
                self._send(uri, diagnostics, version)
        self._sent = {uri: one for uri, one in found.items() if one[1]}

    def _send(self, uri: str, diagnostics: list[lsp.Diagnostic], version: int | None = None) -> None:
        params = lsp.PublishDiagnosticsParams(uri, diagnostics, version)
        self._editor.server.text_document_publish_diagnostics(params)


def find(workspace: Workspace, opened: Opened, configuration: Configuration) -> ByUri:
    """The diagnostics of the open documents and of their projects' files."""
    found: ByUri = {document.uri: (document.version, []) for document in opened.values()}
    seen, settings = set[tuple[Span, str]](), configuration.settings
    for problem in workspace.problems(*opened):
        if (problem.span, problem.code) in seen or not is_shown(settings, problem.code):
            continue
        seen.add((problem.span, problem.code))
        if place := location_of(workspace, opened, problem.span, configuration.client.units):
            found.setdefault(place.uri, (None, []))[1].append(_diagnostic(problem, place.range))
    return found


def join(
    found: ByUri, finds: Finds, workspace: Workspace, opened: Opened, configuration: Configuration
) -> None:
    """Adds the findings of the last check on save, for places where the text has not changed since."""
    moved: dict[Path, int] = {}
    for one in (one for of_root in finds.values() for one in of_root):
        path = Path(one.file)
        text = opened[path].text if path in opened else workspace.text(path)
        at = place(one, text, moved.get(path, 0)) if text is not None else None
        if at is None:
            continue
        moved[path] = at - one.start
        span = Span(path, at, at + one.shown)
        if where := location_of(workspace, opened, span, configuration.client.units):
            said = (one.message, _SEVERITY[one.severity], one.code)
            found.setdefault(where.uri, (None, []))[1].append(_said(where.range, *said))


def is_shown(settings: Settings, code: str) -> bool:
    in_other_tools = bool(settings.editor.beside) and code in IN_OTHER_TOOLS
    return not in_other_tools and not is_off(code, settings.diagnostics.off)


def _diagnostic(problem: Problem, range_: lsp.Range) -> lsp.Diagnostic:
    return _said(range_, problem.message, _SEVERITY[problem.severity], problem.code, problem.fix)


def _said(
    range_: lsp.Range, message: str, severity: lsp.DiagnosticSeverity, code: str, fix: str = ""
) -> lsp.Diagnostic:
    """`fix`: returned by the client with a request for code actions."""
    tags = [lsp.DiagnosticTag.Unnecessary] if code == "unused" else None
    return lsp.Diagnostic(
        range_, visible(message), severity, code, source="texgeist", tags=tags, data=fix or None
    )
