"""Checks that a sentence does not copy text, and that it belongs to the papers that it cites.

Copied text: short runs of words are names, titles and terms, and are allowed. The allowed length depends on
the source: it is shorter for a paper that is not cited, because its words would be a claim without source. It
is also shorter for sentences with "we", because "we" would then mean the draft's authors.

Belonging is computed without a model. The score of a paper for a sentence is the sum of three terms: the
cosine of the sentence and the nearest passage (or the abstract) of the paper; the share of the sentence's
words that the paper contains, weighted by inverse document frequency in the shipped word list; and the share
of the system names in the sentence that the paper contains. The sentence belongs to another paper if the
highest score of an uncited paper exceeds that of the cited papers by enough. Weights and thresholds were
chosen on sentences with correct and with swapped evidence from DeepScholar-Bench (`benchmarks/writing`),
without a held-out part."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from ...ports import Embedder
from ...ranking.storage import load_words
from ...text.words import words
from ...types import Matrix, Selected, Vector

WORDS, NAMES = 0.7, 0.2  # weights of the shares of words and of names, relative to the cosine
LEAD = 0.28  # a sentence belongs to another paper if its score exceeds the best cited paper's by this
LEAD_EACH = 0.45  # the same for the worst cited paper's score, if several are cited
_NAME = re.compile(r"(?<![\w-])(?:[A-Z][\w-]*[A-Z0-9][\w-]*|[a-z]+[A-Z][\w-]*)(?![\w-])")


@dataclass(frozen=True, slots=True)
class _Paper:
    title: str
    words: frozenset[str]
    names: frozenset[str]
    vectors: Matrix  # [passages, dimension]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A sentence that belongs to the paper `better`, and not to the paper `cited`."""

    cited: str  # id of the cited paper
    better: str  # id of the other paper


class Belonging:
    """The papers of a section, and their scores for sentences. `embedder` embeds each sentence, and the
    passages that have no vector. The passages are embedded in another thread during the model's first
    request, because this takes as long as the model's answer."""

    def __init__(self, selected: Sequence[Selected], embedder: Embedder) -> None:
        self._embedder = embedder
        beside = ThreadPoolExecutor(1, thread_name_prefix="texgeist-passages")
        self._waiting = beside.submit(
            lambda: {s.candidate.paper.id: _paper(s, embedder) for s in selected if s.evidence}
        )
        beside.shutdown(wait=False)

    @property
    def _papers(self) -> dict[str, _Paper]:
        return self._waiting.result()

    def elsewhere(self, text: str, cited: Sequence[str]) -> Elsewhere | None:
        """The paper that the sentence belongs to instead; None if it may cite the papers `cited` (ids)."""
        return judged(self.claims(text), cited)

    def title(self, id: str) -> str:
        return self._papers[id].title

    def claims(self, text: str) -> dict[str, float]:
        """The score of each paper for the sentence, by paper id."""
        vector, papers = self._embedder.embed_query(text), self._papers
        rare = _weights(text)
        known = frozenset(_NAME.findall(text)) & frozenset(n for p in papers.values() for n in p.names)
        return {id: _claim(paper, vector, rare, known) for id, paper in papers.items()}


def judged(claims: Mapping[str, float], cited: Sequence[str]) -> Elsewhere | None:
    """The result for a sentence, from the scores of all papers. Returns None unless another paper's score
    exceeds the best cited paper's by `LEAD`, or the worst cited paper's by `LEAD_EACH`. The second threshold
    is higher, because a sentence on many papers is seldom similar to each of them."""
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
    missing = [p.text for p in passages if p.vector is None and not (has_abstract and p.is_abstract)]
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


COPIED = "It copies its source word for word; say it in your own words."
_CITED = 14  # consecutive words copied from a cited source
_CITED_WE = 5  # the same for a sentence that begins with "we", "this paper" or the like
_ANOTHERS = 10  # consecutive words copied from a paper that is not cited
_WHOLE = 6  # least number of words for the check that a whole sentence is copied
_DRAFT = 14  # consecutive words copied from the draft's abstract
_CLAIMED = 8  # consecutive words copied from the draft's abstract, in a sentence that cites papers
_AS_DRAFT = (["we"], ["our"], ["this", "paper"], ["this", "work"], ["the", "draft"], ["in", "this", "paper"])


@dataclass(frozen=True, slots=True)
class Sources:
    """The texts that a sentence must not copy. Each is stored as lower-case words with a space around each
    word, so that a run of words is a substring."""

    passages: Mapping[str, str]  # by evidence id
    titles: tuple[str, ...]
    draft: str
    written: str = ""  # the author's existing text of the section

    @classmethod
    def of(cls, passages: Mapping[str, str], titles: Sequence[str], draft: str, written: str = "") -> Sources:
        joined = {id: _joined(text) for id, text in passages.items()}
        return cls(joined, tuple(_joined(title) for title in titles), _joined(draft), _joined(written))

    def problem(self, text: str, ids: Sequence[str]) -> str:
        """The first fault of the text, in words for the model; "" if it copies nothing. `ids`: of the
        evidence that it cites."""
        words = _words(text)
        cited = [self.passages[i] for i in ids]
        if copied := self.copied(text, ids):
            return copied
        if ids and self._claimed(words, cited):
            return "It cites papers for what the draft says of itself; cite nothing, or leave it out."
        if taken := self._anothers(words, ids, cited):
            return (
                f"It copies passage {taken} word for word and does not cite it; say it in your own words and cite "
                "that passage, or leave it out."
            )
        if _first(words, _DRAFT, [self.draft]):
            return "It repeats the draft's abstract word for word; say it in other words."
        if self._is_written(words):
            return (
                "It stands in the section already, written by the author; say what is new, or leave it out."
            )
        return ""

    def copied(self, text: str, ids: Sequence[str]) -> str:
        """The fault that the text copies the passages that it cites, in words for the model; "" if it does
        not."""
        words, cited = _words(text), [self.passages[i] for i in ids]
        as_draft = any(words[: len(start)] == start for start in _AS_DRAFT)
        if _first(words, _CITED_WE if as_draft else _CITED, cited):
            return COPIED
        return ""

    def _is_written(self, words: Sequence[str]) -> bool:
        run = min(max(len(words), _WHOLE), _DRAFT)
        return any(
            r in self.written and not any(r in title for title in self.titles) for r in _runs(words, run)
        )

    def _anothers(self, words: Sequence[str], ids: Sequence[str], cited: Sequence[str]) -> str:
        """The id of a passage that is not cited and from which words are copied; "" if there is none. Words
        that also occur in titles, in the draft or in cited passages are allowed."""
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
    """Whether a text on another paper copies words of the draft."""
    return _first(_words(text), _CLAIMED + 2, [_joined(draft)])


def _first(words: Sequence[str], run: int, texts: Sequence[str]) -> bool:
    return any(r in text for r in _runs(words, run) for text in texts)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _joined(text: str) -> str:
    return f" {' '.join(_words(text))} "


def _runs(words: Sequence[str], length: int) -> Iterator[str]:
    return (f" {' '.join(words[i : i + length])} " for i in range(len(words) - length + 1))
