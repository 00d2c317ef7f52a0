"""Citation marks in a sentence: "(Tillmann and Ney, 2000)" says of which year the paper is that it stands on."""

from __future__ import annotations

import re

_YEAR = re.compile(r"(?<![\w.-])((?:19|20)\d\d)(?=[a-z]?(?![\d\w-]))")


_MARK = re.compile(
    r"\(?[A-Z][\w’'-]{1,40}(?:(?:,| and| &) [A-Z][\w’'-]{1,40}){0,8}(?: et al\.?)?,? ?\(?(?:19|20)\d\d[a-z]?\)?(?:; ?)?"
    r"|\([^()]{0,300}?\b(?:19|20)\d\d[^()]{0,300}\)|\[[\d, –-]{1,60}\]"
)


def without_marks(text: str) -> str:
    """What is said, without who is cited for it: names of authors and numbers would be looked for in passages."""
    return _MARK.sub(" ", text)


def years_in(text: str) -> frozenset[int]:
    """Years that a text names, as marks or otherwise."""
    return frozenset(int(year) for year in _YEAR.findall(text))
