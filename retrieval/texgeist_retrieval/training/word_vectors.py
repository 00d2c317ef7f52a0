"""Makes `word_vectors.npz`: a vector for each word, so that abstracts come out where a transformer puts them.

    python -m texgeist_retrieval.training.word_vectors --corpus FILE.jsonl.gz --vectors FILE.npy … \\
      --words FILE.jsonl.gz --minilm FOLDER --out weights

Each word begins as what all-MiniLM-L6-v2 (its published files in FOLDER) makes of it standing alone
(Model2Vec's way), mapped into the principal directions of the abstracts' vectors; then a ridge regression moves the words so
that weighted sums of them agree with those vectors, and leaves those be that the abstracts do not have. `--words`: abstracts
without vectors, of other fields, that say which words there are. Some five minutes of one processor."""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..text.words import words
from ..types import Matrix

MOST_WORDS, FEWEST = 30_000, 4  # vocabulary size; least number of abstracts with the word
DIMENSION, RIDGE, STEPS = 128, 0.5, 30
PIECES = 85  # word pieces in a batch of the transformer


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--corpus", type=Path, action="append", required=True)
    parser.add_argument("--vectors", type=Path, action="append", required=True)
    parser.add_argument("--words", type=Path, action="append", default=[])
    parser.add_argument("--minilm", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    counted = [Counter(words(text)) for path in given.corpus for text in abstracts(path)]
    others = [Counter(words(text)) for path in given.words for text in abstracts(path)]
    targets = np.concatenate([np.load(path).astype(np.float32) for path in given.vectors])
    vocabulary, rarity = vocabulary_of([*counted, *others])
    begun = words_alone(given.minilm, vocabulary)
    table = fit(counted, targets, vocabulary, rarity, begun) * rarity[:, None]
    save(given.out / "word_vectors.npz", vocabulary, table)


def abstracts(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line).get("abstract") or "" for line in file]


def vocabulary_of(counted: Sequence[Counter[str]]) -> tuple[list[str], Matrix]:
    """The most frequent words, and their inverse document frequencies."""
    having: Counter[str] = Counter()
    for text in counted:
        having.update(text.keys())
    kept = [word for word, times in having.most_common(MOST_WORDS) if times >= FEWEST]
    times = np.array([having[word] for word in kept], np.float32)
    return kept, np.log((len(counted) + 1) / (times + 1)).astype(np.float32)


def fit(
    counted: Sequence[Counter[str]], targets: Matrix, vocabulary: Sequence[str], rarity: Matrix, begun: Matrix
) -> Matrix:
    """float32 [words, DIMENSION], without the weight of rarity."""
    centred = targets - targets.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    wanted = centred @ directions[:, ::-1][:, :DIMENSION]
    texts = _matrix(counted, vocabulary, rarity)
    summed = texts @ begun
    mapped = np.linalg.solve(summed.T @ summed + np.eye(summed.shape[1]), summed.T @ wanted)
    table = (begun @ mapped).astype(np.float32)
    return np.asarray(table + _ridge(texts, wanted - texts @ table), dtype=np.float32)


def _ridge(texts: Any, wanted: Matrix) -> Matrix:
    """Solves (X'X + RIDGE) x = X' wanted by conjugate gradients, for all columns at once."""
    turned = texts.T.tocsr()
    rest = turned @ wanted
    found = np.zeros_like(rest)
    way, size = rest.copy(), (rest * rest).sum(axis=0)
    for _ in range(STEPS):
        moved = turned @ (texts @ way) + RIDGE * way
        step = size / ((way * moved).sum(axis=0) + 1e-12)
        found += step * way
        rest -= step * moved
        new = (rest * rest).sum(axis=0)
        way, size = rest + (new / (size + 1e-12)) * way, new
    return np.asarray(found)


def _matrix(counted: Sequence[Counter[str]], vocabulary: Sequence[str], rarity: Matrix) -> Any:
    """Texts by words, rows of length 1."""
    from scipy import sparse

    place = {word: number for number, word in enumerate(vocabulary)}
    cells = [
        (row, place[word], times**0.5 * rarity[place[word]])
        for row, text in enumerate(counted)
        for word, times in text.items()
        if word in place
    ]
    rows, columns, values = zip(*cells, strict=True)
    made = sparse.csr_matrix((np.array(values, np.float32), (rows, columns)), (len(counted), len(vocabulary)))
    lengths = np.sqrt(np.asarray(made.multiply(made).sum(axis=1)).ravel()) + 1e-9
    return (sparse.diags(1 / lengths.astype(np.float32)) @ made).tocsr()


def words_alone(folder: Path, vocabulary: Sequence[str]) -> Matrix:
    """Unit vectors [words, 384]: the mean of the transformer's vectors of a word's pieces."""
    from tokenizers import Tokenizer

    from ..embedding.torch import SentenceTransformersEmbedder

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    pieces = [tokenizer.id_to_token(number) or "" for number in range(tokenizer.get_vocab_size())]
    embedder = SentenceTransformersEmbedder(str(folder), device="cpu", batch=PIECES)
    vectors = embedder.embed_documents([piece.removeprefix("##") for piece in pieces])
    vectors -= vectors.mean(axis=0)
    means = np.stack(
        [
            vectors[encoding.ids].mean(axis=0)
            for encoding in tokenizer.encode_batch(list(vocabulary), add_special_tokens=False)
        ]
    )
    return np.asarray(means / (np.linalg.norm(means, axis=1, keepdims=True) + 1e-9), dtype=np.float32)


def save(path: Path, vocabulary: Sequence[str], table: Matrix) -> None:
    """Stores 8-bit codes with a scale for each word."""
    scaled = table / np.linalg.norm(table, axis=1).mean()
    scales = np.maximum(np.abs(scaled).max(axis=1), 1e-12) / 127
    codes = np.rint(scaled / scales[:, None]).astype(np.int8)
    names = np.frombuffer("\n".join(vocabulary).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, words=names, codes=codes, scales=scales.astype(np.float32))


if __name__ == "__main__":
    main()
