"""A paper as a reference: by one rule, wherever it comes from."""

from __future__ import annotations

import pytest
from texgeist_latex.types import Offer
from texgeist_retrieval.types import Candidate, Paper, Selected
from texgeist_server.references import reference_of
from texgeist_server.sections.provenance_changes import references_in
from texgeist_server.sections.provenance_records import paper_record

from .records import provenance_with

PAPERS = [
    Paper("2001.00001", "New", authors=("Ann Ash",), year=2020, primary="cs.CL"),
    Paper("hep-th/9901001", "Old", year=1999, venue="Physics", doi="10.5555/old"),
    Paper("doi:10.5555/journal", "Journal", authors=("A", "B"), venue="Journal of Kinds"),
    Paper("doi:10.5555/nowhere", "Nowhere", url="https://example.org/nowhere"),
    Paper("bib:key", "Own", venue="Proceedings", year=2001),
]


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.id)
def test_an_offered_paper_is_the_same_reference(paper: Paper) -> None:
    selected = Selected(Candidate(paper, 0.5, 1), (), 0.5)
    reasons = {"paper": paper_record(selected).model_dump()}
    offer = {"stands": "a", "new": "b", "papers": {"k": reasons}}
    data = provenance_with(sections={"s": {"offers": [offer]}})
    assert references_in(data, "s", Offer("a", "b", (("k", paper.id),))) == [reference_of(paper)]


def test_a_paper_that_is_on_record_by_its_id_alone_has_an_address() -> None:
    offer = {"stands": "a", "new": "b", "papers": {"k": {"paper": {"id": "2001.00001", "title": "New"}}}}
    data = provenance_with(sections={"s": {"offers": [offer]}})
    [made] = references_in(data, "s", Offer("a", "b", (("k", "2001.00001"),)))
    assert (made.arxiv_id, made.url) == ("2001.00001", "https://arxiv.org/abs/2001.00001")


def test_a_registry_knows_what_was_published_in_proceedings() -> None:
    kinds = [reference_of(paper, "inproceedings").kind for paper in PAPERS]
    assert kinds == ["preprint", "preprint", "inproceedings", "preprint", "inproceedings"]
    assert [reference_of(paper, "book").kind for paper in PAPERS[2:3]] == ["article"]
