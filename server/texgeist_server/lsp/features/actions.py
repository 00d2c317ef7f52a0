"""Code actions. Asked for on every cursor move, so nothing is parsed here and nothing is waited for."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from texgeist_latex.types import SourceFile
from texgeist_latex.writing.blocks import find_blocks

from ..documents import path_of
from .saved_fixes import saved_fixes

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..documents import Document, Documents
    from ..saved_checks import SavedChecks

KIND = "refactor.texgeist"
QUICK_FIX = lsp.CodeActionKind.QuickFix.value
_LEAST_SELECTED = 8  # code points of a selection that can be a sentence


def register(server: LanguageServer, documents: Documents, pending: Sized, checks: SavedChecks) -> None:
    """`pending` is what was written and could not be inserted, `checks` what was found on saving."""
    options = lsp.CodeActionOptions(code_action_kinds=[KIND, lsp.CodeActionKind.QuickFix])

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document = documents.get(path_of(params.text_document.uri))
        if document is None:
            return []
        start, end = document.lines.offsets(params.range)
        only = params.context.only
        fixes = saved_fixes(document, start, end, checks.finds) if wanted(only, QUICK_FIX) else []
        if not wanted(only) or document.path.suffix == ".bib":
            return fixes
        offers = _offers(document, start, end, params.range, bool(pending))
        return [*fixes, *(_action(*found) for found in offers)]


def wanted(only: Any, ours: str = KIND) -> bool:
    """Whether the client's `only` kinds, which are prefixes, let ours through."""
    kinds = [str(getattr(kind, "value", kind)) for kind in only or ()]
    return not kinds or any(not kind or kind == ours or ours.startswith(kind + ".") for kind in kinds)


def blocks(document: Document) -> Iterator[tuple[str, int, int]]:
    """The generated sections of a document: id, start and end."""
    for block in find_blocks([SourceFile(document.path, document.text)]):
        yield block.id, block.span.start, block.span.end


def _offers(
    document: Document, start: int, end: int, range_: lsp.Range, pending: bool
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    uri = document.uri
    if end - start >= _LEAST_SELECTED:
        yield "find citations for the selection", "findCitations", {"uri": uri, "range": _plain(range_)}
        yield "answer the selected question", "answer", {"uri": uri, "range": _plain(range_)}
    for section, low, high in blocks(document):
        if low <= end and start <= high:
            yield "update this section", "updateSection", {"uri": uri, "section": section}
            yield "remove this section", "removeSection", {"uri": uri, "section": section}
    yield "write related work from the abstract", "relatedWork", {"uri": uri, "from": "abstract"}
    yield "write related work from the whole draft", "relatedWork", {"uri": uri, "from": "draft"}
    if pending:
        yield "insert what was written before", "insertPending", {"uri": uri}


def _action(title: str, command: str, argument: dict[str, Any]) -> lsp.CodeAction:
    title = f"texgeist: {title}"
    return lsp.CodeAction(
        title=title, kind=KIND, command=lsp.Command(title, f"texgeist.server.{command}", arguments=[argument])
    )


def _plain(range_: lsp.Range) -> dict[str, Any]:
    return {
        "start": {"line": range_.start.line, "character": range_.start.character},
        "end": {"line": range_.end.line, "character": range_.end.character},
    }
