"""arXiv's answers (Atom 1.0) as papers, and arXiv's ids.

Not by the package `arxiv`, which was tried over our own client (4.0.2): it takes an answer that was cut off for a whole
one with fewer papers, loses a page over one date that is none and an entry over one that is missing, and ends at
an empty first page without a word. What stays ours is more than what it would take over: PDFs, OAI-PMH, the pace
and the bounds all the same.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from ..errors import SourceUnavailable
from ..types import Paper
from ..types.papers import ARXIV_FORM
from .xml import parse_xml

_NAMES = {"a": "http://www.w3.org/2005/Atom", "x": "http://arxiv.org/schemas/atom"}
ARXIV_ID = re.compile(rf"(?P<id>{ARXIV_FORM})(?:v(?P<version>\d{{1,4}}))?")


def split_id(text: str) -> tuple[str, int | None] | None:
    """Id and version of `2104.12255v1`, `hep-th/9901001`, `arXiv:…` or an arXiv address; else None."""
    bare = re.sub(r"^(?:arxiv:\s*|https?://[^/]+/(?:abs|pdf)/)", "", text.strip(), flags=re.IGNORECASE)
    match = ARXIV_ID.fullmatch(bare.removesuffix(".pdf"))
    if match is None:
        return None
    version = match["version"]
    return match["id"], int(version) if version else None


def parse_feed(body: bytes) -> list[Paper]:
    """The papers of one answer; an error entry is none. Raises `SourceUnavailable` when it is no Atom."""
    return [paper for paper, _ in parse_entries(body)]


def parse_entries(body: bytes) -> list[tuple[Paper, str]]:
    """The same, each with its authors' comments, which is where a withdrawal stands."""
    feed = parse_xml(body)
    if feed is None or feed.tag != f"{{{_NAMES['a']}}}feed":  # a page to log in may be XML as well
        raise SourceUnavailable(
            "arXiv answered with something that is no list of papers.", "Try again in a minute."
        )
    entries = feed.iterfind("a:entry", _NAMES)
    papers = ((_paper(entry), _text(entry, "x:comment")) for entry in entries)
    return [(paper, comments) for paper, comments in papers if paper is not None]


def _paper(entry: ElementTree.Element) -> Paper | None:
    address = _text(entry, "a:id")
    found = split_id(address)
    title = _text(entry, "a:title")
    if found is None or not title:
        return None
    id, version = found
    published = _text(entry, "a:published")[:10]
    primary = entry.find("x:primary_category", _NAMES)
    return Paper(
        id=id,
        title=title,
        abstract=_text(entry, "a:summary"),
        authors=tuple(_text(author, "a:name") for author in entry.iterfind("a:author", _NAMES)),
        year=int(published[:4]) if published[:4].isdecimal() else None,
        published=published,
        updated=_text(entry, "a:updated")[:10],
        version=version,
        primary=primary.get("term", "") if primary is not None else "",
        categories=tuple(c.get("term", "") for c in entry.iterfind("a:category", _NAMES)),
        doi=_text(entry, "x:doi"),
        venue=_text(entry, "x:journal_ref"),
        url=f"https://arxiv.org/abs/{id}",
    )


def _text(element: ElementTree.Element, path: str) -> str:
    return " ".join((element.findtext(path, "", _NAMES) or "").split())
