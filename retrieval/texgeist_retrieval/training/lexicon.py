"""Trains lexicon-enhanced dense retrieval (UR3WG, section 4.3.3) on frozen sentence vectors.

Equation 15's loss, with negatives from the batch and hard ones from the collection: the papers nearest to
the query that it does not cite. Runs on a CPU, takes a GPU where there is one, and goes on from its last
checkpoint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..evaluation.collection import Collection
from ..ports import Monitor
from ..ranking.lexicon import Lexicon
from ..ranking.storage import save_lexicon
from ..ranking.words import words
from ..types import Matrix
from .adapter import import_torch
from .losses import mixed_loss

if TYPE_CHECKING:
    from torch import Tensor

    from .run import Material

CHECKPOINT = "lexicon.pt"


@dataclass(frozen=True, slots=True)
class LexiconOptions:
    """`vocabulary`: the words in most texts; `group`: k of Equation 9; `cited`, `hard`: papers of each
    query in a batch, cited ones and hard negatives."""

    vocabulary: int = 3000
    hidden: int = 64
    small: int = 256
    group: int = 4
    batch: int = 12
    cited: int = 4
    hard: int = 4
    steps: int = 60
    rate: float = 2e-3
    every: int = 15  # steps between checkpoints
    seed: int = 9


class LexiconModel:
    """The tensors of `ranking.lexicon.Lexicon`."""

    def __init__(self, torch: Any, states: Matrix, compress: Matrix, group: int, device: str) -> None:
        self.torch, self.group, self.device = torch, group, device
        self.parameters = {
            "states": torch.tensor(6.0 * states),
            "output": torch.tensor(6.0 * states),
            "bias": torch.zeros(len(states)),
            "compress": torch.tensor(compress),
            "log_sharpness": torch.tensor(3.0),
            "log_weight": torch.tensor(1.0),
        }
        for name, value in self.parameters.items():
            self.parameters[name] = value.to(device).requires_grad_()

    def dense(self, queries: Tensor, papers: Tensor) -> Tensor:
        """Equation 4, with a learned sharpness; [queries, papers]."""
        compress = self.parameters["compress"]
        left, right = self.torch.tanh(queries @ compress), self.torch.tanh(papers @ compress)
        return self.parameters["log_sharpness"].exp() * left @ right.T

    def importances(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """Equations 5-8; [texts, vocabulary]. Each word of the batch is projected once."""
        torch = self.torch
        present = sorted({i for text in texts for i in text})
        place = {entry: row for row, entry in enumerate(present)}
        rows = self.parameters["states"][torch.tensor(present, device=self.device)]
        shares = torch.softmax(rows @ self.parameters["output"].T + self.parameters["bias"], dim=-1)
        nothing = torch.zeros(shares.shape[1], device=self.device)
        return torch.stack([shares[[place[i] for i in t]].amax(0) if t else nothing for t in texts])

    def lexical(self, queries: Tensor, papers: Tensor) -> Tensor:
        """Equations 9-11 on importances, with a learned weight; [queries, papers]."""
        kept = queries * largest_of_groups(self.torch, queries, self.group)
        return self.parameters["log_weight"].exp() * kept @ papers.T

    def export(self, vocabulary: dict[str, int]) -> Lexicon:
        value = {name: p.detach().cpu().numpy() for name, p in self.parameters.items()}
        sharpness, weight = np.exp(value["log_sharpness"]), np.exp(value["log_weight"])
        return Lexicon(
            vocabulary,
            value["states"],
            value["output"],
            value["bias"],
            value["compress"],
            float(weight / sharpness),
            self.group,
        )


def largest_of_groups(torch: Any, importance: Tensor, group: int) -> Tensor:
    """Equations 9-10 as a mask of ones and zeros; the choice itself carries no gradient."""
    count, size = importance.shape
    padded = torch.nn.functional.pad(importance.detach(), (0, -size % group), value=-1.0)
    inside = padded.view(count, -1, group).argmax(dim=-1, keepdim=True)
    mask = torch.zeros(count, padded.shape[1] // group, group, device=importance.device)
    return mask.scatter_(-1, inside, 1.0).view(count, -1)[:, :size]


def train_lexicon(material: Material, folder: Path, options: LexiconOptions, monitor: Monitor) -> Lexicon:
    """Writes `lexicon.npz` into `folder`. Raises `RetrievalError` without torch."""
    torch = import_torch()
    torch.manual_seed(options.seed)
    collection = material.collection
    vocabulary = choose_words(collection, options.vocabulary)
    texts = [_types(d.text, vocabulary) for d in collection.documents]
    asked = [_types(t.text, vocabulary) for t in collection.topics]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    states = word_states(texts, material.papers, len(vocabulary), options.hidden)
    model = LexiconModel(torch, states, _compression(material.papers, options.small), options.group, device)
    optimiser = torch.optim.Adam(model.parameters.values(), lr=options.rate)
    done = _resume(torch, folder, model, optimiser)
    hard = _hard_negatives(material, 50)
    for step in range(done, options.steps):
        monitor.check()
        loss = _step(model, material, texts, asked, hard, options, step)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        monitor.report(f"Lexicon: loss {float(loss.detach()):.3f}", step + 1, options.steps)
        if (step + 1) % options.every == 0 or step + 1 == options.steps:
            _checkpoint(torch, folder, model, optimiser, step + 1)
    lexicon = model.export(vocabulary)
    save_lexicon(folder, lexicon)
    return lexicon


def choose_words(collection: Collection, count: int) -> dict[str, int]:
    """The `count` words that stand in most papers, by number."""
    found = Counter(word for d in collection.documents for word in set(words(d.text)))
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return {word: i for i, (word, _) in enumerate(ordered[:count])}


def word_states(texts: Sequence[Sequence[int]], vectors: Matrix, count: int, hidden: int) -> Matrix:
    """Of each word the centre of its texts' vectors, less that of all, in the `hidden` main directions;
    unit rows."""
    sums = np.zeros((count, vectors.shape[1]), dtype=np.float32)
    times = np.zeros(count, dtype=np.float32)
    for row, text in enumerate(texts):
        sums[text] += vectors[row]
        times[text] += 1
    centred = sums / np.maximum(times, 1)[:, None] - vectors.mean(axis=0)
    centred /= np.maximum(np.linalg.norm(centred, axis=1, keepdims=True), 1e-9)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    states = centred @ directions[:hidden].T
    return np.asarray(states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), 1e-9), np.float32)


def _compression(vectors: Matrix, small: int) -> Matrix:
    """The main directions of the papers, scaled so that tanh starts near its linear part."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    return np.ascontiguousarray(2.0 * directions[:, ::-1][:, :small], dtype=np.float32)


def _types(text: str, vocabulary: dict[str, int]) -> list[int]:
    return sorted({vocabulary[word] for word in words(text) if word in vocabulary})


def _hard_negatives(material: Material, count: int) -> list[np.ndarray]:
    found = []
    for query, topic in zip(material.queries, material.collection.topics, strict=True):
        order = np.argsort(-(material.papers @ query))[: count + len(topic.cited)]
        found.append(order[~np.isin(order, topic.cited)][:count])
    return found


def _step(
    model: LexiconModel,
    material: Material,
    texts: Sequence[Sequence[int]],
    asked: Sequence[Sequence[int]],
    hard: Sequence[np.ndarray],
    options: LexiconOptions,
    step: int,
) -> Tensor:
    torch, random = model.torch, np.random.default_rng((options.seed, step))
    topics = random.choice(len(asked), size=min(options.batch, len(asked)), replace=False)
    papers: list[int] = []
    for i in topics:
        cited = material.collection.topics[i].cited
        papers += random.choice(cited, size=min(options.cited, len(cited)), replace=False).tolist()
        papers += random.choice(hard[i], size=min(options.hard, len(hard[i])), replace=False).tolist()
    rows = sorted(set(papers))
    flags = np.stack([np.isin(rows, material.collection.topics[i].cited) for i in topics])

    def put(rows_of: np.ndarray) -> Tensor:
        return torch.tensor(rows_of, device=model.device)

    scores = model.dense(put(material.queries[topics]), put(material.papers[rows]))
    found = model.importances([*(asked[i] for i in topics), *(texts[r] for r in rows)])
    scores = scores + model.lexical(found[: len(topics)], found[len(topics) :])
    return mixed_loss(scores, put(flags))


def _checkpoint(torch: Any, folder: Path, model: LexiconModel, optimiser: Any, step: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    state = {"parameters": model.parameters, "optimiser": optimiser.state_dict(), "step": step}
    torch.save(state, folder / f"{CHECKPOINT}.part")
    (folder / f"{CHECKPOINT}.part").replace(folder / CHECKPOINT)


def _resume(torch: Any, folder: Path, model: LexiconModel, optimiser: Any) -> int:
    path = folder / CHECKPOINT
    if not path.exists():
        return 0
    state = torch.load(path, map_location=model.device)
    with torch.no_grad():
        for name, value in state["parameters"].items():
            model.parameters[name].copy_(value)
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"])
