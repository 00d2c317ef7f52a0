"""The loss over the scores of one batch of queries against papers.

`scores`: [queries, papers]. `cited`: the same shape, true where the query cites the paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


def each_loss(scores: Tensor, cited: Tensor) -> Tensor:
    """Each cited paper by itself against all that are not cited: log(1 + sum of exp(other - cited)).

    UR3WG's Equation 13 is content when the easiest of the cited papers is found; recall asks for every one of
    them. Leaving the other cited papers out of the sum keeps them from pushing each other away."""
    others = scores.masked_fill(cited, -float("inf")).logsumexp(dim=1, keepdim=True)
    from torch.nn.functional import softplus

    return softplus(others - scores)[cited].mean()
