"""What the agent is measured on: libraries made of ../shared/data, and sections whose citations are hidden."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.evidence.search import PassageSearch
from texgeist_retrieval.fulltext.chunks import chunks_of
from texgeist_retrieval.index import snapshot
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.sources.records import read_record
from texgeist_retrieval.types import Paper, Passage, Query, QueryPart, SectionBrief

from . import LIBRARY

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
OTHERS = 6000  # papers beside those that the drafts cite
FEWEST = 10  # papers of the library that a draft cites, to be counted
_CITATION = re.compile(r"~?\\cite[a-zA-Z]*\*?(?:\[[^\]]*\])*\{[^{}]*\}")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")


def shared_library(folder: Path) -> PassageSearch:
    """Full papers, and abstracts of others as papers of one passage, searched by words; made where it is not in
    `folder` yet."""
    if (found := snapshot.load(folder)) is None:
        lines = (line for name in LIBRARY for line in lines_of(DATA / "evidence" / f"{name}.jsonl.gz"))
        full = {record.paper.id: record for record in map(read_record, lines)}  # some papers are in two files
        passages = [p for id, record in full.items() for p in chunks_of(id, record.sections)]
        papers = {id: record.paper for id, record in full.items()}
        for line in _abstracts():
            paper = Paper(line["id"], line["title"], line["abstract"], year=int(line["year"]))
            if paper.abstract and paper.id not in papers:
                papers[paper.id] = paper
                passages.append(Passage(paper.id, None, paper.abstract, None, "abstract", "Abstract", 1))
        found = built(folder, passages, papers.values())
    return PassageSearch(found, None)


def _abstracts() -> Iterator[dict[str, Any]]:
    for line in lines_of(DATA / "arxiv" / "records.jsonl.gz"):
        yield {**line, "year": line["created"][:4]}
    for line in lines_of(DATA / "citations" / "dev-corpus.jsonl.gz"):
        yield {**line, "id": f"dev:{line['doc']}", "year": line["year"] or 0}


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
        part = QueryPart(task["abstract"], "abstract")
        yield (
            Query(
                "section",
                (part,),
                task["abstract"],
                task["title"],
                written="" if blank else text,
                brief=brief,
            ),
            gold,
        )


def abstracts_library(folder: Path) -> PassageSearch:
    """Abstracts as papers of one passage."""
    cited = [*lines_of(DATA / "deepscholar" / "papers.jsonl.gz")]
    known = {paper["id"] for paper in cited}
    others = (p for p in lines_of(DATA / "arxiv" / "records.jsonl.gz") if p["id"] not in known)
    records = [*cited, *(p for _, p in zip(range(OTHERS), others, strict=False))]
    papers = [Paper(p["id"], p["title"], p["abstract"]) for p in records]
    passages = [Passage(p.id, None, p.abstract, None, "abstract", "Abstract", 1) for p in papers]
    return PassageSearch(built(folder / "s", passages, papers), None)


def built(folder: Path, passages: Sequence[Passage], papers: Iterable[Paper]) -> snapshot.Snapshot:
    """A snapshot that is searched by words."""
    known = {paper.id: (paper, np.zeros(0, np.float32)) for paper in papers}
    snapshot.build(folder, "1", "", passages, lambda ids: known, Silent())
    found = snapshot.load(folder)
    assert found is not None
    return found


def lines_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)
