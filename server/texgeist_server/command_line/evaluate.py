"""`texgeist eval`: measures the quality of retrieval and writing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from texgeist_latex.types import ProseSentence
from texgeist_retrieval.errors import WriterDenied
from texgeist_retrieval.types import Query, QueryPart, Result

from ..config.credentials import keys_from_environment
from ..sections.results import section_of
from .common import FORCE, INDEX, JSON, load_settings, new_file, plainly, print_json, working
from .terminal import inform, show_table

if TYPE_CHECKING:
    from texgeist_retrieval.evaluation.report import Report
    from texgeist_retrieval.evaluation.writing import DraftCase, SystemSection
    from texgeist_retrieval.ports import Embedder, LanguageModel, Monitor

    from ..config.settings import Settings

eval_app = typer.Typer(help="Measure the quality of retrieval and writing.", no_args_is_help=True)

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


PLOT = typer.Option(None, "--plot", help="Also write a chart of recall@20 to this .svg file.")


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
    plot: Path | None = PLOT,
    force: bool = FORCE,
    as_json: bool = JSON,
) -> None:
    """Measure recall, MRR and nDCG of search systems on papers with known citations."""
    drawn = new_file(plot, (".svg",), force) if plot else nullcontext()
    with plainly(), drawn as picture, working("Reading") as monitor:
        from texgeist_retrieval.evaluation.collection import document_vectors, load_collection, title_vectors
        from texgeist_retrieval.evaluation.collection import query_vectors as vectors_of_queries
        from texgeist_retrieval.evaluation.report import evaluate
        from texgeist_retrieval.evaluation.systems import Bench, named_systems, unseen_documents, uses_titles

        names = named_systems(systems)
        collection = load_collection(corpus, queries)
        documents = document_vectors(collection, vectors, build_own_embedder, monitor)
        asked = vectors_of_queries(collection, query_vectors, collection.lines, build_own_embedder, monitor)
        titled = query_vectors is None if titled is None else titled
        titles = (
            title_vectors(collection, build_own_embedder, monitor) if titled and uses_titles(names) else None
        )
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
    judge: bool = typer.Option(False, "--judge", help="Let the configured model judge too (sends text)."),
    write: bool = typer.Option(False, "--write", help="Also write and measure each section with texgeist."),
    index: str | None = INDEX,
    as_json: bool = JSON,
) -> None:
    """Measure sections: overlap with the authors' own text, citations and, with --judge, a model's judgement."""
    with plainly(), working("Reading") as monitor:
        from texgeist_retrieval.evaluation.writing import evaluate_writing, load_drafts

        cases = load_drafts(drafts)
        if write:
            cases = with_own_sections(cases, load_settings(), index, monitor)
        model = configured_judge(load_settings()) if judge else None
        report = evaluate_writing(cases, build_own_embedder(), model, monitor)
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
    show_table(shown)


def build_own_embedder() -> Embedder:
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
    show_table(shown)
    inform(
        f"{report.queries} queries, {report.papers} papers; percent with 95 % bootstrap intervals over the "
        "queries; * differs from dense, p < 0.05. Unseen: papers that the shipped weights were not trained on."
    )


OWN = "texgeist"


def configured_judge(settings: Settings) -> LanguageModel:
    """The configured language model. Raises `WriterDenied` if there is none."""
    from ..adapters import build_model, writer_name

    keys = keys_from_environment()
    name, _ = writer_name(settings, keys)
    model = build_model(settings, keys, name)
    if model is None:
        raise WriterDenied(
            "There is no model to judge with.", "Set a key or a base URL, or leave out --judge."
        )
    return model


def with_own_sections(
    cases: Sequence[DraftCase], settings: Settings, index: str | None, monitor: Monitor
) -> list[DraftCase]:
    """Adds to each case a section that texgeist writes with these settings, named "texgeist"."""
    return [
        replace(case, systems={**case.systems, OWN: _own(case, settings, index, monitor)}) for case in cases
    ]


def _own(case: DraftCase, settings: Settings, index: str | None, monitor: Monitor) -> SystemSection:
    from texgeist_retrieval.evaluation.writing import SystemSection

    from ..adapters import setup_of
    from ..sections.requests import RelatedWorkRequest
    from ..sections.runs import run

    query = Query(
        "abstract", (QueryPart(case.abstract, "abstract"),), abstract=case.abstract, title=case.title
    )
    result = run(RelatedWorkRequest(query), setup_of(settings, keys_from_environment(), index), monitor)
    passages = (dict.fromkeys(e.passage.text for e in one.evidence) for one in result.selected)
    cited = zip((one.candidate.paper.title for one in result.selected), map(" ".join, passages), strict=True)
    return SystemSection(_plain(result), tuple(cited))


def _plain(result: Result) -> str:
    """The section's text with numbered citations, as a reader would see it."""
    numbers = {one.candidate.paper.id: i for i, one in enumerate(result.selected, start=1)}
    return " ".join(_sentence(s, numbers) for p in section_of(result).paragraphs for s in p)


def _sentence(sentence: ProseSentence, numbers: dict[str, int]) -> str:
    marks = ", ".join(str(numbers[r]) for r in sentence.references if r in numbers)
    if sentence.textual:
        return f"{sentence.lead} [{marks}] {sentence.text}".strip()
    body, stop = sentence.text.rstrip(".?!"), sentence.text[len(sentence.text.rstrip(".?!")) :]
    return f"{body} [{marks}]{stop}" if marks else sentence.text
