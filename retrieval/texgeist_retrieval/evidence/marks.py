"""Citation marks in a sentence: "(Tillmann and Ney, 2000)" says of which year the paper is that it stands on."""

from __future__ import annotations

import re

_YEAR = re.compile(r"(?<![\w.-])((?:19|20)\d\d)(?=[a-z]?(?![\d\w-]))")


def years_in(text: str) -> frozenset[int]:
    """Years that a text names, as marks or otherwise."""
    return frozenset(int(year) for year in _YEAR.findall(text))
