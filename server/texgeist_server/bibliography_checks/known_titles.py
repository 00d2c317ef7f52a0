"""Fingerprints of the titles in a large collection, to test offline whether it has a work with a given title.

A fingerprint has 32 bits, so a title that is not in a collection of n titles counts as known with the probability
n / 2**32 (0.01 % for 400,000 titles, 0.2 % for DBLP's 7 million). A filter with 9 bits per title (pyfusefilter)
would be a quarter as large, but errs for 0.4 % of the titles, and its C code reads a damaged file without checks.
"""

from __future__ import annotations

import html
import json
import re
from array import array
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING

from texgeist_latex.bib.identity import normalise_title
from texgeist_latex.errors import Unreadable

from .known_records import lines_of

if TYPE_CHECKING:
    import numpy
    from texgeist_retrieval.ports import Monitor

SUFFIX = ".titles.npy"
MAIN = 3  # a title before its subtitle has at least so many words
_HINT = (
    "Give JSON lines, DBLP's XML, or a text with one title per line; plain or gzip. For example: `texgeist index titles "
    "dblp.xml.gz --out dblp.titles.npy`."
)
_XML_TITLE = re.compile(r"<title>(.{1,2000}?)</title>")
_SUBTITLE = re.compile(r"[:?!.–—]\s|\s-+\s")


class KnownTitles:
    """The fingerprints of a file. `name`: for messages."""

    def __init__(self, prints: numpy.ndarray, name: str) -> None:
        self._prints = prints
        self.name = f"{name} ({len(prints):,} fingerprints)"

    def knows(self, title: str) -> bool:
        """Whether the collection probably has a work with this title, in any spelling, with or without its
        subtitle."""
        print_ = _fingerprint(title)
        at = int(self._prints.searchsorted(print_))
        return at < len(self._prints) and int(self._prints[at]) == print_


def open_titles(path: Path) -> KnownTitles:
    """Opens a file that `write_titles` made. Raises `Unreadable`."""
    import numpy

    try:
        prints = numpy.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError, EOFError, TokenError) as error:
        raise Unreadable(
            f"{path} is not a file of title fingerprints.",
            "Make it, for example: `texgeist index titles dblp.xml.gz --out dblp.titles.npy`.",
        ) from error
    if prints.dtype != numpy.dtype("<u4") or prints.ndim != 1 or not len(prints):
        raise Unreadable(
            f"{path} is not a file of title fingerprints.",
            "Make it, for example: `texgeist index titles dblp.xml.gz --out dblp.titles.npy`.",
        )
    return KnownTitles(prints, path.name)


def write_titles(source: Path, target: Path, monitor: Monitor) -> int:
    """Writes the sorted fingerprints of the titles in `source`, and of the main titles before a subtitle.
    Returns the number of titles. Raises `Unreadable` if there are none."""
    import numpy

    prints, count = array("I"), 0
    for title in titles_of(source):
        main = _SUBTITLE.split(title, maxsplit=1)[0]
        prints.append(_fingerprint(title))
        if main != title and len(main.split()) >= MAIN:
            prints.append(_fingerprint(main))
        count += 1
        if count % 10_000 == 0:
            monitor.report("Reading titles", count, None)
    if not count:
        raise Unreadable(f"{source} has no titles.", _HINT)
    with target.open("wb") as file:
        numpy.save(file, numpy.unique(numpy.frombuffer(prints, dtype="<u4")))
    return count


def titles_of(source: Path) -> Iterator[str]:
    """The titles of a metadata dump: JSON lines (arXiv, OpenAlex, Crossref), DBLP's XML, or a text with one title per
    line; also as `.gz`. Raises `Unreadable`."""
    kind = source.with_suffix("").suffix if source.suffix == ".gz" else source.suffix
    for line in lines_of(source, _HINT):
        if kind in (".jsonl", ".json", ".ndjson"):
            title = _json_title(line)
        elif kind == ".xml":
            match = _XML_TITLE.search(line)
            title = html.unescape(re.sub(r"<[^>]*>", "", match[1])) if match else ""
        else:
            title = line
        if any(letter.isalnum() for letter in title):
            yield title.strip()


def _json_title(line: str) -> str:
    try:
        read = json.loads(line.strip().rstrip(","))
    except (ValueError, RecursionError):
        return ""
    record = read.get("fields", read) if isinstance(read, Mapping) else {}
    title = (record.get("title") or record.get("display_name")) if isinstance(record, Mapping) else ""
    first = title[0] if isinstance(title, list) and title else title  # Crossref has lists
    return " ".join(first.split()) if isinstance(first, str) else ""


def _fingerprint(title: str) -> int:
    return int.from_bytes(blake2b(normalise_title(title).encode(), digest_size=4).digest(), "little")
