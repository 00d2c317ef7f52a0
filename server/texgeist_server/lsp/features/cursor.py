"""Where in an open document a command is asked, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from texgeist_latex.types import Span

from ...errors import Busy
from ...sections import section_briefs
from ..clients import plain
from ..documents import path_of
from .controls import Answer

if TYPE_CHECKING:
    from ...sections.section_requests import Where
    from ..documents import Documents


def section_at(documents: Documents, given: Answer) -> Where:
    """The section at a position, found again by its heading when the text has moved meanwhile."""
    return section_briefs.at_or_again(*at(documents, given))


def at(documents: Documents, given: Answer) -> tuple[Path, int]:
    path, place = path_of(given["uri"]), plain(given["position"])
    if (document := documents.get(path)) is None:
        raise Busy("The document is not open in the editor.")
    return path, document.lines.offset(lsp.Position(int(place["line"]), int(place["character"])))


def sentence(documents: Documents, given: Answer) -> tuple[Path, int, int]:
    """What is selected; the sentence at the cursor where nothing is. Of whole lines (`lines`), which begin and
    end in the middle of sentences, the sentence that they hold most of."""
    from texgeist_latex.reading.cited_sentences import sentence_of

    path, start, end = selected(documents, given)
    if start < end and not given.get("lines"):
        return path, start, end
    document = documents.get(path)
    span = sentence_of(document.text if document else "", Span(path, start, end))
    return path, span.start, span.end


def range_of(range_: lsp.Range) -> Answer:
    ends = {"start": range_.start, "end": range_.end}
    return {name: {"line": at.line, "character": at.character} for name, at in ends.items()}


def selected(documents: Documents, given: Answer) -> tuple[Path, int, int]:
    path, range_ = path_of(given["uri"]), plain(given["range"])
    if (document := documents.get(path)) is None:
        raise Busy("The document is not open in the editor.")
    ends = [plain(range_[name]) for name in ("start", "end")]
    positions = [lsp.Position(int(p["line"]), int(p["character"])) for p in ends]
    return path, *document.lines.offsets(lsp.Range(*positions))
