"""Discovery over the stand-in for the literature services: papers, paths, links, budget and cache."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from texgeist_retrieval.discovery.asking import open_cache
from texgeist_retrieval.discovery.run import discover, last_day
from texgeist_retrieval.discovery.service import terms
from texgeist_retrieval.errors import Cancelled
from texgeist_retrieval.monitor import StopEvent
from texgeist_retrieval.types import (
    SERVICES,
    DiscoveredPaper,
    Discovery,
    DiscoveryRequest,
    Query,
    ServiceName,
)

from ...literature_server import Work, serving
from .works import WORKS, opened, request


def by_id(found: Discovery) -> dict[str, DiscoveredPaper]:
    return {one.paper.id: one for one in found.papers}


@pytest.mark.parametrize("name", ["openalex", "semanticscholar"])
def test_the_citation_graph_around_what_the_draft_cites(name: ServiceName) -> None:
    with serving(WORKS) as state:
        found = discover(request(), opened(state, [name]))
    assert found.complete
    papers = {id: {path.kind: set(path.works) for path in one.paths} for id, one in by_id(found).items()}
    survey, both = papers["doi:10.5555/s"], {"doi:10.5555/ram", "doi:10.5555/tides"}
    assert set(papers) == {
        "2001.00001" if name != "openalex" else "doi:10.5555/loss",
        "doi:10.5555/s",
        "1201.00002",
        *(["doi:10.5555/gone"] if name != "openalex" else []),  # Semantic Scholar has no retractions
    }
    assert survey["cites"] == both and papers["1201.00002"]["cited with"] == both
    assert {one.paper.id for one in found.cited} == both
    links = {(link.citing, link.cited) for link in found.links}
    assert {("doi:10.5555/s", "1201.00002"), ("doi:10.5555/tides", "doi:10.5555/ram")} <= links


def test_neither_the_draft_nor_what_it_cites_nor_later_or_retracted_works() -> None:
    with serving(WORKS) as state:
        found = discover(request(), opened(state))
        later = discover(request(until=""), opened(state))
        ours = replace(request().query, titles=frozenset({"{Dwarf} Galaxies without an Abstract"}))
        owned = discover(replace(request(), query=ours), opened(state))
    assert set(by_id(found)) == {"2001.00001", "doi:10.5555/s", "1201.00002", "doi:10.5555/shells"}
    assert set(by_id(later)) - set(by_id(found)) == {"doi:10.5555/later"}
    assert found.notes == (
        "Left out because no service has an abstract: 1 paper, such as “Dwarf galaxies without an abstract” (2014).",
    )
    assert owned.papers == found.papers and not owned.notes


@pytest.mark.parametrize("name", ["openalex", "semanticscholar"])
def test_a_draft_that_cites_nothing_starts_from_the_first_results(name: ServiceName) -> None:
    query = Query("abstract", request().query.parts, title="Gas of dwarfs")
    with serving(WORKS) as state:
        found = by_id(discover(DiscoveryRequest(query, ("ram pressure",)), opened(state, [name])))
    assert "search" in {path.kind for path in found["doi:10.5555/ram"].paths}
    assert {path.kind for path in found["1201.00002"].paths} == {"near"}  # it has no word of the query


def test_titles_are_looked_up() -> None:
    with serving(WORKS) as state:
        found = by_id(discover(request(titles=("Starvation of Satellites", "Gas")), opened(state)))
    assert {p.service for p in found["1201.00002"].paths if p.kind == "title"} >= {
        "OpenAlex",
        "Semantic Scholar",
        "arXiv",
    }
    assert all(path.kind != "title" for id, one in found.items() for path in one.paths if id != "1201.00002")


def test_a_longer_title_and_a_withdrawn_paper_are_not_the_title_looked_up() -> None:
    longer = Work(
        "Starvation of satellites in groups",
        "Groups.",
        ("Jo Jay",),
        2013,
        doi="10.5555/g",
        arxiv="1301.00001",
    )
    gone = "This paper has been withdrawn by the author."
    withdrawn = Work("Harassment of dwarfs", gone, ("Kit Kay",), 2013, arxiv="1301.00002")
    with serving((*WORKS, longer, withdrawn)) as state:
        asked = request(titles=("Starvation of satellites", "Harassment of dwarfs"))
        found = by_id(discover(asked, opened(state, ["arxiv"])))
    assert {id for id, one in found.items() for path in one.paths if path.kind == "title"} == {"1201.00002"}


def test_records_of_several_services_become_one() -> None:
    with serving(WORKS) as state:
        found = by_id(discover(request(), opened(state)))
    loss = found["2001.00001"]
    assert loss.paper.doi == "10.5555/loss" and {p.service for p in loss.paths if p.kind == "search"} == {
        "OpenAlex", "Semantic Scholar", "arXiv", "Crossref"
    }  # fmt: skip


def test_an_abstract_that_only_semantic_scholar_has_is_asked_for() -> None:
    with serving(WORKS) as state:
        found = by_id(discover(request(), opened(state)))
        without = by_id(discover(request(), opened(state, ["openalex", "arxiv", "crossref"])))
    shells = found["doi:10.5555/shells"]
    assert shells.paper.abstract == "Rings." and {path.service for path in shells.paths} == {"OpenAlex"}
    assert "doi:10.5555/shells" not in without


def test_works_with_the_same_title_stay_apart() -> None:
    twins = [
        Work(
            "An introduction to dwarf galaxies",
            f"Gas, part {n}.",
            (f"Author {who}",),
            2015,
            doi=f"10.5555/{n}",
        )
        for n, who in ((1, "One"), (2, "Two"), (3, "One"))
    ]
    with serving(twins) as state:
        found = by_id(discover(request(), opened(state, ["openalex", "crossref"])))
    assert set(found) == {"doi:10.5555/1", "doi:10.5555/2", "doi:10.5555/3"}


def test_a_second_run_sends_nothing(tmp_path: Path) -> None:
    cache = open_cache(tmp_path / "answers.db")
    with serving(WORKS) as state:
        first = discover(request(), opened(state), cache)
        sent = len(state.asked)
        again = discover(request(), opened(state), cache)
        assert len(state.asked) == sent == first.calls and (again.calls, again.dollars) == (0, 0)
    assert again.papers == first.papers and again.links == first.links
    assert b"dwarf galaxies gas" not in (tmp_path / "answers.db").read_bytes()  # the query


def test_calls_and_dollars_have_a_limit() -> None:
    with serving(WORKS) as state:
        whole = discover(request(), opened(state))
        few = discover(request(most_calls=5), opened(state))
        cheap = discover(request(most_dollars=0.0021), opened(state, ["openalex"]))
    assert whole.calls <= 40 and 0 < whole.dollars < 0.02
    assert few.calls == 5 and not few.complete and "budget" in " ".join(few.notes)
    assert cheap.dollars < 0.0022 and cheap.papers


def test_keys_are_sent_where_they_belong_and_never_stored(tmp_path: Path) -> None:
    with serving(WORKS) as state:
        discover(request(), opened(state), open_cache(tmp_path / "answers.db"))
    keyed = {service for service, path in state.asked if "a-key" in path}
    assert keyed == {"openalex"} and b"a-key" not in (tmp_path / "answers.db").read_bytes()
    assert state.keys == {"semanticscholar": {"a-key"}}


def test_what_is_sent_is_the_queries_and_the_cited_works() -> None:
    with serving(WORKS) as state:
        discover(request(), opened(state))
    sent = [
        value
        for _, path in state.asked
        for values in parse_qs(urlsplit(path).query).values()
        for value in values
    ]
    assert not any("fall into a cluster" in value or "Myself" in value for value in sent)


def test_short_terms_are_searched_for() -> None:
    assert terms("AI in a hospital: is AI a risk?", 3) == ["ai", "hospital", "risk"]


def test_a_run_can_be_cancelled() -> None:
    stop = threading.Event()
    stop.set()
    with serving(WORKS) as state:
        with pytest.raises(Cancelled):
            discover(request(), opened(state), monitor=StopEvent(stop, lambda *_: None))
        assert not state.asked


@pytest.mark.parametrize(("date", "day"), [("2020", "2020-12-31"), ("2020-02", "2020-02-29"), ("", "")])
def test_a_year_or_month_ends_with_its_last_day(date: str, day: str) -> None:
    assert last_day(date) == day


@pytest.mark.parametrize("left_out", SERVICES)
def test_each_service_can_be_left_out(left_out: ServiceName) -> None:
    with serving(WORKS) as state:
        found = discover(request(), opened(state, [name for name in SERVICES if name != left_out]))
    assert "2001.00001" in by_id(found) and left_out not in {service for service, _ in state.asked}
