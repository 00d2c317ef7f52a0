"""Each pipeline of `relatedWork.method`: what it chooses, its calls, tokens and seconds.

    python -m benchmarks.section.methods --choice FOLDER

On those drafts of DeepScholar-Bench for which FOLDER has the strands and papers that a strong model chose
(`benchmarks.section.write --choice`), in an index of 28,000 abstracts. A scripted model, which takes `--seconds` an
answer, gives these strands and papers, and sections and summaries of the usual length, so that nothing is said of
the text. Each paper has two pages of 1,525 characters, the mean length of a passage. Tokens are characters / 4."""

from __future__ import annotations

import argparse
import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.fulltext import EmptySource
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline import choose, compose, gather
from texgeist_retrieval.pipeline.search import find
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.services import Options, Services
from texgeist_retrieval.types import Filters, Paper, Passage
from texgeist_retrieval.writing import ExtractiveWriter, OpenAIModel
from texgeist_server.adapters import model_writer, ranker_for, strands_for, with_method
from texgeist_server.config.settings import Settings
from texgeist_server.config.storage import model_folder
from texgeist_server.sections.runs import first_choice

from tests.retrieval.model_server import ModelServer, Turn, schema_of, serving_model

from .pool import Draft, MemoryIndex, Remembering, load

PAGE, PAGES = 1525, 2
_TITLE = re.compile(r'<draft title="([^"]*)"')
_SHOWN = re.compile(r"^(T\d+)\. (.*) \((?:\d+|n\.d\.)\)$", re.MULTILINE)


@dataclass(frozen=True)
class PagesOfAbstracts:
    """Implements `FullPapers`: each paper has two pages, its abstract repeated."""

    index: MemoryIndex

    def passages(self, ids: Sequence[str], text: str, embedder: Embedder) -> dict[str, tuple[Passage, ...]]:
        rows = {paper.id: n for n, paper in enumerate(self.index.held)}
        return {id: tuple(self._page(rows[id], n) for n in range(1, PAGES + 1)) for id in ids}

    def _page(self, row: int, number: int) -> Passage:
        paper = self.index.held[row]
        text = (f"{paper.abstract or paper.title} " * (PAGE // 50))[:PAGE]
        return Passage(paper.id, number, text, self.index.vectors[row])


class FarModel(OpenAIModel):
    """A model that counts as strong although its server is on this machine."""

    @property
    def local(self) -> bool:
        return False


@dataclass(frozen=True)
class Script:
    """The answers of the model. `kept`: strands and picked papers by the draft's title."""

    kept: Mapping[str, dict[str, Any]]
    papers: Mapping[str, Paper]
    seconds: float

    def __call__(self, request: dict[str, Any]) -> Turn:
        text = "\n".join(str(message["content"]) for message in request["messages"])
        form = schema_of(request)["properties"]
        return Turn(self._answer(form, text), seconds=self.seconds)

    def _answer(self, form: dict[str, Any], text: str) -> dict[str, Any]:
        found = _TITLE.search(text)
        kept = self.kept[found.group(1)] if found else {}
        if "strands" in form:
            return {"strands": kept["strands"]}
        if "chosen" in form:
            return self._picks(kept["picks"], text)
        if "summary" in form:
            ids = form["passages"]["items"]["properties"]["id"]["enum"]
            said = [{"id": id, "relevance": 7, "supports": "The method works. " * 5} for id in ids]
            return {"summary": "The paper studies the problem. " * 20, "passages": said}
        if "corrections" in form:
            return {"corrections": []}
        cited = re.findall(r'<paper [^>]*>.*?<passage id="(\d+)"', text, re.DOTALL)
        return {
            "plan": ["x" * 100] * 5,
            "section": " ".join(f"The problem is studied [{id}]." for id in cited),
        }

    def _picks(self, picks: Mapping[str, str], text: str) -> dict[str, Any]:
        """The picked papers among the titles shown; searches for the titles of the others."""
        shown = {title: label for label, title in _SHOWN.findall(text)}
        titles = {self.papers[id].title: strand for id, strand in picks.items() if id in self.papers}
        groups: dict[str, list[str]] = {}
        for title, strand in titles.items():
            if title in shown:
                groups.setdefault(strand, []).append(shown[title])
        asked = "Choose again" in text
        queries = [] if asked else [title for title in titles if title not in shown][:12]
        chosen = [{"strand": strand, "papers": labels} for strand, labels in groups.items()]
        return {"chosen": chosen, "unclear": [], "queries": queries}


def services_of(settings: Settings, base: Services, model: OpenAIModel | None) -> Services:
    """The services that the product uses with these settings."""
    ranker = ranker_for(settings, base.embedder, [])
    if model is None:
        return replace(base, ranker=ranker)
    strands, picker = strands_for(settings, model)
    return replace(
        base,
        ranker=ranker,
        model=model,
        strands=strands,
        picker=picker,
        writer=model_writer(settings, model),  # no embedder: the scripted text stands on no passage
    )


def measure(
    name: str, drafts: list[Draft], settings: Settings, base: Services, server: ModelServer | None
) -> None:
    settings = with_method(settings)
    model = FarModel("m", "k", f"{server.url}/v1") if server else None
    services = services_of(settings, base, model)
    options = Options(**vars_of(settings))
    rows = []
    for draft in drafts:
        before, began = len(server.calls) if server else 0, time.monotonic()
        papers = gather(draft.query, services, options, Silent())
        selection = choose(papers, options)
        if server:
            compose(papers, selection, services, Silent())
        took = time.monotonic() - began
        cited = {one.candidate.paper.id for one in selection.selected}
        first = (
            {c.paper.id for c in find(draft.query, services, 20, Filters(), Silent()).candidates[:20]}
            if not server
            else set()
        )
        calls = server.calls[before:] if server else []
        sent = sum(len(str(call.request["messages"])) for call in calls) / 4
        got = sum(len(call.turn.text) for call in calls) / 4
        right = len(cited & draft.cited)
        rows.append(
            (len(first & draft.cited) / len(draft.cited), right / len(draft.cited), right / max(len(cited), 1),
             len(cited), len(calls), sent, got, took)
        )  # fmt: skip
    at20, recall, precision, papers_cited, calls_made, sent, got, took = np.mean(rows, axis=0)
    searched = "" if server else f"search recall@20 {at20:.3f}, "
    print(
        f"{name}: {searched}cited papers in the choice {recall:.3f}, precision {precision:.3f}, {papers_cited:.1f} "
        f"papers; {calls_made:.1f} calls, {sent:,.0f} tokens sent, {got:,.0f} received, {took:.1f} s",
        flush=True,
    )


def vars_of(settings: Settings) -> dict[str, Any]:
    numbers = first_choice(settings)
    return {
        "breadth": numbers.breadth,
        "depth": numbers.depth,
        "diversity": numbers.diversity,
        "full_text": False,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--choice", type=Path, nargs="+", default=[])
    parser.add_argument("--seconds", type=float, default=2.0)
    given = parser.parse_args()
    drafts, index = load(given.data)
    drafts = [draft for draft in drafts if draft.cited]
    embedder = Remembering(load_embedder(model_folder(), threads=1))
    base = Services(
        embedder, index, EmptySource(), ExtractiveWriter(embedder), library=PagesOfAbstracts(index)
    )
    files = {path.stem: path for folder in given.choice for path in folder.glob("*.json")}
    named = {draft.query.title: re.sub(r"\W+", "-", draft.query.title)[:60] for draft in drafts}
    kept = {
        title: json.loads(files[name].read_text("utf-8")) for title, name in named.items() if name in files
    }
    methods = [Settings.model_validate({"relatedWork": {"method": m}}) for m in ("citegeist", "texgeist")]
    print(f"{len(drafts)} drafts, without a model")
    for settings in methods:
        measure(settings.related_work.method, drafts, settings, base, None)
    if not kept:
        return
    some = [draft for draft in drafts if draft.query.title in kept]
    print(f"{len(some)} drafts, strands and papers by a strong model, {given.seconds} s an answer")
    script = Script(kept, {paper.id: paper for paper in index.held}, given.seconds)
    with serving_model(script) as server:
        for settings in methods:
            measure(settings.related_work.method, some, settings, base, server)


if __name__ == "__main__":
    main()
