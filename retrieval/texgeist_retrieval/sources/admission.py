"""The only gate for records: a record of a paper from a file, a source or an index is either converted into a `Paper` here, or rejected with a reason.

Two rules apply. The fields that identify a paper in a citation (id, title) are never guessed: if one of them
is invalid, the record is rejected. Other fields are left out if they have the wrong type, and cut if they are
too long, so that every admitted paper can be stored: Milvus limits a VARCHAR in bytes of UTF-8, and a JSON
field to 64 KB."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from itertools import islice

from ..types import Block, Paper, TextSection
from ..types.papers import DETAILS, ENTRY_TYPES, OTHERS

ID_BYTES, TOPIC_BYTES, CATEGORY_BYTES, HASH_BYTES = 256, 512, 64, 64  # as in the schema of the collection
MOST_CATEGORIES = 50  # of a paper; the index stores at most 100, including the archives of the categories
MOST_AUTHORS = 500  # large collaborations have up to 3,000
MOST_TITLE = 2_000  # characters; the longest title on arXiv has about 500
ABSTRACT_BYTES, AUTHORS_BYTES, AUTHOR_BYTES = 20_000, 16_000, 400
FILES_BYTES, WORDS_BYTES = 8_000, 1_000
RECORD_BYTES = 60_000  # of JSON, including escapes
SURELY_FITS = RECORD_BYTES // 2  # bytes of text that surely fit, because escapes at most double the size
LAST_YEAR, LAST_VERSION = 2999, 9999
NAMES = tuple(field.name for field in fields(Paper))

# control characters, lone surrogates, line and paragraph separators, bidirectional marks
_LINE_BREAK = re.compile("[\ufffe\x02]\\s*")  # pdfium's mark for a hyphen at a line's end
_ODD = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
_WEB = re.compile(r"https?://[^\s<>\"\\^`{|}/@]+(?:[/?#][^\s<>\"\\^`{|}]*)?", re.IGNORECASE)
_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
MOST_SECTIONS, MOST_BLOCKS = 1_000, 20_000
HEADING_BYTES, BLOCK_BYTES, TEXT_BYTES = 300, 60_000, 4 << 20  # of a heading, a block, a paper
WHOLE = ("equation", "table", "code")  # kinds of blocks that are never split
_PART = re.compile(r".{1,4000}(?:\s|$)|\S{1,4000}")  # of a paragraph; split between words if possible
MADE_ABSTRACT = 1_500  # bytes


class NotAdmitted(ValueError):
    """A record is rejected. `str(e)` is the reason, for the user."""


def admit(known: Mapping[str, object]) -> Paper:
    """Makes a paper from the fields in `known`, which have the names of the fields of `Paper`. Unknown names
    are ignored, so that the index of a newer texgeist can be read. Raises `NotAdmitted`."""
    paper = Paper(
        id=_id(known.get("id")),
        title=_title(known.get("title")),
        abstract=_words(known.get("abstract"), ABSTRACT_BYTES),
        authors=_authors(known.get("authors")),
        year=_number(known.get("year"), LAST_YEAR),
        published=_date(known.get("published")),
        updated=_date(known.get("updated")),
        version=_number(known.get("version"), LAST_VERSION),
        primary=_name(known.get("primary")),
        categories=_categories(known.get("categories")),
        doi=_words(known.get("doi"), WORDS_BYTES),
        venue=_words(known.get("venue"), WORDS_BYTES),
        url=_address(known.get("url")),
        topic=_words(known.get("topic"), TOPIC_BYTES),
        files=_files(known.get("files")),
        kind=kind if (kind := _name(known.get("kind"))) in ENTRY_TYPES else "",
        details=_details(known.get("details")),
        origin=_name(known.get("origin")),
    )
    _check_size(paper)
    return paper


def admitted(paper: Paper) -> Paper:
    """Validates a paper that a source made, and returns the admitted paper. Raises `NotAdmitted`."""
    return admit(fields_of(paper))


def fields_of(paper: Paper) -> dict[str, object]:
    return {name: getattr(paper, name) for name in NAMES}


def _id(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise NotAdmitted("it has no id" if value in (None, "") else "its id is no text")
    text = str(value).strip()
    if not text:
        raise NotAdmitted("it has no id")
    if _ODD.search(text):
        raise NotAdmitted("its id holds characters that cannot be written")
    if len(text.encode()) > ID_BYTES:
        raise NotAdmitted(f"its id is longer than {ID_BYTES} bytes")
    return text


def _title(value: object) -> str:
    if value is not None and not isinstance(value, str):
        raise NotAdmitted("its title is no text")
    text = clean_line(value or "")
    if len(text) > MOST_TITLE:
        raise NotAdmitted(f"its title has {len(text):,} letters, which is no title")
    return text


def _words(value: object, most: int) -> str:
    """The value as one line, cut to `most` bytes; "" if the value is not text."""
    if not isinstance(value, str):
        return ""
    return cut(clean_line(value), most)


def cut(text: str, most: int) -> str:
    """Truncates to `most` bytes of UTF-8, without splitting a character."""
    data = text.encode()
    return text if len(data) <= most else data[:most].decode(errors="ignore").rstrip()


def clean_line(text: str) -> str:
    """One line, without unprintable characters. A word that a PDF broke at a line's end is joined."""
    text = _LINE_BREAK.sub("", text)
    return " ".join((_ODD.sub(" ", text) if _ODD.search(text) else text).split())


def clean_lines(text: str) -> str:
    """As `clean_line`, for text whose line breaks matter."""
    lines = (_ODD.sub(" ", line).rstrip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def _name(value: object, most: int = CATEGORY_BYTES) -> str:
    """The value as one line if it has at most `most` bytes, else "". It is never cut: a truncated category is
    another category, and a truncated address leads elsewhere."""
    text = _words(value, most + 4)  # a character of UTF-8 takes up to four bytes
    return text if len(text.encode()) <= most else ""


def _address(value: object) -> str:
    """The value if it is a web address, else "". It is checked because it becomes a link on the review page
    and in bibliographies."""
    text = _name(value, WORDS_BYTES)
    return text if _WEB.fullmatch(text) else ""


def _authors(value: object) -> tuple[str, ...]:
    """The authors' names within the limits. If authors are missing, the last name is `OTHERS`."""
    given = [name for item in _items(value) if (name := _words(item, AUTHOR_BYTES))]
    names = [name for name in given if name.lower() not in (OTHERS, "et al", "et al.")]
    kept = _within(names, AUTHOR_BYTES, AUTHORS_BYTES)[:MOST_AUTHORS]
    return (*kept, OTHERS) if kept and len(kept) < len(given) else kept


def _within(value: object, each: int, most: int) -> tuple[str, ...]:
    """The first texts of a list that fit into `most` bytes."""
    kept: list[str] = []
    for item in _items(value):
        if text := _words(item, each):
            most -= len(text.encode())
            if most < 0:
                break
            kept.append(text)
    return tuple(kept)


def _categories(value: object) -> tuple[str, ...]:
    names = (_name(item) for item in _items(value))
    return tuple(dict.fromkeys(filter(None, names)))[:MOST_CATEGORIES]


def _details(value: object) -> tuple[str, ...]:
    """The details with known names, each once."""
    given = dict(text.split("=", 1) for item in _items(value) if "=" in (text := _words(item, WORDS_BYTES)))
    return tuple(f"{name}={text}" for name in DETAILS if (text := given.get(name, "").strip()))


def _files(value: object) -> tuple[str, ...]:
    """The valid paths of the value, within `FILES_BYTES`. A path is never corrected, because a corrected path
    would name another file."""
    kept: list[str] = []
    for item in _items(value):
        if isinstance(item, str) and item and not _ODD.search(item):
            kept.append(item)
    held = sum(len(path.encode()) for path in kept)
    while held > FILES_BYTES:
        held -= len(kept.pop().encode())
    return tuple(kept)


def _number(value: object, last: int) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 < value <= last else None


def _date(value: object) -> str:
    text = value[:10] if isinstance(value, str) else ""
    return text if _DATE.fullmatch(text) else ""


def _check_size(paper: Paper) -> None:
    texts = (paper.title, paper.abstract, *paper.authors, *paper.files, paper.venue, paper.url, paper.doi)
    texts = (*texts, *paper.details)
    if sum(len(text.encode()) + 8 for text in texts) < SURELY_FITS:
        return
    if len(json.dumps(fields_of(paper), ensure_ascii=False).encode()) > RECORD_BYTES:
        raise NotAdmitted("it is longer than an index can keep")


# For full texts: values of the wrong type are left out, long values are truncated, and the same characters
# are removed as in records. Line breaks are removed from sentences, but not from blocks marked as whole.


def admitted_sections(value: object) -> tuple[TextSection, ...]:
    """Reads a list of sections `{"heading", "sentences": [[number, text], …]}`. A sentence may also be a
    string, or an object with `text`, `page` and `kind`. If a section has no `sentences`, its `paragraphs` or
    `text` is read, as other programs write it. Empty sections are left out."""
    found: list[TextSection] = []
    for section in _items(value, MOST_SECTIONS):
        if isinstance(section, Mapping):
            heading = section.get("heading", section.get("title"))
            blocks = tuple(_blocks(_sentences(section)))
            found.append(TextSection(heading if isinstance(heading, str) else "", blocks))
    return readmitted(found)


def readmitted(sections: Iterable[TextSection]) -> tuple[TextSection, ...]:
    """The sections within the limits, without unprintable characters."""
    found: list[TextSection] = []
    room = TEXT_BYTES
    for section in islice(sections, MOST_SECTIONS):
        blocks: list[Block] = []
        for block in section.blocks[:MOST_BLOCKS]:
            clean = clean_lines(block.text) if block.whole else clean_line(block.text)
            text = cut(clean, BLOCK_BYTES)
            if (room := room - len(text.encode())) < 0:
                break
            if text:
                blocks.append(replace(block, text=text))
        if blocks:
            found.append(TextSection(cut(clean_line(section.heading), HEADING_BYTES), tuple(blocks)))
    return tuple(found)


def with_abstract(paper: Paper, sections: Iterable[TextSection]) -> Paper:
    """The paper; if its record has no abstract, with an abstract from its text: the section with the heading
    "Abstract", else the beginning of the text."""
    if paper.abstract:
        return paper
    known = list(sections)
    named = [one for one in known if one.heading.casefold().strip(" .:").endswith("abstract")]
    words = " ".join(block.text for one in named or known for block in one.blocks)
    return replace(paper, abstract=cut(clean_line(words), ABSTRACT_BYTES if named else MADE_ABSTRACT))


def _sentences(section: Mapping[str, object]) -> object:
    if "sentences" in section:
        return section["sentences"]
    said = section.get("paragraphs", section.get("text"))
    words = [said] if isinstance(said, str) else _items(said, MOST_BLOCKS)
    lines = (line for one in words if isinstance(one, str) for line in one[:TEXT_BYTES].splitlines())
    return [part.strip() for line in lines for part in _PART.findall(line)]


def _blocks(value: object) -> Iterator[Block]:
    for item in _items(value, MOST_BLOCKS):
        page, whole = None, False
        if isinstance(item, Mapping):
            said = item.get("page")
            page = (
                said if isinstance(said, int) and not isinstance(said, bool) and 0 < said < 100_000 else None
            )
            whole = item.get("kind") in WHOLE
            item = item.get("text")
        elif isinstance(item, list | tuple):
            item = item[1] if len(item) > 1 else None
        if isinstance(item, str):
            yield Block(item, page, whole)


def _items(value: object, most: int | None = None) -> Iterable[object]:
    return value[:most] if isinstance(value, list | tuple) else ()
