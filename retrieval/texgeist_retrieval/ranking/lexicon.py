"""Lexicon-enhanced dense retrieval (UR3WG, section 4.3): a dense score plus a score over the vocabulary.

    S(q, d) = S_s(q, d) + S_l(q, d)

`S_s` is the inner product of compressed sentence vectors (Equation 4). For `S_l` each token's state gives a
distribution over the vocabulary, and the importance of a word in a text is the maximum over the tokens
(Equations 5-8). The query's vector is cut into groups of k entries, of which only the largest is kept
(Equations 9-10). The score is the sum over groups of the query's weight times the document's at that entry
(Equation 11), an inner product of sparse vectors. For large collections Appendix A.1 approximates it: of each of
the document's groups only the largest entry with its place is stored, and the smallest (`extremes`).

Running the encoder over a collection for its token states takes days without an accelerator. Here a word's
state is the same in every text: it starts as the centre, in the main directions, of the sentence vectors of
the texts that contain the word, and is then trained. A masked language model predicts that a token's own word
is the most likely; here a learned number for each word, added to its logit, replaces this."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..text.words import words
from ..types import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Learned parameters. `vocabulary`: words to entries; `states`: of each word, [vocabulary, hidden];
    `output`: [vocabulary, hidden], with `bias` [vocabulary]; `own` [vocabulary]: added to the logit of the
    word itself; `compress`: [dimension, small], for both sides; `weight`: weight of `S_l` relative to `S_s`;
    `group`: k, the entries of a group."""

    vocabulary: Mapping[str, int]
    states: Matrix
    output: Matrix
    bias: Vector
    own: Vector
    compress: Matrix
    weight: float
    group: int

    def compressed(self, vectors: Matrix) -> Matrix:
        """The compressed vectors of Equation 4: tanh of a linear layer, shape [n, small]."""
        return np.asarray(np.tanh(vectors @ self.compress), dtype=np.float32)

    def types(self, text: str) -> list[int]:
        """The entries of a text's words, without duplicates. The importance is a maximum, so counts do not
        matter."""
        return sorted({self.vocabulary[word] for word in words(text) if word in self.vocabulary})

    def distributions(self) -> Matrix:
        """Equations 5-6 for every word, [vocabulary, vocabulary]. Compute once for all texts."""
        logits = self.states @ self.output.T + self.bias
        np.fill_diagonal(logits, logits.diagonal() + self.own)
        return softmax(logits)

    def importance(self, text: str, distributions: Matrix) -> Vector:
        """Equations 7-8, shape [vocabulary]; zeros for a text without known words."""
        found = self.types(text)
        if not found:
            return np.zeros(len(self.output), dtype=np.float32)
        return np.asarray(distributions[found].max(axis=0), dtype=np.float32)


def softmax(logits: Matrix) -> Matrix:
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), dtype=np.float32)


def keep_largest(importance: Vector, group: int) -> Vector:
    """Equations 9-10: keeps only the largest of each `group` consecutive entries, the first of equals. The
    last group may be shorter."""
    if group <= 1:
        return importance.copy()
    padded = np.full(-(-importance.size // group) * group, -np.inf, dtype=np.float32)
    padded[: importance.size] = importance
    groups = padded.reshape(-1, group)
    places = np.arange(len(groups)) * group + groups.argmax(axis=1)
    kept = np.zeros_like(importance)
    kept[places] = importance[places]
    return kept


def sparse(weights: Vector, least: float = 0.0) -> dict[int, float]:
    """Entries above `least`, in the form of Milvus' SPARSE_FLOAT_VECTOR: {position: weight}."""
    return {int(i): float(weights[i]) for i in np.flatnonzero(weights > least)}


def extremes(importance: Vector, group: int) -> Vector:
    """A document for the approximation of Appendix A.1, which takes its weight at the query's entry to be the
    largest of the group if it stands there, and otherwise the smallest. As an inner product with
    `extremes_asked`: the largest minus the smallest at the place of the largest, and behind the vocabulary an
    entry for each group with its smallest. Shape [vocabulary + groups]."""
    padded = np.full(-(-importance.size // group) * group, np.inf, dtype=np.float32)
    padded[: importance.size] = importance
    smallest = padded.reshape(-1, group).min(axis=1)
    kept = keep_largest(importance, group)
    places = np.flatnonzero(kept)
    kept[places] -= smallest[places // group]
    return np.concatenate([kept, smallest])


def extremes_asked(kept: Vector, group: int) -> Vector:
    """A query for `extremes`. `kept`: from `keep_largest`. Shape [vocabulary + groups]."""
    return np.concatenate([kept, np.add.reduceat(kept, np.arange(0, kept.size, group))])
