"""Papers from files: PDFs, Markdown and LaTeX projects, as single files or in a folder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.disk.paths import regular
from texgeist_latex.errors import LatexError
from texgeist_retrieval.errors import NoSource, PaperUnreadable
from texgeist_retrieval.fulltext.markdown import LARGEST, MarkdownText, head_of, read_markdown
from texgeist_retrieval.monitor import SILENT
from texgeist_retrieval.sources.admission import with_abstract
from texgeist_retrieval.sources.records import Record, UnreadableRecord, one_line
from texgeist_retrieval.types import Paper

from .asked import SourceRequest

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

    Read = Callable[[Path, Monitor], Record]

PDF, MARKDOWN, LATEX = (".pdf",), (".md", ".markdown"), (".tex", ".ltx", ".latex")
MOST_FILES = 20_000  # in a folder


def open_folder(asked: SourceRequest) -> PaperFiles:
    """The papers in a folder and its subfolders: PDFs, root documents of LaTeX, and Markdown files that look
    like papers. PDFs that are pictures of a LaTeX document, or typeset from it, are left out. Markdown files
    that are left out are reported."""
    from .latex_project import roots_in, whose_pictures

    files = sorted(_files(asked.path))
    tex = [path for path in files if path.suffix.lower() in LATEX]
    roots = roots_in(tex)
    pictures = whose_pictures(roots)
    noted = [path for path in files if path.suffix.lower() in MARKDOWN and not _installed(path, asked.path)]
    markdown = {path for path in noted if is_paper(path)}
    papers = [
        path
        for path in files
        if path in roots
        or path in markdown
        or (path.suffix.lower() in PDF and path.with_suffix("") not in pictures)
    ]
    if not papers:
        raise NoSource(
            f"There are no papers in {asked.path}.",
            "Name a folder that holds PDFs, Markdown files with authors or an abstract, or LaTeX documents with "
            "\\documentclass.",
        )
    return PaperFiles(papers, asked.monitor, [path for path in noted if path not in markdown])


def open_file(asked: SourceRequest) -> PaperFiles:
    return PaperFiles([asked.path], asked.monitor)


def _installed(path: Path, folder: Path) -> bool:
    """Whether the file was installed with a program, as READMEs of packages are."""
    from texgeist_latex.reading.roots import SKIPPED

    return any(part in SKIPPED for part in path.relative_to(folder).parts[:-1])


def _files(folder: Path) -> Iterator[Path]:
    """Regular files of known kinds. Links to folders are not followed, and hidden files are skipped."""
    count = 0
    for path in folder.rglob("*"):
        if path.suffix.lower() not in (*PDF, *MARKDOWN, *LATEX):
            continue
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            continue
        if regular(path) is None:  # reading a pipe would block
            continue
        yield path
        count += 1
        if count == MOST_FILES:
            return


class PaperFiles:
    """Yields a record for each file. Unreadable files are reported and skipped. At the end, Markdown files
    that are no papers (`left`) are reported together."""

    def __init__(self, files: Sequence[Path], monitor: Monitor, left: Sequence[Path] = ()) -> None:
        self._files = files
        self._left = left
        self._monitor = monitor
        self.position = 0
        self.size: int | None = len(self._files)

    def __iter__(self) -> Iterator[Record | UnreadableRecord]:
        for self.position, path in enumerate(self._files, 1):  # noqa: B020
            self._monitor.report(f"Reading {path.name}")
            try:
                yield _reader_of(path)(path, self._monitor)
            except (PaperUnreadable, LatexError) as error:
                yield UnreadableRecord(path.name, str(error))
            except OSError as error:
                yield UnreadableRecord(path.name, error.strerror or "it cannot be opened")
        if self._left:
            more = f" and {len(self._left) - 1:,} more Markdown files" if len(self._left) > 1 else ""
            yield UnreadableRecord(
                f"{self._left[0].name}{more}",
                "no authors and no abstract, so no paper; add it by its own name",
            )


def _reader_of(path: Path) -> Read:
    suffix = path.suffix.lower()
    if suffix in PDF:
        from .pdfs import record_of_pdf

        return record_of_pdf
    if suffix in MARKDOWN:
        return record_of_markdown
    from .latex_project import record_of_project

    return record_of_project


_NAMES = re.compile(r" ?; ?| and | ?, ?|\n")

_BLANKS = re.compile(r"[^\S\n]+")
_BY = ("author", "authors", "doi", "arxiv", "eprint")
_BEGINNING = 20_000  # bytes searched for signs of a paper
_ABSTRACT = re.compile(
    r"^[ \t]{0,3}(?:#{1,6}[ \t]*)?[*_]{0,3}(?:\d{1,2}\.?[ \t]+)?abstract\b(?:[ \t#*_]*$|[*_]{0,3}[ \t]?[.:\u2013\u2014-])",
    re.IGNORECASE | re.MULTILINE,
)


def is_paper(path: Path) -> bool:
    """Whether a Markdown file in a folder is a paper: its header names authors or an id, or it has an
    abstract. READMEs, notes and change logs have neither."""
    try:
        with path.open("rb") as file:
            text = file.read(_BEGINNING).decode("utf-8", "replace").replace("\r\n", "\n")  # for `$`
    except OSError:
        return True  # reading it will report the error
    said = head_of(text)
    return any(said.get(name) for name in _BY) or _ABSTRACT.search(text) is not None


def record_of_markdown(path: Path, monitor: Monitor = SILENT) -> Record:
    """Reads a Markdown file as a paper. Raises `PaperUnreadable`, `OSError`."""
    state = regular(path)
    if state is None:
        raise PaperUnreadable("It is not a regular file.")
    if state.st_size > LARGEST:
        raise PaperUnreadable(f"It is longer than {LARGEST >> 20} MB.")
    read = read_markdown(path.read_bytes().decode("utf-8", "replace"))
    if not any(c.isalnum() for s in read.sections for block in s.blocks for c in block.text):
        raise PaperUnreadable("There is no text in it.")
    return Record(with_abstract(_paper(path, read), read.sections), sections=read.sections)


def _paper(path: Path, read: MarkdownText) -> Paper:
    """Metadata from the header of the file. Without a title there, the file name is used."""
    from texgeist_retrieval.sources.arxiv import ARXIV_ID

    from .asked import id_of

    said = read.fields
    doi = re.sub(
        r"^(?:https?://)?(?:dx\.)?doi\.org/|^doi:\s*", "", said.get("doi", ""), flags=re.IGNORECASE
    ).lower()
    arxiv = ARXIV_ID.search(said.get("arxiv", "") or said.get("eprint", ""))
    year = re.search(r"\b(1[5-9]|20)\d\d\b", said.get("year", "") or said.get("date", ""))
    names = said.get("authors", "") or said.get("author", "")
    return Paper(
        id=arxiv["id"] if arxiv else f"doi:{doi}" if doi else id_of(path),
        title=one_line(read.title) or one_line(path.stem.replace("_", " ").replace("-", " ")),
        abstract=one_line(said.get("abstract", "")),
        authors=tuple(name for one in _NAMES.split(_BLANKS.sub(" ", names)) if (name := one_line(one))),
        year=int(year[0]) if year else None,
        doi=doi,
    )
