"""The embedding model on this machine, against sentence-transformers with the same weights.

    python -m benchmarks.embedding MODEL_FOLDER ABSTRACTS.jsonl[.gz] [--original FOLDER] [--count 24]

Rounds alternate, and processor time is shown beside the clock, so that a busy machine shifts both alike:
trust the ratios. `--original` is a sentence-transformers folder of all-mpnet-base-v2; without it the
comparison is left out."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

COLD = (
    "import sys, time; started = time.perf_counter(); from pathlib import Path; "
    "from texgeist_retrieval.embedding import load_embedder; "
    "load_embedder(Path(sys.argv[1])).embed_query('A text.'); print(time.perf_counter() - started)"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("abstracts", type=Path)
    parser.add_argument("--original", type=Path)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    texts = read_abstracts(given.abstracts, given.count)
    words = sum(len(text.split()) for text in texts) / len(texts)
    print(
        f"{len(texts)} abstracts of {words:.0f} words, {given.threads} threads, load {os.getloadavg()[0]:.1f}"
    )
    print(f"cold start to the first vector: {median(cold(given.model) for _ in range(3)):.2f} s")
    embedders = load_all(given.model, given.original, given.threads)
    query = texts[0]
    clock: dict[str, list[float]] = {name: [] for name in embedders}
    processor: dict[str, list[float]] = {name: [] for name in embedders}
    single: dict[str, list[float]] = {name: [] for name in embedders}
    for _ in range(given.rounds):
        for name, embed in embedders.items():
            single[name].append(timed(partial(embed, [query]))[0])
            took, used = timed(partial(embed, texts))
            clock[name].append(took)
            processor[name].append(used)
    show(texts, clock, processor, single)


def read_abstracts(path: Path, count: int) -> list[str]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        found = [abstract for line in lines if (abstract := json.loads(line).get("abstract"))]
    return found[:: max(1, len(found) // count)][:count]


def cold(model: Path) -> float:
    done = subprocess.run(
        [sys.executable, "-c", COLD, str(model)], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def load_all(model: Path, original: Path | None, threads: int) -> dict[str, Callable[[Sequence[str]], Any]]:
    from texgeist_retrieval.embedding import load_embedder

    embedders: dict[str, Callable[[Sequence[str]], Any]] = {
        "texgeist, exact": load_embedder(model, threads=threads).embed_documents,
        "texgeist, 8 bits": load_embedder(model, threads=threads, fast=True).embed_documents,
    }
    if original:
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(threads)
        theirs = SentenceTransformer(str(original), device="cpu")
        embedders["sentence-transformers"] = lambda texts: theirs.encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False
        )
    for embed in embedders.values():
        embed(["warm"])
    return embedders


def timed(action: Callable[[], object]) -> tuple[float, float]:
    clock, processor = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - clock, time.process_time() - processor


def show(
    texts: Sequence[str],
    clock: dict[str, list[float]],
    processor: dict[str, list[float]],
    single: dict[str, list[float]],
) -> None:
    base = list(clock)[-1]
    print(f"{'':24}{'query ms':>10}{'docs/s':>10}{'processor s':>13}   times {base} (clock, processor)")
    for name in clock:
        took, used = median(clock[name]), median(processor[name])
        ratios = f"{median(clock[base]) / took:.1f}, {median(processor[base]) / used:.1f}"
        print(f"{name:24}{1000 * median(single[name]):10.0f}{len(texts) / took:10.2f}{used:13.1f}   {ratios}")


if __name__ == "__main__":
    main()
