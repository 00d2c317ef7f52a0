"""Discovery over the stand-in for the services of literature."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from texgeist_retrieval.addresses import is_loopback
from texgeist_retrieval.cache_file import Cache
from texgeist_retrieval.discovery.openalex import OpenAlex
from texgeist_retrieval.discovery.run import discover
from texgeist_retrieval.sources.client import SourceClient
from texgeist_retrieval.sources.openalex import SITE
from texgeist_retrieval.sources.pacing import Pacing
from texgeist_retrieval.types import CitedWork, DiscoveryRequest, Query, QueryPart

from ...literature_server import Literature, Work, serving

ABSTRACT = "Dwarf galaxies lose their gas when they fall into a cluster."
WORKS = (
    Work("Gas loss of dwarf galaxies", ABSTRACT, ("Ann Ace",), 2020, arxiv="2001.00001"),
    Work("Ram pressure in clusters", "Ram pressure removes gas.", ("Bo Bee",), 2010, doi="10.5555/ram"),
    Work("Tidal stirring", "Tides change dwarfs.", ("Cy Cee",), 2011, doi="10.5555/tides", references=(1,)),
    Work("A survey of stripping", "Reviews.", ("Di Dee",), 2015, references=(1, 2, 4), doi="10.5555/s"),
    Work("Starvation of satellites", "No new gas.", ("Ed Eel",), 2012, arxiv="1201.00002"),
    Work("Later work on gas", "Gas again.", ("Flo Fee",), 2025, references=(1,), doi="10.5555/later"),
    Work("Ours: gas and dwarf galaxies", "Ours.", ("Me Myself",), 2019, references=(1, 2), doi="10.5555/us"),
)


def request(**more: Any) -> DiscoveryRequest:
    cited: dict[str, Any] = {
        "cited_ids": frozenset({"doi:10.5555/ram"}),
        "cited_works": (CitedWork("Tidal stirring", ("Cee, Cy",), 2011),),
    }
    query = Query(
        "abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT, WORKS[6].title, ("Me Myself",), **cited
    )
    return DiscoveryRequest(query, ("dwarf galaxies gas",), until="2021", **more)


def openalex(state: Literature) -> OpenAlex:
    address = f"{state.address}/openalex"
    assert is_loopback(address)
    return OpenAlex(SourceClient(SITE, Pacing(0, "test")), address, "key")


def test_papers_links_and_paths_of_openalex(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "answers.db")
    with serving(WORKS) as state:
        found = discover(request(), [openalex(state)], cache)
        sent = len(state.asked)
        again = discover(request(), [openalex(state)], cache)
        assert len(state.asked) == sent == found.calls and again.calls == 0
    assert again.papers == found.papers and found.notes == ()
    by_id = {one.paper.id: one for one in found.papers}
    assert set(by_id) == {"2001.00001", "doi:10.5555/s", "1201.00002"}  # neither ours nor later nor cited
    assert {one.paper.id for one in found.cited} == {"doi:10.5555/ram", "doi:10.5555/tides"}
    (together,) = (path for path in by_id["1201.00002"].paths if path.kind == "cited with")
    assert set(together.works) == {"doi:10.5555/ram", "doi:10.5555/tides"}
    assert ("doi:10.5555/s", "doi:10.5555/ram") in {(link.citing, link.cited) for link in found.links}
    assert found.dollars < 0.02 and found.left is not None and found.left < 1
