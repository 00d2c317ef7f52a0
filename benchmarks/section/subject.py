"""When an index has little on a draft's subject: `python -m benchmarks.section.subject`.

Drafts with their field in the index: the 200 of `dev` against the papers of `train`, and those of
DeepScholar-Bench against the same, which were not looked at. Without: arXiv abstracts of mathematics
and physics against the same indexes. Indexes of several sizes are drawn, since a small library of the right
field must not raise the alarm. The threshold is set on one half of the drafts and told on the other.
"""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import numpy as np
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.evaluation.collection import load_vectors
from texgeist_retrieval.strands.subject import closeness, threshold
from texgeist_server.config.storage import data_folder, model_folder

OTHER = ("math", "hep-", "astro-ph", "cond-mat", "nucl-", "gr-qc", "physics")
SIZES = (300, 3000, 16_000)


def strangers(data: Path, count: int) -> list[str]:
    """Abstracts of other fields, drawn."""
    records = [json.loads(line) for line in _lines(data / "arxiv" / "records.jsonl.gz")]
    found = [r["abstract"] for r in records if str(r["primary"]).startswith(OTHER) and r["abstract"]]
    return [found[i] for i in np.random.default_rng(5).permutation(len(found))[:count]]


def _lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.readlines()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--strangers", type=int, default=200)
    given = parser.parse_args()
    folder = given.data / "citations"
    papers = load_vectors(folder / "train-corpus-mpnet.npy", len(_lines(folder / "train-corpus.jsonl.gz")))
    own = load_vectors(folder / "dev-queries-mpnet.npy", len(_lines(folder / "dev-queries.jsonl.gz")))
    embedder = load_embedder(model_folder(data_folder()))
    other = embedder.embed_documents(strangers(given.data, given.strangers))
    tasks = _lines(given.data / "deepscholar" / "tasks.jsonl.gz")
    second = embedder.embed_documents([json.loads(task)["abstract"] for task in tasks])
    print(f"{len(own)} and {len(second)} drafts of the field, {len(other)} of others")
    for size in SIZES:
        drawn = papers[np.random.default_rng(size).permutation(len(papers))[:size]]
        near = np.array([closeness(row @ drawn.T) for row in own])
        far = np.array([closeness(row @ drawn.T) for row in other])
        newer, limit = np.array([closeness(row @ drawn.T) for row in second]), threshold(size)
        best = chosen(near[::2], far[::2])
        print(
            f"{size:6d} papers: with the field {np.percentile(near, [1, 5, 50]).round(3)}, without "
            f"{np.percentile(far, [50, 90, 95, 99]).round(3)}; best {best:.3f} on one half: false alarms "
            f"{np.mean(near[1::2] < best):.1%}, misses {np.mean(far[1::2] >= best):.1%} on the other; "
            f"at the product's {limit:.3f}: {np.mean(near < limit):.1%} false alarms ({np.mean(newer < limit):.1%} "
            f"on DeepScholar-Bench), {np.mean(far >= limit):.1%} misses"
        )


def chosen(near: np.ndarray, far: np.ndarray) -> float:
    """The threshold with the fewest errors of both kinds."""
    options = np.unique(np.concatenate([near, far]))
    return float(min(options, key=lambda t: np.mean(near < t) + np.mean(far >= t)))


if __name__ == "__main__":
    main()
