"""Titles without their typesetting, so that they can be compared."""

from __future__ import annotations

import re
import unicodedata


def plain_title(title: str) -> str:
    """Words alone, in lower case: accents, braces, commands and punctuation are typesetting."""
    text = re.sub(r"\\[a-zA-Z]+\s*|[{}$]", "", title)
    text = unicodedata.normalize("NFKD", text)
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    return " ".join(re.findall(r"\w+", text.casefold()))
