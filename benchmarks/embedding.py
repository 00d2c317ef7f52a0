"""The embedding model on this machine, exact and with 8-bit weights, against sentence-transformers.

    python -m benchmarks.embedding ORIGINAL ABSTRACTS.jsonl[.gz] [--count 24]

Rounds alternate, and processor time is shown beside the clock, so that a busy machine shifts both alike:
trust the ratios. ORIGINAL is a sentence-transformers folder of all-mpnet-base-v2."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from texgeist_retrieval.embedding import GRAPH, TOKENIZER
from texgeist_retrieval.embedding.export import export_eight_bit, export_mpnet
from texgeist_retrieval.embedding.fetch import EIGHT_BIT, WEIGHTS
from texgeist_retrieval.embedding.onnx import OnnxEmbedder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("original", type=Path)
    parser.add_argument("abstracts", type=Path)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    texts = read_abstracts(given.abstracts, given.count)
    words = sum(len(text.split()) for text in texts) / len(texts)
    print(
        f"{len(texts)} abstracts of {words:.0f} words, {given.threads} threads, load {os.getloadavg()[0]:.1f}"
    )
    with tempfile.TemporaryDirectory() as name:
        embedders = load_all(given.original, Path(name), given.threads)
        measure(texts, embedders, given.rounds)


def measure(texts: list[str], embedders: dict[str, Callable[[Sequence[str]], Any]], rounds: int) -> None:
    query = texts[0]
    clock: dict[str, list[float]] = {name: [] for name in embedders}
    processor: dict[str, list[float]] = {name: [] for name in embedders}
    single: dict[str, list[float]] = {name: [] for name in embedders}
    for _ in range(rounds):
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


def load_all(original: Path, work: Path, threads: int) -> dict[str, Callable[[Sequence[str]], Any]]:
    """Builds both graphs in `work`. Returns functions that embed texts, by name."""
    import torch
    from sentence_transformers import SentenceTransformer

    shutil.copy(original / TOKENIZER, work)
    export_mpnet(original / WEIGHTS, work / GRAPH)
    export_eight_bit(work / GRAPH, work / EIGHT_BIT)
    eight_bit = OnnxEmbedder(work / EIGHT_BIT, threads=threads, eight_bit=True)
    embedders: dict[str, Callable[[Sequence[str]], Any]] = {
        "texgeist, exact": OnnxEmbedder(work / GRAPH, threads=threads).embed_documents,
        "texgeist, 8 bits": eight_bit.embed_documents,
    }
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
