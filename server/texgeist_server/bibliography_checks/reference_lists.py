"""Reads the references of a `.bbl` file, a PDF, a Word file, or a text (Markdown or plain)."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from texgeist_latex.bib.authors import parse_name, split_authors
from texgeist_latex.bib.bbl import read_biblatex, read_item
from texgeist_latex.bib.embedded import BIBITEM, item_heads, read_thebibliography
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.bib.plain_references import PRINTED, read_reference
from texgeist_latex.disk.paths import regular, unread_because
from texgeist_latex.errors import Unreadable
from texgeist_latex.tex.encodings import decode
from texgeist_latex.tex.scan import without_comments
from texgeist_latex.types import BibEntry, Bibliography, Span
from texgeist_retrieval.fulltext.body import LOST
from texgeist_retrieval.monitor import SILENT

from ..config.storage import service_address
from .divided_lists import KEYED, LABEL, divide_lines, divide_text, longest

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.sources.grobid import Grobid

SUFFIXES = (".bbl", ".pdf", ".docx", ".md", ".markdown", ".txt")
LARGEST = 100_000_000  # bytes of a file, and of the text in a Word file
MOST = 5_000  # references
_WORD_TEXT = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_UNDERSTOOD = 0.5  # share of the references that must be read, else none is judged
_DASH = re.compile(r"\s*(?:[—–_-]+|\.)[.,]?(?= \(?(?:[^\W\d]+\.? )?(?:19|20)\d\d| “)")
_BEFORE_YEAR = re.compile(r"[.,]? \(?(?:19|20)\d\d|[.,]? “")
_HEADING = re.compile(r"^\s*#{1,6}\s")


@dataclass(frozen=True, slots=True)
class ReferenceList:
    """The references as entries. `share`: a sentence that says how many of them could be read."""

    bibliography: Bibliography
    share: str


def read_references(path: Path, monitor: Monitor = SILENT) -> ReferenceList:
    """The references of a file with one of the `SUFFIXES`. A key is the key in a `.bbl`, the number in the list, or
    first author and year. Raises `Unreadable`, also if most of the list could not be read, and the errors of a PDF."""
    state = regular(path)
    if state is None or state.st_size > LARGEST:
        raise Unreadable(f"{path} {unread_because(path)}.", "Check the path.")
    suffix, path = path.suffix.lower(), path.absolute()
    if suffix == ".bbl":
        (read, unread), by = _read_bbl(path), "from their LaTeX"
    else:
        texts = (_pdf_references if suffix == ".pdf" else _text_references)(path, monitor)
        read, by = _read(path, texts[:MOST], monitor)
        unread = len(texts) - len(read)
    titled = [entry for entry in read if entry.fields.get("title")]
    likely = max(len(read), _likely(read)) if suffix != ".bbl" else len(read) + unread
    if len(titled) < _UNDERSTOOD * likely or not titled:
        problem = (
            f"{f'only {len(titled):,}' if titled else 'none'} of about {likely:,} references could be read, too few to judge any"
            if read
            else "no list of references could be recognised in it"
        )
        advice = "Give its .bib file." if suffix == ".bbl" else "Give its .bib or .bbl file, or run GROBID."
        raise Unreadable(f"{path.name} cannot be verified: {problem}.", advice)
    whole = sum(all(entry.fields.get(name) for name in ("title", "author", "year")) for entry in read)
    rest = f"; {len(read) - whole:,} without author, title or year are unknown" if whole < len(read) else ""
    rest += f"; {unread:,} were not read" if unread else ""
    share = f"{whole:,} of {len(read) + unread:,} references could be read {by}{rest}."
    return ReferenceList(Bibliography(path, tuple(read), "thebibliography"), share)


def _likely(read: Sequence[BibEntry]) -> int:
    """How many references the list seems to have, by the length of those that could be read. The last may go on with
    the text after the list."""
    lengths = [(len(entry.fields.get(PRINTED, "")), "title" in entry.fields) for entry in read[:-1]]
    known = [length for length, titled in lengths if titled]
    return round(sum(length for length, _ in lengths) / median(known)) + 1 if known else len(read)


def _read_bbl(path: Path) -> tuple[list[BibEntry], int]:
    r"""The entries, and how many `\bibitem` commands are none of them. The commands are counted in the text itself,
    so that an item that cannot be parsed is reported."""
    text = decode(path, path.read_bytes()).text
    listed = read_thebibliography(path, text)
    if listed is None:
        return list(read_biblatex(path, text)), 0
    live = without_comments(text)
    heads = sum(1 for _ in item_heads(live, 0, len(live)))
    return [read_item(item) for item in listed.entries], len(BIBITEM.findall(live)) - heads


def _read(path: Path, texts: Sequence[tuple[int, str]], monitor: Monitor) -> tuple[list[BibEntry], str]:
    """The references as entries. A dash stands for the authors of the reference before it."""
    from texgeist_retrieval.sources.grobid import open_grobid

    grobid = open_grobid(service_address("grobid")) if texts else None
    limit = longest([text for _, text in texts])
    entries: list[BibEntry] = []
    keys: Counter[str] = Counter()
    for number, (line, text) in enumerate(texts, 1):
        label = LABEL.match(text) or KEYED.match(text)
        if (dash := _DASH.match(text, label.end() if label else 0)) and entries:
            authors = _BEFORE_YEAR.split(entries[-1].fields.get(PRINTED, ""))[0]
            text = f"{authors}{text[dash.end() :]}"
        read = (_by_grobid(grobid, text, monitor) if grobid else None) or read_reference("", text)
        whole = len(text) < limit and LOST not in read.fields.get("title", "")
        fields = read.fields if whole else {PRINTED: text}
        first = parse_name(next(iter(split_authors(fields.get("author", ""))), "")).last
        cited = f"{first} {fields.get('year', '')}".strip() if first else str(number)  # as authors cite it
        key = next(filter(None, label.groups())) if label else cited
        keys[key] += 1
        key = f"{key} ({keys[key]})" if keys[key] > 1 else key
        entries.append(replace(read, key=key, fields=fields, span=Span(path, 0, 0), line=line))
    return entries, "by GROBID" if grobid else "by rules"


def _by_grobid(grobid: Grobid, text: str, monitor: Monitor) -> BibEntry | None:
    entries = read_bib(Path(), grobid.bibtex(text, monitor)).entries
    if not entries or not entries[0].fields.get("title"):
        return None
    return replace(entries[0], fields={**entries[0].fields, PRINTED: text})


def _pdf_references(path: Path, monitor: Monitor) -> list[tuple[int, str]]:
    """The references, each with its page."""
    from texgeist_retrieval.fulltext.body import placed_lines, reference_lines
    from texgeist_retrieval.fulltext.pdf import extract

    read = extract(path.read_bytes(), monitor)
    lines = reference_lines(placed_lines(read.pages, read.fonts))
    if read.all_pages > len(read.pages) and (not lines or lines[-1].page == len(read.pages) - 1):
        says = "go on after" if lines else "are not in"
        message = f"{path.name} cannot be verified: its references {says} the first {len(read.pages)} pages, which are read."
        raise Unreadable(message, "Give its .bib or .bbl file, or a PDF of its last pages.")
    return [(lines[at - 1].page + 1, text) for at, text in divide_lines(lines)]


def _text_references(path: Path, monitor: Monitor) -> list[tuple[int, str]]:
    """The references after the heading of the list, up to the next heading. A text without such a heading is read as
    a list."""
    from texgeist_retrieval.fulltext.body import is_references_heading

    text = _word_text(path) if path.suffix.lower() == ".docx" else decode(path, path.read_bytes()).text
    lines = text.splitlines()
    headings = [at for at, line in enumerate(lines) if is_references_heading(line.strip("#*: \t"))]
    start = headings[-1] + 1 if headings else 0
    after = (at for at in range(start, len(lines)) if headings and _HEADING.match(lines[at]))
    return divide_text([""] * start + lines[start : next(after, None)])


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
