"""Reads a PDF as a paper: metadata from its first page, text by section."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import PaperUnreadable
from texgeist_retrieval.monitor import SILENT
from texgeist_retrieval.sources.records import Record, one_line
from texgeist_retrieval.types import Paper
from texgeist_retrieval.types.papers import OTHERS

if TYPE_CHECKING:
    from texgeist_retrieval.fulltext.pdf import PdfText
    from texgeist_retrieval.ports import Monitor

ABSTRACT = re.compile(
    r"(?:^|\n)\W*abstract\b[\s.:—–-]*(?P<text>.{80,4000}?)"
    r"(?=\n\W*(?:\d+\W*\s+|I\.\s+)?(?:introduction|keywords|index terms|ccs concepts|key words)\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
MADE_UP_TITLE = re.compile(
    r"^(?:untitled|microsoft word|.*\.(?:tex|dvi|docx?|indd|pdf)$|[\d.\sv/-]*$)", re.IGNORECASE
)
LONGEST_ABSTRACT = 2500  # code points


def record_of_pdf(path: Path, monitor: Monitor = SILENT) -> Record:
    """A PDF as a paper with its full text by section. Raises `PaperUnreadable`."""
    return read_record(path, path.read_bytes(), monitor)[0]


def read_record(path: Path, data: bytes, monitor: Monitor = SILENT) -> tuple[Record, list[str]]:
    """Returns the paper and the raw text of its pages. `data`: the contents of the PDF file `path`. Raises
    `PaperUnreadable`."""
    from texgeist_retrieval.fulltext.layout import sections_of_pages
    from texgeist_retrieval.fulltext.pdf import extract

    read = extract(data, monitor)
    sections = sections_of_pages(read.pages, read.fonts)
    return Record(_paper(path, data, read), sections=sections, note=_read_in_part(path, read)), [*read.pages]


def _read_in_part(path: Path, text: PdfText) -> str:
    read, there = len(text.pages), text.all_pages
    return f"{path.name}: its first {read:,} of {there:,} pages were read." if read < there else ""


def _paper(path: Path, data: bytes, text: PdfText) -> Paper:
    """The paper's metadata. Title: from the PDF's metadata, else the text in the largest letters, else the
    file name. Authors and year: from metadata, page or file name, if stated. Abstract: the text after the
    word “abstract” on the first two pages."""
    import hashlib

    from texgeist_retrieval.sources.arxiv import ARXIV_ID

    first = "\n".join(text.pages[:2]).replace("\r", "")
    match = ABSTRACT.search(first)
    body = one_line(match["text"] if match else first)[:LONGEST_ABSTRACT]
    if len(body) < 80:
        raise PaperUnreadable("Its first pages hold no text.")
    stamp = re.search(rf"arXiv:\s*({ARXIV_ID.pattern})", first)
    named = ARXIV_ID.fullmatch(path.stem) or ARXIV_ID.fullmatch(path.stem.replace("_", "/", 1))
    found = stamp or named
    id_ = found["id"] if found else ""
    head = read_head(text.head, id_)
    title = one_line(text.title)
    if not title or MADE_UP_TITLE.match(title):
        title = head.title or _title_of_name(path.stem)
    digest = hashlib.sha256(data).hexdigest()[:16]
    return Paper(
        id=id_ or f"pdf:{digest}",
        title=title,
        abstract=body,
        authors=names_in(one_line(text.author)) or head.authors,
        year=head.year or _year_of_name(path.stem),
        files=(str(path.resolve()),),
    )


def _year_of_name(stem: str) -> int | None:
    match = re.search(r"\s-\s(\d{4})\s-\s", stem)
    return int(match[1]) if match else None


def _title_of_name(stem: str) -> str:
    """The title in a file name like Zotero's, `Smith et al. - 2020 - Title`."""
    return one_line(re.split(r"\s-\s(?:\d{4}\s-\s)?", stem)[-1].replace("_", " "))


Line = tuple[float, str]  # height of the letters in points, text

_HEAD_END = re.compile(r"^\W*abstract\b|^\W*(?:1|I)?\W*introduction\b", re.IGNORECASE)
NO_TITLE = re.compile(
    r"^(?:arXiv:|https?:|doi\b|journal of|proceedings|preprint|published|under review)", re.IGNORECASE
)
NO_NAME = re.compile(
    r"@|\d{3}|\b(?:universi\w*|institut\w*|department|dept|laborator\w*|labs?|school|college|inc|ltd|gmbh|research|"
    r"google|microsoft|meta|deepmind|openai|center|centre|faculty|academy|email|corresponding|contribution\w*|"
    r"abstract|the|of|for|in|on|with)\b",
    re.IGNORECASE,
)
NAME = re.compile(r"^[^\W\d_][\w'’.\-]*(?:\s+[^\W\d_][\w'’.\-]*){1,4}$")
PUBLISHED = re.compile(
    r"\b(?:proceedings|conference|copyright|published|journal|vol|preprint|©|\(c\))", re.IGNORECASE
)
YEAR = re.compile(r"\b(?:19[5-9]\d|20[0-4]\d)\b")
ALIKE = 0.06  # heights within a heading differ by a smaller share
LARGER = 1.1  # minimal ratio to the text below
MOST_AUTHORS = 40


@dataclass(frozen=True, slots=True)
class Head:
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None


def read_head(lines: Sequence[Line], arxiv_id: str = "") -> Head:
    """Title, authors and year from the lines of the first page. The title is the text in the largest letters
    above the abstract; the authors are the names below the title. Fields that are not recognised are
    empty."""
    above = list(_above_abstract(lines))
    candidates = [line for line in above if not NO_TITLE.match(line[1])]
    if not candidates or len(above) == len(lines):  # without an abstract it is not a paper's first page
        return Head(year=_year(lines, arxiv_id))
    largest = max(height for height, _ in candidates)
    if largest < LARGER * _body(lines[len(above) :]):  # all text has the same size
        return Head(year=_year(lines, arxiv_id))
    first = next(at for at, line in enumerate(above) if line in candidates and _alike(line[0], largest))
    after = first
    while after < len(above) and _alike(above[after][0], largest):
        after += 1
    title = one_line(" ".join(words for _, words in above[first:after]))
    if not 2 <= len(title.split()) <= 40:
        return Head(year=_year(lines, arxiv_id))
    return Head(title, _authors([words for _, words in above[after:]]), _year(lines, arxiv_id))


def names_in(text: str) -> tuple[str, ...]:
    """The names in a line of authors; empty if any part of the line is not a name."""
    marks = re.sub(r"[\d*†‡§¶∗⋆♠♣♥♦]+", " ", text)
    parts = [" ".join(part.split()).strip(" .") for part in re.split(r"[,;&•·\t]|\band\b", marks)]
    names = [part for part in parts if part]
    if not names or any(
        NO_NAME.search(name) or not NAME.match(name) or (name.isupper() and len(name) > 40) for name in names
    ):
        return ()
    if any(not word[0].isupper() for name in names for word in (name.split()[0], name.split()[-1])):
        return ()
    return tuple(names)


def _above_abstract(lines: Sequence[Line]) -> Sequence[Line]:
    for at, (_, words) in enumerate(lines):
        if _HEAD_END.match(words):
            return lines[:at]
    return lines


def _body(lines: Sequence[Line]) -> float:
    heights = sorted(height for height, _ in lines)
    return heights[len(heights) // 2] if heights else 0.0


def _alike(height: float, largest: float) -> bool:
    return abs(height - largest) <= ALIKE * largest


def _authors(lines: Sequence[str]) -> tuple[str, ...]:
    found: list[str] = []
    for words in lines:
        names = names_in(words)
        if found and not names:
            break  # affiliations
        found += names
    names = tuple(dict.fromkeys(found))
    return names if len(names) <= MOST_AUTHORS else (*names[:MOST_AUTHORS], OTHERS)


def _year(lines: Sequence[Line], arxiv_id: str) -> int | None:
    """The year of the arXiv id; else the year in lines about the publication. None if these lines do not name
    exactly one year."""
    if arxivs := year_of_id(arxiv_id):
        return arxivs
    years = {year for _, words in lines if PUBLISHED.search(words) for year in YEAR.findall(words)}
    return int(years.pop()) if len(years) == 1 else None


def year_of_id(arxiv_id: str) -> int | None:
    """The year in which arXiv assigned the id; None if it is not an arXiv id."""
    match = re.match(r"(?:[a-z-]+(?:\.[A-Z]{2})?/)?(\d\d)\d\d", arxiv_id)
    if not match:
        return None
    short = int(match[1])
    return 1900 + short if short > 90 else 2000 + short
