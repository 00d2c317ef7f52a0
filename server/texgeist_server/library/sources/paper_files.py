"""Papers from files: PDFs and LaTeX projects, as single files or in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.disk.paths import regular
from texgeist_latex.errors import LatexError
from texgeist_retrieval.errors import NoSource, PaperUnreadable
from texgeist_retrieval.sources.records import Record, UnreadableRecord

from . import SourceRequest

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

    Read = Callable[[Path, Monitor], Record]

PDF, LATEX = (".pdf",), (".tex", ".ltx", ".latex")
MOST_FILES = 20_000  # in a folder


def open_folder(asked: SourceRequest) -> PaperFiles:
    """The papers in a folder and its subfolders: PDFs, and root documents of LaTeX. PDFs that are pictures of a
    LaTeX document, or typeset from it, are left out."""
    from .latex_project import roots_in, whose_pictures

    files = sorted(_files(asked.path))
    roots = roots_in([path for path in files if path.suffix.lower() in LATEX])
    pictures = whose_pictures(roots)
    papers = [
        path
        for path in files
        if path in roots or (path.suffix.lower() in PDF and path.with_suffix("") not in pictures)
    ]
    if not papers:
        raise NoSource(
            f"There are no papers in {asked.path}.",
            "Name a folder that holds PDFs, or LaTeX documents with \\documentclass.",
        )
    return PaperFiles(papers, asked.monitor)


def open_file(asked: SourceRequest) -> PaperFiles:
    return PaperFiles([asked.path], asked.monitor)


def _files(folder: Path) -> Iterator[Path]:
    """Regular files of known kinds. Links to folders are not followed, and hidden files are skipped."""
    count = 0
    for path in folder.rglob("*"):
        if path.suffix.lower() not in (*PDF, *LATEX):
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
    """Yields a record for each file. Unreadable files are reported and skipped."""

    def __init__(self, files: Sequence[Path], monitor: Monitor) -> None:
        self._files = files
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


def _reader_of(path: Path) -> Read:
    if path.suffix.lower() in PDF:
        from .pdfs import record_of_pdf

        return record_of_pdf
    from .latex_project import record_of_project

    return record_of_project
