"""Retrieval, measured: `python -m benchmarks.retrieval [PART ...]`.

    table      the systems on `dev`
    elsewhere  drafts of other fields, researchers' questions and citing sentences; takes minutes
    lexicon    UR3WG's word weights as sparse vectors: exact against the approximation of its Appendix A.1
    losses     UR3WG's losses, each by a short training (needs the extra `torch`; minutes)

All figures are percent with 95 % bootstrap intervals over the queries; `*` differs from the first row of its
table, p < 0.05. A part whose files are missing is left out, and says so. For your own data, give `--data` a folder
with `citations/dev-corpus.jsonl.gz` and so on (`texgeist_retrieval.training.collection`)."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.training.collection import CitationCollection, CollectionFiles

from . import lexicon, sets
from .measures import show_systems
from .sets import Missing, embedder_at


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--weights", type=Path, help="a folder of weights (default: those shipped)")
    parser.add_argument("--model", type=Path, help="the embedding model's folder (default: texgeist's own)")
    parser.add_argument("--systems", default="dense,bm25,hybrid,adapter,lexicon,full")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    for part in options.parts:
        print(f"\n## {part}\n", flush=True)
        start = time.monotonic()
        try:
            PARTS[part](options)
        except Missing as missing:
            print(f"Left out: {missing}")
        print(f"\n({time.monotonic() - start:.0f} s)", flush=True)


def collection_of(options: argparse.Namespace, half: str = "dev") -> CitationCollection:
    """The queries of `dev` or `train` over its papers."""
    names = ("corpus.jsonl.gz", "queries.jsonl.gz", "corpus-mpnet.npy", "queries-mpnet.npy")
    files = CollectionFiles(*(options.data / "citations" / f"{half}-{name}" for name in names))
    return CitationCollection.load(files, lambda: embedder_of(options), Silent())


def titled_collection(options: argparse.Namespace) -> CitationCollection:
    collection = collection_of(options)
    try:
        return collection.with_titles(lambda: embedder_of(options), Silent())
    except Missing as missing:
        print(f"By the abstracts alone, without the titles: {missing}")
        return collection


def embedder_of(options: argparse.Namespace) -> Embedder:
    return embedder_at(options.model)


def show_table(options: argparse.Namespace) -> None:
    show_systems(titled_collection(options), options.systems.split(","), options.weights)


def show_elsewhere(options: argparse.Namespace) -> None:
    for name in ("drafts", *sets.QUESTIONS, *sets.SENTENCES):  # in turn, because each has a table of words
        make = sets.drafts if name == "drafts" else sets.collection_of_set(name)
        collection = make(options.data, lambda: embedder_of(options))
        print(f"\n{name}: {len(collection.topics)} queries, {len(collection.documents)} papers\n")
        show_systems(collection, ("dense", "bm25", "hybrid", "full"), options.weights)


def show_lexicon(options: argparse.Namespace) -> None:
    for row in lexicon.as_index(collection_of(options), options.weights):
        print(json.dumps(row))


def show_losses(options: argparse.Namespace) -> None:
    for row in lexicon.by_loss(collection_of(options, "train"), collection_of(options)):
        print(json.dumps(row), flush=True)


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "table": show_table,
    "elsewhere": show_elsewhere,
    "lexicon": show_lexicon,
    "losses": show_losses,
}

if __name__ == "__main__":
    main()
