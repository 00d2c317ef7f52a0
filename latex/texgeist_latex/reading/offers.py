"""Offers a citation at the end of a sentence, without a language model; the author accepts or ignores it.

An entry is offered if it is much more relevant to this sentence than to most sentences (`relevance`), and if it
is not cited before the cursor. Citations near the cursor, and capitalised words of the sentence in the entry's title,
raise the chance that the author cites it here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from ..bib.index import BibIndex, folded, stems
from ..bib.library import Library
from ..tex.wordlists import FUNCTION_WORDS
from ..types import BibEntry, Citation, Draft, Span
from .completion import argument_at
from .relevance import FOR_OFFERS, Relevant, relevance
from .surroundings import Cited, capitalised, cited_in, here_at, names_in, plain_words, sentence_at

# Logistic regression on the sentences of 15 real projects (`python -m benchmarks.offers`): the weights of score,
# distance to the second entry, log of the number of entries, citations near the cursor, and capitalised words
# that the title contains.
_WEIGHTS, _BIAS = (0.27, 0.308, -0.481, 0.455, 1.127), -3.125
LEAST = 0.42  # log odds
_MOST_NEAR, _MOST_CAPITALS = 5, 3
_WORDS = 5, 60  # of a sentence
_MOST_FITTING, _LEAST_CHANCE, _LIKELY = 3, 0.05, 0.5
_TEMPER = 0.7  # of the scores, whose weights were fitted to fewer words
_MATH = re.compile(r"(?<!\\)\$|\\[()\[\]]")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([^{}]*)\}")
_PROSE = frozenset("document abstract itemize enumerate description quote quotation".split())
_LOOK_BACK = 20_000


@dataclass(frozen=True, slots=True)
class OfferedEntry:
    """`at`: where the citation belongs, before the full stop; `odds`: log odds that the author would cite the
    entry there; `signs`: the values from which the odds were computed (see `_WEIGHTS`); `command`: the
    citation command."""

    entry: BibEntry
    at: int
    odds: float
    why: str
    signs: tuple[float, ...]
    command: str = "cite"

    @property
    def latex(self) -> str:
        return f"~\\{self.command}{{{self.entry.key}}}"


def offered(
    library: Library,
    text: str,
    file: Path,
    offset: int,
    citations: Sequence[Citation],
    cited: Sequence[Cited],
) -> OfferedEntry | None:
    """The entry to cite in the sentence that ends at `offset`, or at the full stop before it. Returns None if
    no plain sentence ends there, if the sentence has a citation, or if no entry is likely."""
    if not may_need(text, offset):
        return None
    at = _end(text, offset)
    before, after = sentence_at(text, at, at)
    words = plain_words(before)
    low, high = at - len(before), at + len(after) + 2
    if not _WORDS[0] <= len(words) <= _WORDS[1] or any(
        low <= c.command_span.start <= high for c in citations
    ):
        return None
    capitals = capitalised(" ".join(words[1:]))
    here = replace(here_at(text, file, at, at, citations), before=capitals)
    earlier = {c.key for c in citations if c.command_span.start < at} | here.near
    best = sorted(
        (
            (one.score, number, index, one.why)
            for index in library.indexes
            for number, one in relevance(index, here, cited, FOR_OFFERS).items()
        ),
        key=lambda found: -found[0],
    )[:2]
    if not best or (entry := best[0][2].sorted[best[0][1]]).key in earlier:
        return None
    second = best[1][0] if len(best) > 1 else 0.0
    title = set(folded(entry.fields.get("title", "")).split())
    signs = (
        best[0][0],
        best[0][0] - second,
        math.log(len(best[0][2].sorted)),
        min(len(here.near), _MOST_NEAR),
        min(len(title.intersection(capitals)), _MOST_CAPITALS),
    )
    odds = _BIAS + sum(weight * sign for weight, sign in zip(_WEIGHTS, signs, strict=True))
    return OfferedEntry(entry, at, odds, best[0][3], signs) if odds >= LEAST else None


@dataclass(frozen=True, slots=True)
class FittingEntry:
    """An entry that the author may cite at a place. `chance`: that it is cited there, if one of the author's entries
    is; the learned weights of relevance are those of a conditional logit."""

    key: str
    chance: float
    why: str

    @property
    def fit(self) -> str:
        return "likely" if self.chance >= _LIKELY else "possible"


def fitting_entries(
    draft: Draft, places: Sequence[tuple[Span, Span]], frequent: Container[str] = FUNCTION_WORDS
) -> list[list[FittingEntry]]:
    """For each sentence and the place in it where a citation belongs, the entries of the draft's bibliographies that
    fit best, at most three. Text inside the place does not count. Entries that the sentence cites are left out, and
    entries for which only the text near the sentence speaks. `frequent`: words that are no reason to cite."""
    indexes = Library([BibIndex(each) for each in draft.bibliographies]).indexes
    citations = {each.path: [c for c in draft.citations if c.span.file == each.path] for each in draft.texts}
    cited = [one for each in draft.texts for one in cited_in(each.text, citations[each.path])]
    texts = {source.path: source.text for source in draft.texts}
    return [
        _fitting(indexes, cited, texts[place.file], citations[place.file], claim, place, frequent)
        for claim, place in places
    ]


def _fitting(
    indexes: Sequence[BibIndex],
    cited: Sequence[Cited],
    text: str,
    citations: Sequence[Citation],
    claim: Span,
    place: Span,
    frequent: Container[str],
) -> list[FittingEntry]:
    here = here_at(text, place.file, place.start, place.end, citations)
    sentence = text[claim.start : place.start] + text[place.end : claim.end]
    parts = plain_words(sentence)
    telling = (word for word in folded(" ".join(parts)).split() if word not in frequent)
    words = {stem: word for word in telling for stem in stems(word)}
    # The work may be named anywhere in the sentence, so all its words count like the words before the cursor.
    here = replace(
        here, sentence=words, lead=tuple(words), names=names_in(parts), before=capitalised(sentence)
    )
    scores: dict[str, Relevant] = {}
    for index in indexes:
        found = relevance(index, here, cited)
        scores |= {entry.key: found.get(at, Relevant()) for at, entry in enumerate(index.sorted)}
    total = sum(math.exp(_TEMPER * one.score) for one in scores.values())
    inside = {c.key for c in citations if claim.start <= c.command_span.start <= claim.end}
    fitting = (
        FittingEntry(key, round(math.exp(_TEMPER * one.score) / total, 2), one.why)
        for key, one in sorted(scores.items(), key=lambda item: -item[1].score)
        if one.own and key not in inside
    )
    return [each for each in islice(fitting, _MOST_FITTING) if each.chance >= _LEAST_CHANCE]


def may_need(text: str, offset: int) -> bool:
    """Whether a sentence of plain text ends at `offset`. A quick test that excludes most places in a text."""
    at = _end(text, offset)
    return _ends_sentence(text, at) and _is_prose(text, at)


def _end(text: str, offset: int) -> int:
    return offset - 1 if text[max(0, offset - 1) : offset] in (".", "!", "?") else offset


def _ends_sentence(text: str, at: int) -> bool:
    """Whether a word ends at `at`, and a full stop, the end of the line or nothing follows."""
    behind = text[at : at + 2]
    return text[at - 1 : at].isalnum() and (not behind or behind[0] in ".!?\r\n")


def _is_prose(text: str, at: int) -> bool:
    """Whether `at` is outside of comments, formulas, arguments and environments without running text."""
    low = max(0, at - _LOOK_BACK)
    line = text[text.rfind("\n", 0, at) + 1 : at]
    if re.search(r"(?<!\\)(?:\\\\)*%", line) or argument_at(text, at) is not None:
        return False
    paragraph = text[max(low, text.rfind("\n\n", 0, at)) : at]
    if len(_MATH.findall(paragraph)) % 2:
        return False
    depth: list[str] = []
    for match in _ENVIRONMENT.finditer(text, low, at):
        if match[1] == "begin":
            depth.append(match[2])
        elif depth:
            depth.pop()
    preamble = not depth and "\\begin{document}" in text[at:]
    return not preamble and not set(depth) - _PROSE
