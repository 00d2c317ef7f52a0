"""Discovery over a stand-in for the literature services: `python -m benchmarks.discovery`.

The stand-in knows the papers of both citation sets and of DeepScholar-Bench. Its citations are those of the
1,902 training papers; the lists of the drafts that are tested are not among them. For each draft half of its
citations are hidden. The table compares how many of the hidden ones are among the first 60 of a full index of
the same papers, and among the candidates of discovery, both ordered by the similarity of the abstracts."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.discovery.asking import open_cache
from texgeist_retrieval.discovery.run import discover
from texgeist_retrieval.discovery.services import open_service
from texgeist_retrieval.identity import plain_title
from texgeist_retrieval.pipeline.discovering import request_of as draft_request
from texgeist_retrieval.types import SERVICES, DiscoveryRequest, Paper, Query, QueryPart, ServiceName
from texgeist_server.config.storage import model_folder

from benchmarks.retrieval.sets import asked_of_drafts, embedder_at
from tests.literature_server import Literature, Work, serving

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
DEPTH = 60
DELAY_S = 0.05


@dataclass(frozen=True)
class Draft:
    title: str
    abstract: str
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


def deepscholar(world: World) -> list[Draft]:
    """Adds the papers of DeepScholar-Bench, with their real ids, and returns its drafts. No citations are
    known of its papers, except those by the training papers."""
    vectors = np.load(DATA / "deepscholar/papers-mpnet.npy")
    for record, vector in zip(read("deepscholar/papers"), vectors, strict=True):
        names = [" ".join(reversed(name.split(", "))) for name in record["authors"]]
        work = work_of(record, len(world.works))
        world.add(replace(work, authors=names, arxiv=record["id"]), vector)
    asked = asked_of_drafts(DATA, 4)
    rows = embedder_at(None).embed_documents([one.text for one in asked])
    return [
        Draft(one.title, one.text, row, tuple(world.places[plain_title(title)] for title in one.titles))
        for one, row in zip(asked, rows, strict=True)
    ]


def work_of(record: dict[str, Any], number: int) -> Work:
    """A work with made-up ids: every second has a DOI, every third only a DOI. Of every fifth, only Semantic
    Scholar has the abstract."""
    year = record.get("year") or 2020
    arxiv = f"{year % 100:02}13.{number:05}" if number % 3 else ""
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
            world.works[at] = replace(world.works[at], references=cited)
    vectors = np.load(DATA / "citations/dev-queries-mpnet.npy")
    return world, [
        Draft(
            record["title"],
            record["abstract"],
            vector,
            tuple(place["dev", doc] for doc in record["cited"]),
        )
        for record, vector in zip(drafts, vectors, strict=True)
    ]


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
        tuple(Paper("", work.title, authors=tuple(work.authors), year=work.year) for work in works),
    )
    return draft_request(query, (), "")


def nearest(draft: Draft, vectors: Any, among: Sequence[int], left_out: set[int]) -> list[int]:
    places = np.array([at for at in among if at not in left_out], dtype=int)
    if not places.size:
        return []
    scores = vectors[places] @ draft.vector.astype(np.float32)
    return [int(at) for at in places[np.argsort(-scores)[:DEPTH]]]


@dataclass
class Row:
    """Of one draft. `full`, `held`, `ordered`: the share of the hidden citations among the first 60 of a full
    index, among all candidates of discovery, and among the first 60 of these."""

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
    draft: Draft, world: World, vectors: Any, state: Literature, names: Sequence[ServiceName], cites: bool
) -> Row:
    known = draft.cited[::2] if cites else ()
    hidden = set(draft.cited) - set(known)
    left_out = {*known, world.places.get(plain_title(draft.title), -1)}
    services = [open_service(name, f"{state.address}/{name}", "key") for name in names]
    request = request_of(draft, world, known)
    with tempfile.TemporaryDirectory() as folder:
        cache = open_cache(Path(folder) / "answers.db")
        started = time.monotonic()
        found = discover(request, services, cache)
        between = time.monotonic()
        again = discover(request, services, cache)
        took = time.monotonic() - between
    for service in services:
        service.close()
    candidates = [world.places[plain_title(one.paper.title)] for one in found.papers]
    full = nearest(draft, vectors, range(len(world.works)), left_out)
    ordered = nearest(draft, vectors, candidates, left_out)

    def share(places: Sequence[int]) -> float:
        return len(hidden & set(places)) / len(hidden)

    return Row(
        share(full), share(candidates), share(ordered), len(candidates), found.calls, found.dollars,
        between - started, again.calls, took,
    )  # fmt: skip


ALL = tuple(SERVICES)
SETTINGS: Sequence[tuple[str, str, Sequence[ServiceName], bool]] = (
    ("NeurIPS", "half is cited", ALL, True),
    ("NeurIPS", "nothing is cited", ALL, False),
    ("DeepScholar", "half is cited", ALL, True),
    ("DeepScholar", "nothing is cited", ALL, False),
    ("NeurIPS", "without OpenAlex", ALL[1:], True),
    ("NeurIPS", "OpenAlex alone", ALL[:1], True),
    ("NeurIPS", "arXiv, Crossref", ALL[2:], True),
)


def time_section(draft: Draft, world: World, state: Literature) -> None:
    """Writes a section without a model for a draft that cites half of its works, twice, from an empty
    library, with the command line."""
    known = [world.works[at] for at in draft.cited[::2]]
    with tempfile.TemporaryDirectory() as folder:
        project, data = Path(folder) / "paper", Path(folder) / "data"
        project.mkdir()
        data.mkdir()
        (data / "model").symlink_to(model_folder())
        cites = "".join(f"Earlier work did this \\cite{{k{at}}}.\n" for at in range(len(known)))
        (project / "main.tex").write_text(
            f"\\documentclass{{article}}\n\\title{{{draft.title}}}\n\\author{{Me Myself}}\n\\begin{{document}}\n"
            f"\\maketitle\n\\begin{{abstract}}\n{draft.abstract}\n\\end{{abstract}}\n\\section{{Introduction}}\n{cites}"
            "\\bibliography{refs}\n\\end{document}\n"
        )
        entries = (
            f"@article{{k{at},\n title = {{{w.title}}},\n author = {{{w.authors[0]}}},\n year = {{{w.year}}},\n}}\n"
            for at, w in enumerate(known)
        )
        (project / "refs.bib").write_text("".join(entries))
        env = {**os.environ, "TEXGEIST_DATA": str(data), "TEXGEIST_CONFIG": str(data / "none.toml")}
        before_s = 0.0
        for run in ("first section", "again"):
            started, before = time.monotonic(), len(state.asked)
            command = [
                sys.executable,
                "-P",
                "-m",
                "texgeist_server",
                "related-work",
                str(project / "main.tex"),
            ]
            done = subprocess.run(
                [*command, "--discover", "--json"], env=env, capture_output=True, text=True, check=False
            )
            took, sent = time.monotonic() - started, len(state.asked) - before
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            processor, before_s = used.ru_utime + used.ru_stime - before_s, used.ru_utime + used.ru_stime
            cited = len(json.loads(done.stdout)["citations"]) if done.returncode == 0 else done.stderr
            print(
                f"{run}: {took:.1f} s ({processor:.1f} s of processor time), {sent} requests, papers cited: {cited}",
                flush=True,
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drafts", type=int, default=20)
    parser.add_argument("--section", action="store_true", help="time a section, from an empty library")
    asked = parser.parse_args()
    count = asked.drafts
    if not (DATA / "citations").is_dir():
        print(f"Left out: {DATA / 'citations'} is missing.")
        return 0
    world, neurips = build()
    drafts = {"NeurIPS": neurips, "DeepScholar": deepscholar(world)}
    vectors = np.stack(world.vectors).astype(np.float32)
    print(f"{len(world.works):,} papers; of {count} drafts the mean and the largest value")
    with serving(world.works, DELAY_S) as state:
        state.dollars = 1e9
        if asked.section:
            time_section(neurips[0], world, state)
            return 0
        print(" " * 31 + " ".join(f"{one.name:>16}" for one in fields(Row)))
        for source, title, names, cites in SETTINGS:
            chosen = [draft for draft in drafts[source] if len(draft.cited) > 1][:count]
            rows = [measure(draft, world, vectors, state, names, cites) for draft in chosen]
            cells = []
            for one in fields(Row):
                values = [getattr(row, one.name) for row in rows]
                cells.append(f"{np.mean(values):8.3f} {max(values):7.3f}")
            print(f"{source:12} {title:17} " + " ".join(cells), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
