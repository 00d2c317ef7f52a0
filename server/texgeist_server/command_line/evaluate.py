"""`texgeist eval`: measures the quality of retrieval."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .common import JSON, load_settings, plainly, print_json, working
from .terminal import inform, show_table

if TYPE_CHECKING:
    from texgeist_retrieval.evaluation.report import Report
    from texgeist_retrieval.ports import Embedder

eval_app = typer.Typer(help="Measure the quality of retrieval.", no_args_is_help=True)

CORPUS = typer.Option(..., "--corpus", help="Papers: JSON lines with doc, title, abstract; plain or gzip.")
QUERIES = typer.Option(..., "--queries", help="Queries: JSON lines with id, title, abstract, cited.")
VECTORS = typer.Option(None, "--vectors", help="The papers' vectors (.npy, a row per line of the corpus).")
QUERY_VECTORS = typer.Option(None, "--query-vectors", help="The queries' vectors (.npy).")
SYSTEMS = typer.Option("dense,bm25,hybrid,adapter,full", help="Systems to compare, separated by commas.")
TITLED = typer.Option(
    None,
    "--titles/--no-titles",
    help="Also embed the queries' titles, for adapter and full (default: yes, except with --query-vectors).",
)
WEIGHTS = typer.Option(None, "--weights", help="A folder of trained weights (default: the shipped weights).")


def register(app: typer.Typer) -> None:
    app.add_typer(eval_app, name="eval")


@eval_app.command("retrieval")
def retrieval(
    corpus: Path = CORPUS,
    queries: Path = QUERIES,
    vectors: Path | None = VECTORS,
    query_vectors: Path | None = QUERY_VECTORS,
    systems: str = SYSTEMS,
    titled: bool | None = TITLED,
    weights: Path | None = WEIGHTS,
    as_json: bool = JSON,
) -> None:
    """Measure recall, MRR and nDCG of search systems on papers with known citations."""
    with plainly(), working("Reading") as monitor:
        from texgeist_retrieval.evaluation.collection import CollectionFiles
        from texgeist_retrieval.evaluation.report import evaluate
        from texgeist_retrieval.evaluation.systems import Bench, named_systems, unseen_documents, uses_titles

        names = named_systems(systems)
        titled = (query_vectors is None if titled is None else titled) and uses_titles(names)
        files = CollectionFiles(corpus, queries, vectors, query_vectors)
        bench = Bench.load(files, build_own_embedder, monitor, weights, titled)
        report = evaluate(bench, names, unseen_documents(bench), monitor)
    if as_json:
        print_json(report.as_json())
    else:
        _show(report)


def build_own_embedder() -> Embedder:
    from ..embedders import build_embedder

    return build_embedder(load_settings())


def _show(report: Report) -> None:
    from rich.table import Table
    from texgeist_retrieval.evaluation.report import table

    header, *rows = table(report)
    shown = Table(*header)
    for row in rows:
        shown.add_row(*row)
    show_table(shown)
    inform(
        f"{report.queries} queries, {report.papers} papers; percent with 95 % bootstrap intervals over the "
        "queries; * differs from dense, p < 0.05. Unseen: papers that the shipped weights were not trained on."
    )
