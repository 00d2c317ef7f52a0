"""The vectors of a snapshot's passages, in memory-mapped files that one program fills while others search.

    model.json   name and dimension of the embedding model
    rows.npy     float32 [passages, dimension]
    done.npy     bool [passages]: which rows are embedded; set after the row was written
    wanted.npy   uint32 [papers]: the number of searches that returned a paper with passages still to embed

Embedding a library takes hours on two cores, so the papers that searches return are embedded first."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..types import Matrix

FOLDER = "vectors"


@dataclass(frozen=True)
class PassageVectors:
    model: str
    rows: Matrix
    done: NDArray[np.bool_]
    wanted: NDArray[np.uint32]

    def missing(self, rows: Sequence[int] | NDArray[np.int64]) -> list[int]:
        """The numbers in `rows` whose passages are not embedded."""
        return [int(row) for row in rows if not self.done[row]]

    def put(self, rows: Sequence[int], vectors: Matrix) -> None:
        self.rows[list(rows)] = vectors
        self.done[list(rows)] = True


def load_vectors(folder: Path) -> PassageVectors | None:
    """The vectors in a snapshot's folder; None if there are none, or they cannot be read."""
    held = folder / FOLDER
    try:
        model = str(json.loads((held / "model.json").read_text("utf-8"))["model"])
        return PassageVectors(model, *(mapped(held / f"{name}.npy") for name in ("rows", "done", "wanted")))
    except (OSError, EOFError, ValueError, KeyError, TypeError):
        return None


def make_vectors(folder: Path, model: str, dimension: int, passages: int, papers: int) -> PassageVectors:
    """Makes empty files for the vectors of a model, and replaces the files of another model."""
    held = folder / FOLDER
    held.mkdir(mode=0o700, exist_ok=True)
    (held / "model.json").unlink(missing_ok=True)
    shapes: dict[str, tuple[tuple[int, ...], type]] = {
        "rows": ((passages, dimension), np.float32),
        "done": ((passages,), np.bool_),
        "wanted": ((papers,), np.uint32),
    }
    for name, (shape, kind) in shapes.items():
        path = held / f"{name}.npy"
        path.unlink(missing_ok=True)  # another program may have the old file open
        np.lib.format.open_memmap(path, mode="w+", dtype=kind, shape=shape)
    (held / "model.json").write_text(json.dumps({"model": model}), "utf-8")
    made = load_vectors(folder)
    assert made is not None
    return made


def mapped(path: Path, mode: Literal["r", "r+"] = "r+") -> Any:
    """A plain array over the mapped file: slices of numpy's memmap class cost microseconds each."""
    return np.asarray(np.load(path, mmap_mode=mode))


def carry_over(
    old: PassageVectors, text_of: Callable[[int], str], folder: Path, texts: Sequence[str], papers: int
) -> None:
    """Copies vectors from the snapshot `old` into the new snapshot in `folder`, for passages with the same
    text. `text_of` returns the text of a row of `old`; `texts` are the new texts."""
    at = {text_of(int(row)): int(row) for row in np.flatnonzero(old.done)}
    rows = [row for row, text in enumerate(texts) if text in at]
    made = make_vectors(folder, old.model, old.rows.shape[1], len(texts), papers)
    if rows:
        made.put(rows, old.rows[[at[texts[row]] for row in rows]])
