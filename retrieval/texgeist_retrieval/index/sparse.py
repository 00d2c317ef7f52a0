"""Sparse vectors of papers' words beside the dense vectors, and their fields in Milvus.

    sparse_words, sparse_lexicon or sparse_extremes    SPARSE_FLOAT_VECTOR, inner product

The vector of a paper is its title and abstract, encoded by the encoder that the field names (see `ENCODERS`).
An index has such a field only if it was made with it (`texgeist index add --sparse …`). A search of the field
finds papers that share words with the draft, whatever their dense vectors. Milvus' own fusion is not used:
the ranker orders the results of both searches afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import IndexMismatch

if TYPE_CHECKING:
    from ..ranking.bm25 import WordStatistics
    from ..ranking.lexicon import Lexicon
    from ..types import Matrix, Paper

PREFIX = "sparse_"  # prefix of the field's name, followed by the encoder's name
# Smaller weights are left out: a softmax yields 6,000 weights, most of them tiny. On `dev`, 111 weights of a
# document and 121 of a query stay; by this score alone, recall is 13.2 % at 20 and 26.2 % at 100 (with all,
# 13.3 and 26.9 %).
LEAST, LEAST_ASKED = 0.03, 0.03
SINCE = 2, 4  # Milvus version; an older server would accept such a collection, but never load it
WORD_SPACE = 1 << 24  # number of hash positions of words
NOTHING: Mapping[int, float] = {WORD_SPACE: 1e-9}  # for texts without words: Milvus stores no empty vector

Sparse = Mapping[int, float]


class SparseEncoder(Protocol):
    """Maps texts to sparse vectors whose inner product is the score."""

    def query(self, text: str) -> Sparse: ...

    def document(self, text: str) -> Sparse: ...


class LexiconEncoder:
    """`S_l` of lexicon-enhanced dense retrieval (UR3WG, Equations 5-11). Raises `BadWeights` if its weights
    are missing."""

    def __init__(self) -> None:
        from ..ranking.storage import require_lexicon

        require_lexicon()

    @cached_property
    def _lexicon(self) -> Lexicon:
        from ..ranking.storage import load_lexicon

        return load_lexicon()

    @cached_property
    def _shares(self) -> Matrix:
        return self._lexicon.distributions()

    def query(self, text: str) -> Sparse:
        from ..ranking.lexicon import keep_largest, sparse

        importance = self._lexicon.importance(text, self._shares)
        return sparse(keep_largest(importance, self._lexicon.group), LEAST_ASKED)

    def document(self, text: str) -> Sparse:
        from ..ranking.lexicon import sparse

        return sparse(self._lexicon.importance(text, self._shares), LEAST)


class ExtremesEncoder(LexiconEncoder):
    """`S_l`, approximated by the largest and smallest weight of each group (UR3WG, Appendix A.1), so that a
    paper has fewer weights."""

    def query(self, text: str) -> Sparse:
        from ..ranking.lexicon import extremes_asked, keep_largest, sparse

        group = self._lexicon.group
        importance = self._lexicon.importance(text, self._shares)
        return sparse(extremes_asked(keep_largest(importance, group), group), LEAST_ASKED)

    def document(self, text: str) -> Sparse:
        from ..ranking.lexicon import extremes, sparse

        importance = self._lexicon.importance(text, self._shares)
        return sparse(extremes(importance, self._lexicon.group), LEAST)


class WordEncoder:
    """BM25 as an inner product. The word counts come from a fixed set of papers instead of the index, so that
    the weights of a paper do not change when others are added."""

    @cached_property
    def _statistics(self) -> WordStatistics:
        from ..ranking.storage import load_words

        return load_words()

    def query(self, text: str) -> Sparse:
        from ..text.words import query_words

        return _by_place(
            {word: weight * self._statistics.idf(word) for word, weight in query_words(text).items()}
        )

    def document(self, text: str) -> Sparse:
        return _by_place(self._statistics.saturated(text))


ENCODERS: Mapping[str, Callable[[], SparseEncoder]] = {
    "words": WordEncoder,
    "lexicon": LexiconEncoder,
    "extremes": ExtremesEncoder,
}


def encoder_of(name: str, place: str) -> SparseEncoder:
    """The encoder with this name. Raises `IndexMismatch` if the index was made with an encoder that this
    version does not know."""
    if name not in ENCODERS:
        raise IndexMismatch(
            f"The index at {place} keeps sparse vectors by “{name}”, which this version of texgeist does not know.",
            f"Known are {' and '.join(ENCODERS)}. Update texgeist, or make another index.",
        )
    return ENCODERS[name]()


def check_asked(asked: str, kept: str, place: str) -> None:
    """Raises `IndexMismatch` if `asked` is another encoder than `kept`, the encoder of the index."""
    if asked and asked != kept:
        raise IndexMismatch(
            f"The index at {place} keeps {f'sparse vectors by “{kept}”' if kept else 'no sparse vectors'}, "
            f"and cannot be given any by “{asked}” now.",
            "Leave the option out, or name another index and fill it anew.",
        )


def kept_in(fields: Iterable[str]) -> str:
    """The name of the encoder that a collection with these fields uses, "" if it has no sparse vectors."""
    return next((name.removeprefix(PREFIX) for name in fields if name.startswith(PREFIX)), "")


def add_field(schema: Any, index: Any, encoder: str) -> None:
    from pymilvus import DataType

    schema.add_field(PREFIX + encoder, DataType.SPARSE_FLOAT_VECTOR)
    index.add_index(PREFIX + encoder, index_type="SPARSE_INVERTED_INDEX", metric_type="IP")


def of_paper(encoder: SparseEncoder, paper: Paper) -> dict[int, float]:
    return dict(encoder.document(f"{paper.title} {paper.abstract}") or NOTHING)


def _by_place(weights: Mapping[str, float]) -> dict[int, float]:
    """The weights by a hash of the word, which is the same on all machines. The weights of words with the
    same hash are added."""
    from zlib import crc32

    found: dict[int, float] = {}
    for word, weight in weights.items():
        place = crc32(word.encode()) % WORD_SPACE
        found[place] = found.get(place, 0.0) + weight
    return found
