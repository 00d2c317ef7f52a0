"""The only place where a paper becomes a reference."""

from __future__ import annotations

from texgeist_latex.types import Reference
from texgeist_retrieval.types import Paper


def reference_of(paper: Paper) -> Reference:
    """The paper as a bibliography needs it."""
    is_arxiv = ":" not in paper.id
    return Reference(
        id=paper.id,
        title=paper.title,
        authors=paper.authors,
        year=paper.year,
        arxiv_id=paper.id if is_arxiv else "",
        primary_class=paper.primary,
        doi=paper.doi or (paper.id.removeprefix("doi:") if paper.id.startswith("doi:") else ""),
        venue=paper.venue,
        kind="article" if paper.venue and not is_arxiv else "preprint",
        url=paper.url or (f"https://arxiv.org/abs/{paper.id}" if is_arxiv else ""),
    )
