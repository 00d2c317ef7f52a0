"""What this room uses of `text.sentences`, under the old names."""

from __future__ import annotations

import re

from ....text.sentences import clean, is_rubble
from ....text.sentences import split_sentences as split

__all__ = ["clean", "is_rubble", "split", "words"]


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:[-’'][^\W_]+)*", text)
