"""Titles without typesetting, for comparison."""

from __future__ import annotations

import re
import unicodedata


def plain_title(title: str) -> str:
    """The words of a title in lower case, without accents, braces, commands and punctuation."""
    text = re.sub(r"\\[a-zA-Z]+\s*|[{}$]", "", title)
    text = unicodedata.normalize("NFKD", text)
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    return " ".join(re.findall(r"\w+", text.casefold()))
