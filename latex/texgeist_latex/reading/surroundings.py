"""The text around citations and around the cursor, as stems, for `relevance`."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ..bib.index import folded, stems
from ..types import Citation

NEARBY = 600  # characters: citations within this distance belong together
_AFTER, _NAME = 400, 60  # characters around the cursor
_LEAD = 45  # characters before a citation: what is cited there is usually named in them
_LONGEST_SENTENCE = 300  # characters on either side
_MOST_NEAR = 12  # citations on either side
_END = re.compile(r"[.!?][})]?\s+")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\r?\n")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_COMMANDS = re.compile(
    r"\\[A-Za-z@]*cite[A-Za-z@]*\*?(?:\[[^\]]*\])*\{[^}]*(?:\}|\Z)|\\[A-Za-z@]+\*?|[{}$~\[\]]"
)


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation elsewhere: the words of its sentence, and the keys that are cited near it."""

    key: str
    file: Path
    start: int
    words: frozenset[str]
    lead: frozenset[str]  # the words just before the citation
    damping: float  # of BM25: a word counts less in a long sentence
    name: str  # the word before the citation if it is a name like UCBV or BiLSTM, else ""
    near: frozenset[str]


@dataclass(frozen=True, slots=True)
class Here:
    """The text at the cursor. `taken`: keys in the same command, which are not offered again."""

    sentence: dict[str, str]  # words, by their stems
    lead: tuple[str, ...]  # stems of the words just before the cursor
    names: frozenset[str]  # such as UCBV and BiLSTM in the sentence
    before: tuple[str, ...]  # capitalised words before the cursor, which may name an author
    near: frozenset[str]
    taken: frozenset[str]
    file: Path
    start: int


def cited_in(text: str, citations: Sequence[Citation]) -> list[Cited]:
    """The citations of a file with their surroundings."""
    found, keys = [], [citation.key for citation in citations]
    starts = [citation.command_span.start for citation in citations]
    for place, (citation, start) in enumerate(zip(citations, starts, strict=True)):
        low = bisect_right(starts, start - NEARBY, max(0, place - _MOST_NEAR), place)
        high = bisect_left(starts, start + NEARBY, place, min(len(starts), place + _MOST_NEAR + 1))
        end = citation.command_span.end
        around = _around(text[max(0, start - _LONGEST_SENTENCE) : start], text[end : end + _AFTER])
        near = frozenset(keys[low:place] + keys[place + 1 : high])
        found.append(Cited(citation.key, citation.span.file, start, *around, near))
    return found


@lru_cache(maxsize=20_000)
def _around(before: str, after: str) -> tuple[frozenset[str], frozenset[str], float, str]:
    """`words`, `lead`, `damping` and `name` of a citation between these texts."""
    sentence = sentence_at(before + after, len(before), len(before))
    words = _stems(sentence[0]) | _stems(sentence[1])
    [last] = plain_words(before[-_NAME:])[-1:] or [""]
    return words, _lead(before), 2.2 / (1.6 + 0.05 * len(words)), "".join(names_in([last]))


def here_at(text: str, file: Path, start: int, end: int, citations: Sequence[Citation]) -> Here:
    """The surroundings of the key between `start` and `end`."""
    before, after = sentence_at(text, start, end)
    around = _plain(f"{before} {after}")
    sentence = {stem: word for word in folded(around).split() for stem in stems(word)}
    near, taken = set(), set()
    for citation in citations:
        span = citation.command_span
        if span.start <= start <= span.end:
            taken.add(citation.key)
        elif abs(span.start - start) < NEARBY:
            near.add(citation.key)
    return Here(
        sentence,
        tuple(_lead(before)),
        names_in(around.split()),
        capitalised(before[-_NAME:]),
        frozenset(near | taken),
        frozenset(taken),
        file,
        start,
    )


def sentence_at(text: str, start: int, end: int) -> tuple[str, str]:
    """The text of the sentence before and after the place. If the place is at the beginning of a sentence,
    the previous sentence is included, because a citation may follow its full stop."""
    before = text[max(0, start - _LONGEST_SENTENCE) : start]
    if breaks := list(_PARAGRAPH_END.finditer(before)):
        before = before[breaks[-1].end() :]
    ends = [match.end() for match in _END.finditer(before)]
    if ends and len(before) - ends[-1] < 40:
        ends.pop()
    after = text[end : end + _AFTER]
    stop = _END.search(_PARAGRAPH_END.split(after, maxsplit=1)[0])
    return before[ends[-1] if ends else 0 :], after[: stop.end()] if stop else after.partition("\n\n")[0]


def _lead(before: str) -> frozenset[str]:
    """The stems of the last words of the text."""
    return frozenset(stems(folded(_plain(before).rstrip()[-_LEAD:])))


def names_in(words: Sequence[str]) -> frozenset[str]:
    """Those of the words that have two capital letters or more, without punctuation."""
    return frozenset(word.strip(",.;:()") for word in words if sum(map(str.isupper, word)) > 1)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(folded(_plain(text))))


def plain_words(text: str) -> list[str]:
    """The words of LaTeX text, without commands, citations and comments."""
    return _plain(text).split()


def capitalised(text: str) -> tuple[str, ...]:
    """The words with a capital letter, folded."""
    return tuple(part for word in plain_words(text) if word != word.lower() for part in folded(word).split())


def _plain(text: str) -> str:
    return _COMMANDS.sub(" ", _COMMENT.sub("", text))
