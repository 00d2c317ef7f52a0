"""Code actions, and quick fixes for the findings of the check on save.

Editors request them on every cursor move, so nothing is parsed here, and the project is read only inside
generated sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from texgeist_latex.diagnostic_codes import OF_SENTENCES
from texgeist_latex.errors import LatexError
from texgeist_latex.reading.offers import may_need
from texgeist_latex.tex.markdown import is_markdown
from texgeist_latex.types import SourceFile
from texgeist_latex.writing.blocks import find_blocks

from ...bibliography_checks.places import place
from ...plain_text import visible
from ...sections import provenance
from ...sections.safeguards import BlockKind, block_kind
from ..jobs.changing_jobs import pasted_at
from .command_arguments import plain_range
from .completion import offered_fix

if TYPE_CHECKING:
    from texgeist_latex.reading.workspace import Workspace

    from ..connection.documents import Document
    from ..connection.editor import Editor
    from ..connection.reader import Reader
    from ..jobs.saved_checks import Finds, SavedChecks

KIND = "refactor.texgeist"
QUICK_FIX = lsp.CodeActionKind.QuickFix.value
_HEADING = re.compile(
    r"\\(?:part|chapter|section|subsection|subsubsection|paragraph)\*?\s*[\[{]|\\begin\s*\{abstract\}"
)
_LEAST_SELECTED = 8  # code points of a selection that can be a sentence


def register(editor: Editor, pending: Sized, checks: SavedChecks) -> None:
    """`pending`: results that wait to be inserted; `checks`: the findings of the check on save."""
    options = lsp.CodeActionOptions(code_action_kinds=[KIND, lsp.CodeActionKind.QuickFix])

    @editor.server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, options)
    async def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document = editor.document(params.text_document.uri)
        if document is None:
            return []
        start, end = document.lines.offsets(params.range)
        only = params.context.only
        fixes = saved_fixes(document, start, end, checks.shown) if wanted(only, QUICK_FIX) else []
        if wanted(only, QUICK_FIX):
            fixes += key_fixes(document.uri, params.context.diagnostics)
        if wanted(only, QUICK_FIX) and start == end and may_need(document.text, start):
            fixes += await offered_fix(editor, document, start)
        if (
            wanted(only)
            and pasted_at(document.text, start)
            and not await _in_entry(editor.reader, document, start)
        ):
            position = {"uri": document.uri, "position": plain_range(params.range)["start"]}
            fixes.append(_action("add an entry for this paper", "addEntry", position))
        if not wanted(only) or document.path.suffix == ".bib":
            return fixes
        touched = [
            (section, low, high) for section, low, high in blocks(document) if low <= end and start <= high
        ]
        kinds: dict[str, BlockKind] = {}
        if touched:
            kinds = await editor.reader.read(lambda workspace: _kinds(workspace, document, touched))
        found = list(_offers(document, start, end, params.range, kinds, bool(pending)))
        return [*fixes, *(_action(*one) for one in found)]


async def _in_entry(reader: Reader, document: Document, offset: int) -> bool:
    """Whether the id at `offset` is inside an entry of a bibliography."""
    if document.path.suffix.lower() != ".bib":
        return False
    return bool(await reader.read(lambda workspace: workspace.key_at(document.path, offset)))


def wanted(only: Any, ours: str = KIND) -> bool:
    """Whether the client requests code actions of the kind `ours`. `only`: the requested kinds, each a
    prefix; if there is none, all kinds are requested."""
    kinds = [str(getattr(kind, "value", kind)) for kind in only or ()]
    return not kinds or any(not kind or kind == ours or ours.startswith(kind + ".") for kind in kinds)


def blocks(document: Document) -> Iterator[tuple[str, int, int]]:
    """The generated sections of a document: id, start and end offset."""
    for block in find_blocks([SourceFile(document.path, document.text)]):
        yield block.id, block.span.start, block.span.end


OfferedCommand = tuple[str, str, dict[str, Any]]  # title, command, argument


def _kinds(
    workspace: Workspace, document: Document, touched: list[tuple[str, int, int]]
) -> dict[str, BlockKind]:
    """The kinds of the generated sections in `touched`, by id."""
    try:
        data = provenance.read(workspace.root(document.path))
    except LatexError:
        data = provenance.read_from(None)
    return {section: block_kind(data, section) for section, _, _ in touched}


def _offers(
    document: Document,
    start: int,
    end: int,
    range_: lsp.Range,
    touched: Mapping[str, BlockKind],
    pending: bool,
) -> Iterator[OfferedCommand]:
    uri = document.uri
    if end - start >= _LEAST_SELECTED:
        yield "find citations for the selection", "findCitations", {"uri": uri, "range": plain_range(range_)}
        if not is_markdown(document.path):
            yield "answer the selected question", "answer", {"uri": uri, "range": plain_range(range_)}
        yield (
            "find evidence for and against the selection",
            "forAndAgainst",
            {"uri": uri, "range": plain_range(range_)},
        )
    if is_markdown(document.path):  # nothing is written there but citations
        return
    if _is_heading(document, start):
        position = {"uri": uri, "position": plain_range(range_)["start"]}
        yield "gather evidence for this section", "gatherEvidence", position
        yield "draft this section", "draftSection", position
    for section, kind in touched.items():
        if kind != "answer":
            yield "update this section", "updateSection", {"uri": uri, "section": section}
            yield "write this section again", "writeAnew", {"uri": uri, "section": section}
        yield "remove this section", "removeSection", {"uri": uri, "section": section}
    yield "write related work from the abstract", "relatedWork", {"uri": uri, "from": "abstract"}
    yield "write related work from the whole draft", "relatedWork", {"uri": uri, "from": "draft"}
    if pending:
        yield "insert the last result", "insertPending", {"uri": uri}


def _is_heading(document: Document, offset: int) -> bool:
    """Whether the line contains a heading command or begins an abstract."""
    text = document.text
    begin = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return bool(_HEADING.search(text, begin, end if end >= 0 else len(text)))


def _action(title: str, command: str, argument: dict[str, Any], kind: str = KIND) -> lsp.CodeAction:
    title = f"texgeist: {visible(title)}"
    ordered = lsp.Command(title, f"texgeist.server.{command}", arguments=[argument])
    return lsp.CodeAction(title, kind, command=ordered)


_OFFERS = (("find a source for this", "findCitations"), ("weaken the sentence", "weakenSentence"))


def saved_fixes(document: Document, start: int, end: int, finds: Finds) -> list[lsp.CodeAction]:
    """The quick fixes for entries and sentences that overlap the range. At an entry with a correction, also one for
    all such entries."""
    fixes = []
    for one in (one for of_root in finds.values() for one in of_root):
        if one.file != str(document.path) or not (one.fix or one.code in OF_SENTENCES):
            continue
        at = place(one, document.text)
        if at is None or at > end or at + len(one.anchor) < start:
            continue
        range_ = document.lines.range(at, at + len(one.anchor))
        of_sentence = one.code in OF_SENTENCES
        fixes += (
            _of_sentence(document, range_)
            if of_sentence
            else [_replaced(one.title, document.uri, range_, one.fix)]
        )
    if any(fix.title.startswith("texgeist: correct ") for fix in fixes):
        fixes.append(
            _action(
                "correct all entries that differ in a detail",
                "correctEntries",
                {"uri": document.uri},
                QUICK_FIX,
            )
        )
    return fixes


def key_fixes(uri: str, diagnostics: Sequence[lsp.Diagnostic]) -> list[lsp.CodeAction]:
    """The quick fixes that replace keys without an entry by the nearest key."""
    undefined = [one for one in diagnostics if one.code == "undefined-citation" and isinstance(one.data, str)]
    return [_replaced(f"cite {one.data}", uri, one.range, str(one.data)) for one in undefined]


def _replaced(title: str, uri: str, range_: lsp.Range, text: str) -> lsp.CodeAction:
    edit = lsp.WorkspaceEdit(changes={uri: [lsp.TextEdit(range_, text)]})
    return lsp.CodeAction(f"texgeist: {visible(title)}", lsp.CodeActionKind.QuickFix, edit=edit)


def _of_sentence(document: Document, range_: lsp.Range) -> list[lsp.CodeAction]:
    argument = {"uri": document.uri, "range": plain_range(range_)}
    offers = _OFFERS[:1] if is_markdown(document.path) else _OFFERS
    return [_action(title, name, argument, QUICK_FIX) for title, name in offers]
