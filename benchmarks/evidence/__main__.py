"""What passages of full papers are worth as evidence: `python -m benchmarks.evidence FOLDER --model MODEL_FOLDER`.

The library of ../shared/data/evidence (1,399 papers by section), and 678 sentences that cite 36 of them, with the
sentences that annotators marked as what is meant (SciSumm). The citing paper is left out of each search.

1. The cited paper among the pieces of evidence, without the years of the citation marks, and with them.
2. Given the paper, the passage that holds a marked sentence: first, and among three.
3. `paraphrases.tsv`: 100 sentences of random passages in other words, written before any search was run: their
   papers among the pieces of evidence.
4. Milliseconds a search, on 50,000 passages.

FOLDER keeps the snapshot and its vectors, which take hours: run it again to continue. `--minutes` limits the
embedding; passages that a search by words returns are embedded first, and the figures tell how many are."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.errors import Cancelled
from texgeist_retrieval.evidence.methods import TEXGEIST
from texgeist_retrieval.evidence.ordering import Nearness, inside_of, order
from texgeist_retrieval.evidence.search import PassageSearch
from texgeist_retrieval.evidence.sentence_scores import weights_of, years_in
from texgeist_retrieval.fulltext.sections import chunks_of
from texgeist_retrieval.index import snapshot
from texgeist_retrieval.index.full_papers import embed_all, make_empty
from texgeist_retrieval.index.snapshot import Snapshot
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.sources.records import read_record
from texgeist_retrieval.text.words import query_words
from texgeist_retrieval.types import Matrix, Passage, Vector

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "evidence"
PARAPHRASES = Path(__file__).with_name("paraphrases.tsv")
LIBRARY = ("papers", "citing-papers", "library-scisummnet")  # full papers in `DATA`
AMONG = (1, 5, 8)
MANY = 50_000  # passages of the library whose searches are timed


@dataclass(frozen=True)
class Citing:
    text: str
    cited: int  # row of the paper
    by: int  # of the paper that cites, -1 where it is not in the library
    marked: tuple[str, ...]  # sentences


@dataclass
class Until(Silent):
    """Cancels the embedding after some minutes."""

    end: float

    def check(self) -> None:
        if time.monotonic() > self.end:
            raise Cancelled


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="keeps the snapshot")
    parser.add_argument("--model", type=Path, required=True, help="the folder of the embedding model")
    parser.add_argument("--minutes", type=float, default=0.0, help="for embedding")
    given = parser.parse_args()
    if not DATA.is_dir():
        print("left out: ../shared/data/evidence is not beside this checkout")
        return
    embedder = load_embedder(given.model, threads=1)
    found = library(given.folder, embedder)
    citing = list(citing_sentences(found))
    rephrased = list(paraphrases(found))
    ask_for([*(one.text for one in citing), *(text for text, _ in rephrased)], found, embedder)
    try:
        monitor = Until(time.monotonic() + 60 * given.minutes)
        embed_all(lambda: loaded(given.folder), given.folder, embedder, monitor)
    except Cancelled:
        found = loaded(given.folder)
    measure(found, embedder, citing, rephrased)
    speed(enlarged(found, embedder, given.folder.with_name(f"{given.folder.name}.many")), embedder, citing)


def measure(
    found: Snapshot, embedder: Embedder, citing: Sequence[Citing], rephrased: Sequence[tuple[str, int]]
) -> None:
    done = found.vectors.done.sum() if found.vectors else 0
    print(f"{len(found.papers):,} papers, {len(found.paper):,} passages, {done:,} embedded")
    bare = [without_years(one.text) for one in citing]
    vectors = [embedder.embed_query(text) for text in bare]
    gold, by = [one.cited for one in citing], [one.by for one in citing]
    print(f"\nthe cited paper among {AMONG}")
    for name, way in ways(found, embedder.name).items():
        show(name, papers_found(found, bare, vectors, gold, by, way))
    full = [one.text for one in citing]
    with_years = papers_found(found, full, vectors, gold, by, ways(found, embedder.name)["the search"])
    show("the search, with the years", with_years)
    print()
    passages_found(found, embedder.name, citing, bare, vectors)
    print(f"the paper of a sentence in other words among {AMONG}")
    texts, papers = [text for text, _ in rephrased], [paper for _, paper in rephrased]
    vectors = [embedder.embed_query(text) for text in texts]
    for name, way in ways(found, embedder.name).items():
        show(name, papers_found(found, texts, vectors, papers, [-1] * len(texts), way))
    print()


def lines(name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def loaded(folder: Path) -> Snapshot:
    found = snapshot.load(folder)
    assert found is not None
    return found


def library(folder: Path, embedder: Embedder) -> Snapshot:
    if snapshot.load(folder) is None:
        read = (read_record(line) for name in LIBRARY for line in lines(name))
        records = [*{record.paper.id: record for record in read}.values()]  # some papers are in two files
        passages = [passage for record in records for passage in chunks_of(record.paper.id, record.sections)]
        papers = [record.paper for record in records]
        rows = embedder.embed_documents([paper.abstract or paper.title for paper in papers])
        known = {paper.id: (paper, row) for paper, row in zip(papers, rows, strict=True)}
        snapshot.build(folder, "benchmark", embedder.name, passages, lambda ids: known, Silent())
    found = loaded(folder)
    if found.vectors is None:
        make_empty(found, folder, embedder)
    return loaded(folder)


def citing_sentences(found: Snapshot) -> Iterator[Citing]:
    rows = found.rows_by_id
    said = {
        paper["id"]: {n: " ".join(t.split()) for s in paper["sections"] for n, t in s["sentences"]}
        for paper in lines("papers")
    }
    for one in lines("citances"):
        marked = tuple(said[one["ref"]][sid] for sid in one["sids"] if said[one["ref"]].get(sid))
        yield Citing(one["citance"], rows[one["ref"]], rows.get(one["citing"], -1), marked)


def paraphrases(found: Snapshot) -> Iterator[tuple[str, int]]:
    """Sentences with the rows of their papers."""
    for line in PARAPHRASES.read_text("utf-8").splitlines():
        paper, _, text = line.split("\t")
        yield text, found.rows_by_id[paper]


def ask_for(texts: Sequence[str], found: Snapshot, embedder: Embedder) -> None:
    """Searches for these texts, so that what is near them is embedded first."""
    search = PassageSearch(found, embedder)
    for text in texts:
        search.search(text, Silent(), top=16)


Way = Callable[[str, Vector, frozenset[str]], list[int]]


def ways(found: Snapshot, model: str) -> dict[str, Way]:
    """Ways to search: from text, vector and the ids of papers that are left out to rows of papers, best
    first."""

    def by(score: Callable[[str, Vector], Vector]) -> Way:
        def search(text: str, vector: Vector, out: frozenset[str]) -> list[int]:
            scores = np.array(score(text, vector), dtype=np.float32)
            scores[[found.rows_by_id[id_] for id_ in out]] = -np.inf
            return [int(row) for row in np.argsort(-scores, kind="stable")[: max(AMONG)]]

        return search

    def searched(model: str, per_paper: int = TEXGEIST.per_paper) -> Way:
        def search(text: str, vector: Vector, out: frozenset[str]) -> list[int]:
            near = Nearness.of(found, model, vector if model else None)
            return [int(found.paper[one.row]) for one in order(found, text, near, max(AMONG), out, per_paper)]

        return search

    return {
        "BM25 over whole papers": by(lambda text, _: found.by_paper.score(query_words(text))),
        "BM25 over passages": by(
            lambda text, _: np.maximum.reduceat(found.by_passage.score(query_words(text)), found.starts)
        ),
        "vectors of passages and abstracts": by(
            lambda _, vector: Nearness.of(found, model, vector).of_papers(found.starts)
        ),
        "the search by words alone": searched(""),
        "the search, a passage of a paper": searched(model, 1),
        "the search": searched(model),
    }


def papers_found(
    found: Snapshot,
    texts: Sequence[str],
    vectors: Sequence[Vector],
    gold: Sequence[int],
    by: Sequence[int],
    way: Way,
) -> list[int]:
    """The place of the right paper in each search, from 0."""
    ranks = []
    for text, vector, right, left_out in zip(texts, vectors, gold, by, strict=True):
        out = frozenset({found.papers[left_out].id}) if left_out >= 0 else frozenset[str]()
        papers = way(text, vector, out)
        ranks.append(papers.index(right) if right in papers else 10**6)
    return ranks


def without_years(text: str) -> str:
    for year in years_in(text):
        text = text.replace(str(year), "")
    return text


def show(name: str, ranks: Sequence[int]) -> None:
    print(f"  {name:36}" + "".join(f"{np.mean(np.array(ranks) < k):8.3f}" for k in AMONG))


def passages_found(
    found: Snapshot, model: str, citing: Sequence[Citing], texts: Sequence[str], vectors: Sequence[Vector]
) -> None:
    print("given the paper, a passage with a marked sentence first, among 3")
    first: dict[str, list[bool]] = {}
    three: dict[str, list[bool]] = {}
    for one, text, vector in zip(citing, texts, vectors, strict=True):
        begin, end = found.rows_of(one.cited)
        good = [any(s in found.texts[row] for s in one.marked) for row in range(begin, end)]
        if not any(good):
            continue
        words, near = found.by_passage.score(query_words(text)), Nearness.of(found, model, vector)
        scored = {
            "BM25": words[begin:end],
            "vectors": near.passages[begin:end],
            "the search": inside_of(found, one.cited, words, near, weights_of(text, found.by_passage)),
        }
        for name, scores in scored.items():
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


def enlarged(found: Snapshot, embedder: Embedder, folder: Path) -> Snapshot:
    """A library of `MANY` passages: this one and copies of its papers, with random vectors."""
    if (held := snapshot.load(folder)) is None or held.vectors is None:
        passages, papers = list[Passage](), dict[str, tuple[Any, Vector]]()
        for copy in range(-(-MANY // len(found.paper))):
            for row in range(min(len(found.paper), MANY - len(passages))):
                passage, paper = found.passage(row), found.paper[row]
                id_ = f"{copy}:{passage.paper_id}"
                passages.append(replace(passage, paper_id=id_, vector=None))
                papers[id_] = replace(found.papers[paper], id=id_), found.abstracts[paper]
        snapshot.build(folder, "many", embedder.name, passages, lambda ids: papers, Silent())
        made = make_empty(held := loaded(folder), folder, embedder)
        rows: Matrix = np.random.default_rng(1).normal(size=made.rows.shape).astype(np.float32)
        made.put(range(len(held.paper)), rows / np.linalg.norm(rows, axis=1, keepdims=True))
    return loaded(folder)


def speed(found: Snapshot, embedder: Embedder, citing: Sequence[Citing]) -> None:
    embedding, clock, processor = [], [], []
    for one in citing:
        began, used = time.perf_counter(), time.process_time()
        vector = embedder.embed_query(one.text)
        embedding.append(time.perf_counter() - began)
        order(found, one.text, Nearness.of(found, embedder.name, vector), 8)
        clock.append(time.perf_counter() - began)
        processor.append(time.process_time() - used)
    print(f"{len(found.paper):,} passages, load {os.getloadavg()[0]:.0f}")
    parts = {"of which embedding, by the clock": embedding, "clock": clock, "processor": processor}
    for name, took in parts.items():
        middle, late = np.quantile(took, [0.5, 0.95]) * 1000
        print(f"a search, {name}: {middle:.0f} ms, p95 {late:.0f} ms")


if __name__ == "__main__":
    main()
