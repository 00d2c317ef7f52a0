"""Reads the references of a `.bbl` file, a PDF, a Word file, or a text (Markdown or plain)."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.bib.embedded import read_thebibliography
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.bib.plain_references import LONGEST, read_item, read_names, read_reference
from texgeist_latex.disk.paths import regular, unread_because
from texgeist_latex.errors import Unreadable
from texgeist_latex.tex.encodings import decode
from texgeist_latex.types import BibEntry, Bibliography, Span
from texgeist_retrieval.monitor import SILENT

from ..config.storage import service_address

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.sources.grobid import Grobid

SUFFIXES = (".bbl", ".pdf", ".docx", ".md", ".markdown", ".txt")
LARGEST = 100_000_000  # bytes of a file, and of the text in a Word file
MOST = 5_000  # references
_LINES = 30  # of a reference, at most
_WORD_TEXT = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_LABEL = re.compile(r"^\s*(?:\[(?P<a>\d{1,4})\]|\((?P<b>\d{1,4})\)|(?P<c>\d{1,4})\.(?=\s))")
_KEYED = re.compile(r"^\s*\[[A-Za-z+]{1,12}\d{2}[a-z]?\]")
_BULLET = re.compile(r"^\s*[-*+•]\s+")
_MARKDOWN = re.compile(r"(?<![\w\\])(\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_LINK = re.compile(r"!?\[([^\]]*)\]\(([^()\s]*)\)")
_HEADING = re.compile(r"^\s*#{1,6}\s")
_ENDS = re.compile(r"[.)\]\d/]$|https?://\S+$")


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """The references as entries. `share`: a sentence that says how many of them could be read."""

    bibliography: Bibliography
    share: str


def read_references(path: Path, monitor: Monitor = SILENT) -> ReferenceList:
    """The references of a file with one of the `SUFFIXES`. A key is the `\\bibitem`'s key or the number in the
    list. Raises `Unreadable`, and the errors of a PDF."""
    state = regular(path)
    if state is None or state.st_size > LARGEST:
        raise Unreadable(f"{path} {unread_because(path)}.", "Check the path.")
    suffix, path = path.suffix.lower(), path.absolute()
    if suffix == ".bbl":
        listed = read_thebibliography(path, decode(path, path.read_bytes()).text)
        read = [read_item(item) for item in listed.entries] if listed else []
        by = "from their LaTeX"
    else:
        texts = _split(_lines(path, monitor), flowing=suffix != ".pdf")[:MOST]
        read, by = _read(path, texts, monitor)
    whole = sum(all(entry.fields.get(name) for name in ("title", "author", "year")) for entry in read)
    if not whole:
        problem = f"none of its {len(read):,} references could be read" if read else "it has no readable list"
        advice = "Give its .bib file." if suffix == ".bbl" else "Give its .bib or .bbl file."
        raise Unreadable(f"{path.name} cannot be verified: {problem}.", advice)
    share = f"{whole:,} of {len(read):,} references could be read {by}; the others are unknown."
    return ReferenceList(Bibliography(path, tuple(read), "thebibliography"), share)


def _read(path: Path, texts: Sequence[tuple[int, str]], monitor: Monitor) -> tuple[list[BibEntry], str]:
    from texgeist_retrieval.sources.grobid import open_grobid

    grobid = open_grobid(service_address("grobid")) if texts else None
    entries = []
    for number, (line, text) in enumerate(texts, 1):
        label = _LABEL.match(text)
        key = (label["a"] or label["b"] or label["c"]) if label else str(number)
        entry = (_by_grobid(grobid, key, text, monitor) if grobid else None) or read_reference(key, text)
        entries.append(replace(entry, span=Span(path, 0, 0), line=line))
    return entries, "by GROBID" if grobid else "by rules"


def _by_grobid(grobid: Grobid, key: str, text: str, monitor: Monitor) -> BibEntry | None:
    entries = read_bib(Path(), grobid.bibtex(text, monitor)).entries
    return replace(entries[0], key=key) if entries and entries[0].fields.get("title") else None


def _lines(path: Path, monitor: Monitor) -> list[str]:
    """The lines of the list of references: from its heading to an appendix or the next heading. A text without such
    a heading is read as a list."""
    from texgeist_retrieval.fulltext.body import is_references_heading, reference_list

    if path.suffix.lower() == ".pdf":
        from texgeist_retrieval.fulltext.body import plain_lines
        from texgeist_retrieval.fulltext.pdf import extract

        return reference_list(plain_lines(extract(path.read_bytes(), monitor).pages)).splitlines()
    text = _word_text(path) if path.suffix.lower() == ".docx" else decode(path, path.read_bytes()).text
    lines = text.splitlines()
    headings = [at for at, line in enumerate(lines) if is_references_heading(line.strip("#*: \t"))]
    start = headings[-1] + 1 if headings else 0
    after = (at for at in range(start, len(lines)) if headings and _HEADING.match(lines[at]))
    return [""] * start + lines[start : next(after, None)]


def _word_text(path: Path) -> str:
    """The paragraphs of a Word file, each followed by a blank line."""
    from texgeist_retrieval.sources.arxiv import parse_xml

    try:
        with zipfile.ZipFile(path) as file:
            document = file.getinfo("word/document.xml")
            root = parse_xml(file.read(document)) if document.file_size <= LARGEST else None
    except (OSError, KeyError, zipfile.BadZipFile, zlib.error, RuntimeError, EOFError) as error:
        raise Unreadable(f"{path.name} is no Word file.", "Save it as .docx again.") from error
    if root is None:
        raise Unreadable(f"{path.name} cannot be read.", "Save it as .docx again, or as text.")
    paragraphs = root.iter(f"{_WORD_TEXT}p")
    return "\n\n".join("".join(node.text or "" for node in p.iter(f"{_WORD_TEXT}t")) for p in paragraphs)


def _split(lines: Sequence[str], flowing: bool) -> list[tuple[int, str]]:
    """The references, each with the number of its first line. References begin at ascending numbers, labels or
    bullets; else after blank lines, if the text is `flowing`; else at a line that begins with names and follows
    a finished sentence."""
    from texgeist_retrieval.fulltext.body import mend_pages

    starts = list(_numbered(lines)) or [at for at, line in enumerate(lines) if _KEYED.match(line)]
    if not starts and flowing:
        bulleted = [at for at, line in enumerate(lines) if _BULLET.match(line)]
        filled = [at for at, line in enumerate(lines) if line.strip()]
        blank = any(not line.strip() for line in lines[filled[0] : filled[-1]]) if filled else False
        starts = bulleted or [at for at in filled if not blank or at == 0 or not lines[at - 1].strip()]
    starts = starts or _named(lines)
    if not starts:
        return []
    stops = [*starts[1:], len(lines)]
    texts = mend_pages([_until_blank(lines[a:b]) for a, b in zip(starts, stops, strict=True)])
    return [(at + 1, _plain(text[:LONGEST])) for at, text in zip(starts, texts, strict=True) if text]


def _until_blank(lines: Sequence[str]) -> Sequence[str]:
    blank = (at for at, line in enumerate(lines) if not line.strip())
    return lines[: next(blank, len(lines))]


def _plain(text: str) -> str:
    return _MARKDOWN.sub(r"\2", _LINK.sub(r"\1 \2", _BULLET.sub("", text))).replace("\\", "")


def _numbered(lines: Sequence[str]) -> Iterator[int]:
    """The lines that begin with the numbers 1, 2, 3, …; none if there are fewer than two such lines."""
    numbers = [
        (at, int(m["a"] or m["b"] or m["c"])) for at, line in enumerate(lines) if (m := _LABEL.match(line))
    ]
    wanted, found = 1, []
    for at, number in numbers:
        if number == wanted:
            found.append(at)
            wanted += 1
    return iter(found if len(found) > 1 else ())


def _named(lines: Sequence[str]) -> list[int]:
    """The lines at which a list of names begins, after a finished sentence with a year. If a year
    follows most of these lists, only the lines of lists with a year."""
    since, found, dated = 0, [], []
    for at in range(len(lines)):
        before = " ".join(lines[max(since, at - _LINES) : at])
        ended = not at or (_ENDS.search(lines[at - 1]) and re.search(r"\b(?:19|20)\d\d", before))
        ahead = re.sub(r"(\w)- (?=[a-z])", r"\1", " ".join(lines[at : at + 6]))
        end = read_names(ahead)[1]
        after = re.match(r"[.,:]? ?(\(?(?:19|20)\d\d)|[.:] ", ahead[end:]) if end else None
        # A line with names before a year in parentheses begins a reference, however the line before it ends.
        begins = re.match(r" \((?:19|20)\d\d[a-z]?\) ", ahead[end:]) and read_names(lines[at])[1]
        if after and (ended or begins):
            since = at
            found.append(at)
            dated += [at] if after[1] else []
    return dated if len(dated) > len(found) / 2 else found
