"""Quick fixes of what was found on saving, where its words still stand: an entry's is one edit, made in the worker;
a sentence's is a search for a source that says it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from ...bibliography_checks.places import OF_SENTENCES, place

if TYPE_CHECKING:
    from ..documents import Document
    from ..saved_checks import Finds

_OFFERS = (
    ("texgeist: find a source that says this", "findCitations"),
    ("texgeist: weaken the sentence", "weakenSentence"),
)
_FIX = lsp.CodeActionKind.QuickFix


def saved_fixes(document: Document, start: int, end: int, finds: Finds) -> list[lsp.CodeAction]:
    """Those of the entries and sentences that the range touches."""
    fixes = []
    for one in (one for of_root in finds.values() for one in of_root):
        if one["file"] != str(document.path) or not (one["fix"] or one["code"] in OF_SENTENCES):
            continue
        at = place(one, document.text)
        if at is None or at > end or at + len(one["anchor"]) < start:
            continue
        range_ = document.lines.range(at, at + len(one["anchor"]))
        of_sentence = one["code"] in OF_SENTENCES
        fixes += _of_sentence(document, range_) if of_sentence else [_of_entry(document, range_, one)]
    return fixes


def _of_entry(document: Document, range_: lsp.Range, find: Mapping[str, Any]) -> lsp.CodeAction:
    edit = lsp.WorkspaceEdit(changes={document.uri: [lsp.TextEdit(range_, str(find["fix"]))]})
    return lsp.CodeAction(f"texgeist: {find['title']}", _FIX, edit=edit)


def _of_sentence(document: Document, range_: lsp.Range) -> list[lsp.CodeAction]:
    ends = {
        name: {"line": at.line, "character": at.character}
        for name, at in (("start", range_.start), ("end", range_.end))
    }
    argument = {"uri": document.uri, "range": ends}
    return [
        lsp.CodeAction(
            title, _FIX, command=lsp.Command(title, f"texgeist.server.{name}", arguments=[argument])
        )
        for title, name in _OFFERS
    ]
