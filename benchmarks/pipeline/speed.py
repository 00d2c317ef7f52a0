"""texgeist's steps beside the reference implementation's, and a whole run against simulated waits.

    python benchmarks/pipeline/speed.py [--reference PYTHON] [--breadth 10] [--quick]

Waits: 2 s a model call, 0.5 s a PDF with the gate open, 50 ms a search, on local servers and stand-ins.
Embedding is left out on both sides (a drawn vector). `--reference` is the Python of an environment that
holds it, see `reference_run.py`; without it texgeist's own times are shown. Both run one after the other
on the same machine, so the ratios hold where the seconds do not.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import tempfile
import threading
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline import choose, related_work
from texgeist_retrieval.pipeline.reading import Reading
from texgeist_retrieval.pipeline.recipes import Gathered
from texgeist_retrieval.pipeline.searching import Found
from texgeist_retrieval.ports import IndexStatus, Monitor
from texgeist_retrieval.selection import select
from texgeist_retrieval.services import Options, Services
from texgeist_retrieval.sources import ArxivSource
from texgeist_retrieval.types import (
    Candidate,
    Filters,
    Matrix,
    Paper,
    Passage,
    Query,
    QueryPart,
    Usage,
    Vector,
)
from texgeist_retrieval.writing.model_writer import ModelWriter

MODEL_S, PDF_S, SEARCH_S = 2.0, 0.5, 0.05
PAGES = 12


def vector(text: str) -> Vector:
    drawn = np.random.default_rng(zlib.crc32(text.encode())).normal(size=768).astype(np.float32)
    return np.asarray(drawn / np.linalg.norm(drawn), dtype=np.float32)


class Drawn:
    name, dimension = "drawn", 768

    def embed_query(self, text: str) -> Vector:
        return vector(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return np.stack([vector(text) for text in texts])


class SlowIndex:
    def __init__(self, papers: Sequence[Paper]) -> None:
        self.held = papers

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        time.sleep(SEARCH_S)
        return [candidates(self.held[:top]) for _ in vectors]

    def upsert(self, papers: Sequence[Paper], vectors: Matrix) -> None: ...

    def delete(self, ids: Iterable[str]) -> None: ...

    def papers(self) -> Iterator[Paper]:
        return iter(self.held)

    def status(self) -> IndexStatus:
        return IndexStatus("stand-in", len(self.held), "drawn", 768, True)

    def close(self) -> None: ...


class SlowModel:
    """Answers what the schema asks for after two seconds: every piece of evidence in its own sentence."""

    name, local = "stand-in", False

    def __init__(self) -> None:
        self.calls = 0

    def complete_json(
        self, system: str, user: str, schema: Mapping[str, Any], *, max_tokens: int, monitor: Monitor,
        cached_prefix: str = "",
    ) -> tuple[Any, Usage]:  # fmt: skip
        self.calls += 1
        time.sleep(MODEL_S)
        return filled(schema), Usage(1, 1000, 100)


def filled(schema: Mapping[str, Any]) -> Any:
    """Something that keeps to the schema and names every id once."""
    if schema["type"] == "object":
        return {name: filled(part) for name, part in schema["properties"].items() if name != "unused"} | (
            {"unused": []} if "unused" in schema["properties"] else {}
        )
    if schema["type"] == "array":
        items = schema["items"]
        ids = ids_of(items)
        if items["type"] == "object" and ids and "evidence" in items["properties"]:
            return [
                {"text": f"Work number {i} is close to this.", "evidence": ids[i : i + 3], "textual": False}
                for i in range(0, len(ids), 3)
            ]
        if items["type"] == "object" and "id" in items["properties"]:
            return [{"id": id, "relevance": 8, "supports": "It supports this."} for id in ids]
        return [filled(items)]
    return {"string": "A sentence about it.", "integer": 8, "boolean": False}[schema["type"]]


def ids_of(schema: Mapping[str, Any]) -> list[str]:
    if "enum" in schema:
        return list(schema["enum"])
    inner = [schema["items"]] if "items" in schema else list(schema.get("properties", {}).values())
    return [id for part in inner for id in ids_of(part)]


def candidates(papers: Sequence[Paper]) -> list[Candidate]:
    return [
        Candidate(paper, 0.9 - 0.005 * i, i + 1, score=0.9 - 0.005 * i, vector=vector(paper.id))
        for i, paper in enumerate(papers)
    ]


def typeset(words: str) -> bytes:
    """Twelve pages of prose, as big as a paper's."""
    from reportlab.pdfgen.canvas import Canvas

    file = io.BytesIO()
    canvas = Canvas(file)
    for page in range(PAGES):
        canvas.setFont("Times-Roman", 10)
        for line in range(55):
            canvas.drawString(
                60, 780 - 13 * line, f"{words} has on page {page} a line {line} of plain prose in it."
            )
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def entry(id: str) -> str:
    return (
        f"<entry><id>http://arxiv.org/abs/{id}v1</id><title>Title of {id}</title><summary>On {id}.</summary>"
        "<updated>2024-01-01T00:00:00Z</updated><published>2024-01-01T00:00:00Z</published>"
        "<author><name>A. Author0</name></author></entry>"
    )


def arxiv_server(pdf: bytes) -> tuple[ThreadingHTTPServer, str]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path.startswith("/pdf/"):
                time.sleep(PDF_S)
                body = pdf
            else:
                ids = parse_qs(parts.query)["id_list"][0].split(",")
                atom = "".join(entry(id) for id in ids)
                body = f'<feed xmlns="http://www.w3.org/2005/Atom">{atom}</feed>'.encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_address[1]}"


def best_of(count: int, work: Any) -> float:
    times = []
    for _ in range(count):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def selection_s(papers: Sequence[Paper], breadth: int) -> float:
    rows = np.stack([vector(paper.id) for paper in papers])
    scores = np.array([0.9 - 0.005 * i for i in range(len(papers))], dtype=np.float32)
    return best_of(20, lambda: select(scores, rows, 3 * breadth, 0.25))


def page_steps_s(papers: Sequence[Paper], breadth: int, depth: int) -> float:
    """From page vectors to the shortlist, the longlist's choice included."""
    readings = {
        paper.id: Reading(
            paper.id,
            tuple(
                Passage(paper.id, n, f"{paper.id} page {n}", vector(f"{paper.id} page {n}"))
                for n in range(PAGES)
            ),
        )
        for paper in papers[: 3 * breadth]
    }
    query = Query("abstract", (QueryPart("the abstract", "abstract"),), abstract="the abstract")
    rows = vector("the abstract").reshape(1, -1)
    gathered = Gathered(
        query, Found(tuple(candidates(papers)), (), rows, (), ""), readings, False, (), "drawn"
    )
    return best_of(5, lambda: choose(gathered, Options(breadth=breadth, depth=depth)))


def whole_s(papers: Sequence[Paper], address: str, breadth: int, depth: int) -> tuple[float, int, int]:
    """Seconds, model calls, and papers cited."""
    model = SlowModel()
    with tempfile.TemporaryDirectory() as folder:
        source = ArxivSource(address, Path(folder), gate_seconds=0)
        writer = ModelWriter(model, concurrency=max(breadth, 6))
        services = Services(Drawn(), SlowIndex(papers), source, writer, model)
        query = Query("abstract", (QueryPart("the abstract", "abstract"),), abstract="the abstract")
        started = time.perf_counter()
        result = related_work(query, services, Options(breadth=breadth, depth=depth), Silent())
        return time.perf_counter() - started, model.calls, len(result.selected)


def reference(
    python: str, papers: Sequence[Paper], address: str, options: argparse.Namespace
) -> dict[str, float]:
    task = {
        "ids": [paper.id for paper in papers], "address": address, "breadth": options.breadth,
        "depth": options.depth, "whole": not options.quick, "model_s": MODEL_S, "search_s": SEARCH_S,
    }  # fmt: skip
    script = Path(__file__).with_name("reference_run.py")
    done = subprocess.run([python, str(script)], input=json.dumps(task), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return dict(json.loads(done.stdout))


def main() -> None:
    given = argparse.ArgumentParser()
    given.add_argument("--reference", help="the Python of an environment with citegeist-arxiv")
    given.add_argument("--breadth", type=int, default=10)
    given.add_argument("--depth", type=int, default=2)
    given.add_argument("--quick", action="store_true", help="leave the whole run out")
    options = given.parse_args()
    papers = [
        Paper(f"2401.{i:05d}", f"Title {i}", f"On {i}.", ("A. Author0",), 2024, version=None)
        for i in range(6 * options.breadth)
    ]
    server, address = arxiv_server(typeset("A paper"))
    ours = {
        "selection": selection_s(papers, options.breadth),
        "page steps": page_steps_s(papers, options.breadth, options.depth),
    }
    if not options.quick:
        ours["whole"], calls, cited = whole_s(papers, address, options.breadth, options.depth)
        queue = -(-3 * options.breadth // 6) * PDF_S
        chain = SEARCH_S + queue + 2 * MODEL_S
        print(f"whole run: {calls} model calls, {cited} papers cited")
        print(f"longest chain of waits {chain:.2f} s, whole run {ours['whole'] / chain:.2f} times that")
    theirs = reference(options.reference, papers, address, options) if options.reference else {}
    server.shutdown()
    print(f"{'':12}{'texgeist':>12}{'reference':>12}{'ratio':>9}")
    for name, seconds in ours.items():
        other = theirs.get(name)
        ratio = f"{other / seconds:8.1f}x" if other else ""
        shown = f"{other * 1000:10.1f}ms" if other else f"{'-':>12}"
        print(f"{name:12}{seconds * 1000:10.2f}ms{shown}{ratio}")


if __name__ == "__main__":
    main()
