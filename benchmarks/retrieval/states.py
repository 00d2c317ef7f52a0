"""Lexicon-enhanced dense retrieval by the encoder's own token states (UR3WG, Equations 2, 3 and 5 to 12).

    python -m benchmarks.retrieval.states --folder FOLDER [--data ../shared/data] [--model FOLDER]

The product gives a word one state for all texts (`texgeist_retrieval.ranking.lexicon`); here each token has the
state that its own text gives it. That costs an encoding of every candidate, so the systems are compared in the
pools of the 60 papers nearest to each query: 60 queries of `dev`, DeepScholar's drafts, and 60 training queries
that teach what has to be learned. The states of 7,000 texts take half an hour of one core and 1.4 GB in FOLDER.

The published model has no output layer for Equation 5. Here a token's logits are the inner products of its
state, sent through a linear layer, with the model's own input embeddings of the words (and a number for its own
word); the layer is first fitted so that a state gives back its token's embedding, then trained on the training pools.
"""

from __future__ import annotations

import argparse
import pickle
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.evaluation.collection import unit
from texgeist_retrieval.evaluation.systems import Bench, pool_of
from texgeist_retrieval.ranking.fusion import best, standardise
from texgeist_retrieval.ranking.lexicon import keep_largest
from texgeist_retrieval.ranking.pools import total
from texgeist_retrieval.ranking.storage import load_lexicon
from texgeist_retrieval.types import Matrix, Vector
from texgeist_server.config.storage import data_folder, model_folder

from . import data, sets
from .inputs import embedder_at
from .show import compare
from .token_head import Head, States, learned, ridge

POOL, QUERIES, TOKENS, BATCH = 60, 60, 128, 8
STEPS = {"dev": 3, "train": 9}  # every so manieth query
WEIGHTS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)  # of standardised scores beside another's


@dataclass(frozen=True)
class Asked:
    """A query with its pool. `pool`: rows of the nearest papers; `cited`: places in the pool, `missed`: how many
    cited papers are not in it; `dense`, `full`, `words`: scores of the pool; `text`, `texts`: to encode."""

    text: str
    texts: list[str]
    cited: list[int]
    missed: int
    dense: Vector
    full: Vector
    words: Vector


def pools(bench: Bench, numbers: Sequence[int]) -> list[Asked]:
    lexicon = load_lexicon(bench.weights)
    shares = lexicon.distributions()
    found = []
    for number in numbers:
        topic, similar = bench.collection.topics[number], bench.vectors @ bench.queries[number]
        rows = best(similar, POOL)
        ranked = bench.ranker.score(bench.asked[number], topic.text, pool_of(bench, rows))
        texts = [bench.collection.documents[row].text for row in rows]
        asked = keep_largest(lexicon.importance(topic.text, shares), lexicon.group)
        lexical = np.array([asked @ lexicon.importance(text, shares) for text in texts])
        small = lexicon.compressed(bench.vectors[rows]) @ lexicon.compressed(bench.queries[number][None])[0]
        places = [rows.index(row) for row in topic.cited if row in rows]
        missed = len(topic.cited) - len(places)
        words = small + lexicon.weight * lexical
        found.append(Asked(topic.text, texts, places, missed, similar[rows], total(ranked), words))
    return found


class Encoder:
    """Texts to their tokens' numbers and states, [tokens, 768]; cut at `TOKENS`."""

    def __init__(self, folder: Path, work: Path) -> None:
        import onnx
        import onnxruntime
        from tokenizers import Tokenizer

        graph = onnx.load(str(folder / "model.onnx"))
        # what the pooling multiplies by the mask: the last layer's states
        hidden = next(n for n in reversed(graph.graph.node) if n.op_type == "MatMul").input[1]
        known = {weight.name: weight for weight in graph.graph.initializer}
        self.words: Matrix = onnx.numpy_helper.to_array(known["words"])
        graph.graph.output.append(onnx.helper.make_tensor_value_info(hidden, onnx.TensorProto.FLOAT, None))
        onnx.save(graph, str(work / "states.onnx"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(work / "states.onnx"), options)
        self._hidden = hidden
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=TOKENS)

    def states(self, texts: Sequence[str]) -> dict[str, tuple[np.ndarray, Matrix]]:
        """By text; in float16, those of like length together."""
        numbers = {text: self._tokenizer.encode(text).ids for text in dict.fromkeys(texts)}
        order = sorted(numbers, key=lambda text: len(numbers[text]))
        kept: dict[str, tuple[np.ndarray, Matrix]] = {}
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            ids = np.ones((len(some), max(len(numbers[text]) for text in some)), np.int64)
            mask = np.zeros_like(ids)
            for row, text in enumerate(some):
                ids[row, : len(numbers[text])] = numbers[text]
                mask[row, : len(numbers[text])] = 1
            (found,) = self._session.run([self._hidden], {"input_ids": ids, "attention_mask": mask})
            for row, text in enumerate(some):
                size = len(numbers[text])
                kept[text] = np.array(numbers[text], np.int32), found[row, :size].astype(np.float16)
        return kept


def remembered(path: Path, make: Callable[[], Any]) -> Any:
    if not path.exists():
        path.write_bytes(pickle.dumps(make(), protocol=5))
    return pickle.loads(path.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--model", type=Path)
    parser.add_argument("--steps", type=int, default=200)
    given = parser.parse_args()
    embedder = embedder_at(given.model)
    asked = remembered(given.folder / "asked.pkl", lambda: all_asked(given.data, lambda: embedder))
    encoder = Encoder(given.model or model_folder(data_folder()), given.folder)
    texts = [text for some in asked.values() for one in some for text in (one.text, *one.texts)]
    started = time.monotonic()
    states = remembered(given.folder / "states.pkl", lambda: encoder.states(texts))
    print(
        f"{len(states):,} texts, {sum(len(i) for i, _ in states.values()):,} tokens, {time.monotonic() - started:.0f} s"
    )
    kept = vocabulary([states[text][0] for text in dict.fromkeys(t for o in asked["train"] for t in o.texts)])
    print(f"{len(kept):,} words")
    begun = ridge(encoder.words, kept, [states[text] for one in asked["train"] for text in one.texts])
    heads = {"as fitted": begun, "trained": learned(begun, asked["train"], states, given.steps)}
    scored = {
        name: {of: scores(some, states, head) for of, some in asked.items()} for name, head in heads.items()
    }
    scored["late interaction"] = {of: [late(one, states) for one in some] for of, some in asked.items()}
    for name in ("dev", "drafts"):
        show(name, asked, scored)


def all_asked(given: Path, embedder: Callable[[], Any]) -> dict[str, list[Asked]]:
    found = {}
    for name, step in STEPS.items():
        bench = data.bench_of(given, name)
        numbers = range(0, step * QUERIES, step)
        bench.titles = np.zeros_like(bench.queries)
        bench.titles[numbers] = unit(
            embedder().embed_documents([bench.collection.topics[n].title for n in numbers])
        )
        found[name] = pools(bench, numbers)
    drafts = sets.drafts(given, embedder)
    found["drafts"] = pools(drafts, range(len(drafts.collection.topics)))
    return found


def vocabulary(texts: Sequence[np.ndarray], least: int = 10) -> np.ndarray:
    """Numbers of the tokens that stand in so many texts; what stands in nearly all marks no text."""
    found = Counter(int(token) for text in texts for token in set(text.tolist()))
    return np.array(sorted(token for token, n in found.items() if least <= n < 0.95 * len(texts)))


def scores(some: Sequence[Asked], states: States, head: Head) -> list[Vector]:
    """`S_l` of each pool (Equations 5 to 11)."""
    texts = dict.fromkeys(text for one in some for text in one.texts)
    held = {text: head.importance(*states[text]) for text in texts}
    asked = [keep_largest(head.importance(*states[one.text]), head.group) for one in some]
    return [
        np.array([weights @ held[text] for text in one.texts])
        for weights, one in zip(asked, some, strict=True)
    ]


def late(one: Asked, states: States) -> Vector:
    """Each of the query's tokens by its most similar one in the paper (late interaction), their mean."""
    asked = directions(states[one.text][1])
    return np.array([(asked @ directions(states[text][1]).T).max(axis=1).mean() for text in one.texts])


def directions(rows: Matrix) -> Matrix:
    rows = rows.astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def show(name: str, asked: dict[str, list[Asked]], scored: dict[str, dict[str, list[Vector]]]) -> None:
    """Weights beside the nearest's order are those best at 20 on the training pools; beside `full`, which has
    learned from these, on the other set of queries."""
    some, other = asked[name], {"dev": "drafts", "drafts": "dev"}[name]
    cited = [[*one.cited, *range(-1, -1 - one.missed, -1)] for one in some]
    orders = {
        "dense": ordered([one.dense for one in some]),
        "lexicon, one state a word": ordered([one.words for one in some]),
        "full": ordered([one.full for one in some]),
    }
    for kind, found in scored.items():
        orders[kind] = ordered(found[name])
        for base, taught in (("dense", "train"), ("full", other)):
            weight = best_weight(asked[taught], base, found[taught])
            orders[f"{base} + {weight:g} {kind}"] = ordered(mixed(some, base, found[name], weight))
    print(f"\n{name}: {len(some)} queries, {sum(o.missed == 0 for o in some)} with all they cite in the pool")
    compare(orders, cited)
    print("paired with full:")
    compare({key: orders[key] for key in orders if key.startswith("full")}, cited)


def ordered(scores_: Sequence[Vector]) -> list[list[int]]:
    return [np.argsort(-row, kind="stable").tolist() for row in scores_]


def mixed(some: Sequence[Asked], base: str, found: Sequence[Vector], weight: float) -> list[Vector]:
    return [
        standardise(getattr(one, base)) + weight * standardise(row)
        for one, row in zip(some, found, strict=True)
    ]


def best_weight(some: Sequence[Asked], base: str, found: Sequence[Vector]) -> float:
    """Of `WEIGHTS`, by the mean recall at 20 of what is in the pool."""

    def recall(weight: float) -> float:
        orders = ordered(mixed(some, base, found, weight))
        return float(
            np.mean(
                [
                    len(set(o[:20]) & set(one.cited)) / (len(one.cited) + one.missed)
                    for o, one in zip(orders, some, strict=True)
                ]
            )
        )

    return max(WEIGHTS, key=recall)


if __name__ == "__main__":
    main()
