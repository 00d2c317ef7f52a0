"""A plan's edits in LSP's terms, as the client can take them, and as an editor shows them before it makes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import from_fs_path
from texgeist_latex.types import Draft, Edit, EditPlan
from texgeist_latex.writing.parts import Part, parts_of, told_together
from texgeist_latex.writing.targets import source_of
from texgeist_retrieval.types import Result

from .positions import Lines

if TYPE_CHECKING:
    from .editor import Editor

ASKING = "asking"
WHOLE = "texgeist"


@dataclass(frozen=True, slots=True)
class Preview:
    """What a preview says of each part: `labels` by the annotation's id."""

    plan: EditPlan
    groups: tuple[frozenset[str], ...]
    labels: Mapping[str, str]

    def annotated(self, edit: Edit, placed: lsp.TextEdit) -> list[lsp.TextEdit | lsp.AnnotatedTextEdit]:
        """The edit in its parts, each under its papers."""
        parts = parts_of(self.plan, edit)
        if len(parts) == 1:
            return [lsp.AnnotatedTextEdit(self._id(parts[0]), placed.range, placed.new_text)]
        return [lsp.AnnotatedTextEdit(self._id(part), placed.range, part.text) for part in parts if part.text]

    def _id(self, part: Part) -> str:
        place = next((n for n, group in enumerate(self.groups) if group & part.keys), None)
        return WHOLE if place is None else f"{WHOLE}-{place}"


def preview_of(plan: EditPlan, result: Result | None, label: str) -> Preview:
    groups = tuple(told_together(plan)) if result else ()
    titles = {one.candidate.paper.id: one.candidate.paper.title for one in result.selected} if result else {}
    named = {key: f"{key}: {titles[id]}" for id, key in plan.keys.items() if titles.get(id)}
    labels = {
        f"{WHOLE}-{n}": "; ".join(named.get(key, key) for key in sorted(group))
        for n, group in enumerate(groups)
    }
    return Preview(plan, groups, {WHOLE: label, **labels})


def confirms(editor: Editor) -> bool:
    """Whether the editor asks its user before it applies an edit."""
    return editor.client.annotations and editor.settings.editor.review == "preview"


def workspace_edit(
    editor: Editor, draft: Draft, edits: Sequence[Edit], preview: Preview | None
) -> lsp.WorkspaceEdit:
    """The edits in the order given; with a preview, in parts that its user may untick.

    VS Code shows a preview where any edit is to be confirmed, and leaves the boxes of those unticked, so that
    “Apply” would apply nothing. So one that changes nothing asks, and all that is to be written is ticked."""
    by_file: dict[Path, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.file, []).append(edit)
    if not editor.client.document_changes:
        return lsp.WorkspaceEdit(
            changes={
                _uri(editor, file): [text for _, text in _placed(editor, draft, file, those)]
                for file, those in by_file.items()
            }
        )
    changes = [
        lsp.TextDocumentEdit(
            lsp.OptionalVersionedTextDocumentIdentifier(_uri(editor, file), _version(editor, file)),
            [
                text
                for edit, placed in _placed(editor, draft, file, those)
                for text in (preview.annotated(edit, placed) if preview else [placed])
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
        name: lsp.ChangeAnnotation(label, needs_confirmation=False) for name, label in preview.labels.items()
    }
    annotations[ASKING] = lsp.ChangeAnnotation(
        "nothing: it only has this list shown first", needs_confirmation=True
    )
    return lsp.WorkspaceEdit(document_changes=changes, change_annotations=annotations)


def _placed(
    editor: Editor, draft: Draft, file: Path, edits: Sequence[Edit]
) -> list[tuple[Edit, lsp.TextEdit]]:
    document = editor.documents.get(file)
    lines = document.lines if document else Lines(source_of(draft, file).text, editor.client.units)
    return [(edit, lsp.TextEdit(lines.range(edit.start, edit.end), edit.text)) for edit in edits]


def _uri(editor: Editor, file: Path) -> str:
    document = editor.documents.get(file)
    return document.uri if document else from_fs_path(str(file)) or file.as_uri()


def _version(editor: Editor, file: Path) -> int | None:
    document = editor.documents.get(file)
    return document.version if document else None
