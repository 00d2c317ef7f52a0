"""The output layer of `states.py`: a token's state to a distribution over words (UR3WG, Equations 5 and 6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from texgeist_retrieval.ranking.lexicon import softmax
from texgeist_retrieval.training.losses import each_loss
from texgeist_retrieval.training.query_adapter import import_torch
from texgeist_retrieval.types import Matrix, Vector

GROUP = 4  # k of Equation 9
SPREAD = 2.0  # of the logits at the start, standard deviation
PAPERS = 12  # of a query's pool, a step of training
States = Mapping[str, tuple[np.ndarray, Matrix]]


class Pool(Protocol):
    """See `states.Asked`."""

    @property
    def text(self) -> str: ...
    @property
    def texts(self) -> list[str]: ...
    @property
    def cited(self) -> list[int]: ...
    @property
    def dense(self) -> Vector: ...


@dataclass(frozen=True)
class Head:
    """`layer`: [768, 768]; `words`: [vocabulary, 768]; `bias`, `own`: [vocabulary], of every token and of the
    word's own tokens; `place`: of a token's number in the vocabulary, -1 for none."""

    layer: Matrix
    words: Matrix
    bias: Vector
    own: Vector
    place: np.ndarray
    group: int = GROUP

    def importance(self, ids: np.ndarray, states: Matrix) -> Vector:
        """The largest share that any token gives a word (Equations 7 and 8), [vocabulary]."""
        return np.asarray(softmax(self.logits(ids, states)).max(axis=0))

    def logits(self, ids: np.ndarray, states: Matrix) -> Matrix:
        """[tokens, vocabulary]."""
        logits = np.asarray(states.astype(np.float32) @ self.layer @ self.words.T + self.bias, np.float32)
        known = np.flatnonzero(self.place[ids] >= 0)
        own = self.place[ids[known]]
        logits[known, own] += self.own[own]
        return logits


def ridge(embeddings: Matrix, kept: np.ndarray, texts: Sequence[tuple[np.ndarray, Matrix]]) -> Head:
    """The layer that gives back a token's own embedding from its state. By `own` a word's share of its own token
    begins as its inverse document frequency, from 0 to 1, as in `texgeist_retrieval.training.lexicon`: what a
    masked language model's head would know; the rest goes to words of like states."""
    words = embeddings[kept].astype(np.float32)
    words = words - words.mean(axis=0)
    place = np.full(len(embeddings), -1)
    place[kept] = np.arange(len(kept))
    left, right = np.zeros((768, 768)), np.zeros((768, 768))
    frequency = np.zeros(len(kept))
    for ids, states in texts:
        known = place[ids] >= 0
        rows = states[known].astype(np.float32)
        left += rows.T @ rows
        right += rows.T @ words[place[ids[known]]]
        frequency[np.unique(place[ids[known]])] += 1
    layer = np.linalg.solve(left + 1e-2 * np.trace(left) / 768 * np.eye(768), right).astype(np.float32)
    nothing = np.zeros(len(kept), np.float32)
    plain = Head(layer, words, nothing, nothing, place)
    logits = np.vstack([plain.logits(*text) for text in texts[:: max(1, len(texts) // 60)]])
    plain = Head(SPREAD / float(logits.std()) * layer, words, nothing, nothing, place)
    behind, seen = np.zeros(len(kept)), np.zeros(len(kept))
    for ids, states in texts[:: max(1, len(texts) // 400)]:
        known = place[ids] >= 0
        found, own = plain.logits(ids[known], states[known]), place[ids[known]]
        np.add.at(behind, own, np.log(np.exp(found).sum(axis=1)) - found[np.arange(len(own)), own])
        np.add.at(seen, own, 1)
    rarity = np.log(len(texts) / np.maximum(frequency, 1))
    share = np.clip(rarity / rarity.max(), 0.01, 0.98)
    typical = behind.sum() / seen.sum()
    gap = np.where(seen > 0, behind / np.maximum(seen, 1), typical)
    own = (np.log(share / (1 - share)) + gap).astype(np.float32)
    return Head(plain.layer, words, nothing, own, place)


def learned(start: Head, asked: Sequence[Pool], states: States, steps: int, seed: int = 9) -> Head:
    """Trained beside similarity, each cited paper against those of its pool that the query does not cite."""
    torch = import_torch()
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    layer = torch.tensor(start.layer, requires_grad=True)
    bias, extra = (torch.tensor(v, requires_grad=True) for v in (start.bias, start.own))
    words = torch.tensor(start.words)
    sharp, weight = (torch.tensor(np.log(n), dtype=torch.float32, requires_grad=True) for n in (20.0, 1.0))
    rates = [
        {"params": [layer], "lr": 1e-3 * float(np.abs(start.layer).mean())},
        {"params": [bias, extra, sharp, weight], "lr": 1e-2},
    ]
    optimiser = torch.optim.Adam(rates)
    usable = [one for one in asked if one.cited]

    def importance(text: str) -> Any:
        ids, held = states[text]
        logits = torch.tensor(held.astype(np.float32)) @ layer @ words.T + bias
        known = np.flatnonzero(start.place[ids] >= 0)
        own = torch.tensor(start.place[ids[known]])
        added = torch.zeros_like(logits).index_put((torch.tensor(known), own), extra[own])
        return torch.softmax(logits + added, dim=1).max(dim=0).values

    for step in range(steps):
        one = usable[int(chance.integers(len(usable)))]
        others = [n for n in range(len(one.texts)) if n not in one.cited]
        some = [*one.cited[: PAPERS // 2]]
        some += chance.choice(others, PAPERS - len(some), replace=False).tolist()
        asks = importance(one.text)
        size = len(asks)
        padded = torch.nn.functional.pad(asks.detach(), (0, -size % GROUP), value=-1.0).view(-1, GROUP)
        mask = torch.nn.functional.one_hot(padded.argmax(dim=1), GROUP).view(-1)[:size]
        lexical = torch.stack([(asks * mask * importance(one.texts[n])).sum() for n in some])
        scores = sharp.exp() * torch.tensor(one.dense[some], dtype=torch.float32) + weight.exp() * lexical
        flags = torch.tensor([[n in one.cited for n in some]])
        loss = each_loss(scores[None], flags)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 20 == 0:
            print(f"step {step}: loss {float(loss.detach()):.3f}", flush=True)
    layer_, bias_, own_ = (value.detach().numpy() for value in (layer, bias, extra))
    return Head(layer_, start.words, bias_, own_, start.place)
