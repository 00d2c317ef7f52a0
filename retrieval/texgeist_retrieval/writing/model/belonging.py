"""Whether a sentence belongs to the papers that it cites, or rather to another that was given beside them.

No model is asked. A paper's claim to a sentence is the sum of three shares: the cosine to the nearest of its
passages (or its abstract), the rare words of the sentence that it uses, weighted by their inverse document
frequency in the shipped word list, and the names of systems that it holds, of those that any paper holds.
What counts is the lead of the strongest other paper. Weights and lead were chosen on sentences with right
and with swapped evidence from DeepScholar-Bench (`benchmarks/writing`), with both halves of it in view."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
