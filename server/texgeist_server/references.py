"""Converts a paper to a bibliography reference; the only place that does."""

from __future__ import annotations

from typing import Literal

from texgeist_latex.types import Reference
from texgeist_retrieval.types import Paper
from texgeist_retrieval.types.papers import is_arxiv


def reference_of(paper: Paper, published_as: str = "") -> Reference:
    """The reference for a paper. `published_as`: the publication type that a registry states; "" if
    unknown. Registries give the year of a preprint to the DOI of the published paper. The year in the DOI then
    replaces it, because the check of entries calls such an entry wrong."""
    from texgeist_latex.entry_checks.contradictions import year_instead  # not before the first answer

    on_arxiv = is_arxiv(paper.id)
    doi = paper.doi or (paper.id.removeprefix("doi:") if paper.id.startswith("doi:") else "")
    year = year_instead(doi, paper.year) or paper.year
    if on_arxiv and year != paper.year:  # the DOI is of the published paper
        doi, year = "", paper.year
    kind: Literal["article", "inproceedings"] = (
        "inproceedings" if published_as == "inproceedings" else "article"
    )
    return Reference(
        id=paper.id,
        title=paper.title,
        authors=paper.authors,
        year=year,
        arxiv_id=paper.id if on_arxiv else "",
        primary_class=paper.primary,
        doi=doi,
        venue=paper.venue,
        kind=kind if paper.venue and not on_arxiv else "preprint",
        entry_type=paper.kind,
        details=tuple((name, text) for name, _, text in (one.partition("=") for one in paper.details)),
        url=paper.url or (f"https://arxiv.org/abs/{paper.id}" if on_arxiv else ""),
    )
