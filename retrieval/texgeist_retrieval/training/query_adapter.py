"""Trains the adapter of query vectors. The vectors of queries and papers stay fixed; all papers of the
collection can be negatives.

To reduce overfitting, each batch uses a new sample of uncited papers, and in each epoch the title of a query
gets a new random weight. The losses (UR3WG's Equations 13 to 15, and `each_loss`) also train the lexicon."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import RetrievalError, with_extra
from ..ranking.query_adapter import TITLE_SHARE, Adapter, with_titles
from ..types import Matrix

if TYPE_CHECKING:
    from torch import Tensor

Report = Callable[[int, int, float], None]  # epoch, number of epochs, mean loss


@dataclass(frozen=True, slots=True)
class AdapterOptions:
    """`sharpness`: initial sharpness of the log-sum-exp, which is learned. `negatives`: number of uncited papers drawn for each
    batch. `loss`: a name in `LOSSES`."""

    facets: int = 4
    epochs: int = 10
    batch: int = 256
    negatives: int = 6000
    rate: float = 7e-4
    decay: float = 1e-2
    sharpness: float = 20.0
    loss: str = "each"
    seed: int = 9


def train_adapter(
    queries: Matrix,
    papers: Matrix,
    cited: Sequence[Sequence[int]],
    options: AdapterOptions = AdapterOptions(),
    report: Report = lambda *_: None,
    titles: Matrix | None = None,
) -> Adapter:
    """Returns the trained adapter. `queries`, `papers`: vectors, unit rows; `cited`: for each query, the row
    numbers of the papers that it cites; `titles`: the vectors of the queries' titles, unit rows. Raises
    `RetrievalError` if torch is missing."""
    torch = import_torch()
    torch.manual_seed(options.seed)
    model = _Model(torch, queries.shape[1], options)
    documents = torch.tensor(papers).bfloat16()
    steps = options.epochs * -(-len(queries) // options.batch)
    optimiser, schedule = _optimiser(torch, model, options, steps)
    for epoch in range(options.epochs):
        random = np.random.default_rng(options.seed * 100 + epoch)
        order = random.permutation(len(queries))
        losses = []
        for start in range(0, len(order), options.batch):
            rows = order[start : start + options.batch]
            shares = random.uniform(0, 2 * TITLE_SHARE, (len(rows), 1)).astype(np.float32)
            asked = with_titles(queries[rows], None if titles is None else titles[rows], shares)
            wanted = [cited[i] for i in rows]
            among, correction = sample(random, wanted, len(papers), options.negatives)
            scores = model.score(torch.tensor(asked), documents[among]) + torch.tensor(correction)
            loss = LOSSES[options.loss](scores, _flags(torch, wanted, among))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            losses.append(float(loss.detach()))
        report(epoch + 1, options.epochs, float(np.mean(losses)))
    return model.export()


def sample(
    random: np.random.Generator, cited: Sequence[Sequence[int]], papers: int, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Draws the papers for which a batch is scored: all cited papers, and `count` others (all others, if
    there are fewer). Returns their sorted row numbers, and a correction to add to each score, by which the
    sample has the weight of all uncited papers."""
    positive = np.unique(np.concatenate([np.asarray(rows, dtype=np.int64) for rows in cited]))
    others = np.setdiff1d(np.arange(papers), positive)
    drawn = random.choice(others, min(count, len(others)), replace=False)
    among = np.sort(np.concatenate([positive, drawn]))
    weight = float(np.log(len(others) / len(drawn))) if len(drawn) else 0.0
    return among, np.where(np.isin(among, positive), 0.0, weight).astype(np.float32)


def import_torch() -> Any:
    try:
        import torch
    except ImportError:
        raise RetrievalError("Training needs PyTorch.", with_extra("torch")) from None
    return torch


class _Model:
    """The parameters of `ranking.query_adapter.Adapter`, as tensors."""

    def __init__(self, torch: Any, size: int, options: AdapterOptions) -> None:
        self._torch = torch
        facets = options.facets
        self.maps = torch.zeros(facets, size, size, requires_grad=True)
        spread = 0.02 if facets > 1 else 0.0  # facets with the same initial values would stay equal
        self.offsets = (spread * torch.randn(facets, size)).requires_grad_()
        self.gates = torch.zeros(facets, requires_grad=True)
        self.log_sharpness = torch.tensor(float(np.log(options.sharpness)), requires_grad=True)

    def score(self, queries: Tensor, documents: Tensor) -> Tensor:
        torch = self._torch
        mapped = queries[:, None] + torch.einsum("nd,mde->nme", queries, self.maps) + self.offsets
        mapped = torch.nn.functional.normalize(mapped, dim=-1)
        count, facets = mapped.shape[:2]
        products = (mapped.flatten(0, 1).bfloat16() @ documents.T).float().view(count, facets, -1)
        return torch.logsumexp(products * self.log_sharpness.exp() + self.gates[None, :, None], dim=1)

    def export(self) -> Adapter:
        maps, scales = quantise(self.maps.detach().numpy())
        sharpness = float(self.log_sharpness.detach().exp())
        return Adapter(maps, scales, self.offsets.detach().numpy(), self.gates.detach().numpy(), sharpness)


def quantise(maps: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The maps as int8, and a scale for each column. This takes a quarter of the size, and the error is below
    the noise of training."""
    scales = np.maximum(np.abs(maps).max(axis=1, keepdims=True), 1e-12) / 127.0
    return np.round(maps / scales).astype(np.int8), scales.astype(np.float32)


def _optimiser(torch: Any, model: _Model, options: AdapterOptions, steps: int) -> tuple[Any, Any]:
    groups = [
        {"params": [model.maps], "weight_decay": options.decay},
        {"params": [model.offsets, model.gates, model.log_sharpness], "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, lr=options.rate)
    warm = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda i: min(1.0, (i + 1) / 10) * (1 - i / steps))
    return optimiser, warm


def _flags(torch: Any, cited: Sequence[Sequence[int]], among: np.ndarray) -> Tensor:
    flags = torch.zeros((len(cited), len(among)), dtype=torch.bool)
    for row, papers in enumerate(cited):
        flags[row, np.searchsorted(among, np.asarray(papers))] = True
    return flags


# Losses for the scores of a batch. `scores`: [queries, papers]; `cited`: the same shape, true if the query cites the
# paper. Every query needs at least one cited paper.
MIXTURE = 0.7  # mu in Equation 15
MARGIN = 1.0  # in Equation 14


def each_loss(scores: Tensor, cited: Tensor) -> Tensor:
    """For each cited paper, log(1 + sum of exp(other - cited)) over all uncited papers; the mean of these
    losses.

    Equation 13 is minimal as soon as the easiest cited paper is ranked first, but recall requires all cited
    papers. The sum contains no other cited papers, so that cited papers do not compete with each other."""
    from torch.nn.functional import softplus

    others = scores.masked_fill(cited, -float("inf")).logsumexp(dim=1, keepdim=True)
    return softplus(others - scores)[cited].mean()


def group_loss(scores: Tensor, cited: Tensor) -> Tensor:
    """Equation 13: -log(sum of exp(score) over the cited papers / sum of exp(score) over all papers)."""
    ours = scores.masked_fill(~cited, -float("inf")).logsumexp(dim=1)
    return (scores.logsumexp(dim=1) - ours).mean()


def pair_loss(scores: Tensor, cited: Tensor, margin: float = MARGIN) -> Tensor:
    """Equation 14: max(0, margin - s(q, cited) + s(q, other)), the mean over the pairs of a query, then over
    the queries."""
    query, paper = cited.nonzero(as_tuple=True)
    gaps = (margin - scores[query, paper][:, None] + scores[query]).clamp(min=0) * ~cited[query]
    pairs = (cited.sum(dim=1) * (~cited).sum(dim=1)).clamp(min=1)
    return (gaps.sum(dim=1) / pairs[query]).sum() / len(scores)


def mixed_loss(scores: Tensor, cited: Tensor) -> Tensor:
    """Equation 15: MIXTURE * group + (1 - MIXTURE) * pair."""
    return MIXTURE * group_loss(scores, cited) + (1 - MIXTURE) * pair_loss(scores, cited)


LOSSES: Mapping[str, Callable[[Tensor, Tensor], Tensor]] = {
    "each": each_loss,
    "group": group_loss,
    "pair": pair_loss,
    "mixed": mixed_loss,
}
