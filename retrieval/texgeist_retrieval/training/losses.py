"""Losses for the scores of a batch of queries and papers: UR3WG's Equations 13 to 15, and our `each_loss`.

`scores`: [queries, papers]; `cited`: the same shape, true if the query cites the paper. Every query needs at
least one cited paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

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
