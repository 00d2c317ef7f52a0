"""What makes a text a document."""

from __future__ import annotations

from .files import Parsed


def document_class(parsed: Parsed) -> str:
    """The class of a document; "" for a text that is none."""
    if "\\documentclass" not in parsed.text and "\\documentstyle" not in parsed.text:
        return ""
    for item in parsed.scan.items:
        if item.name in ("documentclass", "documentstyle") and item.kind == "preamble" and item.groups:
            return parsed.scan.words(item.groups[0]).strip() or "?"
    return ""


def begins_document(parsed: Parsed) -> bool:
    """Whether a \\begin{document} stands in the text itself, and not in a definition."""
    if "{document}" not in parsed.text:
        return False
    return any(item.kind == "begin" and item.name == "document" for item in parsed.scan.items)
