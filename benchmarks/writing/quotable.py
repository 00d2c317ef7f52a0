"""Which sentence of an abstract says, alone in quotation marks, what its paper did or found.

    python -m benchmarks.writing.quotable [--data ../shared/data] [--out FOLDER]

`quotable.txt` has a line for each of 426 abstracts of all fields of arXiv and of NeurIPS: the id, and for each of its
sentences a mark by a reader who saw it as the notes quote it: 0 (background, leans on other sentences, or only
figures), 1, 2 (good), 3 (the most informative of several good ones), or "." if it cannot be quoted or was not
marked (73 abstracts were chosen for reports of similar marks, and only these were marked). Prints how good the
sentence with the highest mark is, by abstracts left out of the fit in turn. `--out` writes the weights, fitted to all abstracts."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from texgeist_retrieval.ranking.storage import save_sentence_weights
from texgeist_retrieval.text.sentences import clean, split_sentences
from texgeist_retrieval.types import Matrix, Vector
from texgeist_retrieval.writing.extractive.key_sentences import LEAST_MARK, features

from .data import json_lines

WORDS = 400  # the most frequent words and pairs of words of the collections; others are subjects
COUNTED = 2_500  # abstracts of the collections in which they are counted
PENALTY = 100.0  # of the ridge regression
PARTS = 6  # of the cross-validation
Features = Sequence[Mapping[str, float]]


@dataclass(frozen=True)
class Marked:
    features: Features
    marks: Vector


def read(data: Path) -> tuple[list[Marked], list[Features]]:
    """The marked abstracts, and others in which words are counted."""
    lines = Path(__file__).with_name("quotable.txt").read_text(encoding="utf-8").splitlines()
    marks = dict(line.split() for line in lines)
    marked, others = list[Marked](), list[Features]()
    for id, title, abstract in _abstracts(data):
        if id not in marks and len(others) == COUNTED:
            continue
        each = features(split_sentences(clean(abstract)), title)
        if id in marks:
            given = [(e, float(m)) for e, m in zip(each, marks[id], strict=True) if m != "."]
            marked.append(Marked([e for e, _ in given], np.array([m for _, m in given], np.float32)))
        else:
            others.append(each)
    return marked, others


def _abstracts(data: Path) -> Iterator[tuple[str, str, str]]:
    for row in json_lines(data / "arxiv" / "records.jsonl.gz"):
        yield row["id"], row["title"], row["abstract"]
    for row in json_lines(data / "citations" / "train-corpus.jsonl.gz"):
        yield f"nips:{row['doc']}", row["title"], row["abstract"]


def fit(marked: Sequence[Marked], names: Sequence[str]) -> dict[str, float]:
    x, y = (
        table([e for one in marked for e in one.features], names),
        np.concatenate([m.marks for m in marked]),
    )
    penalty = PENALTY * np.eye(len(names), dtype=np.float32)
    penalty[names.index("=1"), names.index("=1")] = 0
    return dict(zip(names, np.linalg.solve(x.T @ x + penalty, x.T @ y).tolist(), strict=True))


def table(features: Features, names: Sequence[str]) -> Matrix:
    return np.array([[each.get(name, 0.0) for name in names] for each in features], np.float32)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    marked, others = read(given.data)
    counts = Counter(name for each in others for one in each for name in one if name[0] != "=")
    names = [
        *(name for name in marked[0].features[0] if name[0] == "="),
        *(n for n, _ in counts.most_common(WORDS)),
    ]
    chosen = list[tuple[float, float]]()
    places = np.random.default_rng(0).permutation(len(marked)) % PARTS
    for part in range(PARTS):
        weights = fit([m for m, place in zip(marked, places, strict=True) if place != part], names)
        for one in (m for m, place in zip(marked, places, strict=True) if place == part):
            guessed = table(one.features, names) @ np.array(list(weights.values()), np.float32)
            chosen.append((float(guessed.max()), float(one.marks[guessed.argmax()])))
    print(f"{len(marked)} abstracts, {sum(len(m.marks) for m in marked)} sentences; best possible mean "
          f"{np.mean([m.marks.max() for m in marked]):.2f}")  # fmt: skip
    for name, some in (
        ("all", chosen),
        (f"mark of at least {LEAST_MARK}", [c for c in chosen if c[0] >= LEAST_MARK]),
        ("lower mark", [c for c in chosen if c[0] < LEAST_MARK]),
    ):
        marks = np.array([mark for _, mark in some])
        print(f"{name}: {len(some)} sentences, mean {marks.mean():.2f}, bad {(marks == 0).mean():.0%}, "
              f"good {(marks >= 2).mean():.0%}")  # fmt: skip
    if given.out:
        save_sentence_weights(given.out, fit(marked, names))


if __name__ == "__main__":
    main()
