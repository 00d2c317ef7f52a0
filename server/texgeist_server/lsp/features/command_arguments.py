"""Registers commands, and reads the arguments that editors send: a document and a place in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError
from texgeist_latex.types import Span

from ...errors import Busy, EditRefused, ServerError
from ...sections import section_briefs
from ..connection.configuration import plain
from ..connection.documents import is_file, path_of

if TYPE_CHECKING:
    from ...sections.section_briefs import Where
    from ..connection.documents import Documents
    from ..connection.editor import Editor

Answer = dict[str, Any]
Command = Callable[[Answer], Awaitable[Answer]]


def commands_of(editor: Editor) -> Callable[[str], Callable[[Command], None]]:
    """A decorator that registers a command. A command takes and returns a dict; failures become an error
    message."""

    def command(name: str) -> Callable[[Command], None]:
        def add(function: Command) -> None:
            @editor.server.command(f"texgeist.server.{name}")
            async def run(*given: Any) -> Answer:
                arguments = plain(given[0]) if given else {}
                try:
                    check_file(arguments)
                    return await function(arguments)
                except (ServerError, LatexError) as error:
                    editor.complain(error.sentence())
                    return {"error": error.sentence()}

        return add

    return command


def check_file(given: Answer) -> None:
    """Raises EditRefused for a document that is not a file: its bibliography and its record have no folder."""
    if "uri" in given and not is_file(str(given["uri"])):
        raise EditRefused(
            "texgeist works on files on this computer, and this document is not one.",
            "Save it as a .tex file, or open its project from a folder on disk, and ask again.",
        )


def document_of(documents: Documents, given: Answer) -> tuple[Path]:
    return (path_of(given["uri"]),)


def block_of(documents: Documents, given: Answer) -> tuple[Path, str]:
    """The file, and the id of a generated section."""
    return path_of(given["uri"]), str(given["section"])


def heading_at(documents: Documents, given: Answer) -> tuple[Path, Where]:
    """The file, and a function that finds the section at the position in a draft. If the text changes
    meanwhile, the section is recognised by its heading."""
    path, offset = offset_at(documents, given)
    return path, section_briefs.at_or_again(path, offset)


def offset_at(documents: Documents, given: Answer) -> tuple[Path, int]:
    path, place = path_of(given["uri"]), plain(given["position"])
    if (document := documents.get(path)) is None:
        raise Busy("The document is not open in the editor.")
    return path, document.lines.offset(lsp.Position(int(place["line"]), int(place["character"])))


def sentence_at(documents: Documents, given: Answer) -> tuple[Path, int, int]:
    """The file, and the start and end of the selection; if nothing is selected, of the sentence at the
    cursor. If whole lines are selected (`lines`), which may cut sentences, returns the sentence of which the
    selection contains most."""
    from texgeist_latex.reading.cited_sentences import sentence_of

    path, start, end = selected_range(documents, given)
    if start < end and not given.get("lines"):
        return path, start, end
    document = documents.get(path)
    span = sentence_of(document.text if document else "", Span(path, start, end))
    return path, span.start, span.end


def plain_range(range_: lsp.Range) -> Answer:
    ends = {"start": range_.start, "end": range_.end}
    return {name: {"line": at.line, "character": at.character} for name, at in ends.items()}


def selected_range(documents: Documents, given: Answer) -> tuple[Path, int, int]:
    path, range_ = path_of(given["uri"]), plain(given["range"])
    if (document := documents.get(path)) is None:
        raise Busy("The document is not open in the editor.")
    ends = [plain(range_[name]) for name in ("start", "end")]
    positions = [lsp.Position(int(p["line"]), int(p["character"])) for p in ends]
    return path, *document.lines.offsets(lsp.Range(*positions))
