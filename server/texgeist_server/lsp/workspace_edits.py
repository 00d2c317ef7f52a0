"""A plan's edits in LSP's terms, as the client can take them, and as an editor shows them before it makes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import from_fs_path
from texgeist_latex.types import Draft, Edit
from texgeist_latex.writing.targets import source_of

from .positions import Lines

if TYPE_CHECKING:
    from .editor import Editor

ASKING = "asking"
WHOLE = "texgeist"


def workspace_edit(
    editor: Editor, draft: Draft, edits: Sequence[Edit], preview: str = ""
) -> lsp.WorkspaceEdit:
    """The edits in the order given. With a `preview`, its label, an editor that can shows the edit as a diff before it
    makes it.

    VS Code shows a preview where any edit is to be confirmed, and leaves the boxes of those unticked, so that
    “Apply” would apply nothing. So an edit that changes nothing asks for confirmation, and the others are ticked."""
    by_file: dict[Path, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.file, []).append(edit)
    if not editor.client.document_changes:
        return lsp.WorkspaceEdit(
            changes={
                _uri(editor, file): _placed(editor, draft, file, those) for file, those in by_file.items()
            }
        )
    changes = [
        lsp.TextDocumentEdit(
            lsp.OptionalVersionedTextDocumentIdentifier(_uri(editor, file), _version(editor, file)),
            [
                lsp.AnnotatedTextEdit(WHOLE, text.range, text.new_text) if preview else text
                for text in _placed(editor, draft, file, those)
            ],
        )
        for file, those in by_file.items()
    ]
    if not preview or not changes:
        return lsp.WorkspaceEdit(document_changes=changes)
    first = changes[0].edits[0]
    assert not isinstance(first, lsp.SnippetTextEdit)
    asking = lsp.AnnotatedTextEdit(ASKING, lsp.Range(first.range.start, first.range.start), "")
    changes[0] = lsp.TextDocumentEdit(changes[0].text_document, [asking, *changes[0].edits])
    annotations = {
        WHOLE: lsp.ChangeAnnotation(preview, needs_confirmation=False),
        ASKING: lsp.ChangeAnnotation("Changes nothing; shows this list first.", needs_confirmation=True),
    }
    return lsp.WorkspaceEdit(document_changes=changes, change_annotations=annotations)


def _placed(editor: Editor, draft: Draft, file: Path, edits: Sequence[Edit]) -> list[lsp.TextEdit]:
    document = editor.documents.get(file)
    lines = document.lines if document else Lines(source_of(draft, file).text, editor.client.units)
    return [lsp.TextEdit(lines.range(edit.start, edit.end), edit.text) for edit in edits]


def _uri(editor: Editor, file: Path) -> str:
    document = editor.documents.get(file)
    return document.uri if document else from_fs_path(str(file)) or file.as_uri()


def _version(editor: Editor, file: Path) -> int | None:
    document = editor.documents.get(file)
    return document.version if document else None
