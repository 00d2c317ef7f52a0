"""texgeist's steps beside the reference implementation's, and a whole run against simulated waits.

    python -m benchmarks.pipeline.speed [--reference PYTHON] [--breadth 10] [--runs 3] [--quick]

Waits: 2 s a model call and 0.5 s a PDF with the gate open, on local HTTP servers, and 50 ms a search.
Embedding is left out on both sides (a drawn vector). `--reference` is the Python of an environment that
holds it, see `reference_run.py`; without it texgeist's own times are shown. Both run one after the other
on the same machine, so the ratios hold where the seconds do not.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from texgeist_retrieval.fulltext import ArxivSource
from texgeist_retrieval.pipeline import choose, related_work
from texgeist_retrieval.pipeline.longlist import Selection
from texgeist_retrieval.pipeline.reading import Reading
from texgeist_retrieval.pipeline.recipes import ReadingList
from texgeist_retrieval.pipeline.search import SearchResult
from texgeist_retrieval.ports import IndexStatus
from texgeist_retrieval.ranking.mmr import select
from texgeist_retrieval.services import Options, Services
from texgeist_retrieval.sources.client import OPEN_CONNECTIONS
from texgeist_retrieval.types import Candidate, Filters, Matrix, Paper, Passage, Query, QueryPart, Vector
from texgeist_retrieval.writing import ModelWriter, OpenAIModel

from tests.retrieval.arxiv_server import Arxiv, serving, typeset
from tests.retrieval.model_server import ModelServer, serving_model
from tests.retrieval.reading_model import PassageBrain

MODEL_S, PDF_S, SEARCH_S = 2.0, 0.5, 0.05
PAGES = 12


def vector(text: str) -> Vector:
    drawn = np.random.default_rng(zlib.crc32(text.encode())).normal(size=768).astype(np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn), dtype=np.float32)


class Drawn:
    name, dimension = "drawn", 768

    def embed_query(self, text: str) -> Vector:
        return vector(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return np.stack([vector(text) for text in texts])


class SlowIndex:
    def __init__(self, papers: Sequence[Paper]) -> None:
        self.held = papers

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        time.sleep(SEARCH_S)
        return [candidates(self.held[:top]) for _ in vectors]

    def upsert(self, papers: Sequence[Paper], vectors: Matrix) -> None: ...

    def delete(self, ids: Iterable[str]) -> None: ...

    def papers(self) -> Iterator[Paper]:
        return iter(self.held)

    def status(self) -> IndexStatus:
        return IndexStatus("stand-in", len(self.held), "drawn", 768, True)

    def close(self) -> None: ...


def candidates(papers: Sequence[Paper]) -> list[Candidate]:
    return [
        Candidate(paper, 0.9 - 0.005 * i, i + 1, score=0.9 - 0.005 * i, vector=vector(paper.id))
        for i, paper in enumerate(papers)
    ]


def paper_of() -> bytes:
    """Twelve pages of prose, as big as a paper's."""
    prose = "has on page {} a line {} of plain prose in it."
    return typeset([[f"A paper {prose.format(page, n)}" for n in range(55)] for page in range(PAGES)])


def best_of(count: int, work: Any) -> float:
    times = []
    for _ in range(count):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def selection_s(papers: Sequence[Paper], breadth: int) -> float:
    rows = np.stack([vector(paper.id) for paper in papers])
    scores = np.array([0.9 - 0.005 * i for i in range(len(papers))], dtype=np.float32)
    return best_of(20, lambda: select(scores, rows, 3 * breadth, 0.25))


def page_steps_s(papers: Sequence[Paper], breadth: int, depth: int) -> float:
    """From page vectors to the shortlist, the longlist's choice included."""
    readings = {
        paper.id: Reading(
            paper.id,
            tuple(
                Passage(paper.id, n, f"{paper.id} page {n}", vector(f"{paper.id} page {n}"))
                for n in range(PAGES)
            ),
        )
        for paper in papers[: 3 * breadth]
    }
    query = Query("abstract", (QueryPart("the abstract", "abstract"),), abstract="the abstract")
    rows = vector("the abstract").reshape(1, -1)
    found, none = (
        SearchResult(tuple(candidates(papers)), (), rows, (), ""),
        np.empty((0, len(papers)), np.float32),
    )
    gathered = ReadingList(
        query, found, Options(), none, breadth, Selection(()), readings, False, (), "drawn"
    )
    return best_of(5, lambda: choose(gathered, Options(breadth=breadth, depth=depth)))


class Clock:
    """A monitor that remembers when each step began."""

    def __init__(self) -> None:
        self.steps: list[tuple[float, str]] = []

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        if done in (None, 0):
            self.steps.append((time.perf_counter(), message))

    def check(self) -> None: ...


def whole_s(papers: Sequence[Paper], address: str, options: Options, model: ModelServer) -> Whole:
    clock, chosen = Clock(), OpenAIModel("m", base_url=f"{model.url}/v1", timeout=60)
    with tempfile.TemporaryDirectory() as folder:
        source = ArxivSource(address, Path(folder), gate_seconds=0)
        services = Services(Drawn(), SlowIndex(papers), source, ModelWriter(chosen), chosen)
        query = Query("abstract", (QueryPart("the abstract", "abstract"),), abstract="the abstract")
        started = time.perf_counter()
        threading.Thread(target=chosen.prepare).start()  # as `build_services` does
        result = related_work(query, services, options, clock)
        ended = time.perf_counter()
    times = [*(at for at, _ in clock.steps), ended]
    steps = [(name, times[n + 1] - at) for n, (at, name) in enumerate(clock.steps)]
    return Whole(ended - started, result.usage.calls, len(result.selected), steps)


@dataclass(frozen=True)
class Whole:
    seconds: float
    calls: int
    cited: int
    steps: list[tuple[str, float]]


def reference(
    python: str, papers: Sequence[Paper], address: str, options: argparse.Namespace
) -> dict[str, float]:
    task = {
        "ids": [paper.id for paper in papers], "address": address, "breadth": options.breadth,
        "depth": options.depth, "whole": not options.quick, "model_s": MODEL_S, "search_s": SEARCH_S,
    }  # fmt: skip
    script = Path(__file__).with_name("reference_run.py")
    done = subprocess.run([python, str(script)], input=json.dumps(task), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return dict(json.loads(done.stdout))


def show_whole(run: Whole, breadth: int) -> None:
    chain = chain_s(breadth)
    steps = ", ".join(f"{name} {seconds:.2f}" for name, seconds in run.steps)
    print(f"whole run {run.seconds:.2f} s, {run.seconds / chain:.2f} times the chain of {chain:.2f} s;")
    print(f"    {run.calls} model calls, {run.cited} papers cited; {steps}")


def chain_s(breadth: int) -> float:
    """One search, one queue of PDFs over the connections that are open at once, a summary, a writing."""
    return SEARCH_S + -(-3 * breadth // OPEN_CONNECTIONS) * PDF_S + 2 * MODEL_S


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--reference", help="the Python of an environment with citegeist-arxiv")
    given.add_argument("--breadth", type=int, default=10)
    given.add_argument("--depth", type=int, default=2)
    given.add_argument("--runs", type=int, default=3, help="whole runs; the first one is cold")
    given.add_argument("--quick", action="store_true", help="leave the whole run out")
    options = given.parse_args()
    papers = [
        Paper(f"2401.{i:05d}", f"Title {i}", f"On {i}.", ("A. Author0",), 2024)
        for i in range(6 * options.breadth)
    ]
    print(f"load {os.getloadavg()[0]:.1f}")
    ours = {
        "selection": selection_s(papers, options.breadth),
        "page steps": page_steps_s(papers, options.breadth, options.depth),
    }
    pdf = paper_of()
    arxiv = Arxiv(papers={paper.id: paper for paper in papers}, pdf_of=lambda _: pdf, pdf_delay_s=PDF_S)
    with serving(arxiv), serving_model(PassageBrain(MODEL_S)) as model:
        if not options.quick:
            numbers = Options(breadth=options.breadth, depth=options.depth)
            runs = [whole_s(papers, arxiv.address, numbers, model) for _ in range(options.runs)]
            for run in runs:
                show_whole(run, options.breadth)
            ours |= {"cold run": runs[0].seconds, "whole": median(run.seconds for run in runs)}
        theirs = reference(options.reference, papers, arxiv.address, options) if options.reference else {}
    if "whole" in theirs:
        theirs["cold run"] = theirs["whole"]
    print(f"{'':12}{'texgeist':>12}{'reference':>12}{'ratio':>9}")
    for name, seconds in ours.items():
        other = theirs.get(name)
        ratio = f"{other / seconds:8.1f}x" if other else ""
        shown = f"{other * 1000:10.1f}ms" if other else f"{'-':>12}"
        print(f"{name:12}{seconds * 1000:10.2f}ms{shown}{ratio}")


if __name__ == "__main__":
    main()
