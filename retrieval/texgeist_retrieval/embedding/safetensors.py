"""Reads a safetensors file with numpy alone, so that fetching the model needs no further package."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def read_tensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """Every float32 tensor of the file by name, memory-mapped; other types are left out.

    The format: 8 bytes little-endian length of a JSON header, the header, the bytes."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
    data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
    tensors: dict[str, NDArray[np.float32]] = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            tensors[name] = data[start:end].view("<f4").reshape(entry["shape"])
    return tensors
