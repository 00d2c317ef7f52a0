"""Losses over the scores of one batch of queries against papers.

`scores`: [queries, papers]. `cited`: the same shape, true where the query cites the paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

MIXTURE = 0.7  # mu in UR3WG, Equation 15
MARGIN = 1.0


def group_loss(scores: Tensor, cited: Tensor) -> Tensor:
    """UR3WG, Equation 13: -log of the summed exponentials of all cited papers over those of all papers."""
    ours = scores.masked_fill(~cited, -float("inf")).logsumexp(dim=1)
    return (scores.logsumexp(dim=1) - ours).mean()


def margin_loss(scores: Tensor, cited: Tensor, margin: float = MARGIN) -> Tensor:
    """UR3WG, Equation 14: max(0, margin - s(q, cited) + s(q, other)), the mean over a query's pairs."""
    gaps = margin - scores[:, :, None] + scores[:, None, :]
    pairs = cited[:, :, None] & ~cited[:, None, :]
    total = (gaps.clamp(min=0) * pairs).sum(dim=(1, 2))
    return (total / pairs.sum(dim=(1, 2)).clamp(min=1)).mean()


def mixed_loss(scores: Tensor, cited: Tensor, mixture: float = MIXTURE, margin: float = MARGIN) -> Tensor:
    """UR3WG, Equation 15: mixture * group + (1 - mixture) * margin."""
    return mixture * group_loss(scores, cited) + (1 - mixture) * margin_loss(scores, cited, margin)


def each_loss(scores: Tensor, cited: Tensor) -> Tensor:
    """Each cited paper by itself against all that are not cited: log(1 + sum of exp(other - cited)).

    Equation 13 is content when the easiest of the cited papers is found; recall asks for every one of
    them. Leaving the other cited papers out of the sum keeps them from pushing each other away."""
    others = scores.masked_fill(cited, -float("inf")).logsumexp(dim=1, keepdim=True)
    from torch.nn.functional import softplus

    return softplus(others - scores)[cited].mean()
