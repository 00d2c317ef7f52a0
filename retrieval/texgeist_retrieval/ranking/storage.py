"""Loads and saves the learned weights. Most files are read only once, on first use."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import RetrievalError, cause
from .bm25 import WordStatistics
from .citation_table import Memory
from .features import Parts
from .lexicon import Lexicon
from .query_adapter import Adapter
from .trees import Trees

ADAPTER, MEMORY, WORDS, TREES = "adapter.npz", "memory.npz", "words.npz", "trees.npz"
LEXICON, VOCABULARY, SENTENCES = "lexicon.npz", "vocabulary.npz", "sentences.npz"
Arrays = Mapping[str, Any]
# For each array, its type in the file, then its type in memory.
_ADAPTER = {"maps": "i1 i1", "scales": "f2 f4", "offsets": "f2 f4", "gates": "f4 f4"}
_MEMORY = {
    "centres": "f2 f4", "sizes": "f4 f4", "keys": "u8 u8", "starts": "i4 i8", "topics": "i2 i4", "weights": "f2 f4",
    "ends": "i4 i8", "citers": "i4 i4",
}  # fmt: skip
_TREES = {
    "roots": "i4 i4", "feature": "i1 i4", "threshold": "f4 f4", "left": "i4 i4", "right": "i4 i4", "value": "f4 f4",
}  # fmt: skip
_LEXICON = {"states": "f2 f4", "output": "f2 f4", "bias": "f2 f4", "own": "f2 f4", "compress": "f2 f4"}


class BadWeights(RetrievalError):
    """A file of weights is missing or invalid."""


@lru_cache(maxsize=4)
def load_adapter(folder: Path | None = None) -> Adapter:
    """Loads the adapter from `folder`, or the shipped adapter if it is None. All functions `load_…` have this
    parameter and raise `BadWeights`."""
    data = _read(ADAPTER, folder)
    return Adapter(**_used(data, _ADAPTER), sharpness=float(data["sharpness"]))


@lru_cache(maxsize=4)
def load_memory(folder: Path | None = None) -> Memory:
    return Memory(**_used(_read(MEMORY, folder), _MEMORY))


@lru_cache(maxsize=1)
def load_vocabulary() -> frozenset[str]:
    """The words that occur in at least four of 31,716 abstracts."""
    return frozenset(bytes(_read(VOCABULARY, None)["words"]).decode().split("\n"))


@lru_cache(maxsize=1)
def load_sentence_weights() -> Mapping[str, float]:
    """The weights by which the writer without a model marks sentences, by the name of their feature."""
    data = _read(SENTENCES, None)
    names = bytes(data["names"]).decode().split("\n")
    return dict(zip(names, data["weights"].astype("f4").tolist(), strict=True))


@lru_cache(maxsize=4)
def load_words(folder: Path | None = None) -> WordStatistics:
    data = _read(WORDS, folder)
    counts = dict(zip(str(data["words"]).split(" "), data["counts"].tolist(), strict=True))
    return WordStatistics(counts, int(data["documents"]), float(data["length"]))


@lru_cache(maxsize=4)
def load_trees(folder: Path | None = None) -> Trees:
    data = _read(TREES, folder)
    names, priors = tuple(json.loads(str(data["names"]))), json.loads(str(data["priors"]))
    return Trees(names=names, priors=priors, deepest=int(data["deepest"]), **_used(data, _TREES))


def load_parts(folder: Path | None = None) -> Parts:
    """The components that compute the features of every ranker."""
    return Parts(load_adapter(folder), load_words(folder), load_memory(folder))


def require_lexicon(folder: Path | None = None) -> None:
    """Raises `BadWeights` if the weights of the lexicon are missing. The wheel does not contain them, because
    the learned ranker finds more than the lexicon does."""
    if folder is None and not (_place(None) / LEXICON).exists():
        raise BadWeights(
            "This installation has no weights of the lexicon: they come with texgeist's source alone.",
            "Use `--sparse words` or another order, which find more, or train the weights: "
            f"`texgeist train --part lexicon --out {_place(None)}`.",
        )


def load_lexicon(folder: Path | None = None) -> Lexicon:
    require_lexicon(folder)
    data = _read(LEXICON, folder)
    words = {word: i for i, word in enumerate(str(data["words"]).split(" "))}
    weight, group = float(data["weight"]), int(data["group"])
    return Lexicon(vocabulary=words, weight=weight, group=group, **_used(data, _LEXICON))


def save_lexicon(folder: Path, lexicon: Lexicon) -> None:
    words = " ".join(sorted(lexicon.vocabulary, key=lexicon.vocabulary.__getitem__))
    numbers = {"weight": np.float32(lexicon.weight), "group": np.int32(lexicon.group)}
    _save(folder, LEXICON, words=np.array(words), **numbers, **_kept(lexicon, _LEXICON))


def save_adapter(folder: Path, adapter: Adapter) -> None:
    _save(folder, ADAPTER, sharpness=np.float32(adapter.sharpness), **_kept(adapter, _ADAPTER))


def save_memory(folder: Path, memory: Memory) -> None:
    _save(folder, MEMORY, **_kept(memory, _MEMORY))


def save_words(folder: Path, words: WordStatistics) -> None:
    ordered = sorted(words.counts)
    _save(
        folder,
        WORDS,
        words=np.array(" ".join(ordered)),
        counts=np.array([words.counts[w] for w in ordered], dtype=np.int32),
        documents=np.int64(words.documents),
        length=np.float64(words.length),
    )


def save_trees(folder: Path, trees: Trees) -> None:
    names, priors = np.array(json.dumps(list(trees.names))), np.array(json.dumps(dict(trees.priors)))
    _save(folder, TREES, names=names, priors=priors, deepest=np.int32(trees.deepest), **_kept(trees, _TREES))


def save_sentence_weights(folder: Path, weights: Mapping[str, float]) -> None:
    names = np.frombuffer("\n".join(weights).encode(), dtype=np.uint8)
    _save(folder, SENTENCES, names=names, weights=np.array(list(weights.values()), dtype=np.float32))


def _used(data: Arrays, types: Mapping[str, str]) -> dict[str, Any]:
    return {name: data[name].astype(both.split()[1]) for name, both in types.items()}


def _kept(value: object, types: Mapping[str, str]) -> dict[str, Any]:
    return {name: getattr(value, name).astype(both.split()[0]) for name, both in types.items()}


def _save(folder: Path, name: str, **arrays: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / name, **arrays)


def _read(name: str, folder: Path | None) -> Arrays:
    path = _place(folder) / name
    try:
        with np.load(path, allow_pickle=False) as data:
            return dict(data)
    except (OSError, ValueError) as error:
        raise _bad(path, error) from None


def _place(folder: Path | None) -> Path:
    return Path(str(files(__package__) / "weights")) if folder is None else folder


def _bad(path: Path, error: Exception) -> BadWeights:
    return BadWeights(
        f"The weights {path} cannot be read: {cause(error)}.", "Make them with `texgeist train`."
    )
