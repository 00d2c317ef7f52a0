"""XML from a server, bounded before it is parsed: what it may hold is fixed, so memory is too.

An element takes some hundred bytes of memory and four in the text, so elements are counted, not bytes
alone. arXiv's answers have neither document types nor entities, and neither is read.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

MOST_MARKS = 1_000_000  # of "<" and of "=": tags and attributes; a page of 1,000 records has 100,000
_ENCODING = re.compile(rb"^[^>]{0,100}?encoding\s*=\s*[\"']([^\"']*)")
_PLAIN = (b"utf-8", b"us-ascii", b"iso-8859-1")


def parse_xml(body: bytes) -> ElementTree.Element | None:
    """The root of the document; None for what is no XML, or none that a list of papers could be."""
    named = _ENCODING.search(body)
    if (named and named[1].lower() not in _PLAIN) or b"\0" in body or b"<!DOCTYPE" in body:
        return None
    if body.count(b"<") > MOST_MARKS or body.count(b"=") > MOST_MARKS:
        return None
    try:
        return ElementTree.fromstring(body)  # noqa: S314 - neither entities nor document types get here
    except (ElementTree.ParseError, LookupError, ValueError):
        return None
