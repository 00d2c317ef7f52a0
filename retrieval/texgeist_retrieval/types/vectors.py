"""Array types by shape. The language server uses types that hold them, and does not need to import numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]  # shape [dimension]
    Matrix = NDArray[np.float32]  # shape [rows, dimension]
else:
    Vector = Matrix = Any

STAYS = {"travels": False}  # metadata of fields that are not sent to another process (`codec`)
