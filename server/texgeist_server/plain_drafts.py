"""Drafts that are no LaTeX: a PDF, or plain text. They become a LaTeX document in memory, so that everything
else reads and cites them like any draft."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from texgeist_retrieval.monitor import SILENT

LARGEST_PDF = 200_000_000  # bytes
_TYPED = "standard-input.tex"
LONGEST_TITLE = 25  # words; a longer first line is no title
_LATEX = re.compile(r"\\(?:document(?:class|style)|begin|input|section)\b|%\s*!TEX", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class GivenDraft:
    """A draft for a command. `texts`: contents to read instead of those on disk. `references`: the list of
    references of a PDF, as text. `note`: a message for the user on parts that could not be read. `project`:
    whether the user's text was LaTeX; only then do edits of it make sense to the user."""

    path: Path
    texts: dict[Path, str] = field(default_factory=dict)
    references: str = ""
    note: str = ""
    project: bool = True


def draft_of_text(text: str) -> GivenDraft:
    """A draft that was typed or pasted. LaTeX is read as a document in the current folder, where its
    bibliographies are expected. In plain text, a short first line is the title and the rest is the
    abstract."""
    if _LATEX.search(text):
        path = Path(_TYPED).absolute()
        return GivenDraft(path, {path: text})
    first, _, rest = text.strip().partition("\n")
    titled = bool(rest.strip()) and len(first.split()) <= LONGEST_TITLE and not first.rstrip().endswith(".")
    title, abstract = (first, rest) if titled else ("", text)
    return _in_memory(_TYPED, document(title, re.sub(r"^\W*abstract\b\W*", "", abstract, flags=re.I)))


def draft_of_pdf(file: Path) -> GivenDraft:
    """A draft with the title, abstract, sections and references of a PDF. Raises `PaperUnreadable`,
    `OSError`."""
    from texgeist_retrieval.errors import PaperUnreadable

    if file.stat().st_size > LARGEST_PDF:
        raise PaperUnreadable(f"{file.name} is larger than {LARGEST_PDF // 1_000_000} MB.")
    return draft_of_pdf_data(file.name, file.read_bytes())


def draft_of_pdf_data(name: str, data: bytes) -> GivenDraft:
    """As `draft_of_pdf`, for the contents of a PDF. Raises `PaperUnreadable`."""
    from texgeist_retrieval.errors import PaperUnreadable
    from texgeist_retrieval.fulltext.body import placed_lines, reference_lines

    from .library.sources.pdfs import read_record

    try:
        record, pages = read_record(Path(name), data, SILENT)
    except PaperUnreadable as error:
        help = "Give the LaTeX source instead, or its title and abstract as plain text on standard input."
        raise PaperUnreadable(f"{name}: {error}", help) from None
    paper = record.paper
    sections = [(one.heading, " ".join(block.text for block in one.blocks)) for one in record.sections]
    references = "\n".join(line.text for line in reference_lines(placed_lines(pages, ())))
    unlisted = (
        "" if references else f"{name}: no list of references was found, so what it cites is not marked."
    )
    latex = document(paper.title, paper.abstract, sections)
    return _in_memory(f"{name}.tex", latex, references, " ".join(filter(None, [record.note, unlisted])))


def _in_memory(name: str, latex: str, references: str = "", note: str = "") -> GivenDraft:
    """A document in a folder that does not exist, so that no bibliography on disk is taken for its
    bibliography."""
    path = Path(".texgeist", "in-memory", name).absolute()
    return GivenDraft(path, {path: latex}, references, note, project=False)


def document(title: str, abstract: str, sections: Iterable[tuple[str, str]] = ()) -> str:
    """A LaTeX document with these parts, which are plain text. It cites with natbib. It names no authors: those read
    from a PDF are often affiliations, which would make the draft's own preprint a paper of others (`is_own`)."""
    from texgeist_latex.writing.escape import Charset, escape
    from texgeist_retrieval.fulltext.sections import bare_heading, section_type

    def plain(text: str) -> str:
        return escape(text, Charset(any_letter=True), maths=False)

    head = [
        r"\documentclass{article}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage{natbib}",
        rf"\title{{{plain(title)}}}",
        r"\begin{document}",
        rf"\begin{{abstract}}{plain(abstract)}\end{{abstract}}",
    ]
    body = [
        rf"\section{{{plain(bare_heading(heading))}}}" + "\n" + plain(text)
        for heading, text in sections
        if heading and section_type(heading) != "abstract"
    ]
    return "\n\n".join([*head, *body, r"\end{document}"])
