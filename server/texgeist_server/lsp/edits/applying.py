"""Applies a plan to the editor's documents: as a single edit, or not at all.

Differences between editors, all measured:

- A client without `documentChanges` gets `changes` (Neovim).
- The edit contains document versions. But Neovim checks only the first, and eglot may apply half an edit, so
  the text is compared again before sending. The `.tex` comes first, the `.bib` last.
- A new bibliography is written to disk by texgeist before the edit: in VS Code an undo would otherwise delete
  it even after a save, eglot cannot create files, and Neovim would keep it in a buffer. It is removed if the
  edit is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.uris import from_fs_path
from texgeist_latex.disk.folder import opened
from texgeist_latex.disk.gate import Gate
from texgeist_latex.errors import LatexError
from texgeist_latex.types import Draft, Edit, EditPlan
from texgeist_latex.writing.apply import check_bounds
from texgeist_latex.writing.targets import source_of

from ...errors import EditDeclined, EditRefused
from ...sections import provenance
from ...sections.edit_requests import AGAIN, CHANGED, Pending
from ...sections.safeguards import check_cites
from ..connection.documents import Lines
from ..connection.editor import Editor

if TYPE_CHECKING:
    from ...sections.recording import RecordedEdit

REVEAL = "texgeist/reveal"
UNDER_WAY = "cancelled while the editor received the edit. If the edit was made, undo it in the editor."
TOO_LATE = "it was too late to cancel: the document was changed. Use undo to revert it."
log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
_PAUSE = 0.6  # seconds between attempts: eglot reports typing only after half a second without typing
_ATTEMPTS = 3  # the user may type before the edit reaches the editor
_ANSWER = 3600.0  # seconds: eglot, and editors that show a diff, ask the user first


async def land(editor: Editor, pending: Pending) -> RecordedEdit:
    """Plans the edit for the current text and applies it. Raises `EditRefused`, `LatexError`."""
    async for draft in drafts(editor, pending.edit_request.path):
        plan = await asyncio.to_thread(pending.plan, draft)
        check_cites(plan)
        if landed := await _applied(editor, pending, draft, plan):
            return landed
    raise EditRefused(CHANGED, AGAIN)


async def drafts(editor: Editor, path: Path) -> AsyncIterator[Draft]:
    """Yields the current draft, once for each attempt. Retries are needed because the user may type while an
    edit is sent, and because Neovim 0.7 reports the line break that it adds to a file with a delay."""
    for attempt in range(_ATTEMPTS):
        if attempt:
            await asyncio.sleep(_PAUSE)
        yield await editor.reader.draft(path)


async def _applied(editor: Editor, pending: Pending, draft: Draft, plan: EditPlan) -> RecordedEdit | None:
    """Applies the edit. The provenance record is written to disk first, so that no text is inserted without
    it. If the user typed meanwhile or the edit was refused, removes the record and returns None."""
    from ...sections.recording import RecordedEdit, discard, stage

    check_bounds(plan, draft.gate)
    what = pending.edit_request.what
    try:
        edit = await asyncio.to_thread(stage, RecordedEdit(draft, plan, pending.result, what))
    except OSError as error:
        raise EditRefused(provenance.lost(draft.root, error), f"Nothing was inserted. {AGAIN}") from error
    applied = False
    try:
        applied = await apply_plan(editor, plan, draft, f"texgeist: {what.lower()}")
    finally:
        if not applied:
            discard(edit)
    return edit if applied else None


async def apply_plan(editor: Editor, plan: EditPlan, draft: Draft, label: str, shown: bool = False) -> bool:
    """Sends the plan to the editor. Returns False if the user typed meanwhile or the edit was refused;
    nothing is changed then. `shown`: first show the edit as a diff to confirm, if the editor supports that.
    Raises OutOfBounds for files outside the project."""
    check_bounds(plan, draft.gate)
    existing = [edit for edit in plan.edits if edit.file not in plan.new_files]
    if not all([await asyncio.to_thread(_is_as_read, editor, draft, edit.file) for edit in existing]):
        return False
    made = await asyncio.to_thread(_make_files, _checked(plan, draft.gate))
    if not all(is_still_so(editor, draft, edit.file) for edit in existing):
        _take_back(made)
        return False
    # No await until the edit is sent, so places and versions belong to the text that was just compared.
    try:
        preview = label if shown and editor.client.annotations else ""
        edit = workspace_edit(editor, draft, existing, preview)
        applied = not existing or await _send(editor, edit, label)
    except asyncio.CancelledError:
        # The editor may still apply the edit, which needs its bibliography.
        raise asyncio.CancelledError(UNDER_WAY) from None
    except BaseException:
        _take_back(made)
        raise
    if not applied:
        _take_back(made)
    return applied


async def _send(editor: Editor, edit: lsp.WorkspaceEdit, label: str) -> bool:
    params = lsp.ApplyWorkspaceEditParams(edit, label)
    try:
        async with asyncio.timeout(_ANSWER):
            answer = await editor.server.workspace_apply_edit_async(params)
    except JsonRpcException as error:  # eglot: a stale version, or the user declined
        log.info("the editor did not take the edit: %s", error)
        if "cancel" in str(error).lower():
            raise EditDeclined("The edit was declined.", AGAIN) from None
        return False
    return bool(answer.applied)


def _is_as_read(editor: Editor, draft: Draft, file: Path) -> bool:
    """Whether the file, in the editor or else on disk, is unchanged since the plan was made."""
    try:
        source = source_of(draft, file)
    except LatexError:
        return False
    if document := editor.documents.get(file):
        return document.text == source.text
    from texgeist_latex.tex.encodings import encode

    with contextlib.suppress(OSError, UnicodeEncodeError):
        return file.read_bytes() == encode(source, source.text)
    return False


def is_still_so(editor: Editor, draft: Draft, file: Path) -> bool:
    """Like `_is_as_read`, but only for open documents. It does not wait for a thread, so the user cannot type
    meanwhile."""
    document = editor.documents.get(file)
    return document is None or document.text == source_of(draft, file).text


def _checked(plan: EditPlan, gate: Gate) -> EditPlan:
    """A plan with only the new files of `plan` and their edits. The paths are resolved, so that the files are
    created exactly where the gate has checked them."""
    ends = {file: gate.check(file) for file in plan.new_files}
    edits = tuple(replace(edit, file=ends[edit.file]) for edit in plan.edits if edit.file in ends)
    return replace(plan, edits=edits, new_files=tuple(ends.values()))


def _make_files(plan: EditPlan) -> list[tuple[Path, str]]:
    """Writes the plan's new files, which have resolved paths. Existing files are never overwritten."""
    made: list[tuple[Path, str]] = []
    for file in plan.new_files:
        text = "".join(edit.text for edit in plan.edits if edit.file == file)
        try:
            with opened(file.parent) as folder:
                folder.create(file.name, text.encode())
        except OSError as error:
            _take_back(made)
            raise EditRefused(f"{file.name} cannot be created: {error.strerror}.", AGAIN) from error
        made.append((file, text))
    return made


def _take_back(made: list[tuple[Path, str]]) -> None:
    for file, text in made:
        with contextlib.suppress(OSError), opened(file.parent) as folder:
            if folder.read(file.name) == text.encode():
                folder.remove(file.name)


async def to_the_end(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs `function`, which completes an applied edit, to its end, even if the job is cancelled."""
    task = asyncio.create_task(asyncio.to_thread(function, *args, **kwargs))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise asyncio.CancelledError(TOO_LATE) from None


ASKING = "asking"
WHOLE = "texgeist"


def workspace_edit(
    editor: Editor, draft: Draft, edits: Sequence[Edit], preview: str = ""
) -> lsp.WorkspaceEdit:
    """The edits as an LSP workspace edit, in the given order. `preview`: the label of a preview; if it is
    given, an editor that supports previews first shows the edit as a diff.

    VS Code shows a preview if any edit needs confirmation, but leaves the boxes of such edits unticked, so
    that “Apply” would apply nothing. So only an empty edit needs confirmation, and the others are ticked.
    """
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
        ASKING: lsp.ChangeAnnotation(
            "Changes nothing. It is here so that this list is shown first.", needs_confirmation=True
        ),
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


def place_of(editor: Editor, edit: RecordedEdit) -> lsp.Location | None:
    """The place of the change, in the first changed file that is not a bibliography; None if there is no such
    file."""
    first = next((each for each in edit.back if each.file.suffix != ".bib"), None)
    if first is None or (uri := from_fs_path(str(first.file))) is None:
        return None
    document = editor.documents.get(first.file)
    lines = document.lines if document else Lines(edit.after[first.file], editor.client.units)
    return lsp.Location(document.uri if document else uri, lines.range(first.start, first.end))


def reveal(editor: Editor, edit: RecordedEdit) -> None:
    """Scrolls to the change if the document is visible, without moving the cursor, as the user may be
    typing."""
    if editor.client.reveals and (place := place_of(editor, edit)):
        editor.notify(REVEAL, {"uri": place.uri, "range": place.range})


async def show(editor: Editor, edit: RecordedEdit) -> bool:
    """Opens the change in the editor. Returns whether that worked."""
    if (place := place_of(editor, edit)) is None or not editor.client.show_document:
        return False
    params = lsp.ShowDocumentParams(uri=place.uri, take_focus=True, selection=place.range)
    try:
        async with asyncio.timeout(5):
            return (await editor.server.window_show_document_async(params)).success
    except (TimeoutError, JsonRpcException):
        return False
