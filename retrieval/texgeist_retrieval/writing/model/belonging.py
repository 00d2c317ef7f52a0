"""Whose a sentence is: its words may not be taken over, and its claim must be that of the papers that it cites.

Copied words: short runs are names, titles and terms, and free. How long a run is too long depends on whose it is: the
words of a paper that is not cited are a claim without its source, and the source's "we" would be the draft's authors.

Belonging: no model is asked. A paper's claim to a sentence is the sum of three shares: the cosine to the nearest of
its passages (or its abstract), the rare words of the sentence that it uses, weighted by their inverse document
frequency in the shipped word list, and the names of systems that it holds, of those that any paper holds. What counts
is the lead of the strongest other paper. Weights and lead were chosen on sentences with right and with swapped evidence
from DeepScholar-Bench (`benchmarks/writing`), with both halves of it in view."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...ports import Embedder
from ...ranking.storage import load_words
from ...text.words import words
from ...types import Matrix, Selected, Vector

WORDS, NAMES = 0.7, 0.2  # what the shares of words and of names weigh beside the cosine
LEAD = 0.28  # of another paper over the best of those cited, from which the sentence is the other's
LEAD_EACH = 0.45  # of another paper over any one of several that are cited
_NAME = re.compile(r"(?<![\w-])(?:[A-Z][\w-]*[A-Z0-9][\w-]*|[a-z]+[A-Z][\w-]*)(?![\w-])")


@dataclass(frozen=True, slots=True)
class _Paper:
    title: str
    words: frozenset[str]
    names: frozenset[str]
    vectors: Matrix  # [passages, dimension]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The paper that a sentence belongs to rather than to `cited`."""

    cited: str  # paper ids
    better: str


class Belonging:
    """The papers of one section. `embedder` turns each sentence into a vector, and those passages that
    come without one."""

    def __init__(self, selected: Sequence[Selected], embedder: Embedder) -> None:
        self._embedder = embedder
        self._papers = {s.candidate.paper.id: _paper(s, embedder) for s in selected if s.evidence}

    def elsewhere(self, text: str, cited: Sequence[str]) -> Elsewhere | None:
        """None where the sentence may stand on the papers `cited`, by id."""
        return judged(self.claims(text), cited)

    def title(self, id: str) -> str:
        return self._papers[id].title

    def claims(self, text: str) -> dict[str, float]:
        """How much each paper may claim the sentence, by id."""
        vector = self._embedder.embed_query(text)
        rare = _weights(text)
        known = frozenset(_NAME.findall(text)) & frozenset(n for p in self._papers.values() for n in p.names)
        return {id: _claim(paper, vector, rare, known) for id, paper in self._papers.items()}


def judged(claims: Mapping[str, float], cited: Sequence[str]) -> Elsewhere | None:
    """A sentence may stand where no other paper leads the best of those cited by `LEAD`, and none leads any
    of them by `LEAD_EACH`: a sentence on many papers is seldom near to each."""
    others = {id: claim for id, claim in claims.items() if id not in cited}
    own = {id: claims[id] for id in cited if id in claims}
    if not own or not others:
        return None
    better = max(others, key=others.__getitem__)
    best, worst = max(own, key=own.__getitem__), min(own, key=own.__getitem__)
    if others[better] - own[best] > LEAD:
        return Elsewhere(best, better)
    return Elsewhere(worst, better) if others[better] - own[worst] > LEAD_EACH else None


def _paper(selected: Selected, embedder: Embedder) -> _Paper:
    paper = selected.candidate.paper
    passages = [e.passage for e in selected.evidence]
    text = "\n".join([paper.title, paper.abstract, *(p.text for p in passages)])
    known = [v for v in (selected.candidate.vector, *(p.vector for p in passages)) if v is not None]
    has_abstract = selected.candidate.vector is not None
    missing = [p.text for p in passages if p.vector is None and not (has_abstract and p.page is None)]
    rows = [*known, *embedder.embed_documents(missing)] if missing else known
    return _Paper(
        paper.title, frozenset(words(text)), frozenset(_NAME.findall(text)), np.asarray(rows, np.float32)
    )


def _claim(paper: _Paper, vector: Vector, rare: dict[str, float], names: frozenset[str]) -> float:
    held = sum(weight for word, weight in rare.items() if word in paper.words) / (sum(rare.values()) or 1.0)
    named = len(names & paper.names) / len(names) if names else 0.0
    return float((paper.vectors @ vector).max()) + WORDS * held + NAMES * named


def _weights(text: str) -> dict[str, float]:
    background = load_words()
    return {word: background.idf(word) for word in set(words(text))}


_CITED = 14  # words in a row that are the cited source's own
_CITED_WE = 5  # the same, where "we" or "this paper" would then be the draft
_ANOTHERS = 10  # words in a row of a paper that is not cited
_WHOLE = 6  # words of a sentence that is another's as a whole
_DRAFT = 14  # words in a row of the draft's abstract
_CLAIMED = 8  # words in a row of the draft's, in a sentence that cites others for them
_AS_DRAFT = (["we"], ["our"], ["this", "paper"], ["this", "work"], ["the", "draft"], ["in", "this", "paper"])


@dataclass(frozen=True, slots=True)
class Sources:
    """All texts as words with a space around each, so that a run of words is a substring."""

    passages: Mapping[str, str]  # by evidence id
    titles: tuple[str, ...]
    draft: str
    written: str = ""  # what the author has of the section already

    @classmethod
    def of(cls, passages: Mapping[str, str], titles: Sequence[str], draft: str, written: str = "") -> Sources:
        joined = {id: _joined(text) for id, text in passages.items()}
        return cls(joined, tuple(_joined(title) for title in titles), _joined(draft), _joined(written))

    def problem(self, text: str, ids: Sequence[str]) -> str:
        """What the sentence takes over, as the rest of a sentence for the model; "" for nothing."""
        words = _words(text)
        cited = [self.passages[i] for i in ids]
        if any(words[: len(start)] == start for start in _AS_DRAFT) and _first(words, _CITED_WE, cited):
            return "copies its source word for word; say it in your own words."
        if _first(words, _CITED, cited):
            return "copies its source word for word; say it in your own words."
        if ids and self._claimed(words, cited):
            return "cites papers for what the draft says of itself; name no evidence, or leave it out."
        if taken := self._anothers(words, ids, cited):
            return (
                f"copies passage {taken} word for word and does not cite it; say it in your own words and name "
                "that passage, or leave it out."
            )
        if _first(words, _DRAFT, [self.draft]):
            return "repeats the draft's abstract word for word; say it in other words."
        if self._is_written(words):
            return "stands in the section already, written by the author; say what is new, or leave it out."
        return ""

    def _is_written(self, words: Sequence[str]) -> bool:
        run = min(max(len(words), _WHOLE), _DRAFT)
        return any(
            r in self.written and not any(r in title for title in self.titles) for r in _runs(words, run)
        )

    def _anothers(self, words: Sequence[str], ids: Sequence[str], cited: Sequence[str]) -> str:
        """The id of a passage that is not cited and whose words these are; titles and the draft are free."""
        free = [*cited, *self.titles, self.draft]
        run = len(words) if _WHOLE <= len(words) < _ANOTHERS else _ANOTHERS
        own = [r for r in _runs(words, run) if not any(r in text for text in free)]
        return next(
            (i for i, text in self.passages.items() if i not in ids and any(r in text for r in own)), ""
        )

    def _claimed(self, words: Sequence[str], cited: Sequence[str]) -> bool:
        runs = (r for r in _runs(words, _CLAIMED) if r in self.draft)
        return any(not any(r in text for text in cited) for r in runs)


def retells(text: str, draft: str) -> bool:
    """True where a text that should speak of another paper says what the draft does, in its words."""
    return _first(_words(text), _CLAIMED + 2, [_joined(draft)])


def _first(words: Sequence[str], run: int, texts: Sequence[str]) -> bool:
    return any(r in text for r in _runs(words, run) for text in texts)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _joined(text: str) -> str:
    return f" {' '.join(_words(text))} "


def _runs(words: Sequence[str], length: int) -> Iterator[str]:
    return (f" {' '.join(words[i : i + length])} " for i in range(len(words) - length + 1))
