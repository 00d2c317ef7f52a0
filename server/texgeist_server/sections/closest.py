"""The closest uncited work: the paper in the local index that is most similar to the abstract and is not
cited. An index on another machine is not queried, so nothing is sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from texgeist_latex.types import Draft, EditPlan
from texgeist_retrieval.types import Candidate, Paper

from ..references import reference_of
from . import provenance
from .queries import section_query

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

    from ..config.settings import Settings

LOOKED_AT = 40  # search results that are examined for an uncited paper


@dataclass(frozen=True, slots=True)
class Closest:
    """The closest uncited paper. `gist`: the key sentence of the paper's abstract, "" if there is none.
    `nearer`: True if the paper is nearer to the draft than every cited paper in the index."""

    paper: Paper
    similarity: float
    gist: str
    nearer: bool


def find_closest(draft: Draft, settings: Settings, monitor: Monitor) -> Closest | None:
    """Finds the closest uncited paper. Returns None if there is no such paper or no local index. Raises the
    `RetrievalError`s and NothingToAsk."""
    from texgeist_retrieval import pipeline
    from texgeist_retrieval.types import Filters
    from texgeist_retrieval.writing.extractive.key_sentences import key_sentence_of

    from ..adapters import build_services, setup_of
    from ..config.credentials import Keys

    setup = setup_of(settings, Keys(), writer="extractive")
    if not setup.place.on_this_disk:
        return None
    query = section_query(draft, "abstract")
    services = build_services(setup, query.project)
    try:
        found = pipeline.search(query, services, LOOKED_AT, Filters(), monitor)
    finally:
        services.index.close()
    one = nearest_uncited(draft, found, set(provenance.read(draft.root).dismissed))
    if one is None:
        return None
    cited = [candidate.similarity for candidate in found if _is_cited(draft, candidate)]
    nearer = all(one.similarity > similarity for similarity in cited)
    sentence = key_sentence_of(one.paper)
    return Closest(one.paper, round(one.similarity, 4), f"“{sentence}”" if sentence else "", nearer)


def nearest_uncited(draft: Draft, found: list[Candidate], dismissed: set[str]) -> Candidate | None:
    """The most similar uncited candidate, without papers that the author dismissed as irrelevant."""
    left = (c for c in found if c.paper.id not in dismissed and c.paper.title and not _is_cited(draft, c))
    return max(left, key=lambda candidate: candidate.similarity, default=None)


def _is_cited(draft: Draft, candidate: Candidate) -> bool:
    from texgeist_latex.bib.identity import same_paper

    cited = {citation.key for citation in draft.citations}
    reference = reference_of(candidate.paper)
    entries = (entry for each in draft.bibliographies for entry in each.entries)
    return any(("*" in cited or entry.key in cited) and same_paper(entry, reference) for entry in entries)


def plan_entry(draft: Draft, paper: Paper) -> EditPlan:
    """Plans to add the paper's entry to the bibliography. Raises the `LatexError`s."""
    from texgeist_latex.writing.taking import plan_entry as plan

    return plan(draft, reference_of(paper))
