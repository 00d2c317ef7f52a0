"""Discovery over a stand-in for the services of literature: `python -m benchmarks.discovery`.

The stand-in knows the papers of both citation sets and of DeepScholar-Bench. Its citations are those of the
1,902 training papers; the lists of the drafts that are tested are not among them. For each draft half of its
citations are hidden. The table compares how many of the hidden ones are among the first 60 of a full index of
the same papers, and among the candidates of discovery, both ordered by the similarity of the abstracts."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.cache_file import Cache
from texgeist_retrieval.discovery.run import discover
from texgeist_retrieval.discovery.services import open_service
from texgeist_retrieval.identity import plain_title
from texgeist_retrieval.types import SERVICES, CitedWork, DiscoveryRequest, Query, QueryPart, ServiceName

from tests.literature_server import Literature, Work, serving

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
DEPTH = 60
DELAY_S = 0.05


@dataclass(frozen=True)
class Draft:
    title: str
    abstract: str
    texts: tuple[str, ...]
    vector: Any
    cited: tuple[int, ...]  # places in the list of works


@dataclass
class World:
    works: list[Work]
    vectors: list[Any]
    places: dict[str, int]  # by plain title

    def add(self, work: Work, vector: Any) -> int:
        title = plain_title(work.title)
        if title not in self.places:
            self.places[title] = len(self.works)
            self.works.append(work)
            self.vectors.append(vector)
        return self.places[title]


def read(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def work_of(record: dict[str, Any], number: int) -> Work:
    """A work with made-up ids: every second has a DOI, every third only a DOI. Of every fifth, only Semantic
    Scholar has the abstract."""
    year = record.get("year") or 2020
    arxiv = f"{year % 100:02}01.{number:05}" if number % 3 else ""
    doi = f"10.5555/{number}" if number % 2 or not arxiv else ""
    return Work(
        record["title"],
        record["abstract"],
        (f"Ada Author{number}",),
        year,
        "",
        doi,
        arxiv,
        record.get("venue", ""),
        closed=number % 5 == 0,
    )


def build() -> tuple[World, list[Draft]]:
    world = World([], [], {})
    place: dict[tuple[str, int], int] = {}
    for half in ("dev", "train"):
        vectors = np.load(DATA / f"citations/{half}-corpus-mpnet.npy")
        for record, vector in zip(read(f"citations/{half}-corpus"), vectors, strict=True):
            place[half, record["doc"]] = world.add(work_of(record, len(world.works)), vector)
    drafts = read("citations/dev-queries")
    tested = {plain_title(record["title"]) for record in drafts}
    vectors = np.load(DATA / "citations/train-queries-mpnet.npy")
    for record, vector in zip(read("citations/train-queries"), vectors, strict=True):
        if plain_title(record["title"]) not in tested:
            at = world.add(work_of({**record, "year": 2025, "venue": "NeurIPS"}, len(world.works)), vector)
            cited = tuple(place["train", doc] for doc in record["cited"])
            world.works[at] = Work(**{**fields(world.works[at]), "references": cited})
    vectors = np.load(DATA / "citations/dev-queries-mpnet.npy")
    return world, [
        Draft(
            record["title"],
            record["abstract"],
            texts_of(record),
            vector,
            tuple(place["dev", doc] for doc in record["cited"]),
        )
        for record, vector in zip(drafts, vectors, strict=True)
    ]


def fields(work: Work) -> dict[str, Any]:
    return {name: getattr(work, name) for name in Work.__dataclass_fields__}


def texts_of(record: dict[str, Any]) -> tuple[str, ...]:
    words = record["keywords"] if isinstance(record["keywords"], list) else []
    return tuple(filter(None, (record["title"], record["abstract"], " ".join(words))))


def request_of(draft: Draft, world: World, known: Sequence[int]) -> DiscoveryRequest:
    """As from a bibliography in which every second entry has an id."""
    works = [world.works[at] for at in known]
    ids = [f"doi:{work.doi}" if work.doi else work.arxiv for work in works[::2]]
    query = Query(
        "abstract",
        (QueryPart(draft.abstract, "abstract"),),
        draft.abstract,
        draft.title,
        ("Me Myself",),
        frozenset(ids),
        tuple(CitedWork(work.title, tuple(work.authors), work.year) for work in works),
    )
    return DiscoveryRequest(query, draft.texts)


def nearest(draft: Draft, vectors: Any, among: Sequence[int], left_out: set[int]) -> list[int]:
    places = np.array([at for at in among if at not in left_out], dtype=int)
    if not places.size:
        return []
    scores = vectors[places] @ draft.vector.astype(np.float32)
    return [int(at) for at in places[np.argsort(-scores)[:DEPTH]]]


@dataclass
class Row:
    full: float
    held: float
    ordered: float
    papers: int
    calls: int
    dollars: float
    seconds: float
    again_calls: int
    again_s: float


def measure(
    draft: Draft, world: World, vectors: Any, state: Literature, names: Sequence[ServiceName], nothing: bool
) -> Row:
    known = () if nothing else draft.cited[::2]
    hidden = set(draft.cited) - set(known)
    own = world.places.get(plain_title(draft.title))
    left_out = set(known) | ({own} if own is not None else set())
    services = [open_service(name, f"{state.address}/{name}", "key") for name in names]
    request = request_of(draft, world, known)
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder) / "answers.db")
        started, before = time.monotonic(), len(state.asked)
        found = discover(request, services, cache)
        between, sent = time.monotonic(), len(state.asked) - before
        again = discover(request, services, cache)
        took = time.monotonic() - between
    for service in services:
        service.close()
    if found.notes:
        print(found.notes, file=sys.stderr)
    candidates = [world.places[plain_title(one.paper.title)] for one in found.papers]
    full = nearest(draft, vectors, range(len(world.works)), left_out)
    ordered = nearest(draft, vectors, candidates, left_out)

    def share(places: Sequence[int]) -> float:
        return len(hidden & set(places)) / len(hidden)

    return Row(
        share(full), share(candidates), share(ordered), len(candidates), sent, found.dollars,
        between - started, again.calls, took,
    )  # fmt: skip


def rows(count: int, names: Sequence[ServiceName], nothing: bool, start: int) -> Iterator[Row]:
    world, drafts = build()
    vectors = np.stack(world.vectors).astype(np.float32)
    with serving(world.works, DELAY_S) as state:
        state.dollars = 1e9
        for draft in drafts[start : start + count]:
            if len(draft.cited) > 1:
                yield measure(draft, world, vectors, state, names, nothing)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drafts", type=int, default=40)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--nothing", action="store_true", help="the draft cites nothing")
    parser.add_argument("--services", default=",".join(SERVICES))
    asked = parser.parse_args()
    if not (DATA / "citations").is_dir():
        print(f"Left out: {DATA / 'citations'} is missing.")
        return 0
    names = [name for name in SERVICES if name in asked.services.split(",")]
    all_rows = list(rows(asked.drafts, names, asked.nothing, asked.start))
    means = {
        name: float(np.mean([getattr(row, name) for row in all_rows])) for name in Row.__dataclass_fields__
    }
    for name, mean in means.items():
        most = max(getattr(row, name) for row in all_rows)
        print(f"{name:12} mean {mean:8.4f}  most {most:8.4f}")
    print(
        f"held / full at {DEPTH}: {means['held'] / means['full']:.2f}; ordered / full: {means['ordered'] / means['full']:.2f}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
