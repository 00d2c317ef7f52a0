"""Hover on a citation: explains why it was chosen. Works offline, from the provenance record or else the
bibliography.

Abstracts in the local index are looked up in the background, because a hover must not wait for the index. The
first hover on a paper starts a lookup in the worker; the next hover shows its result.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from texgeist_latex.diagnostic_codes import OF_SENTENCES
from texgeist_latex.errors import LatexError
from texgeist_latex.types import BibEntry
from texgeist_retrieval.identity import title_name

from ...bibliography_checks.places import place
from ...errors import ServerError
from ...index_places import Place, can_be_read, index_place
from ...sections import provenance, requests
from ...sections.provenance import called_now
from ..connection.configuration import Configuration
from ..hover_text import entry_text, judged_text, paper_facts, unmarked, why
from ..jobs.jobs import Tasks

if TYPE_CHECKING:
    from pathlib import Path

    from texgeist_latex.reading.workspace import Workspace

    from ...sections.provenance_model import CitationRecord
    from ..connection.documents import Document
    from ..connection.editor import Editor
    from ..jobs.saved_checks import Finds, SavedChecks

log = logging.getLogger(__name__)
MOST = 5000  # papers kept in memory


def names_of(entry: BibEntry) -> tuple[str, ...]:
    """The names by which an index may know the paper: its ids, and its title with the first author."""
    facts = paper_facts(entry)
    named = title_name(facts.title, facts.authors) if facts.authors else ""
    return tuple(filter(None, (facts.arxiv, f"doi:{facts.doi}" if facts.doi else "", named)))


class Lookups:
    """Looks up abstracts of papers. Used only on the event loop. `abstracts`, by the papers' names (`names_of`),
    belong to the current index. They are replaced as a whole and may be given to other threads. After a failure
    the paper is looked up again."""

    def __init__(self, configuration: Configuration, tasks: Tasks) -> None:
        self._configuration = configuration
        self._tasks = tasks
        self.abstracts: Mapping[str, str] = {}
        self._place: Place | None = None
        self._task: asyncio.Task[None] | None = None

    def want(self, lacking: Callable[[], Awaitable[set[str]]]) -> None:
        """Starts to look up the abstracts of the papers that `lacking` names, for the next hover."""
        place = index_place(self._configuration.settings, self._configuration.keys)
        if place != self._place:
            self.abstracts, self._place = {}, place
        idle = self._task is None or self._task.done()
        if idle and self._configuration.trusted and len(self.abstracts) < MOST and can_be_read(place):
            self._task = asyncio.get_running_loop().create_task(self._look(place, lacking))

    async def _look(self, place: Place, lacking: Callable[[], Awaitable[set[str]]]) -> None:
        papers = await lacking() - self.abstracts.keys()
        try:
            found = await self._tasks.do(requests.Abstracts(tuple(sorted(papers))))
        except ServerError as error:
            log.info("nothing from the index: %s", error)
            return
        if place == self._place:  # unless the index was changed meanwhile
            self.abstracts = {**self.abstracts, **dict.fromkeys(papers, ""), **found}


@dataclass(frozen=True, slots=True)
class Explanation:
    """Markdown about a citation, and the place of its key, from `start` to `end`. `lacks`: whether
    the paper's abstract is to be looked up."""

    markdown: str
    start: int
    end: int
    lacks: bool = False


def register(editor: Editor, lookups: Lookups, checks: SavedChecks) -> None:
    @editor.server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document = editor.document(params.text_document.uri)
        if document is None:
            return None
        settings = (await editor.configuration.loaded()).editor
        if "hover" not in settings.show:
            return None
        offset, known = document.lines.offset(params.position), lookups.abstracts
        alone = bool(settings.beside)
        found = await editor.reader.read(lambda model: explain(model, document.path, offset, known, alone))
        if judged := judged_at(document, offset, checks.shown):
            found = beside(judged, found)
        if found is None:
            return None
        if found.lacks:
            lookups.want(lambda: editor.reader.read(lambda model: lacking(model, document.path)))
        if not editor.client.markdown_hover:
            return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, unmarked(found.markdown)))
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown)
        return lsp.Hover(content, document.lines.range(found.start, found.end))


def judged_at(document: Document, offset: int, finds: Finds) -> Explanation | None:
    """The judge's message on the sentence at `offset`. VS Code marks a hint with three dots and does not show
    its message in the hover."""
    for one in (one for of_root in finds.values() for one in of_root):
        if one.code in OF_SENTENCES and one.file == str(document.path):
            start = place(one, document.text)
            if start is not None and start <= offset <= start + len(one.anchor):
                return Explanation(judged_text(one.message), start, start + len(one.anchor))
    return None


def beside(judged: Explanation, found: Explanation | None) -> Explanation:
    """The judge's message, followed by the explanation of the citation, if any."""
    if found is None:
        return judged
    return replace(found, markdown=f"{judged.markdown}\n\n---\n\n{found.markdown}")


def explain(
    workspace: Workspace,
    path: Path,
    offset: int,
    known: Mapping[str, str],
    written_alone: bool = False,
) -> Explanation | None:
    """Explains the citation at `offset`. Returns None if there is no citation to explain. `known`: abstracts
    by name (`names_of`). `written_alone`: explain only citations that texgeist wrote, because another server
    explains the rest."""
    citation = workspace.citation_at(path, offset)
    if citation is None:
        return None
    start, end = citation.span.start, citation.span.end
    if record := _record(workspace, path, citation.key):
        return Explanation(why(record), start, end)
    if written_alone or not (entry := workspace.entry(path, citation.key)):
        return None
    names = () if entry[1].fields.get("abstract") else names_of(entry[1])
    abstract = next(filter(None, (known.get(name) for name in names)), "")
    elsewhere = [
        (path.name, line)
        for path, line in workspace.cited_at(path, citation.key)
        if (path, line) != (citation.span.file, citation.line)
    ]
    lacks = not known.keys() >= set(names)
    return Explanation(entry_text(entry[1], abstract, elsewhere), start, end, lacks)


def lacking(workspace: Workspace, path: Path) -> set[str]:
    """The names of all cited papers without an abstract. They are looked up together, because each look-up by
    title reads the whole library."""
    cited = workspace.cited_entries(path).values()
    return {name for entry in cited if not entry.fields.get("abstract") for name in names_of(entry)}


def _record(workspace: Workspace, path: Path, key: str) -> CitationRecord | None:
    try:
        root = workspace.root(path)
    except LatexError:
        return None
    record = provenance.read(root)
    if not record.citations:
        return None
    return called_now(record, workspace.cited_entries(path)).citations.get(key)
