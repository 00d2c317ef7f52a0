"""Whole sections for judging: `python -m benchmarks.section.write --base-url URL --out FOLDER ID [ID ...]`.

Asks a model at an OpenAI-compatible address, as the product would, for each draft of DeepScholar-Bench that
is named by its arXiv id (without version), and writes FOLDER/<arxiv id>.json: {"text", "references"}, with
numbers for citations, and CHOICE/<arxiv id>.json: the strands and the papers that the model chose. If these
exist, they are used instead of asking, so that two versions write from the same papers. Only abstracts are
read. Without an address the built-in writer writes.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.fulltext import EmptySource
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline import related_work
from texgeist_retrieval.ports import LanguageModel, Monitor, Picked, Stranded
from texgeist_retrieval.ranking.ranker import LearnedRanker
from texgeist_retrieval.services import Options, Services
from texgeist_retrieval.strands.asking import ModelPicker, ModelStrands
from texgeist_retrieval.types import Candidate, Paper, Query, Result, Sentence, Strand
from texgeist_retrieval.writing import ExtractiveWriter, ModelWriter, OpenAIModel
from texgeist_server.config.storage import model_folder

from .pool import Draft, MemoryIndex, Remembering, load


def numbered(result: Result) -> dict[str, object]:
    """The section as plain text with numbers, and what they stand for."""
    papers = {s.candidate.paper.id: s.candidate.paper for s in result.selected}
    owner = {e.id: s.candidate.paper.id for s in result.selected for e in s.evidence}
    numbers = {id: n for n, id in enumerate(papers, 1)}
    paragraphs = [
        " ".join(_told(s, owner, papers, numbers) for s in paragraph if s.aside in ("", "heading"))
        for paragraph in result.section.paragraphs
    ]
    references = [
        {"n": numbers[p.id], "id": p.id, "title": p.title, "authors": ", ".join(p.authors[:3]), "year": p.year}
        | {"abstract": p.abstract}
        for p in papers.values()
    ]  # fmt: skip
    return {"text": "\n\n".join(paragraphs), "references": references, "notes": list(result.notes)}


@dataclass(frozen=True)
class KeptChoice:
    """Strands and picks by a model, kept in a folder by the draft's title. Implements `StrandFinder` and
    `Picker`."""

    model: LanguageModel
    folder: Path
    index: MemoryIndex

    def find(self, query: Query, monitor: Monitor) -> Stranded:
        if kept := self._kept(query):
            return Stranded(tuple(from_plain(Strand, raw) for raw in kept["strands"]))
        return ModelStrands(self.model).find(query, monitor)

    def pick(
        self, query: Query, strands: Sequence[Strand], candidates: Sequence[Candidate], monitor: Monitor,
        search: Callable[[Sequence[str]], Sequence[Candidate]] | None = None,
    ) -> Picked:  # fmt: skip
        if kept := self._kept(query):
            known = {c.paper.id for c in candidates}
            more = [self.index.named(id) for id in kept["picks"] if id not in known]
            return Picked(tuple(_as_picked(c, kept["picks"]) for c in (*candidates, *more)))
        picked = ModelPicker(self.model).pick(query, strands, candidates, monitor, search)
        picks = {c.paper.id: c.strands[0] for c in picked.candidates if c.picked}
        choice = {"strands": [to_plain(strand) for strand in strands], "picks": picks}
        self._file(query).write_text(json.dumps(choice, indent=1), encoding="utf-8")
        return picked

    def preview(self, query: Query) -> str:
        return ""

    def _kept(self, query: Query) -> dict[str, Any]:
        file = self._file(query)
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    def _file(self, query: Query) -> Path:
        name = re.sub(r"\W+", "-", query.title)[:60]
        return self.folder / f"{name}.json"


def _as_picked(candidate: Candidate, picks: Mapping[str, str]) -> Candidate:
    strand = picks.get(candidate.paper.id)
    others = (name for name in candidate.strands if name != strand)
    return replace(candidate, picked=True, strands=(strand, *others)) if strand else candidate


def _told(
    sentence: Sentence, owner: dict[str, str], papers: dict[str, Paper], numbers: dict[str, int]
) -> str:
    if sentence.aside == "heading":
        return f"**{sentence.text}.**"

    def marks(evidence: tuple[str, ...]) -> str:
        found = sorted({numbers[owner[e]] for e in evidence})
        return f" [{', '.join(map(str, found))}]" if found else ""

    def ended(text: str, evidence: tuple[str, ...]) -> str:
        stop = text[-1:] if text[-1:] in ".,;:?!" else ""
        return f"{text.removesuffix(stop)}{marks(evidence)}{stop}"

    clauses = [(c.text, c.evidence) for c in sentence.clauses] or [(sentence.text, sentence.evidence)]
    (text, evidence), rest = clauses[0], clauses[1:]
    if not sentence.textual:
        return " ".join(ended(*clause) for clause in clauses)
    who = _short(papers[owner[evidence[0]]].authors) + marks(evidence)
    return " ".join(filter(None, [sentence.lead, who, text, *(ended(*clause) for clause in rest)]))


def _short(authors: tuple[str, ...]) -> str:
    last = [name.split(",")[0] if "," in name else name.split()[-1] for name in authors if name.strip()]
    if len(last) > 2:
        return f"{last[0]} et al."
    return " and ".join(last) or "The authors of"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--base-url", default="")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--choice", type=Path, help="folder of what the model chose")
    given = parser.parse_args()
    choice = given.choice or given.out / "choice"
    for folder in (given.out, choice):
        folder.mkdir(parents=True, exist_ok=True)
    drafts, index = load(given.data)
    embedder = Remembering(load_embedder(model_folder()))
    services = Services(
        embedder, index, EmptySource(), ExtractiveWriter(embedder), ranker=LearnedRanker.load()
    )
    if given.base_url:
        model = OpenAIModel("stand-in", base_url=given.base_url, timeout=3600)
        writer = ModelWriter(model, summaries=False, embedder=embedder, second_reading=True)
        chooser = KeptChoice(model, choice, index)
        services = replace(services, strands=chooser, picker=chooser, writer=writer, model=model)

    def write(draft: Draft) -> None:
        result = related_work(draft.query, services, Options(breadth=None, full_text=False), Silent())
        text = json.dumps(numbered(result), indent=1, ensure_ascii=False)
        (given.out / f"{draft.id}.json").write_text(text, encoding="utf-8")
        print(f"{draft.id}: {len(result.selected)} papers, {result.usage}", flush=True)

    chosen = [draft for draft in drafts if draft.id.split("v")[0] in given.ids]
    with ThreadPoolExecutor(max(len(chosen), 1)) as pool:  # they wait for the model
        list(pool.map(write, chosen))


if __name__ == "__main__":
    main()
