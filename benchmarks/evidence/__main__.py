"""What passages of full papers are worth as evidence: `python -m benchmarks.evidence`.

The library of ../shared/data/evidence (1,452 papers by section), and 678 sentences that cite 36 of them, with the
sentences that annotators marked as what is meant (SciSumm). The citing paper is left out of each search.

1. The cited paper among the pieces of evidence: BM25 over whole papers, over passages, the vectors, and the search
   of the product.
2. Given the paper, the passage that holds a marked sentence: first, and among three.
3. Passages a second, and milliseconds a search (the processor's and the clock's; trust ratios).

The rows need no server: a snapshot is what the product searches, whatever it was made from."""

from __future__ import annotations

import gzip
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.evidence.ordering import inside_of, order
from texgeist_retrieval.evidence.sentence_scores import weights_of, years_in
from texgeist_retrieval.fulltext.chunks import chunks_of
from texgeist_retrieval.index import snapshot
from texgeist_retrieval.index.snapshot import Snapshot
from texgeist_retrieval.ranking.storage import load_word_vectors
from texgeist_retrieval.ranking.word_vectors import WordVectors
from texgeist_retrieval.sources.records import read_record
from texgeist_retrieval.text.words import query_words
from texgeist_retrieval.types import Vector

from . import LIBRARY

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "evidence"
AMONG = (1, 5, 8)


class Quiet:
    def report(self, *_: object) -> None: ...

    def check(self) -> None: ...


@dataclass(frozen=True)
class Citing:
    text: str
    cited: int  # row of the paper
    by: int  # of the paper that cites, -1 where it is not in the library
    marked: tuple[str, ...]  # sentences


def main() -> None:
    if not DATA.is_dir():
        print("left out: ../shared/data/evidence is not beside this checkout")
        return
    embedder = load_word_vectors()
    with tempfile.TemporaryDirectory() as folder:
        found = library(Path(folder) / "snapshot", embedder)
        citing = list(citing_sentences(found))
        papers_found(found, embedder, citing)
        passages_found(found, embedder, citing)
        speed(found, embedder, citing)


def lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def library(folder: Path, embedder: WordVectors) -> Snapshot:
    records = [read_record(line) for name in LIBRARY for line in lines(name)]
    passages = [passage for record in records for passage in chunks_of(record.paper.id, record.sections)]
    began = time.process_time()
    vectors = embedder.embed_documents([passage.text for passage in passages])
    took = time.process_time() - began
    print(f"{len(records):,} papers, {len(passages):,} passages, load {os.getloadavg()[0]:.0f}")
    print(f"embedded at {len(passages) / took:,.0f} passages a second of one processor\n")
    made = (replace(p, vector=v) for p, v in zip(passages, vectors, strict=True))
    snapshot.build(folder, "benchmark", embedder.name, made, [r.paper for r in records], Quiet())
    loaded = snapshot.load(folder)
    assert loaded is not None
    return loaded


def citing_sentences(found: Snapshot) -> Iterator[Citing]:
    rows = {paper.id: row for row, paper in enumerate(found.papers)}
    said = {
        paper["id"]: {n: " ".join(t.split()) for s in paper["sections"] for n, t in s["sentences"]}
        for paper in lines("papers")
    }
    for one in lines("citances"):
        marked = tuple(said[one["ref"]][sid] for sid in one["sids"] if said[one["ref"]].get(sid))
        yield Citing(one["citance"], rows[one["ref"]], rows.get(one["citing"], -1), marked)


def papers_found(found: Snapshot, embedder: WordVectors, citing: Sequence[Citing]) -> None:
    def closest(scores: Vector) -> Vector:
        return np.maximum.reduceat(scores, found.starts)

    ways: dict[str, Callable[[str], Vector]] = {
        "BM25 over whole papers": lambda text: found.by_paper.score(query_words(text)),
        "BM25 over passages": lambda text: closest(found.by_passage.score(query_words(text))),
        "vectors of passages": lambda text: closest(found.vectors @ embedder.embed_query(text)),
        "BM25 over papers, year of the mark": lambda text: (
            found.by_paper.score(query_words(text)) + 1000 * np.isin(found.years, list(years_in(text)))
        ),
    }
    print(f"the cited paper among {AMONG}")
    for name, way in ways.items():
        ranks = []
        for one in citing:
            scores = np.array(way(one.text), dtype=np.float32)
            if one.by >= 0:
                scores[one.by] = -np.inf
            ranks.append(int((scores > scores[one.cited]).sum()))
        show(name, ranks)
    for name, part in (("the search", lambda text: text), ("the search, years taken out", without_years)):
        ranks = []
        for one in citing:
            text = part(one.text)
            out = frozenset({found.papers[one.by].id}) if one.by >= 0 else frozenset[str]()
            evidence = order(found, text, embedder.embed_query(text), max(AMONG), out)
            papers = [int(found.paper[piece.row]) for piece in evidence]
            ranks.append(papers.index(one.cited) if one.cited in papers else 10**6)
        show(name, ranks)
    print()


def without_years(text: str) -> str:
    for year in years_in(text):
        text = text.replace(str(year), "")
    return text


def show(name: str, ranks: Sequence[int]) -> None:
    print(f"  {name:36}" + "".join(f"{np.mean(np.array(ranks) < k):8.3f}" for k in AMONG))


def passages_found(found: Snapshot, embedder: WordVectors, citing: Sequence[Citing]) -> None:
    print("given the paper, a passage with a marked sentence first, among 3")
    first: dict[str, list[bool]] = {}
    three: dict[str, list[bool]] = {}
    for one in citing:
        begin, end = found.rows_of(one.cited)
        good = [any(s in found.texts[row] for s in one.marked) for row in range(begin, end)]
        if not any(good):
            continue
        words = found.by_passage.score(query_words(one.text))
        cosines = np.asarray(found.vectors @ embedder.embed_query(one.text))
        ways = {
            "BM25": words[begin:end],
            "vectors": cosines[begin:end],
            "the search": inside_of(found, one.cited, words, cosines, weights_of(one.text, found.by_passage)),
        }
        for name, scores in ways.items():
            best = np.argsort(-scores, kind="stable")
            first.setdefault(name, []).append(good[best[0]])
            three.setdefault(name, []).append(any(good[row] for row in best[:3]))
    better = max(np.mean(first["BM25"]), np.mean(first["vectors"]))
    for name in first:
        ratio = np.mean(first[name]) / better
        print(
            f"  {name:36}{np.mean(first[name]):8.3f}{np.mean(three[name]):8.3f}   {ratio:.2f} of the better"
        )
    print()


def speed(found: Snapshot, embedder: WordVectors, citing: Sequence[Citing]) -> None:
    clock, processor = [], []
    for one in citing:
        began, used = time.perf_counter(), time.process_time()
        order(found, one.text, embedder.embed_query(one.text), 8)
        clock.append(time.perf_counter() - began)
        processor.append(time.process_time() - used)
    for name, took in (("clock", clock), ("processor", processor)):
        middle, late = np.quantile(took, [0.5, 0.95]) * 1000
        print(f"a search, by the {name}: {middle:.0f} ms, p95 {late:.0f} ms")


if __name__ == "__main__":
    main()
