"""`texgeist draft`: shows what texgeist reads of a project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from texgeist_retrieval.text.words import number_of

from .common import DRAFT, JSON, draft_from, plainly, print_json
from .json_answers import relative
from .terminal import inform, show_table, warn

if TYPE_CHECKING:
    from texgeist_latex.types import Draft


def register(app: typer.Typer) -> None:
    app.command("draft")(draft)


def draft(
    file: Path = DRAFT,
    as_json: bool = JSON,
) -> None:
    """Show what texgeist reads from a LaTeX project: files, sections, citations, bibliographies."""
    from texgeist_latex.reading.draft import read_draft

    from ..bibliography_checks.checking import of_draft, remarks_on
    from ..bibliography_checks.report import gathered, shortened

    with plainly():
        given = draft_from(file)
        found = read_draft(given.path, overlay=given.texts)
    if as_json:
        print_json(draft_json(found))
    else:
        _show(draft_json(found))
        if found.doubt not in ("", *(problem.message for problem in found.problems)):
            warn(found.doubt)
        if found.note:
            inform(found.note)
        for line in shortened(gathered(remarks_on(of_draft(found)))):
            warn(line)


def draft_json(draft: Draft) -> dict[str, Any]:
    """The draft as plain data. Paths are relative to the root document's folder; line numbers start at 1."""
    heading, insertion = draft.related_work, draft.insertion
    return {
        "root": relative(draft.root, draft),
        "files": [relative(file, draft) for file in draft.files],
        "missing": list(draft.missing),
        "title": draft.title,
        "abstract": draft.abstract,
        "sections": [
            {"title": h.title, "level": h.level, "file": relative(h.span.file, draft), "line": h.line}
            for h in draft.headings
        ],
        "citations": [
            {"key": c.key, "command": c.command, "file": relative(c.span.file, draft), "line": c.line}
            for c in draft.citations
        ],
        "bibliographies": [relative(b.path, draft) for b in draft.bibliographies],
        "entries": sum(len(b.entries) for b in draft.bibliographies),
        "citation_style": {
            "parenthetical": draft.style.parenthetical,
            "textual": draft.style.textual,
        },
        "related_work": heading and {"file": relative(heading.span.file, draft), "line": heading.line},
        "insertion": insertion and {"file": relative(insertion.span.file, draft), "line": insertion.line},
        "words": draft.words,
    }


def _show(read: dict[str, Any]) -> None:
    from rich.table import Table
    from texgeist_latex.writing.prose import citation

    table = Table(show_header=False, box=None, pad_edge=False)
    place, named = read["insertion"], read["bibliographies"]
    rows = {
        "Root document": read["root"],
        "Files": ", ".join(read["files"]),
        "Missing": ", ".join(read["missing"]),
        "Title": read["title"],
        "Abstract": f"{len(read['abstract'].split())} words" if read["abstract"] else "none found",
        "Sections": ", ".join(section["title"] for section in read["sections"] if section["level"] <= 1),
        "Words": str(read["words"]),
        "Citations": str(len(read["citations"])),
        "Bibliographies": f"{', '.join(named)} ({number_of(read['entries'], 'entry')})"
        if named
        else "none named",
        "Cites with": ", ".join(
            dict.fromkeys(citation(name, ["key"]) for name in read["citation_style"].values())
        ),
        "Section goes to": f"{place['file']}, line {place['line']}" if place else "no place found",
    }
    for name, value in rows.items():
        if value:
            table.add_row(name, str(value), style=None)
    show_table(table)
