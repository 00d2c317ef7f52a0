"""What a model that weighs passages adds to the search: `python -m benchmarks.evidence.scorer --base-url URL`.

Sentences that cite one of 36 papers, drawn by a fixed seed, with the sentences that annotators marked as what is
meant (see `benchmarks.evidence`). For each the search's passages as they are, and weighed by the model: the cited
paper among the first, and the first passage one that holds a marked sentence. The model may be anything that speaks a
protocol: a service, a local server, a person behind a bridge."""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
from texgeist_retrieval.evidence.search import PassageSearch
from texgeist_retrieval.evidence.weighing import ModelWeigher
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import EvidenceFound
from texgeist_retrieval.ranking.storage import load_word_vectors
from texgeist_retrieval.writing import AnthropicModel

from .__main__ import AMONG, Citing, citing_sentences, library

SEED = 7


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--model", default="claude-sonnet-5-5")
    parser.add_argument("--sentences", type=int, default=60)
    parser.add_argument("--longlist", type=int, default=20, help="passages that the model weighs, of each")
    parser.add_argument("--at-once", type=int, default=10, help="calls")
    parser.add_argument("--timeout", type=float, default=1800.0)
    options = parser.parse_args()
    words = load_word_vectors()
    with tempfile.TemporaryDirectory() as folder:
        found = library(Path(folder) / "snapshot", words)
        drawn = random.Random(SEED).sample([*citing_sentences(found)], options.sentences)
        model = AnthropicModel(options.model, "any", options.base_url, timeout=options.timeout)
        plain = PassageSearch(found, words)
        weigher = ModelWeigher(model, options.at_once)
        weighed = replace(plain, weigher=weigher, longlist=options.longlist)
        ids = [paper.id for paper in found.papers]

        def measured(one: Citing) -> list[list[bool]]:
            out = frozenset({ids[one.by]}) if one.by >= 0 else frozenset[str]()
            both = (s.search(one.text, Silent(), top=max(AMONG), leave_out=out) for s in (plain, weighed))
            return [_hits(each, one, ids[one.cited]) for each in both]

        with ThreadPoolExecutor(options.sentences) as pool:
            rows = np.array([*pool.map(measured, drawn)], dtype=float)
    print(
        f"{options.sentences} sentences, {options.longlist} passages weighed of each; the cited paper among {AMONG}, "
        "a marked sentence in its first passage, and in the first passage of all"
    )
    for name, values in zip(("without a model", "weighed by it"), rows.mean(axis=0), strict=True):
        print(f"  {name:20}" + "".join(f"{value:8.3f}" for value in values))


def _hits(found: EvidenceFound, one: Citing, cited: str) -> list[bool]:
    papers = [evidence.passage.paper_id for evidence in found.evidence]
    of_it = [e.passage.text for e in found.evidence if e.passage.paper_id == cited]
    among = [cited in papers[:most] for most in AMONG]
    first = found.evidence[0].passage.text if papers and papers[0] == cited else ""
    return [*among, bool(of_it) and _marked(of_it[0], one.marked), _marked(first, one.marked)]


def _marked(text: str, marked: Sequence[str]) -> bool:
    return any(sentence in text for sentence in marked)


if __name__ == "__main__":
    main()
