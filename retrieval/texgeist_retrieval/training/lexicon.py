"""Trains lexicon-enhanced dense retrieval (UR3WG, section 4.3.3) on frozen sentence vectors.

The negatives of a query are the other papers of the batch, and hard negatives: the nearest papers that the
query does not cite. Training runs on a GPU if there is one, else on the CPU (10 minutes).

By default, the loss is computed for each cited paper separately, unlike Equation 15 (see `query_adapter`). With
Equation 15 (600 steps, higher learning rate of the compression), recall@20 on `dev` was 29.3 %, and 31.3 %
for papers that no training query cites. With separate losses and a low learning rate of the compression (400
steps) it was 30.3 % and 38.3 %, and with plain search 27.3 % and 32.7 %."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ports import Monitor
from ..ranking.lexicon import Lexicon
from ..ranking.storage import save_lexicon
from ..text.words import words
from ..types import Matrix, Vector
from .collection import CitationCollection
from .query_adapter import LOSSES, import_torch

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, slots=True)
class LexiconOptions:
    """`vocabulary`: number of words (the most frequent are used); `group`: k of Equation 9; `cited`, `hard`:
    numbers of cited papers and hard negatives of each query in a batch; `rate`: learning rate of the words;
    `compress_rate`: learning rate of the compression, lower because the compression starts with good values
    and overfits fast; `loss`: a name in `LOSSES`."""

    vocabulary: int = 6000
    hidden: int = 64
    small: int = 256
    group: int = 4
    batch: int = 16
    cited: int = 5
    hard: int = 5
    steps: int = 400
    rate: float = 1e-3
    compress_rate: float = 2e-5
    seed: int = 9
    loss: str = "each"


@dataclass(frozen=True, slots=True)
class Start:
    """The initial values. With these, the score is the similarity of the vectors plus the number of shared
    words, weighted by their rarity."""

    states: Matrix
    own: Vector
    compress: Matrix


_RELATED = 12.0  # logit of another word with cosine 1
_STRETCH = 2.0  # keeps tanh close to linear
_SHARP, _WEIGHT = 20.0, 1.2  # initial scales of cosines and of `S_l`


class LexiconModel:
    """The parameters of `ranking.lexicon.Lexicon`, as tensors."""

    def __init__(self, torch: Any, start: Start, group: int, device: str) -> None:
        self.torch, self.group, self.device = torch, group, device
        scaled = _RELATED**0.5 * start.states
        self.parameters = {
            "states": torch.tensor(scaled),
            "output": torch.tensor(scaled),
            "bias": torch.zeros(len(scaled)),
            "own": torch.tensor(start.own),
            "compress": torch.tensor(start.compress),
            "log_sharpness": torch.tensor(math.log(_SHARP)),
            "log_weight": torch.tensor(math.log(_WEIGHT)),
        }
        for name, value in self.parameters.items():
            self.parameters[name] = value.to(device).requires_grad_()

    def dense(self, queries: Tensor, papers: Tensor) -> Tensor:
        """The scores by Equation 4 of UR3WG, times a learned sharpness. Shape [queries, papers]."""
        compress = self.parameters["compress"]
        left, right = self.torch.tanh(queries @ compress), self.torch.tanh(papers @ compress)
        return self.parameters["log_sharpness"].exp() * left @ right.T / _STRETCH**2

    def importances(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """The importances by Equations 5-8, shape [texts, vocabulary]. The distribution of each word of the
        batch is computed once."""
        torch = self.torch
        present = np.unique(np.concatenate([np.asarray(t, dtype=np.int64) for t in texts]))
        rows = torch.tensor(present, device=self.device)
        logits = self.parameters["states"][rows] @ self.parameters["output"].T + self.parameters["bias"]
        own = torch.zeros_like(logits).scatter(1, rows[:, None], self.parameters["own"][rows][:, None])
        shares = torch.softmax(logits + own, dim=-1)
        width, values = shares.shape[1], shares.detach()
        places = [torch.tensor(np.searchsorted(present, t), device=self.device) for t in texts]
        nothing = torch.full((width,), -1, device=self.device)
        winners = torch.stack([p[values[p].argmax(0)] if len(p) else nothing for p in places])
        flat = winners.clamp(min=0) * width + torch.arange(width, device=self.device)
        return shares.view(-1)[flat] * (winners >= 0)

    def lexical(self, queries: Tensor, papers: Tensor) -> Tensor:
        """The scores by Equations 9-11 from importances, times a learned weight. Shape [queries, papers]."""
        kept = queries * largest_of_groups(self.torch, queries, self.group)
        return self.parameters["log_weight"].exp() * kept @ papers.T

    def export(self, vocabulary: dict[str, int]) -> Lexicon:
        value = {name: p.detach().cpu().numpy() for name, p in self.parameters.items()}
        sharpness, weight = np.exp(value["log_sharpness"]) / _STRETCH**2, np.exp(value["log_weight"])
        return Lexicon(
            vocabulary,
            _coarse(value["states"], 64),
            _coarse(value["output"], 64),
            value["bias"],
            value["own"],
            _coarse(value["compress"], 4096),
            float(weight / sharpness),
            self.group,
        )


def _coarse(values: Matrix, steps: int) -> Matrix:
    """The values rounded to multiples of 1/`steps`. This changes logits by about 0.02, and halves the file
    size."""
    return np.asarray(np.round(values * steps) / steps, dtype=np.float32)


def largest_of_groups(torch: Any, importance: Tensor, group: int) -> Tensor:
    """The selection of Equations 9-10 as a mask of ones and zeros. The mask has no gradient."""
    count, size = importance.shape
    padded = torch.nn.functional.pad(importance.detach(), (0, -size % group), value=-1.0)
    inside = padded.view(count, -1, group).argmax(dim=-1, keepdim=True)
    mask = torch.zeros(count, padded.shape[1] // group, group, device=importance.device)
    return mask.scatter_(-1, inside, 1.0).view(count, -1)[:, :size]


def train_lexicon(
    collection: CitationCollection, folder: Path, options: LexiconOptions, monitor: Monitor
) -> Lexicon:
    """Trains the lexicon, writes it into `folder` and returns it. Raises `RetrievalError` if torch is
    missing."""
    torch = import_torch()
    torch.manual_seed(options.seed)
    vocabulary = choose_words(collection, options.vocabulary)
    texts = [_types(d.text, vocabulary) for d in collection.documents]
    asked = [_types(t.text, vocabulary) for t in collection.topics]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    start = beginning(texts, collection.vectors, len(vocabulary), options)
    model = LexiconModel(torch, start, options.group, device)
    optimiser = torch.optim.Adam(
        [
            {"params": [p for name, p in model.parameters.items() if name != "compress"], "lr": options.rate},
            {"params": [model.parameters["compress"]], "lr": options.compress_rate},
        ]
    )
    hard = _hard_negatives(collection, 50)
    for step in range(options.steps):
        monitor.check()
        loss = _step(model, collection, texts, asked, hard, options, step)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        monitor.report(f"Lexicon: loss {float(loss.detach()):.3f}", step + 1, options.steps)
    lexicon = model.export(vocabulary)
    save_lexicon(folder, lexicon)
    return lexicon


def choose_words(collection: CitationCollection, count: int) -> dict[str, int]:
    """The number of each word of the vocabulary: the `count` words that occur in most papers."""
    found = Counter(word for d in collection.documents for word in set(words(d.text)))
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return {word: i for i, (word, _) in enumerate(ordered[:count])}


def beginning(texts: Sequence[Sequence[int]], vectors: Matrix, count: int, options: LexiconOptions) -> Start:
    """The initial values. In the distribution of a word, the share of the word itself is its inverse document
    frequency, scaled to 0 to 1; the rest is distributed among words of similar texts."""
    states = word_states(texts, vectors, count, options.hidden)
    frequency = np.bincount(np.concatenate([np.asarray(t, dtype=np.int64) for t in texts]), minlength=count)
    rarity = np.log(len(texts) / np.maximum(frequency, 1))
    share = np.clip(rarity / max(float(rarity.max()), 1e-9), 0.01, 0.98)
    logits = _RELATED * (states @ states.T)
    others = np.log(np.maximum(np.exp(logits).sum(axis=1) - np.exp(logits.diagonal()), 1e-9))
    own = np.log(share / (1 - share)) + others - logits.diagonal()
    return Start(states, own.astype(np.float32), _compression(vectors, options.small))


def word_states(texts: Sequence[Sequence[int]], vectors: Matrix, count: int, hidden: int) -> Matrix:
    """The state of each word: the mean vector of the texts that contain the word, minus the mean vector of
    all texts, projected on the first `hidden` principal directions. Unit rows, shape [count, hidden]."""
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
    """The initial compression: the principal directions of the papers' vectors, scaled so that tanh is close
    to linear. Shape [dimension, small]."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    return np.ascontiguousarray(_STRETCH * directions[:, ::-1][:, :small], dtype=np.float32)


def _types(text: str, vocabulary: dict[str, int]) -> list[int]:
    return sorted({vocabulary[word] for word in words(text) if word in vocabulary})


def _hard_negatives(collection: CitationCollection, count: int) -> list[np.ndarray]:
    found = []
    for query, topic in zip(collection.queries, collection.topics, strict=True):
        order = np.argsort(-(collection.vectors @ query))[: count + len(topic.cited)]
        found.append(order[~np.isin(order, topic.cited)][:count])
    return found


def _step(
    model: LexiconModel,
    collection: CitationCollection,
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
        cited = collection.topics[i].cited
        papers += random.choice(cited, size=min(options.cited, len(cited)), replace=False).tolist()
        papers += random.choice(hard[i], size=min(options.hard, len(hard[i])), replace=False).tolist()
    rows = sorted(set(papers))
    flags = np.stack([np.isin(rows, collection.topics[i].cited) for i in topics])

    def put(rows_of: np.ndarray) -> Tensor:
        return torch.tensor(rows_of, device=model.device)

    scores = model.dense(put(collection.queries[topics]), put(collection.vectors[rows]))
    found = model.importances([*(asked[i] for i in topics), *(texts[r] for r in rows)])
    scores = scores + model.lexical(found[: len(topics)], found[len(topics) :])
    return LOSSES[options.loss](scores, put(flags))
