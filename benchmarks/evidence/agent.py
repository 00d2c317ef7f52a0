"""The agent that gathers evidence, for related-work sections whose citations are hidden.

    python -m benchmarks.evidence.agent [--blank] [--base-url http://127.0.0.1:PORT --drafts 5]

Sections of DeepScholar-Bench without their citations (with `--blank`, without any text): recall and precision of the
papers that they cite, among these and 6,000 others, by their abstracts. The default queries alone and, at a
`--base-url`, with the model's own queries; the model may be any server of Anthropic's or OpenAI's protocol."""

from __future__ import annotations

import argparse
import gzip
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.evidence.agent import gather_evidence
from texgeist_retrieval.evidence.methods import METHODS
from texgeist_retrieval.evidence.search import PassageSearch
from texgeist_retrieval.evidence.weighing import ModelWeigher
from texgeist_retrieval.index import snapshot
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import Embedder, LanguageModel
from texgeist_retrieval.types import EvidenceRun, Paper, Passage, Query, QueryPart, SectionBrief
from texgeist_retrieval.writing import AnthropicModel, OpenAIModel

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
MODEL = Path("~/.cache/texgeist-tests/data/model").expanduser()
OTHERS = 6000  # papers beside those that the drafts cite
FEWEST = 10  # papers of the library that a draft cites, to be counted
_CITATION = re.compile(r"~?\\cite[a-zA-Z]*\*?(?:\[[^\]]*\])*\{[^{}]*\}")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base-url", default="", help="of the model's server; none: default queries alone")
    parser.add_argument("--protocol", choices=("anthropic", "openai"), default="anthropic")
    parser.add_argument("--model", default="claude-sonnet-5-5")
    parser.add_argument("--embedder", type=Path, default=MODEL)
    parser.add_argument("--drafts", type=int, default=20)
    parser.add_argument("--blank", action="store_true", help="hide the whole text of the section")
    parser.add_argument("--method", choices=[*METHODS], default="texgeist", help="as `evidence.method`")
    options = parser.parse_args()
    model, embedder = model_at(options), load_embedder(options.embedder)
    rows: dict[str, list[tuple[float, float, float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        search = abstracts_library(Path(folder) / "s")
        for query, gold in [*hidden_tasks(options.blank)][: options.drafts]:
            for name, asked in {"default queries": None, "and the model's": model}.items():
                if asked or name == "default queries":
                    run = gathered(query, search, embedder, asked, options.method)
                    rows.setdefault(name, []).append(measured(run, gold))
    for name, row in rows.items():
        recall, precision, found, queries = np.mean(row, axis=0)
        print(f"{name}: recall {recall:.3f}, precision {precision:.3f}, {found:.1f} papers, {queries:.1f} queries, "
              f"{len(row)} drafts")  # fmt: skip


def model_at(options: argparse.Namespace) -> LanguageModel | None:
    if not options.base_url:
        return None
    if options.protocol == "anthropic":
        return AnthropicModel(options.model, "any", options.base_url, timeout=1800)
    return OpenAIModel(options.model, "any", options.base_url.removesuffix("/v1") + "/v1", timeout=1800)


def gathered(
    query: Query, plain: PassageSearch, embedder: Embedder, model: LanguageModel | None, name: str
) -> EvidenceRun:
    """As the product does it, but without the memory of answers."""
    method = METHODS[name]
    weigher = ModelWeigher(model, one_by_one=method.rated_alone) if model else None
    search = replace(plain, weigher=weigher, method=method)
    return gather_evidence(query, search, embedder, Silent(), model, method=method)


def measured(run: EvidenceRun, gold: frozenset[str]) -> tuple[float, float, float, float]:
    """Recall, precision, the number of papers and the number of queries of a run."""
    found = {paper.id for paper in run.papers}
    hit = len(found & gold)
    asked = sum(not query.refused for query in run.queries)
    return hit / len(gold), hit / max(len(found), 1), float(len(found)), float(asked)


def hidden_tasks(blank: bool) -> Iterator[tuple[Query, frozenset[str]]]:
    """Sections whose citations are hidden, or with `blank` their whole text, and the papers that they cite."""
    held = {paper["id"] for paper in lines_of(DATA / "deepscholar" / "papers.jsonl.gz")}
    for task in lines_of(DATA / "deepscholar" / "tasks.jsonl.gz"):
        gold = frozenset(c["arxiv_id"] for c in task["citations"] if c["arxiv_id"] in held)
        if len(gold) < FEWEST:
            continue
        text = _CITATION.sub("", _COMMENT.sub("", task["related_work"]))
        text = re.sub(r"\\[a-zA-Z]+\*?\{([^{}]*)\}", r"\1", text).replace("~", " ")
        brief = SectionBrief("related work", "Related Work")
        parts = (QueryPart(task["abstract"], "abstract"),)
        written = "" if blank else text
        yield Query("section", parts, task["abstract"], task["title"], written=written, brief=brief), gold


def abstracts_library(folder: Path) -> PassageSearch:
    """Abstracts as papers of one passage, searched by words."""
    cited = [*lines_of(DATA / "deepscholar" / "papers.jsonl.gz")]
    known = {paper["id"] for paper in cited}
    others = (p for p in lines_of(DATA / "arxiv" / "records.jsonl.gz") if p["id"] not in known)
    records = [*cited, *(p for _, p in zip(range(OTHERS), others, strict=False))]
    papers = [Paper(p["id"], p["title"], p["abstract"]) for p in records]
    passages = [Passage(p.id, None, p.abstract, None, "abstract", "Abstract", 1) for p in papers]
    rows = {paper.id: (paper, np.zeros(0, np.float32)) for paper in papers}
    snapshot.build(folder, "1", "", passages, lambda ids: rows, Silent())
    found = snapshot.load(folder)
    assert found is not None
    return PassageSearch(found, None)


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


if __name__ == "__main__":
    main()
