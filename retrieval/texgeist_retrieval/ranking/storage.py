"""What was learned, as files: read once, on first use."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
from .word_vectors import WordVectors

Arrays = Mapping[str, Any]
ADAPTER, MEMORY, WORDS, TREES = "adapter.npz", "memory.npz", "words.npz", "trees.npz"
LEXICON, SHORT, VECTORS = "lexicon.npz", "short.json", "word_vectors.npz"


class BadWeights(RetrievalError):
    """A file of weights is missing or is not what it should be."""


@lru_cache(maxsize=4)
def load_adapter(folder: Path | None = None) -> Adapter:
    """The weights in `folder`, or those that texgeist ships. Raises `BadWeights`."""
    data = _read(ADAPTER, folder)
    return Adapter(
        data["maps"],
        data["scales"].astype(np.float32),
        data["offsets"].astype(np.float32),
        data["gates"].astype(np.float32),
        float(data["sharpness"]),
    )


@lru_cache(maxsize=4)
def load_memory(folder: Path | None = None) -> Memory:
    data = _read(MEMORY, folder)
    return Memory(
        data["centres"].astype(np.float32),
        data["sizes"].astype(np.float32),
        data["keys"].astype(np.uint64),
        data["starts"].astype(np.int64),
        data["topics"].astype(np.int32),
        data["weights"].astype(np.float32),
        data["ends"].astype(np.int64),
        data["citers"].astype(np.int32),
    )


@lru_cache(maxsize=4)
def load_word_vectors(folder: Path | None = None) -> WordVectors:
    """Codes of 8 bits, one scale a word. Raises `BadWeights`."""
    data = _read(VECTORS, folder)
    names = bytes(data["words"]).decode().split("\n")
    table = data["codes"].astype(np.float32) * data["scales"].astype(np.float32)[:, None]
    return WordVectors({word: row for row, word in enumerate(names)}, table)


@lru_cache(maxsize=4)
def load_words(folder: Path | None = None) -> WordStatistics:
    data = _read(WORDS, folder)
    counts = dict(zip(str(data["words"]).split(" "), data["counts"].tolist(), strict=True))
    return WordStatistics(counts, int(data["documents"]), float(data["length"]))


@lru_cache(maxsize=4)
def load_trees(folder: Path | None = None) -> Trees:
    data = _read(TREES, folder)
    return Trees(
        tuple(json.loads(str(data["names"]))),
        data["roots"].astype(np.int32),
        data["feature"].astype(np.int32),
        data["threshold"].astype(np.float32),
        data["left"].astype(np.int32),
        data["right"].astype(np.int32),
        data["value"].astype(np.float32),
        json.loads(str(data["priors"])),
        int(data["deepest"]),
    )


def load_parts(folder: Path | None = None) -> Parts:
    """What the features of every ranker are made with. Raises `BadWeights`."""
    return Parts(load_adapter(folder), load_words(folder), load_memory(folder))


def load_short(folder: Path | None, names: Sequence[str]) -> Mapping[str, float]:
    """The weights of the order for sentences and questions, one for each name. Raises `BadWeights`."""
    path = _place(folder) / SHORT
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return {name: float(found[name]) for name in names}
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise _bad(path, error) from None


def save_short(folder: Path, weights: Mapping[str, float]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({name: round(weight, 4) for name, weight in weights.items()}, indent=2)
    (folder / SHORT).write_text(text + "\n", encoding="utf-8")


def require_lexicon(folder: Path | None = None) -> None:
    """The wheel is without these weights: no ranking uses them. Raises `BadWeights` where they are not."""
    if folder is None and not (_place(None) / LEXICON).exists():
        raise BadWeights(
            "This installation has no weights of the lexicon: they come with texgeist's source alone.",
            "Use `--sparse words`, which finds more, or install from the source (`pip install -e .`).",
        )


def load_lexicon(folder: Path | None = None) -> Lexicon:
    """Raises `BadWeights`."""
    require_lexicon(folder)
    data = _read(LEXICON, folder)
    words = str(data["words"]).split(" ")
    return Lexicon(
        {word: i for i, word in enumerate(words)},
        data["states"].astype(np.float32),
        data["output"].astype(np.float32),
        data["bias"].astype(np.float32),
        data["own"].astype(np.float32),
        data["compress"].astype(np.float32),
        float(data["weight"]),
        int(data["group"]),
    )


def save_lexicon(folder: Path, lexicon: Lexicon) -> None:
    save(
        folder,
        LEXICON,
        words=np.array(" ".join(sorted(lexicon.vocabulary, key=lexicon.vocabulary.__getitem__))),
        states=lexicon.states.astype(np.float16),
        output=lexicon.output.astype(np.float16),
        bias=lexicon.bias.astype(np.float16),
        own=lexicon.own.astype(np.float16),
        compress=lexicon.compress.astype(np.float16),
        weight=np.float32(lexicon.weight),
        group=np.int32(lexicon.group),
    )


def save(folder: Path, name: str, **arrays: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / name, **arrays)


def save_adapter(folder: Path, adapter: Adapter) -> None:
    save(
        folder,
        ADAPTER,
        maps=adapter.maps,
        scales=adapter.scales.astype(np.float16),
        offsets=adapter.offsets.astype(np.float16),
        gates=adapter.gates,
        sharpness=np.float32(adapter.sharpness),
    )


def save_memory(folder: Path, memory: Memory) -> None:
    save(
        folder,
        MEMORY,
        centres=memory.centres.astype(np.float16),
        sizes=memory.sizes,
        keys=memory.keys,
        starts=memory.starts.astype(np.int32),
        topics=memory.topics.astype(np.int16),
        weights=memory.weights.astype(np.float16),
        ends=memory.ends.astype(np.int32),
        citers=memory.citers,
    )


def save_words(folder: Path, words: WordStatistics) -> None:
    ordered = sorted(words.counts)
    save(
        folder,
        WORDS,
        words=np.array(" ".join(ordered)),
        counts=np.array([words.counts[w] for w in ordered], dtype=np.int32),
        documents=np.int64(words.documents),
        length=np.float64(words.length),
    )


def save_trees(folder: Path, trees: Trees) -> None:
    save(
        folder,
        TREES,
        names=np.array(json.dumps(list(trees.names))),
        roots=trees.roots,
        feature=trees.feature.astype(np.int8),
        threshold=trees.threshold,
        left=trees.left,
        right=trees.right,
        value=trees.value,
        priors=np.array(json.dumps(dict(trees.priors))),
        deepest=np.int32(trees.deepest),
    )


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
