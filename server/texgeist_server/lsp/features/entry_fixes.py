"""Quick fixes of bibliography entries: each is one edit, made in the worker, of words that still stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from ...bibliography_checks.places import place

if TYPE_CHECKING:
    from ..documents import Document
    from ..saved_checks import Finds


def entry_fixes(document: Document, start: int, end: int, finds: Finds) -> list[lsp.CodeAction]:
    """Those of the entries that the range touches."""
    fixes = []
    for one in (one for of_root in finds.values() for one in of_root):
        if not one["fix"] or one["file"] != str(document.path):
            continue
        at = place(one, document.text)
        if at is None or at > end or at + len(one["anchor"]) < start:
            continue
        range_ = document.lines.range(at, at + len(one["anchor"]))
        edit = lsp.WorkspaceEdit(changes={document.uri: [lsp.TextEdit(range_, str(one["fix"]))]})
        fixes.append(lsp.CodeAction(f"texgeist: {one['title']}", lsp.CodeActionKind.QuickFix, edit=edit))
    return fixes
