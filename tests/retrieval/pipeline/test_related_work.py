"""The recipe from a query to a section, on a world where every value can be foreseen."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from texgeist_retrieval.errors import Cancelled, PaperUnreadable, WriterUnavailable
from texgeist_retrieval.pipeline import related_work
from texgeist_retrieval.pipeline.search import find
from texgeist_retrieval.services import Options
from texgeist_retrieval.types import Filters, Paper

from .conftest import QUERY, Recorder, World, about, library, pages_for


def test_search_longlist_shortlist_have_citegeists_sizes() -> None:
    papers = library()
    monitor = Recorder()
    services = World(papers, pages_for(papers)).services()
    result = related_work(about(QUERY), services, Options(breadth=2, depth=2), monitor)
    assert services.index.searches == [(1, 12 + 2)]
    assert len(services.source.asked) == 6
    assert len(result.selected) == 2
    assert all(len(paper.evidence) == 3 for paper in result.selected)
    assert "12 papers found, reading 6" in monitor.messages
    first = result.selected[0]
    assert first.reasons.numbers.startswith("1st of 12 by similarity to your abstract, 0.")
    assert first.evidence[0].passage.page is None
    assert {e.passage.page for e in first.evidence[1:]} == {1, 2}
    ids = [e.id for paper in result.selected for e in paper.evidence]
    assert ids == [str(n) for n in range(1, len(ids) + 1)]
    # every candidate is chosen or left out with a reason, and none is both
    left = {item.paper.id for item in result.left_out}
    chosen = {paper.candidate.paper.id for paper in result.selected}
    assert not left & chosen
    assert all(item.left_out for item in result.left_out)


def test_two_records_of_a_paper_are_cited_as_one() -> None:
    paper = replace(library(1)[0], id="bib:smith2024", title="Fish That Swim in {Cold} Water")
    same = replace(paper, id="bib:smith24fish", title="Fish that swim in cold water", abstract="")
    cited = replace(paper, id="2401.00099", year=2023)
    namesake = replace(paper, id="bib:jones2024", authors=("B. Jones",))
    other = replace(paper, id="doi:10.1/x", title="Others", doi="10.1/x")
    renamed = replace(paper, id="2401.00098", title="Others, extended", doi="10.1/X", abstract="")

    def chosen(papers: list[Paper], **query: Any) -> set[str]:
        services = World(papers).services()
        result = related_work(
            about(QUERY, **query), services, Options(breadth=9, full_text=False), Recorder()
        )
        chosen = {each.candidate.paper.id for each in result.selected}
        left = {out.paper.id for out in result.left_out}
        assert not chosen & left and chosen | left == {each.id for each in papers}
        return chosen

    assert chosen([same, paper, namesake, renamed, other]) == {paper.id, namesake.id, other.id}
    assert chosen([paper, cited], cited_ids=("2401.00099",), discussed=(cited,)) == set()


def test_a_page_never_changes_its_paper() -> None:
    papers = library()
    pages = pages_for(papers)
    pages[papers[0].id] = PaperUnreadable("arXiv has no PDF of it.")
    pages[papers[2].id] = PaperUnreadable("Its PDF is damaged.")
    services = World(papers, pages).services()
    result = related_work(about(QUERY), services, Options(breadth=6, diversity=0.7), Recorder())
    for paper in result.selected:
        for evidence in paper.evidence:
            assert evidence.passage.paper_id == paper.candidate.paper.id
            if evidence.passage.page is not None:
                assert evidence.passage.text.endswith(paper.candidate.paper.id)
    assert all(
        "chosen also for diversity" in paper.reasons.numbers
        for paper in result.selected
        if paper.candidate.rank > 1
    )
    unread = {p.candidate.paper.id for p in result.selected if len(p.evidence) == 1}
    assert unread <= {papers[0].id, papers[2].id}
    asked = len({papers[0].id, papers[2].id} & set(services.source.asked))
    assert asked and any(
        re.match(rf"{asked} of \d+ papers could not be read in full", note) for note in result.notes
    )


def test_citations_are_kept_by_evidence_and_not_by_name() -> None:
    papers = [replace(paper, authors=("Li",)) for paper in library(3)]
    services = World(papers, leave_out=(papers[1].id,)).services()
    result = related_work(about("red fish swim like Li did"), services, Options(breadth=3), Recorder())
    assert papers[1].id not in {paper.candidate.paper.id for paper in result.selected}
    assert {item.paper.id: item.left_out for item in result.left_out} == {
        papers[1].id: "The writer did not use it."
    }
    assert result.selected[0].summary == f"About {result.selected[0].candidate.paper.title}"
    assert result.selected[0].evidence[0].score == 0.25


def test_the_draft_itself_and_what_it_cites_stay_out() -> None:
    papers = library(8)
    query = about(
        QUERY,
        title="Title 0 of a {Paper}",
        authors=("Author0, A.",),
        cited_ids=frozenset({f"{papers[1].id}v3"}),
        cited_works=(Paper("", "Title 2 of a paper", authors=(papers[2].authors[0],), year=papers[2].year),),
        discussed=tuple(papers[1:3]),
    )
    services = World(papers).services()
    result = related_work(query, services, Options(breadth=8), Recorder())
    chosen = {paper.candidate.paper.id for paper in result.selected}
    assert chosen == {paper.id for paper in papers[3:]}
    reasons = {item.paper.id: item.left_out for item in result.left_out}
    assert reasons[papers[0].id] == "It is this draft itself."
    assert reasons[papers[1].id] == reasons[papers[2].id] == "Your draft cites it already."
    assert services.index.searches == [(1, 48 + 4)]


def test_bare_ids_are_completed_in_one_request() -> None:
    papers = library(8)
    services = World(papers, bare=True).services()
    found = find(about(QUERY), services, 5, Filters(), Recorder()).candidates[:5]
    titles = {paper.id: paper.title for paper in papers}
    assert [c.paper.title for c in found] == [titles[c.paper.id] for c in found]
    assert len(services.source.requests) == 1
    assert [candidate.rank for candidate in found] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("step", ["Searching", "reading", "Reading the papers", "Writing"])
def test_cancel_stops_between_steps(step: str) -> None:
    papers = library()
    services = World(papers, pages_for(papers)).services()
    with pytest.raises(Cancelled):
        related_work(about(QUERY), services, Options(breadth=3), Recorder(stop_at=step))
    if step != "Writing":
        assert services.writer.given == ()


def test_a_writer_that_fails_ends_the_run() -> None:
    services = World(library(4)).services()

    class Overloaded:
        name = "model"
        local = False

        def write(self, *args: Any) -> Any:
            raise WriterUnavailable("The model is overloaded.", "Try again in a minute.")

    with pytest.raises(WriterUnavailable):
        related_work(about(QUERY), replace(services, writer=Overloaded()), Options(), Recorder())


def test_nothing_found_is_a_result_that_says_so() -> None:
    result = related_work(about(QUERY), World([]).services(), Options(), Recorder())
    assert result.section.paragraphs == () and result.selected == ()
    assert "No paper was found" in result.notes[-1]
