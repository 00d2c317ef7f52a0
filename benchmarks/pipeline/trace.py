"""Every step for one real draft against the full set of hosted services, each a real server on this machine.

    python -m benchmarks.pipeline.trace --model FOLDER [--draft 1] [--breadth 10] [--diversity 0.0]
        [--extractive] [--limit ROWS] [--data ../shared/data]

The services are picked by `build_services` from settings, as the command and the editor pick them:

- a Milvus server with user and password (the `milvus` package), holding ids and vectors only, as the
  hosted collection does;
- arXiv: a local server with its API and PDFs. A PDF is typeset here from a paper's title and abstract, as
  full texts are not to be had, with a page of other matter, acknowledgements and references, which must not
  come through;
- a model server that speaks OpenAI's protocol. It is no model: it answers in the form that is asked for,
  from the words of the passages in its prompt. It shows the wire, not the prose (`--extractive`: no model).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tempfile
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.pipeline import choose, compose, gather
from texgeist_retrieval.pipeline.recipes import weigh_gathered
from texgeist_retrieval.types import Paper, Query, QueryPart, Result
from texgeist_server.adapters import build_services, setup_of
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.config.values import read_settings
from texgeist_server.sections.runs import options_of

from tests.retrieval.arxiv_server import Arxiv, serving, typeset
from tests.retrieval.milvus_server import TOKEN, hosted_collection, running
from tests.retrieval.model_server import ModelServer, serving_model
from tests.retrieval.reading_model import PassageBrain

from . import shown

OTHER = ["This page speaks of the set-up, the machines and the seeds, and of nothing else at all."] * 20
REFERENCES = [
    f"[{i}] A. Smith and B. Jones. Something else altogether. In Proc. of ICML, pp. 1-9, 20{i:02d}."
    for i in range(1, 19)
]
MODEL_S = 0.5  # seconds that the stand-in takes for an answer


class Steps:
    """A monitor that prints each step with its time."""

    def __init__(self) -> None:
        self.started = time.monotonic()

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        if done in (None, 0, total):
            count = f" {done}/{total}" if total else ""
            print(f"  {time.monotonic() - self.started:6.2f} s  {message}{count}", flush=True)

    def check(self) -> None: ...


def load_papers(data: Path) -> tuple[list[Paper], Any]:
    """The corpus with an id in arXiv's form for each: its own, or one made up for this run."""
    papers = []
    with gzip.open(data / "citations" / "dev-corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row, line in enumerate(lines):
            record = json.loads(line)
            known = (record.get("ids") or {}).get("ArXiv") if isinstance(record.get("ids"), dict) else None
            papers.append(
                Paper(
                    id=known or f"99{row // 1000:02d}.{row % 1000:05d}",
                    title=record["title"],
                    abstract=record["abstract"] or "",
                    year=int(record["year"]) if record.get("year") else None,
                )
            )
    vectors = np.load(data / "citations" / "dev-corpus-mpnet.npy").astype(np.float32)
    return papers, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def pdf(paper: Paper) -> bytes:
    first = [*textwrap.wrap(paper.title, 90), "Abstract", *textwrap.wrap(paper.abstract, 90)]
    last = [*OTHER, "Acknowledgements", "We thank everybody.", "References", *REFERENCES]
    plain = [[line.encode("latin-1", "replace").decode("latin-1") for line in page] for page in (first, last)]
    return typeset([page[:58] for page in plain])


def settings_for(milvus: str, arxiv: Arxiv, model: ModelServer, folder: Path, given: Any) -> Settings:
    """The user's settings, were these servers the real ones."""
    os.environ |= {"TEXGEIST_ARXIV_ADDRESS": arxiv.address, "TEXGEIST_ARXIV_PAUSE": "0"}
    writer = {"provider": "openai", "baseUrl": f"{model.url}/v1", "model": "stand-in"}
    settings, problems = read_settings(
        {
            "index": {"location": milvus},
            "writer": {} if given.extractive else writer,
            "papers": {"arxiv": "always"},
            "storage": {"folder": str(folder)},
            "relatedWork": {"breadth": given.breadth, "depth": given.depth, "diversity": given.diversity},
        }
    )
    assert not problems, problems
    return settings


def draft_query(data: Path, number: int) -> Query:
    draft = json.loads((data / "drafts" / "papers.json").read_text(encoding="utf-8"))[number]
    abstract = " ".join(draft["abstract"].replace("-\n", "").split())
    return Query("abstract", (QueryPart(abstract, "abstract"),), abstract=abstract, title=draft["title"])


def trace(settings: Settings, query: Query, arxiv: Arxiv, model: ModelServer) -> Result:
    """The recipe `related_work`, step by step, with everything shown."""
    services = build_services(setup := setup_of(settings, Keys(index=TOKEN)))
    options, steps = options_of(setup), Steps()
    print(f"draft: {query.title}\n")
    try:
        gathered = gather(query, services, options, steps)
        chosen = choose(gathered, options)
        result = compose(gathered, chosen, services, steps)
        steps.report("done")
    finally:
        services.index.close()
    shown.search(gathered, len(gathered.longlist.papers))
    shown.longlist(gathered.longlist.papers, options)
    shown.arxiv(arxiv)
    shown.pages(weigh_gathered(gathered, gathered.longlist, options)[: options.breadth], gathered.readings)
    shown.shortlist(chosen)
    shown.calls(model)
    shown.section(result)
    return result


def main(arguments: Sequence[str] | None = None) -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--model", type=Path, required=True, help="the folder of the embedding model")
    given.add_argument("--data", type=Path, default=Path("../shared/data"))
    given.add_argument("--draft", type=int, default=1)
    given.add_argument("--breadth", type=int, default=10)
    given.add_argument("--depth", type=int, default=2)
    given.add_argument("--diversity", type=float, default=0.0)
    given.add_argument("--extractive", action="store_true")
    given.add_argument("--limit", type=int, default=None, help="papers of the collection to hold")
    options = given.parse_args(arguments)
    papers, vectors = load_papers(options.data)
    papers, vectors = papers[: options.limit], vectors[: options.limit]
    held = {paper.id: paper for paper in papers}
    arxiv = Arxiv(papers=held, pdf_of=lambda id: pdf(held[id]))
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(arxiv),
        serving_model(PassageBrain(MODEL_S)) as model,
    ):
        (Path(folder) / "milvus").mkdir()
        (Path(folder) / "model").symlink_to(options.model.resolve())
        with (
            running(Path(folder) / "milvus") as milvus,
            hosted_collection(milvus, "abstracts", papers, vectors),
        ):
            settings = settings_for(milvus, arxiv, model, Path(folder), options)
            trace(settings, draft_query(options.data, options.draft), arxiv, model)


if __name__ == "__main__":
    main()
