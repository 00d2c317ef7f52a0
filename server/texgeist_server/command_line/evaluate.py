"""`texgeist eval`, `texgeist train` and `texgeist export-training`: how good it is, how to make it better."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .common import INDEX, JSON, load_settings, messages, plainly, print_json, working
from .named_files import FORCE, new_file
from .speaking import Terminal

if TYPE_CHECKING:
    from texgeist_retrieval.evaluation.report import Report
    from texgeist_retrieval.ports import Embedder

eval_app = typer.Typer(help="Measure retrieval and writing.", no_args_is_help=True)

CORPUS = typer.Option(..., "--corpus", help="Papers: JSON lines with doc, title, abstract (may be gzipped).")
QUERIES = typer.Option(..., "--queries", help="Queries: JSON lines with id, title, abstract, cited.")
VECTORS = typer.Option(None, "--vectors", help="The papers' vectors (.npy, one row a line of the corpus).")
QUERY_VECTORS = typer.Option(None, "--query-vectors", help="The queries' vectors (.npy).")
SYSTEMS = typer.Option("dense,bm25,hybrid,adapter,full", help="What to compare, with commas between.")
TITLED = typer.Option(
    None,
    "--titles/--no-titles",
    help="Embed the queries' titles too, for adapter and full (default: unless --query-vectors is given).",
)
WEIGHTS = typer.Option(None, "--weights", help="A folder of trained weights (default: those shipped).")


PLOT = typer.Option(None, "--plot", help="Also draw recall at 20 into this .svg file.")


def register(app: typer.Typer) -> None:
    app.add_typer(eval_app, name="eval")
    app.command("train")(train)
    app.command("export-training")(export_training)


@eval_app.command("retrieval")
def retrieval(
    corpus: Path = CORPUS,
    queries: Path = QUERIES,
    vectors: Path | None = VECTORS,
    query_vectors: Path | None = QUERY_VECTORS,
    systems: str = SYSTEMS,
    titled: bool | None = TITLED,
    weights: Path | None = WEIGHTS,
    plot: Path | None = PLOT,
    force: bool = FORCE,
    as_json: bool = JSON,
) -> None:
    """Recall, MRR and nDCG of search systems on papers with known citations."""
    drawn = new_file(plot, (".svg",), force) if plot else nullcontext()
    with plainly(), drawn as picture, working("Reading") as monitor:
        from texgeist_retrieval.evaluation.collection import load_collection
        from texgeist_retrieval.evaluation.inputs import document_vectors, title_vectors
        from texgeist_retrieval.evaluation.inputs import query_vectors as vectors_of_queries
        from texgeist_retrieval.evaluation.report import evaluate
        from texgeist_retrieval.evaluation.systems import Bench, named_systems, unseen_documents, uses_titles

        names = named_systems(systems)
        collection = load_collection(corpus, queries)
        documents = document_vectors(collection, vectors, _embedder, monitor)
        asked = vectors_of_queries(collection, query_vectors, collection.lines, _embedder, monitor)
        titled = query_vectors is None if titled is None else titled
        titles = title_vectors(collection, _embedder, monitor) if titled and uses_titles(names) else None
        bench = Bench(collection, documents, asked, weights, titles)
        report = evaluate(bench, names, unseen_documents(bench), monitor)
        if picture:
            _draw(report, picture)
    if as_json:
        print_json(report.as_json())
    else:
        _show(report)


@eval_app.command("writing")
def writing(
    drafts: Path = typer.Option(..., "--drafts", help="A JSON list: title, abstract, human_related_work, …"),
    judge: bool = typer.Option(False, "--judge", help="Also ask the configured model to judge (sends text)."),
    write: bool = typer.Option(False, "--write", help="Also write each section here and measure it."),
    index: str | None = INDEX,
    as_json: bool = JSON,
) -> None:
    """Overlap with the authors' own sections, citations, and a model's judgement if wanted."""
    with plainly(), working("Reading") as monitor:
        from texgeist_retrieval.evaluation.writing import evaluate_writing, load_drafts

        from .writing_evaluation import configured_judge, with_own_sections

        cases = load_drafts(drafts)
        if write:
            cases = with_own_sections(cases, load_settings(), index, monitor)
        model = configured_judge(load_settings()) if judge else None
        report = evaluate_writing(cases, _embedder(), model, monitor)
    if as_json:
        print_json(report)
    else:
        _show_writing(report)


def _show_writing(report: dict[str, Any]) -> None:
    from rich.table import Table

    measures = list(dict.fromkeys(m for values in report["systems"].values() for m in values))
    shown = Table("system", *measures)
    for name, values in report["systems"].items():
        shown.add_row(name, *(f"{values[m]:.3g}" if m in values else "-" for m in measures))
    Terminal(highlight=False, markup=False, emoji=False).print(shown)


def _embedder() -> Embedder:
    from ..embedders import build_embedder

    return build_embedder(load_settings())


def _draw(report: Report, file: Path) -> None:
    from .plots import bars

    at = {name: values["recall@20"] for name, values in report.systems.items()}
    shares = {name: (value.mean, value.low, value.high) for name, value in at.items()}
    file.write_text(bars(f"Recall at 20, {report.queries} queries, {report.papers} papers", shares), "utf-8")


def _show(report: Report) -> None:
    from rich.table import Table
    from texgeist_retrieval.evaluation.report import table

    header, *rows = table(report)
    shown = Table(*header)
    for row in rows:
        shown.add_row(*row)
    Terminal(highlight=False, markup=False, emoji=False).print(shown)
    messages().print(
        f"{report.queries} queries, {report.papers} papers; percent with 95 % bootstrap intervals over the "
        "queries; * differs from dense, p < 0.05. Unseen: papers that the shipped weights have not met.",
        markup=False,
    )


def train(
    queries: Path = QUERIES,
    corpus: Path = CORPUS,
    vectors: Path | None = VECTORS,
    query_vectors: Path | None = QUERY_VECTORS,
    others: Path | None = typer.Option(None, "--others", help="Papers that none of the queries cites."),
    other_vectors: Path | None = typer.Option(None, "--other-vectors", help="Their vectors (.npy)."),
    out: Path = typer.Option(..., "--out", help="Folder for the weights; a stopped training goes on there."),
    part: str = typer.Option(
        "ranking",
        "--part",
        help="ranking (adapter, table, order), short (sentences and questions) or lexicon.",
    ),
    titled: bool | None = TITLED,
    facets: int = typer.Option(4, min=1, max=16, help="Vectors that the adapter makes of one query."),
    epochs: int = typer.Option(10, min=1, help="Passes over the queries."),
    folds: int = typer.Option(4, min=2, help="Parts of the queries, for features that have not seen them."),
    seed: int = typer.Option(9, help="Of all that is drawn at random."),
) -> None:
    """Learn from citations how to search and rank (needs the extra torch)."""
    with plainly(), working("Reading") as monitor:
        from texgeist_retrieval.training.command import run

        lines = run(
            queries,
            corpus,
            vectors,
            query_vectors,
            others,
            other_vectors,
            out,
            part,
            query_vectors is None if titled is None else titled,
            {"facets": facets, "epochs": epochs, "folds": folds, "seed": seed},
            _embedder,
            monitor,
        )
    for line in lines:
        messages().print(line, markup=False)


def export_training(
    papers: list[Path] = typer.Argument(..., help="Root documents of your papers (.tex), or a list (.json)."),
    out: Path = typer.Option(Path("training.jsonl"), "--out", help="The file to write."),
    index: str | None = typer.Option(
        None, "--index", metavar="PATH", help="An index that lends abstracts to entries without one."
    ),
    force: bool = FORCE,
) -> None:
    """Write instruction data for tuning a model from your own papers; nothing leaves this machine."""
    with plainly(), new_file(out, (".jsonl",), force) as target:
        from texgeist_retrieval.training.export import export, without_abstract

        from .training_examples import examples_of

        lent = _abstracts(index) if index else {}
        found = [example for path in papers for example in examples_of(path, lent)]
        count = export(found, target)
        bare, references = without_abstract(found)
    messages().print(f"{count} examples from {len(found)} papers in {out}.", markup=False)
    if bare:
        messages().print(
            f"{bare} of {references} cited papers have no abstract and teach no expansion: give their entries "
            "`abstract` fields, or name an --index that holds them.",
            markup=False,
        )


def _abstracts(index: str) -> dict[str, str]:
    from ..config.credentials import keys_from_environment
    from ..index_places import index_place, open_as_it_is
    from .training_examples import abstracts_of

    settings = load_settings()
    opened = open_as_it_is(settings, index_place(settings, keys_from_environment(), index))
    try:
        return abstracts_of(opened.papers())
    finally:
        opened.close()
