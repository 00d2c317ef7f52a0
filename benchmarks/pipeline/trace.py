"""Every step for one real draft, shown: search, longlist, pages, shortlist, section.

    python benchmarks/pipeline/trace.py --model FOLDER [--draft 1] [--breadth 10] [--diversity 0.0]
        [--index PATH_OR_URI] [--limit N] [--no-full-text] [--data ../shared/data]

The services are stand-ins on this machine. The index holds ids and vectors only, as the hosted one does
(Milvus Lite in a temporary folder, or `--index`). Metadata and PDFs come from a local server with arXiv's
paths; a PDF is typeset here from the paper's title and abstract, since full texts are not to be had,
followed by a page of other matter, acknowledgements and references, which must not come through.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import tempfile
import textwrap
import threading
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

import numpy as np
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.index import open_index
from texgeist_retrieval.pipeline import choose, compose, gather
from texgeist_retrieval.pipeline.recipes import NOBODY, listed_of, weigh_gathered
from texgeist_retrieval.services import Options, Services
from texgeist_retrieval.sources import ArxivSource
from texgeist_retrieval.types import Paper, Query, QueryPart, Result
from texgeist_retrieval.writing import ExtractiveWriter

OTHER = ["This page speaks of the set-up, the machines and the seeds, and of nothing else at all."] * 20
REFERENCES = [
    f"[{i}] A. Smith and B. Jones. Something else altogether. In Proc. of ICML, pp. 1-9, 20{i:02d}."
    for i in range(1, 19)
]


class Steps:
    def __init__(self) -> None:
        self.started = time.monotonic()

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        if done in (None, 0, total):
            count = f" {done}/{total}" if total else ""
            print(f"  {time.monotonic() - self.started:6.2f} s  {message}{count}")

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
    return papers, np.load(data / "citations" / "dev-corpus-mpnet.npy").astype(np.float32)


def typeset(paper: Paper) -> bytes:
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file)
    first = [*textwrap.wrap(paper.title, 90), "Abstract", *textwrap.wrap(paper.abstract, 90)]
    last = [*OTHER, "Acknowledgements", "We thank everybody.", "References", *REFERENCES]
    for lines in (first, last):
        canvas.setFont("Times-Roman", 10)
        for number, line in enumerate(lines[:58]):
            canvas.drawString(60, 790 - 13 * number, line.encode("latin-1", "replace").decode("latin-1"))
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def entry(paper: Paper) -> str:
    return (
        f"<entry><id>http://arxiv.org/abs/{paper.id}v1</id><title>{escape(paper.title)}</title>"
        f"<summary>{escape(paper.abstract)}</summary>"
        f"<published>{paper.year or 2020}-01-01T00:00:00Z</published>"
        "<updated>2024-01-01T00:00:00Z</updated><author><name>An Author</name></author></entry>"
    )


def serve(papers: Sequence[Paper]) -> tuple[ThreadingHTTPServer, str, list[str]]:
    held = {paper.id: paper for paper in papers}
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            asked.append(self.path)
            parts = urlsplit(self.path)
            if parts.path.startswith("/pdf/"):
                body = typeset(held[parts.path[5:].removesuffix("v1")])
            else:
                ids = parse_qs(parts.query)["id_list"][0].split(",")
                atom = "".join(entry(held[id]) for id in ids if id in held)
                body = f'<feed xmlns="http://www.w3.org/2005/Atom">{atom}</feed>'.encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}", asked


def show(gathered: Any, options: Options, chosen: Any) -> None:
    pool, longlist, _ = listed_of(gathered.found, options, gathered.ranked, NOBODY, NOBODY)
    print(
        f"\nsearch: {len(gathered.found.candidates)} papers from {gathered.found.index}, pool of {len(pool)}"
    )
    print(f"longlist of {len(longlist)} by Equation 1, diversity {options.diversity}:")
    for number, listed in enumerate(longlist, start=1):
        pick, title = listed.pick, listed.candidate.paper.title[:80]
        print(f"  {number:2} s={pick.relevance:.3f} max sim={pick.redundancy:.3f} {title}")
    print("pages, by paper (those marked * are kept):")
    for paper in weigh_gathered(gathered, longlist, options)[: options.breadth]:
        kept = {page.passage.page: page.similarity for page in paper.pages}
        held = gathered.readings.get(paper.listed.candidate.paper.id)
        numbers = [p.page for p in held.passages] if held else []
        marks = " ".join(f"{n}*({kept[n]:.3f})" if n in kept else f"{n}" for n in numbers)
        print(f"  {paper.score:.3f} [{marks}] {paper.listed.candidate.paper.title[:70]}")
    print("shortlist:")
    for selected in chosen.selected:
        print(f"  {selected.candidate.paper.title}\n      {selected.why}")


def show_section(result: Result) -> None:
    owner = {e.id: s.candidate.paper for s in result.selected for e in s.evidence}
    numbers = {s.candidate.paper.id: n for n, s in enumerate(result.selected, start=1)}
    print(f"\nsection by {result.writer}:")
    for paragraph in result.section.paragraphs:
        words = []
        for sentence in paragraph.sentences:
            keys = ",".join(sorted({str(numbers[owner[e].id]) for e in sentence.evidence}, key=int))
            lead = f"{sentence.lead} " if sentence.lead else ""
            cited = f"{lead}[{keys}] {sentence.text}" if sentence.textual else f"{sentence.text} [{keys}]"
            words.append(cited.replace(" []", ""))
        print(textwrap.fill(" ".join(words), 110), "\n")
    for selected in result.selected:
        print(f"[{numbers[selected.candidate.paper.id]}] {selected.candidate.paper.title}")
    for note in result.notes:
        print("note:", note)
    print("left out:", len(result.left_out), "for instance:")
    for left in result.left_out[:3]:
        print(f"  {left.candidate.paper.title[:60]}: {left.reason}")


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--model", type=Path, required=True)
    given.add_argument("--data", type=Path, default=Path("../shared/data"))
    given.add_argument("--draft", type=int, default=1)
    given.add_argument("--breadth", type=int, default=10)
    given.add_argument("--diversity", type=float, default=0.0)
    given.add_argument("--limit", type=int, default=None, help="papers of the collection to index")
    given.add_argument("--index", help="an index that exists already")
    given.add_argument("--no-full-text", action="store_true")
    options = given.parse_args()
    draft = json.loads((options.data / "drafts" / "papers.json").read_text(encoding="utf-8"))[options.draft]
    abstract = " ".join(draft["abstract"].replace("-\n", "").split())
    papers, vectors = load_papers(options.data)
    papers, vectors = papers[: options.limit], vectors[: options.limit]
    server, address, asked = serve(papers)
    with tempfile.TemporaryDirectory() as folder:
        steps = Steps()
        steps.report("indexing")
        index = open_index(options.index or f"{folder}/papers.db", create=not options.index)
        if not options.index:
            bare = [Paper(paper.id, "") for paper in papers]
            index.upsert(bare, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
        embedder = load_embedder(options.model, threads=1)
        source = ArxivSource(address, Path(folder) / "cache", gate_seconds=0)
        services = Services(embedder, index, source, ExtractiveWriter(embedder))
        query = Query("abstract", (QueryPart(abstract, "abstract"),), abstract=abstract, title=draft["title"])
        numbers = Options(
            breadth=options.breadth, diversity=options.diversity, full_text=not options.no_full_text
        )
        print(f"draft: {draft['title']}\n")
        gathered = gather(query, services, numbers, steps)
        chosen = choose(gathered, numbers)
        result = compose(gathered, chosen, services, steps)
        steps.report("done")
        show(gathered, numbers, chosen)
        show_section(result)
        pdfs = sum(path.startswith("/pdf/") for path in asked)
        print(f"arXiv was asked for metadata {len(asked) - pdfs} times, for PDFs {pdfs} times")
        index.close()
    server.shutdown()


if __name__ == "__main__":
    main()
