"""Diagnostics of the project: published shortly after a change, each kind with its own switch."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from .navigation import location_of

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.types import Problem

    from ...config.settings import Settings
    from ..session import Session

DELAY = 0.02  # seconds of quiet before the project is looked at again
SAID_BY_OTHERS = frozenset({"missing-file", "undefined-citation", "duplicate-key"})
_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "information": lsp.DiagnosticSeverity.Information,
}


def register(server: LanguageServer, session: Session) -> None:
    """Nothing to answer: diagnostics are pushed, by `due`. A big bibliography may be there only later."""
    session.on_loaded = lambda: session.soon(due, session)


def due(session: Session) -> None:
    """Publishes anew after a moment of quiet."""
    state = session.published
    if session.closed:
        return
    if state.timer:
        state.timer.cancel()
    loop = asyncio.get_running_loop()
    state.timer = loop.call_later(DELAY, lambda: loop.create_task(_publish(session)))


def closed(session: Session, uri: str) -> None:
    session.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


async def _publish(session: Session) -> None:
    state = session.published
    found = await session.read(lambda: _diagnostics(session))
    for uri in sorted(state.uris - found.keys()):
        session.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
    for uri, (version, diagnostics) in found.items():
        params = lsp.PublishDiagnosticsParams(uri, diagnostics, version)
        session.server.text_document_publish_diagnostics(params)
    state.uris = {uri for uri, (_, diagnostics) in found.items() if diagnostics}


def _diagnostics(session: Session) -> dict[str, tuple[int | None, list[lsp.Diagnostic]]]:
    """By URI, for the open documents and for the files of their projects."""
    documents = session.documents.all()
    found: dict[str, tuple[int | None, list[lsp.Diagnostic]]] = {d.uri: (d.version, []) for d in documents}
    seen: set[tuple[str, int, int, str]] = set()
    for document in documents:
        for problem in session.workspace.problems(document.path):
            key = (str(problem.span.file), problem.span.start, problem.span.end, problem.code)
            if key in seen or not is_shown(session.settings, problem.code):
                continue
            seen.add(key)
            if location := location_of(session, problem.span):
                found.setdefault(location.uri, (None, []))[1].append(_diagnostic(problem, location.range))
    return found


def is_shown(settings: Settings, code: str) -> bool:
    if settings.editor.beside and code in SAID_BY_OTHERS:
        return False
    return bool(getattr(settings.diagnostics, code.replace("-", "_"), True))


def _diagnostic(problem: Problem, range_: lsp.Range) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range=range_,
        message=problem.message,
        severity=_SEVERITY[problem.severity],
        code=problem.code,
        source="texgeist",
    )
