"""Arrays by their shapes. The language server speaks of the values that hold them too, and needs no numpy
for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]  # shape [dimension]
    Matrix = NDArray[np.float32]  # shape [rows, dimension]
else:
    Vector = Matrix = Any

STAYS = {"travels": False}  # what is left behind when a value goes to another process (`codec`)
