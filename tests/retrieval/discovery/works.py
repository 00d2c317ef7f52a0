"""Works of a small subject, for the stand-in, and a draft on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from texgeist_retrieval.discovery.service import LiteratureService
from texgeist_retrieval.discovery.services import open_service
from texgeist_retrieval.types import SERVICES, DiscoveryRequest, Paper, Query, QueryPart, ServiceName

from ...literature_server import Literature, Work

ABSTRACT = "Dwarf galaxies lose their gas when they fall into a cluster."
WORKS = (
    Work("Gas loss of dwarf galaxies", ABSTRACT, ("Ann Ace",), 2020, arxiv="2001.00001", doi="10.5555/loss"),
    Work("Ram pressure in clusters", "Ram pressure removes gas.", ("Bo Bee",), 2010, doi="10.5555/ram"),
    Work("Tidal stirring", "Tides change dwarfs.", ("Cy Cee",), 2011, doi="10.5555/tides", references=(1,)),
    Work("A survey of stripping", "Reviews.", ("Di Dee",), 2015, references=(1, 2, 4), doi="10.5555/s"),
    Work("Starvation of satellites", "No new supply.", ("Ed Eel",), 2012, arxiv="1201.00002"),
    Work("Later work on gas", "Gas again.", ("Flo Fee",), 2025, references=(1,), doi="10.5555/later"),
    Work("Ours: gas and dwarf galaxies", "Ours.", ("Me Myself",), 2019, references=(1, 2), doi="10.5555/us"),
    Work("Gas of dwarf galaxies withdrawn", "Gas.", ("Gil Gee",), 2014, doi="10.5555/gone", retracted=True),
    Work("Dwarf galaxies without an abstract", "", ("Hal Hay",), 2014, doi="10.5555/bare"),
    Work("Shells of dwarf galaxies", "Rings.", ("Ida Ink",), 2013, doi="10.5555/shells", closed=True),
)


def request(**more: Any) -> DiscoveryRequest:
    query = Query(
        "abstract",
        (QueryPart(ABSTRACT, "abstract"),),
        ABSTRACT,
        WORKS[6].title,
        ("Me Myself",),
        frozenset({"doi:10.5555/ram"}),
        (Paper("", "Tidal stirring", authors=("Cee, Cy",), year=2011),),
    )
    return DiscoveryRequest(query, ("dwarf galaxies gas",), **{"until": "2021", **more})


def opened(state: Literature, names: Sequence[ServiceName] = tuple(SERVICES)) -> list[LiteratureService]:
    return [open_service(name, f"{state.address}/{name}", "a-key") for name in names]
