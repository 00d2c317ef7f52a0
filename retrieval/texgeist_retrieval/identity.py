"""Decides whether a paper is the draft itself, whether the draft already cites it, and whether two records
are of the same paper."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz import fuzz

from .types import Paper, Query
from .types.papers import OTHERS, is_arxiv

OWN_TITLE = 85.0  # least similarity (0 to 100) of a draft's and its preprint's title, if they share an author
YEARS_APART = 2  # between a preprint and its published version
TELLING = 20  # a title of at least so many letters is unlikely to be used twice
BEFORE_TITLE = 400  # letters before a title in a list of references that are searched for its author
_UNKNOWN = {"anonymous", "author", "authors", OTHERS}


def plain_title(title: str) -> str:
    """The words of a title in lower case, without accents, braces, commands and punctuation."""
    text = re.sub(r"\\[a-zA-Z]+\s*|[{}$]", "", title)
    text = unicodedata.normalize("NFKD", text)
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    return " ".join(re.findall(r"\w+", text.casefold()))


def bare_id(id: str) -> str:
    """The arXiv id without prefix and version, because `2104.12255v1` and `2104.12255` are the same paper."""
    return re.sub(r"(?<=\d)v\d+$", "", id.strip().removeprefix("arXiv:").removeprefix("arxiv:"))


def surnames(authors: tuple[str, ...]) -> frozenset[str]:
    """Surnames from "Given Family" and "Family, Given"; anonymous authors are left out."""
    names = (name.split(",")[0] if "," in name else name for name in authors)
    last = (plain_title(name).split()[-1:] for name in names)
    return frozenset(word for words in last for word in words) - _UNKNOWN


def title_name(title: str, authors: tuple[str, ...]) -> str:
    """A name for a paper without an id: its plain title and the surname of its first author."""
    return " / ".join([plain_title(title), *surnames(authors[:1])])


def is_own(paper: Paper, query: Query) -> bool:
    """True if the paper is the draft's preprint: the titles are nearly equal and they share an author. If
    either has no authors, the title must be long and identical."""
    ours, theirs = surnames(query.authors), surnames(paper.authors)
    if ours and theirs:
        return bool(ours & theirs) and _near_title(paper.title, query.title)
    return _long(paper.title) and title_letters(paper.title) == title_letters(query.title)


def is_cited(paper: Paper, query: Query) -> bool:
    """True if the draft cites the paper: by arXiv id, by DOI, or by its description in the bibliography or in
    the list of references."""
    cited = {bare_id(id).lower() for id in query.cited_ids}
    names = {bare_id(paper.id).lower()} | ({f"doi:{paper.doi}".lower()} if paper.doi else set())
    if names & cited or any(_describes(work, paper) for work in query.cited_works):
        return True
    return bool(query.references) and _is_listed(paper, query.references)


def _is_listed(paper: Paper, references: str) -> bool:
    """Whether a list of references, read from a PDF, names the paper: by arXiv id, by DOI, or by a long title
    after the first author's surname."""
    id = bare_id(paper.id)
    known = [name for name in (id if is_arxiv(id) else "", paper.doi) if name]
    if any(re.search(rf"(?<!\w){re.escape(n)}(?:v\d+)?(?![\w/-])", references, re.I) for n in known):
        return True
    letters, title = _letters_of_list(references), title_letters(paper.title)
    at = letters.find(title) if _long(paper.title) else -1
    first = "".join(surnames(paper.authors[:1]))
    return at >= 0 and first in letters[max(at - BEFORE_TITLE, 0) : at]


@lru_cache(maxsize=4)
def _letters_of_list(references: str) -> str:
    return title_letters(re.sub(r"-\n", "", references))


def same_paper(one: Paper, other: Paper) -> bool:
    """True if two records describe the same paper. arXiv ids decide if both have one, then DOIs, then title,
    first author and year."""
    ids = bare_id(one.id), bare_id(other.id)
    if all(map(is_arxiv, ids)):
        return ids[0] == ids[1]
    if one.doi and other.doi:
        return one.doi.lower() == other.doi.lower()
    return _describes(one, other)


def copies(papers: Iterable[Paper]) -> frozenset[str]:
    """The ids of the papers that are the same as an earlier paper of `papers`."""
    seen: defaultdict[str, list[Paper]] = defaultdict(list)  # by DOI and by title
    found: set[str] = set()
    for paper in papers:
        marks = [mark for mark in (paper.doi.lower(), title_letters(paper.title)) if mark]
        if any(same_paper(paper, earlier) for mark in marks for earlier in seen[mark]):
            found.add(paper.id)
            continue
        for mark in marks:
            seen[mark].append(paper)
    return frozenset(found)


def _describes(work: Paper, paper: Paper) -> bool:
    """Whether the titles agree, the first authors agree and the years are close. If one of them names no author,
    the title must be long; if neither does, the years must also be equal."""
    if not title_letters(work.title) or title_letters(work.title) != title_letters(paper.title):
        return False
    ours, theirs = surnames(work.authors[:1]), surnames(paper.authors[:1])
    if not ours and not theirs:
        return _long(work.title) and work.year is not None and work.year == paper.year
    alike = bool(ours & theirs) if ours and theirs else _long(work.title)
    return alike and _close(work.year, paper.year)


def _close(a: int | None, b: int | None) -> bool:
    return a is None or b is None or abs(a - b) <= YEARS_APART


@lru_cache(maxsize=8192)  # each title of a bibliography is compared with each paper found
def title_letters(title: str) -> str:
    return plain_title(title).replace(" ", "")


def _long(title: str) -> bool:
    return len(title_letters(title)) >= TELLING


def _near_title(a: str, b: str) -> bool:
    left, right = plain_title(a), plain_title(b)
    near = min(len(left), len(right)) > 15 and fuzz.ratio(left, right) >= OWN_TITLE
    return bool(left) and (left == right or near)
