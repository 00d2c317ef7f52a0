"""Lexicon-enhanced dense retrieval (UR3WG, section 4.3): a dense score plus a score over the vocabulary.

    S(q, d) = S_s(q, d) + S_l(q, d)

`S_s` is the inner product of compressed sentence vectors (Equation 4). For `S_l`, the state of each token
gives a distribution over the vocabulary, and the importance of a word in a text is the maximum over the
tokens (Equations 5-8). The importances of the query's words are divided into groups of k entries, and only
the largest entry of each group is kept (Equations 9-10). `S_l` is the sum, over these entries, of the query's
importance times the document's (Equation 11): an inner product of sparse vectors. Appendix A.1 approximates
it for large collections: of each group of the document, only the largest entry with its position, and the
smallest entry, are stored (`extremes`).

To run the encoder over a collection for its token states takes days without an accelerator. Here, the state
of a word is the same in every text. It starts as the mean of the sentence vectors of the texts that contain
the word, projected on the principal directions, and is then trained. In a masked language model, the most
likely word of a token is the token's own word; here, this effect is replaced by a learned number that is
added to the word's own logit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..text.words import words
from ..types import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The learned parameters. `vocabulary`: the number of each word; `states`: the state of each word,
    [vocabulary, hidden]; `output`: [vocabulary, hidden], with `bias` [vocabulary]; `own` [vocabulary]: added
    to the logit of the word itself; `compress`: [dimension, small], for queries and documents; `weight`:
    weight of `S_l` relative to `S_s`; `group`: k, the number of entries in a group."""

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
        """The sorted numbers of the words in the text, without duplicates: counts do not matter, because the
        importance is a maximum."""
        return sorted({self.vocabulary[word] for word in words(text) if word in self.vocabulary})

    def distributions(self) -> Matrix:
        """The distribution of every word over the vocabulary by Equations 5-6, shape [vocabulary,
        vocabulary]. Compute it once for all texts."""
        logits = self.states @ self.output.T + self.bias
        np.fill_diagonal(logits, logits.diagonal() + self.own)
        return softmax(logits)

    def importance(self, text: str, distributions: Matrix) -> Vector:
        """The importance of every word for the text by Equations 7-8, shape [vocabulary]; zeros for a text
        without known words."""
        found = self.types(text)
        if not found:
            return np.zeros(len(self.output), dtype=np.float32)
        return np.asarray(distributions[found].max(axis=0), dtype=np.float32)


def softmax(logits: Matrix) -> Matrix:
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True), dtype=np.float32)


def keep_largest(importance: Vector, group: int) -> Vector:
    """Equations 9-10: of each `group` consecutive entries, keeps only the largest, and sets the others to 0.
    Of equal entries, the first is kept. The last group may be shorter."""
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
    """A document's vector for the approximation of Appendix A.1, shape [vocabulary + groups]. At the entry
    that the query keeps in a group, the approximation uses the document's largest entry of the group if it
    has the same position, and otherwise the smallest. To get this as an inner product with `extremes_asked`,
    the vector has, at the position of the largest entry, the largest minus the smallest, and after the
    vocabulary the smallest entry of each group."""
    padded = np.full(-(-importance.size // group) * group, np.inf, dtype=np.float32)
    padded[: importance.size] = importance
    smallest = padded.reshape(-1, group).min(axis=1)
    kept = keep_largest(importance, group)
    places = np.flatnonzero(kept)
    kept[places] -= smallest[places // group]
    return np.concatenate([kept, smallest])


def extremes_asked(kept: Vector, group: int) -> Vector:
    """The query's vector for an inner product with `extremes`, shape [vocabulary + groups]. `kept`: the
    result of `keep_largest`."""
    return np.concatenate([kept, np.add.reduceat(kept, np.arange(0, kept.size, group))])
