"""What a section would cite, at equal numbers: `python -m benchmarks.section [--strands FILE]`.

Every row is the product's own line of steps (`pipeline.gather`, `pipeline.choose`) over abstracts, on drafts
of DeepScholar-Bench, in an index of their cited papers and some 28,000 others. `--strands`: JSON by arXiv id
of what a model answered when asked for strands; only these drafts are measured then.

`recall`: mean over the drafts of the share of their cited papers; `cited`: how many, of all.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.fulltext import EmptySource
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline import SearchResult, choose, gather
from texgeist_retrieval.ports import Stranded
from texgeist_retrieval.ranking.ranker import LearnedRanker
from texgeist_retrieval.services import Options, Services
from texgeist_retrieval.strands.asking import read_strands
from texgeist_retrieval.types import Query, Usage
from texgeist_retrieval.writing import ExtractiveWriter
from texgeist_server.config.storage import model_folder

from .pool import Draft, Remembering, load

NUMBERS = (10, 20, 24, 30)


@dataclass(frozen=True)
class StrandFile:
    """Strands from a file by the draft's title, as `services.StrandFinder`."""

    answers: Mapping[str, Any]

    def find(self, query: Query, monitor: object) -> Stranded:
        strands, problems = read_strands(self.answers[query.title])
        if problems:
            raise ValueError(problems[0])
        return Stranded(strands, Usage())

    def preview(self, query: Query) -> str:
        return ""


def chosen(gathered: list[SearchResult], options: Options) -> list[list[str]]:
    """Ids of what each draft's section would cite."""
    return [[one.candidate.paper.id for one in choose(each, options).selected] for each in gathered]


def gathered_for(drafts: list[Draft], services: Services, options: Options) -> list[SearchResult]:
    return [gather(d.query, services, replace(options, breadth=max(NUMBERS)), Silent()) for d in drafts]


def line(name: str, drafts: list[Draft], gathered: list[SearchResult], options: Options) -> None:
    cells = []
    for number in NUMBERS:
        lists = chosen(gathered, replace(options, breadth=number))
        right = [len(set(ids) & draft.cited) for ids, draft in zip(lists, drafts, strict=True)]
        recall = np.mean([n / len(d.cited) for n, d in zip(right, drafts, strict=True)])
        mean = np.mean([len(ids) for ids in lists])
        cells.append(f"{100 * recall:5.1f} {sum(right):4d} ({mean:.1f})")
    print(f"{name:44s} {'  '.join(cells)}", flush=True)


def as_needed(name: str, drafts: list[Draft], services: Services, options: Options) -> None:
    """With `auto` in place of a number."""
    auto = replace(options, breadth=None)
    lists = chosen([gather(d.query, services, auto, Silent()) for d in drafts], auto)
    right = sum(len(set(ids) & draft.cited) for ids, draft in zip(lists, drafts, strict=True))
    sizes = [len(ids) for ids in lists]
    print(f"{name}, auto: {right} right of {sum(sizes)}, {min(sizes)} to {max(sizes)} papers")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--strands", type=Path)
    given = parser.parse_args()
    drafts, index = load(given.data)
    drafts = [draft for draft in drafts if draft.cited]
    answers: dict[str, Any] = {}
    if given.strands:
        told = json.loads(given.strands.read_text(encoding="utf-8"))
        drafts = [draft for draft in drafts if draft.id.split("v")[0] in told]
        answers = {draft.query.title: told[draft.id.split("v")[0]] for draft in drafts}
    embedder = Remembering(load_embedder(model_folder()))
    plain = Services(embedder, index, EmptySource(), ExtractiveWriter(embedder))
    ranked = replace(plain, ranker=LearnedRanker.load())
    options = Options(full_text=False)
    cited = sum(len(draft.cited) for draft in drafts)
    print(
        f"{len(drafts)} drafts, {cited} cited papers among {len(index.held)}; recall, cited (papers chosen)"
    )
    print(f"{'':44s} {'  '.join(f'at {n:<14d}' for n in NUMBERS)}")
    line("similarity of the abstract", drafts, gathered_for(drafts, plain, options), options)
    line("the ranking", drafts, gathered_for(drafts, ranked, options), options)
    as_needed("the ranking", drafts, ranked, options)
    if answers:
        with_strands = replace(ranked, strands=StrandFile(answers))
        line("a model's strands", drafts, gathered_for(drafts, with_strands, options), options)
        as_needed("a model's strands", drafts, with_strands, options)


if __name__ == "__main__":
    main()
