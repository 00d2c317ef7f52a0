"""Is a paper that was found the draft itself, or one that the draft cites already?"""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from .titles import plain_title
from .types import Paper, Query

SAME_TITLE = 95.0  # token ratio above which two titles are one, typing errors and hyphens apart
OWN_TITLE = 85.0  # the draft's working title may differ more, once an author agrees as well
_UNKNOWN = {"anonymous", "author", "authors"}


def bare_id(id: str) -> str:
    """An arXiv id without its version: `2104.12255v1` and `2104.12255` are one paper."""
    return re.sub(r"(?<=\d)v\d+$", "", id.strip().removeprefix("arXiv:").removeprefix("arxiv:"))


def surnames(authors: tuple[str, ...]) -> frozenset[str]:
    """Surnames of "Given Family" and "Family, Given" alike; anonymous authors are no authors."""
    names = (name.split(",")[0] if "," in name else name for name in authors)
    last = (plain_title(name).split()[-1:] for name in names)
    return frozenset(word for words in last for word in words) - _UNKNOWN


def same_title(a: str, b: str, threshold: float = SAME_TITLE) -> bool:
    left, right = plain_title(a), plain_title(b)
    if not left or not right:
        return False
    return left == right or (min(len(left), len(right)) > 15 and fuzz.ratio(left, right) >= threshold)


def is_own(paper: Paper, query: Query) -> bool:
    """True for the draft's own preprint: the title, and at least one author where both name some."""
    ours, theirs = surnames(query.authors), surnames(paper.authors)
    if ours & theirs:
        return same_title(paper.title, query.title, OWN_TITLE)
    return not (ours and theirs) and same_title(paper.title, query.title)


def is_cited(paper: Paper, query: Query) -> bool:
    """True when the draft cites the paper: by arXiv id, by DOI, else by title."""
    cited = {bare_id(id).lower() for id in query.cited_ids}
    names = {bare_id(paper.id).lower()} | ({f"doi:{paper.doi}".lower()} if paper.doi else set())
    return bool(names & cited) or any(same_title(paper.title, title) for title in query.cited_titles)
