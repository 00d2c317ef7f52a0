"""The agent that gathers evidence, run by run and against its default queries alone.

    python -m benchmarks.evidence.agent run DRAFT.tex --section Discussion --index I --base-url http://127.0.0.1:PORT
    python -m benchmarks.evidence.agent hidden
    python -m benchmarks.evidence.agent hidden --base-url http://127.0.0.1:PORT --drafts 5
    python -m benchmarks.evidence.agent pace --seconds 2

`run` writes each query, what it found and why it stopped; with `--write` also the section that comes of it. `hidden`
takes related-work sections of DeepScholar-Bench, hides their citations (or, with `--blank`, the whole text), and
looks for the papers that they cite among those and 6,000 others, by their abstracts: recall and precision of the
papers of a run (24 pieces of evidence at most), by the default queries alone and, at a `--base-url`, with the
model's own. `pace` is the wall time of runs with a scripted model that takes so many seconds an answer, weighs
every passage and spends all five searches, at once or one by one. The model of the others may be anything that speaks a protocol: a service, a local server, a person behind a bridge.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.defaults import CONCURRENCY
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.evidence.agent import gather_evidence
from texgeist_retrieval.evidence.drafting import OutlineWriter, SectionWriter
from texgeist_retrieval.evidence.methods import METHODS
from texgeist_retrieval.evidence.search import PassageSearch
from texgeist_retrieval.evidence.weighing import ModelWeigher
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline.writing import write_from
from texgeist_retrieval.ports import Embedder, ToolModel
from texgeist_retrieval.types import EvidenceRun, Query, Result
from texgeist_retrieval.writing import AnthropicModel, OpenAIModel

from .libraries import abstracts_library, hidden_tasks, shared_library

MODEL = Path("~/.cache/texgeist-tests/data/model").expanduser()


def model_at(options: argparse.Namespace) -> ToolModel | None:
    if not options.base_url:
        return None
    if options.protocol == "anthropic":
        return AnthropicModel(options.model, "any", options.base_url, timeout=options.timeout)
    address = options.base_url.removesuffix("/v1") + "/v1"
    return OpenAIModel(options.model, "any", address, timeout=options.timeout)


def embedder_of(options: argparse.Namespace) -> Embedder:
    """Of queries: whether two of them ask the same."""
    return load_embedder(options.embedder)


def tell(run: EvidenceRun) -> None:
    """A run query by query."""
    known = {one.id: one for one in run.evidence}
    titles = {paper.id: paper.title for paper in run.papers}
    for asked in run.queries:
        print(f"\n{asked.by}: {asked.text}" + (f"\n  for: {asked.why}" if asked.why else ""))
        if asked.refused:
            print(f"  not run: {asked.refused}")
        if not asked.found and not asked.refused:
            print("  nothing that is kept")
        for one in (known[id] for id in asked.found if id in known):
            where = one.passage.heading or one.passage.section
            print(f"  [{one.id}] {one.score:.2f} {titles.get(one.passage.paper_id, '')} ({where})")
            print(f"      {' '.join((one.summary or one.passage.text).split())[:220]}")
    print(f"\n{run.stopped}\n{len(run.evidence)} pieces of {len(run.papers)} papers, {run.searches} searches by the "
          f"model, {run.usage.calls} calls, {run.usage.input_tokens} tokens sent")  # fmt: skip


def run_one(options: argparse.Namespace) -> None:
    from texgeist_latex.reading.draft import read_draft
    from texgeist_server.config.credentials import Keys
    from texgeist_server.config.settings import Settings
    from texgeist_server.index_places import index_place
    from texgeist_server.passage_library import build_evidence_search
    from texgeist_server.sections.section_briefs import section_named, section_query

    draft = read_draft(options.draft)
    query = section_query(draft, section_named(draft, options.section))
    if options.index:
        plain = build_evidence_search(Settings(), index_place(Settings(), Keys(), options.index), Silent())
    else:
        plain = shared_library(options.library)
    model, embedder, began = model_at(options), embedder_of(options), time.monotonic()
    run = gathered(query, plain, embedder, model, options)
    tell(run)
    print(f"{time.monotonic() - began:.1f} s")
    if options.write:
        writer = SectionWriter(model, embedder) if model else OutlineWriter(embedder)
        tell_section(write_from(query, run, embedder, writer, Silent()))


def gathered(
    query: Query,
    plain: PassageSearch,
    embedder: Embedder,
    model: ToolModel | None,
    options: argparse.Namespace,
) -> EvidenceRun:
    """As the product does it, but for the memory of answers."""
    method = METHODS[options.method]
    weigher = None
    if model and not options.searches_only:
        weigher = ModelWeigher(model, options.concurrency, one_by_one=method.rated_alone)
    search = replace(plain, weigher=weigher, method=method)
    return gather_evidence(query, search, embedder, Silent(), model, method=method)


def tell_section(result: Result) -> None:
    titles = {one.id: s.candidate.paper.title for s in result.selected for one in s.evidence}
    print(f"\nWritten by {result.writer}:")
    for paragraph in result.section.paragraphs:
        print()
        for s in paragraph.sentences:
            cited = "; ".join(f"{id}: {titles.get(id, '')}" for id in s.evidence)
            mark = f"({s.aside}) " if s.aside else ""
            print(f"{mark}{s.lead} {s.text}".strip() + f"  [{cited}] {' '.join(s.own)}".rstrip())
    print("\n".join(result.notes))


def hidden(options: argparse.Namespace) -> None:
    tasks = [*hidden_tasks(options.blank)][options.skip :][: options.drafts]
    model, embedder = model_at(options), embedder_of(options)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.at_once) as pool:
        search = abstracts_library(Path(folder))

        def measured(task: tuple[Query, frozenset[str]]) -> dict[str, tuple[float, float, float, float]]:
            query, gold = task
            by = {"default queries": gathered(query, search, embedder, None, options)}
            if model:
                by["and the model's"] = gathered(query, search, embedder, model, options)
            row = {name: _measured(run, gold) for name, run in by.items()}
            asked = [one.text for run in by.values() for one in run.queries if one.by == "model"]
            said = " ".join(run.stopped for run in by.values())
            print("\n- ".join([f"{query.title[:60]} {row} {said}", *asked]), file=sys.stderr)
            return row

        rows = [*pool.map(measured, tasks)]
    for name in rows[0]:
        recall, precision, found, queries = np.mean([row[name] for row in rows], axis=0)
        print(f"{name}: recall {recall:.3f}, precision {precision:.3f}, {found:.1f} papers, {queries:.1f} queries, "
              f"{len(rows)} drafts")  # fmt: skip


def pace(options: argparse.Namespace) -> None:
    from tests.retrieval.model_server import Turn, schema_of, serving_model

    def brain(at_once: int, request: dict[str, Any]) -> Turn:
        if "tools" in request:
            done = str(request["messages"]).count("'search_evidence'")
            asked = [f"{_WORDS[n]} in {_WORDS[n + 1]}" for n in range(done, min(5, done + at_once))]
            searches = [("search_evidence", {"query": q, "missing": "more"}) for q in asked]
            return Turn(None, calls=searches, seconds=options.seconds)
        said = {"summary": "The passage reports what the method does. " * 8, "relevance": 0.7}
        form = schema_of(request)["properties"]
        if "passages" in form:
            ids = form["passages"]["items"]["properties"]["id"]["enum"]
            return Turn({"passages": [{"id": id, **said} for id in ids]}, seconds=options.seconds)
        assert "relevance" in form
        return Turn(said, seconds=options.seconds)

    embedder, (query, _) = embedder_of(options), next(hidden_tasks(False))
    with tempfile.TemporaryDirectory() as folder:
        plain = abstracts_library(Path(folder))
        for at_once in (5, 1):
            with serving_model(partial(brain, at_once)) as server:
                model = OpenAIModel("m", "k", f"{server.url}/v1")
                model.prepare()
                began = time.monotonic()
                run = gathered(query, plain, embedder, model, options)
                sent = sum(len(str(request["messages"])) for request in server.requests) / 4
                got = sum(len(call.turn.text) for call in server.calls) / 4
                print(f"{options.method}, {at_once} searches an answer: {time.monotonic() - began:.1f} s, "
                      f"{len(server.requests)} calls, {server.most_open} at once, {sent:,.0f} tokens sent, {got:,.0f} "
                      f"received, {len(run.evidence)} pieces; {run.stopped}")  # fmt: skip


_WORDS = ("graph networks", "protein folding", "speech synthesis", "reinforcement learning", "image retrieval",
          "privacy attacks", "program repair")  # fmt: skip


def _measured(run: EvidenceRun, gold: frozenset[str]) -> tuple[float, float, float, float]:
    found = {paper.id for paper in run.papers}
    hit = len(found & gold)
    asked = sum(not query.refused for query in run.queries)
    return hit / len(gold), hit / max(len(found), 1), float(len(found)), float(asked)


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = options.add_subparsers(required=True)
    one, many = parts.add_parser("run"), parts.add_parser("hidden")
    for part in (one, many):
        part.add_argument("--base-url", default="", help="of the model's server; none: default queries alone")
        part.add_argument("--protocol", choices=("anthropic", "openai"), default="anthropic")
        part.add_argument("--model", default="claude-sonnet-5-5")
        part.add_argument("--timeout", type=float, default=1800.0)
        part.add_argument("--embedder", type=Path, default=MODEL)
        part.add_argument("--concurrency", type=int, default=CONCURRENCY)
        part.add_argument("--searches-only", action="store_true", help="the model weighs no passages")
    one.add_argument("draft", type=Path)
    one.add_argument("--section", required=True)
    one.add_argument("--index", default="", help="of full papers; none: the library of ../shared/data")
    one.add_argument("--library", type=Path, default=Path(tempfile.gettempdir()) / "texgeist-library")
    one.add_argument("--write", action="store_true")
    one.set_defaults(does=run_one)
    many.add_argument("--drafts", type=int, default=20)
    many.add_argument("--at-once", type=int, default=1, help="drafts, where the model is slow")
    many.add_argument("--skip", type=int, default=0, help="drafts that were done before")
    many.add_argument("--blank", action="store_true", help="hide the whole text of the section")
    many.set_defaults(does=hidden)
    quick = parts.add_parser("pace")
    quick.add_argument("--seconds", type=float, default=2.0)
    quick.add_argument("--concurrency", type=int, default=CONCURRENCY)
    quick.add_argument("--embedder", type=Path, default=MODEL)
    quick.set_defaults(does=pace, searches_only=False)
    for part in (one, many, quick):
        part.add_argument("--method", choices=[*METHODS], default="texgeist", help="as `evidence.method`")
    given = options.parse_args()
    given.does(given)


if __name__ == "__main__":
    main()
