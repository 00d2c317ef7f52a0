"""The citation table: how often papers are cited on a topic, and which papers are cited together, learned
from papers with their citations.

The training abstracts are clustered into topics (k-means over their vectors). The table stores for each cited
paper how often it is cited in each topic, and the numbers of the papers that cite it. A paper is identified
by a hash of its title, so the table contains no text. Scores are shifted so that the 60th percentile of the
known papers is 0; a paper that is not in the table also gets 0."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..types import Matrix, Vector

SHARPNESS = 18.0  # of the softmax from a query to topics
_FLOOR = 1e-4
_NEUTRAL = 60  # percentile of the scores of known candidates that an unknown candidate gets
_LEAST = 5  # fewest known candidates for a comparison
_SHRINK = 2.0  # reduces the value of rarely cited pairs: a single common citation proves little

Keys = NDArray[np.uint64]


def title_key(title: str) -> int:
    """64-bit hash of a title, independent of case, spaces and punctuation."""
    letters = "".join(filter(str.isalnum, title.lower()))
    return int.from_bytes(hashlib.blake2b(letters.encode(), digest_size=8).digest(), "big")


@dataclass(frozen=True, slots=True)
class Recall:
    """Features of n candidates. `share`: log of the share of papers on the query's topics that cite the
    candidate, standardised, 0 if unknown; `count`: log(1 + citations), 0 if unknown; `known`: 1 if the
    candidate is in the table, else 0."""

    share: Vector
    count: Vector
    known: Vector


@dataclass(frozen=True)
class Memory:
    """The citation table. `centres`: unit rows, [topics, dimension]; `sizes`: number of abstracts in each
    topic. `keys` are sorted. The paper with key `keys[i]` is cited in the topics
    `topics[starts[i]:starts[i+1]]`, with the same slice of `weights`, by the papers with the numbers
    `citers[ends[i]:ends[i+1]]`."""

    centres: Matrix
    sizes: Vector
    keys: Keys
    starts: NDArray[np.int64]
    topics: NDArray[np.int32]
    weights: Vector
    ends: NDArray[np.int64]
    citers: NDArray[np.int32]

    @cached_property
    def counts(self) -> Vector:
        """The number of papers that cite each paper."""
        return np.diff(self.ends).astype(np.float32)

    @cached_property
    def list_sizes(self) -> NDArray[np.int64]:
        """The number of papers that each citing paper cites."""
        return np.bincount(self.citers)

    def citing(self, number: int) -> NDArray[np.int32]:
        """The citing papers of the paper with the key `keys[number]`."""
        return self.citers[self.ends[number] : self.ends[number + 1]]

    def find(self, titles: Sequence[str]) -> NDArray[np.int64]:
        """The index in `keys` of each title, -1 for a title that is not in the table."""
        wanted = np.array([title_key(title) for title in titles], dtype=np.uint64)
        if not self.keys.size:
            return np.full(len(titles), -1, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.keys, wanted), self.keys.size - 1)
        return np.where(self.keys[places] == wanted, places, -1)

    def recall(self, query: Vector, numbers: NDArray[np.int64]) -> Recall:
        """The features of the papers with these numbers (see `find`)."""
        known = numbers >= 0
        near = np.exp(SHARPNESS * (self.centres @ query - 1.0))
        total = float(near @ self.sizes)
        shares = np.array([self._share(int(n), near) if n >= 0 else 0.0 for n in numbers]) / max(total, 1e-12)
        counts = np.where(known, np.log1p(self.counts[numbers] if self.keys.size else 0.0), 0.0)
        flags = known.astype(np.float32)
        return Recall(_standard(np.log(shares + _FLOOR), known), counts.astype(np.float32), flags)

    def together(self, numbers: NDArray[np.int64], scores: Vector) -> Vector:
        """How often each candidate i is cited together with the other candidates j: the log of the mean of
        n_ij / (sqrt(n_i n_j) + 2) over j, weighted by `scores`. n_ij is the number of papers that cite both,
        n_i the number that cite i. Standardised as in `recall`; 0 if unknown."""
        known = numbers >= 0
        if known.sum() < _LEAST:
            return np.zeros(numbers.size, dtype=np.float32)
        rows = [self.citing(int(n)) for n in numbers[known]]
        papers, columns = np.unique(np.concatenate(rows), return_inverse=True)
        counts = np.array([len(row) for row in rows])
        table = np.zeros((len(rows), papers.size), dtype=np.float32)
        table[np.repeat(np.arange(len(rows)), counts), columns] = 1.0
        pairs = table @ table.T / (np.sqrt(np.outer(counts, counts)) + _SHRINK)
        np.fill_diagonal(pairs, 0.0)
        weights = np.exp(scores[known] - scores[known].max())
        means = np.zeros(numbers.size)
        means[known] = pairs @ (weights / weights.sum())
        return _standard(np.log(means + _FLOOR), known)

    def _share(self, number: int, near: Vector) -> float:
        part = slice(self.starts[number], self.starts[number + 1])
        return float(near[self.topics[part]] @ self.weights[part])


def _standard(shares: NDArray[np.float64], known: NDArray[np.bool_]) -> Vector:
    if known.sum() < _LEAST:
        return np.zeros(shares.size, dtype=np.float32)
    middle, spread = np.percentile(shares[known], _NEUTRAL), shares[known].std() + 1e-6
    return np.where(known, (shares - middle) / spread, 0.0).astype(np.float32)
