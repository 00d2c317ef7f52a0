"""How others describe a paper: sentences of other full papers that cite it.

Reference lists are not in the passages, so a number in brackets cannot be resolved. A citation is recognised
by a citation mark with names and year, "Smith and Jones (2020)", or by the name of the paper's system, which
its title begins with ("BERT: …"). Several papers may share a mark or a name. The mark must therefore agree
with the number of authors, and the sentence must share a word with the title. In case of doubt nothing is
returned."""

from __future__ import annotations

import re

import numpy as np

from ..identity import plain_title
from ..index.snapshot import Snapshot
from ..text.sentences import split_sentences
from ..text.words import query_words, words
from ..types import CitedWork, Description
from ..types.papers import OTHERS

MOST = 3  # sentences, each from another paper
_LOOKED_AT = 300  # passages that are examined, best by the words of title and authors
_SHORTEST, _LONGEST = 40, 420  # characters of a sentence
_NAMED = re.compile(r"([A-Z][\w-]*(?:[A-Z]|\d)[\w-]*)\s*:")  # "ScholarCopilot: …", but not "Attention: …"
_LONGEST_NAME = 80  # characters of a title that are searched for a system's name
_GENERAL = frozenset(
    "using based approach method methods model models learning neural towards toward study".split()
)


def describe(snapshot: Snapshot, work: CitedWork) -> tuple[Description, ...]:
    """Returns at most `MOST` sentences about the work, those that share most words with its title first;
    empty if no sentence is known to cite it."""
    cites = _citing(work)
    if cites is None:
        return ()
    last = " ".join(_last(author) for author in work.authors[:2] if author != OTHERS)
    scores = snapshot.by_passage.score(query_words(f"{work.title} {last} {work.year or ''}"))
    rows = np.argsort(-scores, kind="stable")[:_LOOKED_AT]
    asked = set(words(work.title)) - _GENERAL
    best: dict[int, tuple[int, int, Description]] = {}
    for row in (int(row) for row in rows if scores[row] > 0):
        number = int(snapshot.paper[row])
        paper = snapshot.papers[number]
        if plain_title(paper.title) == plain_title(work.title):
            continue
        for sentence in split_sentences(snapshot.texts[row]):
            shared = len(asked & set(words(sentence)))
            if not _SHORTEST <= len(sentence) <= _LONGEST or not cites(sentence, shared):
                continue
            if number in best and best[number][:2] >= (shared, -len(sentence)):
                continue
            found = Description(
                " ".join(sentence.split()),
                _who(paper.authors, paper.year),
                snapshot.headings[row],
                int(snapshot.page[row]) or None,
            )
            best[number] = (shared, -len(sentence), found)
    ordered = sorted(best.values(), key=lambda one: one[:2], reverse=True)
    return tuple(found for _, _, found in ordered[:MOST])


class _Marks:
    """Decides whether a sentence cites a work, given the number of title words that it shares."""

    def __init__(self, mark: re.Pattern[str] | None, name: re.Pattern[str] | None, own: int) -> None:
        self._mark, self._name, self._own = mark, name, own  # `own`: number of title words in the name

    def __call__(self, sentence: str, shared: int) -> bool:
        if self._name is not None and shared > self._own and self._name.search(sentence):
            return True
        return shared > 0 and self._mark is not None and bool(self._mark.search(sentence))


def _citing(work: CitedWork) -> _Marks | None:
    """Returns None if citations of the work cannot be recognised."""
    named = _NAMED.match(work.title[:_LONGEST_NAME])
    name = re.compile(rf"(?<![\w-]){re.escape(named[1])}(?![\w-])") if named else None
    mark = (
        re.compile(f"{_people(work.authors)}{_YEAR_BEFORE}{work.year}[a-z]?(?!\\d)")
        if work.year and work.authors
        else None
    )
    own = len(set(words(named[1])) & set(words(work.title)) - _GENERAL) if named else 0
    return _Marks(mark, name, own) if mark or name else None


_YEAR_BEFORE = r"[,.]?\s*[(\[]?"


def _people(authors: tuple[str, ...]) -> str:
    last = [re.escape(_last(author)) for author in authors]
    if last[1:] == [OTHERS]:
        return rf"\b{last[0]},? et al\.?"
    if len(last) == 1:
        return rf"(?<![\w&-])(?<!and )(?<!& )(?<!, ){last[0]}(?:’s|'s)?"
    if len(last) == 2:
        return rf"\b{last[0]}(?:,? and|,? &) {last[1]}"
    final = r"[^\s,]+" if last[-1] == OTHERS else last[-1]
    return rf"\b{last[0]}(?:,? et al\.?|(?:, [^\s,]+){{0,6}},? (?:and|&) {final})"


def _last(author: str) -> str:
    """The surname as written in citations: "Garcia" from "Garcia, Luis", "García-Molina" from "Luis
    García-Molina"."""
    return author.split(",")[0].strip() if "," in author else author.split()[-1] if author.split() else ""


def _who(authors: tuple[str, ...], year: int | None) -> str:
    last = [_last(author) for author in authors]
    more = len(last) > 2 or last[1:] == [OTHERS]
    people = f"{last[0]} et al." if more else " and ".join(last)
    return " ".join(filter(None, [people or "Anonymous", str(year) if year else ""]))
