"""`texgeist train` and `texgeist export-training`: train on citations, and export examples from a user's own
papers."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import typer
from texgeist_latex.errors import LatexError
from texgeist_latex.types import BibEntry, Draft, Span
from texgeist_retrieval.text.words import number_of

from ..sections.section_texts import is_within, related_work_span
from .common import FORCE, load_settings, new_file, plainly, working
from .terminal import inform

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Embedder
    from texgeist_retrieval.training.export import Example
    from texgeist_retrieval.types import Paper


def register(app: typer.Typer) -> None:
    app.command("train")(train)
    app.command("export-training")(export_training)


class NoExamples(LatexError):
    """The file contains nothing to learn from."""


def abstracts_of(papers: Iterable[Paper]) -> dict[str, str]:
    """The abstracts of the papers, by normalised title."""
    from texgeist_latex.bib.identity import normalise_title

    return {normalise_title(paper.title): paper.abstract for paper in papers if paper.abstract}


def example_of(path: Path, abstracts: Mapping[str, str]) -> Example:
    """The example of the LaTeX root document `path`. `abstracts` (see `abstracts_of`) fills in the abstracts
    that entries lack."""
    from texgeist_latex.reading.draft import read_draft
    from texgeist_retrieval.training.export import Example

    draft = read_draft(path)
    entries = _cited(draft)
    if not draft.abstract or not entries:
        raise NoExamples(
            f"{path.name} has no abstract or cites nothing that its bibliography holds.",
            "Give the root document of a finished paper.",
        )
    references = tuple(_reference(entry, abstracts) for entry in entries.values())
    return Example(draft.title, draft.abstract, references, _related_work(draft, list(entries)))


def _reference(entry: BibEntry, abstracts: Mapping[str, str]) -> Paper:
    """The cited paper in plain text: a model trained on examples with BibTeX braces would write braces."""
    from texgeist_latex.bib.authors import split_authors
    from texgeist_latex.bib.identity import normalise_title, year_of
    from texgeist_latex.tex.accents import read_accents
    from texgeist_latex.tex.plaintext import plain
    from texgeist_retrieval.types import Paper

    title = " ".join(plain(entry.fields["title"]).split())
    own = " ".join(plain(entry.fields.get("abstract", "")).split())
    return Paper(
        entry.key,
        title,
        own or abstracts.get(normalise_title(title), ""),
        tuple(map(read_accents, split_authors(entry.fields.get("author", "")))),
        year_of(entry),
    )


def _cited(draft: Draft) -> Mapping[str, BibEntry]:
    known = {entry.key: entry for bib in draft.bibliographies for entry in bib.entries}
    keys = dict.fromkeys(citation.key for citation in draft.citations)
    return {key: known[key] for key in keys if key in known and known[key].fields.get("title")}


def _related_work(draft: Draft, keys: list[str]) -> str:
    """The text of the related-work section. Citations become indices into `keys`. Returns "" if the draft has
    no such section."""
    from texgeist_latex.tex.plaintext import plain

    if (section := related_work_span(draft)) is None:
        return ""
    text = draft.sources[section.file].text[: section.end]
    inside = [h for h in draft.headings if is_within(h.span, section)]
    cited: dict[Span, list[str]] = {}
    for citation in draft.citations:
        if is_within(citation.command_span, section):
            cited.setdefault(citation.command_span, []).append(citation.key)
    replaced = {span: _numbers(named, keys) for span, named in cited.items()}
    replaced |= {h.span: f"\n\n**{h.title.rstrip('.')}.** " for h in inside}
    for span, new in sorted(replaced.items(), key=lambda item: -item[0].start):
        text = text[: span.start] + new + text[span.end :]
    paragraphs = plain(text[section.start :]).split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())


def _numbers(cited: list[str], keys: list[str]) -> str:
    numbers = [str(keys.index(key) + 1) for key in cited if key in keys]
    return f"[{', '.join(numbers)}]" if numbers else ""


def train(
    queries: Path = typer.Option(
        ..., "--queries", help="Drafts: JSON lines with id, title, abstract, cited; plain or gzip."
    ),
    corpus: Path = typer.Option(..., "--corpus", help="Papers: JSON lines with doc, title, abstract."),
    vectors: Path | None = typer.Option(
        None, "--vectors", help="The papers' vectors (.npy, a row per line of the corpus)."
    ),
    query_vectors: Path | None = typer.Option(
        None, "--query-vectors", help="The drafts' vectors (.npy); without them, titles are embedded too."
    ),
    others: Path | None = typer.Option(None, "--others", help="Papers that none of the queries cites."),
    other_vectors: Path | None = typer.Option(None, "--other-vectors", help="Their vectors (.npy)."),
    out: Path = typer.Option(
        ..., "--out", help="Folder for the weights; resumes a stopped training of the ranking."
    ),
    part: Literal["ranking", "lexicon"] = typer.Option(
        "ranking",
        "--part",
        help="ranking (adapter, table, order) or lexicon.",
    ),
    loss: Literal["each", "group", "pair", "mixed"] = typer.Option(
        "each",
        "--loss",
        help="each cited paper separately, or UR3WG's group-wise, pair-wise or mixed loss.",
    ),
    facets: int = typer.Option(4, min=1, max=16, help="Adapter vectors per query."),
    epochs: int = typer.Option(10, min=1, help="Number of passes over the queries."),
    folds: int = typer.Option(4, min=2, help="Folds of the queries, for held-out features."),
    seed: int = typer.Option(9, help="Random seed."),
) -> None:
    """Train search and ranking on known citations (needs the extra `torch`)."""
    start = time.monotonic()
    with plainly(), working("Reading") as monitor:
        from texgeist_retrieval.training.collection import (
            CitationCollection,
            CollectionFiles,
            document_vectors,
            load_documents,
        )

        titled = query_vectors is None and part == "ranking"
        files = CollectionFiles(corpus, queries, vectors, query_vectors)
        collection = CitationCollection.load(files, _embedder, monitor, titled)
        papers = len(collection.documents)
        if others:
            from texgeist_retrieval.training.run import with_others

            extra = load_documents(others)
            rows = document_vectors(extra, other_vectors, _embedder, monitor)
            collection = with_others(collection, extra, rows)
        if part == "ranking":
            from texgeist_retrieval.training.query_adapter import AdapterOptions
            from texgeist_retrieval.training.run import TrainOptions
            from texgeist_retrieval.training.run import train as train_ranking

            adapter = AdapterOptions(facets=facets, epochs=epochs, seed=seed, loss=loss)
            train_ranking(collection, papers, out, TrainOptions(adapter=adapter, folds=folds), monitor)
        else:
            from texgeist_retrieval.training.lexicon import LexiconOptions, train_lexicon

            train_lexicon(collection, out, LexiconOptions(seed=seed, loss=loss), monitor)
    made = sorted(path for path in out.iterdir() if path.suffix in (".npz", ".json"))
    sizes = ", ".join(f"{path.name} {path.stat().st_size / 1e6:.1f} MB" for path in made)
    minutes = (time.monotonic() - start) / 60
    inform(
        f"Trained on {len(collection.topics)} drafts and {len(collection.documents)} papers in {minutes:.1f} minutes."
    )
    inform(f"In {out}: {sizes}.")


def _embedder() -> Embedder:
    from ..embedders import build_embedder

    return build_embedder(load_settings())


def export_training(
    papers: list[Path] = typer.Argument(..., help="The root documents (.tex) of your papers."),
    out: Path = typer.Option(Path("training.jsonl"), "--out", help="The file to write."),
    index: str | None = typer.Option(
        None, "--index", metavar="PATH", help="An index with the abstracts of entries that lack them."
    ),
    force: bool = FORCE,
) -> None:
    """Export instruction data from your own papers, for fine-tuning a model. Nothing leaves this machine."""
    with plainly(), new_file(out, (".jsonl",), force) as target:
        from texgeist_retrieval.training.export import export, without_abstract

        lent = _abstracts(index) if index else {}
        found = [example_of(path, lent) for path in papers]
        made = export(found, target)
        bare, references = without_abstract(found)
    inform(f"{number_of(made.lines, 'example')} from {number_of(len(found), 'paper')} in {out}.")
    if made.refused:
        inform(
            f"{len(made.refused)} sentences of your sections were left out, because texgeist would not accept them "
            f"from a model. The first: {made.refused[0]}"
        )
    if bare:
        inform(
            f"{bare} of {references} cited papers have no abstract and are left out: give their entries "
            "`abstract` fields, or name an --index that holds them."
        )


def _abstracts(index: str) -> dict[str, str]:
    from ..config.credentials import keys_from_environment
    from ..index_places import index_place, open_as_it_is

    settings = load_settings()
    opened = open_as_it_is(settings, index_place(settings, keys_from_environment(), index))
    try:
        return abstracts_of(opened.papers())
    finally:
        opened.close()
