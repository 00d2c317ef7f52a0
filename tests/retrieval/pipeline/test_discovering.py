"""Papers discovered for a draft: what is asked, what is stored, and how they are searched beside the index."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.index.joined import HeldPaper, JoinedIndex
from texgeist_retrieval.pipeline.discovering import (
    MOST_EMBEDDED,
    MOST_LINKS,
    RETRY_S,
    DraftLibrary,
    key_words,
    most_relevant,
    preview,
    request_of,
    way_of,
)
from texgeist_retrieval.types import (
    CitationGraph,
    CitationLink,
    DiscoveredPaper,
    Discovery,
    DiscoveryPath,
    Filters,
    Paper,
    Query,
    QueryPart,
    Strand,
    Work,
)
from texgeist_retrieval.types.papers import UNPRINTED

ABSTRACT = "Dwarf galaxies lose gas. Ram pressure stripping of dwarf galaxies takes a billion years."


def query(**more: object) -> Query:
    works = (Paper("", "Tidal stirring"), Paper("", "Our manuscript under review", kind=UNPRINTED))
    given = {
        "cited_works": works,
        "cited_ids": frozenset({"doi:10.5555/ram"}),
        "cited_sentences": ("Tides pull.",),
    }
    return Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT, "Gas loss", **{**given, **more})  # type: ignore[arg-type]


def paper(id: str, year: int = 2020) -> DiscoveredPaper:
    return DiscoveredPaper(
        Paper(id, f"Title {id}", "An abstract.", year=year), (DiscoveryPath("search", "OpenAlex", "gas"),)
    )


def test_without_a_model_title_words_and_cited_sentences_are_asked_with_a_model_its_strands() -> None:
    plain = request_of(query(), (), "2021")
    assert (
        plain.texts[0] == "Gas loss" and "galaxies" in plain.texts[1] and plain.texts[2:] == ("Tides pull.",)
    )
    strands = (Strand("tides", "tidal stripping", works=(Work("Tidal stirring of dwarfs"), Work(name="X"))),)
    named = request_of(query(), strands, "")
    assert named.texts == ("tidal stripping",) and named.titles == ("Tidal stirring of dwarfs",)
    sentence = Query(
        "sentence", (QueryPart("Gas is lost.", "it"),), ABSTRACT, "Gas loss", text="Gas is lost."
    )
    assert request_of(sentence, (), "").texts == ("Gas is lost.",)


def test_key_words_name_each_word_once_and_no_stop_word() -> None:
    text = "Our labels depend on labels, and our label sets have an order."
    chosen = key_words(Query("abstract", (), text, "Labels")).split()
    assert chosen[0] == "labels" and "label" not in chosen and "our" not in chosen


def test_the_title_of_an_unpublished_manuscript_is_not_sent() -> None:
    request = request_of(query(), (), "")
    assert [work.title for work in request.query.cited_works] == ["Tidal stirring"]
    shown = preview(query())
    assert "manuscript" not in shown and "doi:10.5555/ram" in shown and "search for: tides pull" in shown
    assert shown.count("gas loss") == 1
    sentence = Query("sentence", (), ABSTRACT, "Gas loss", text="Gas is lost.")
    assert preview(sentence) == "search for: gas loss\nsearch for: gas lost"


def test_a_library_keeps_papers_of_several_runs_and_forgets_the_oldest(tmp_path: Path) -> None:
    library = DraftLibrary(tmp_path / "discovered" / "a.sqlite")
    assert library.load() == Discovery() and not library.path.exists() and not library.last_run("k")
    library.add(Discovery((paper("2001.00001"), paper("2001.00002"))), "k")
    whole = library.add(
        Discovery((paper("2001.00003"), paper("2001.00001")), links=(CitationLink("a", "b"),)), "l"
    )
    assert [one.paper.id for one in whole.papers] == ["2001.00003", "2001.00001", "2001.00002"]
    assert library.load() == whole and library.last_run("k") and not library.last_run("")
    library.add(Discovery(cited=(paper("2001.00008"),)), "k")
    library.add(
        Discovery(cited=(paper("2001.00009"),), unfinished=("arXiv",)), "k"
    )  # a service failed, so nothing is forgotten
    assert [one.paper.id for one in library.load().cited] == ["2001.00008", "2001.00009"]
    links = tuple(CitationLink("a", str(n)) for n in range(MOST_LINKS + 1))
    latest = library.add(Discovery(cited=(paper("2001.00009"),), links=links), "k2")
    assert [one.paper.id for one in latest.cited] == ["2001.00009"] and latest.links == links[:-1]
    library.path.write_bytes(b"damaged")
    assert library.load() == Discovery()


def test_a_service_that_did_not_finish_is_asked_again_after_an_hour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = DraftLibrary(tmp_path / "a.sqlite")
    library.add(Discovery(), "complete")
    library.add(Discovery(unfinished=("arXiv", "Crossref")), "partial")
    assert (last := library.last_run("partial")) and last.value == "arXiv and Crossref"
    later = time.time() + RETRY_S
    monkeypatch.setattr("texgeist_retrieval.cache_file.time.time", lambda: later)
    assert library.last_run("complete") and not library.last_run("partial")


@pytest.mark.parametrize(
    ("paths", "said"),
    [
        ((), ""),
        (
            (
                DiscoveryPath("search", "OpenAlex", "gas"),
                DiscoveryPath("search", "arXiv", "gas"),
                DiscoveryPath("cited by", "OpenAlex", works=("a", "b")),
                DiscoveryPath("cited by", "Semantic Scholar", works=("b", "c")),
            ),
            "Discovered: it is cited by 3 of the works that you cite; it was found by OpenAlex and arXiv for your draft.",
        ),
        ((DiscoveryPath("title", "OpenAlex", "X"),), "Discovered: its title was looked up."),
    ],
)
def test_the_user_is_told_how_a_paper_was_found(paths: tuple[DiscoveryPath, ...], said: str) -> None:
    assert way_of(DiscoveredPaper(Paper("2001.00001", "T"), paths)) == said


def test_discovered_papers_are_searched_without_a_library_and_within_the_limits() -> None:
    index = JoinedIndex(None, "m", 2)
    rows = np.eye(2, dtype=np.float32)
    held = [HeldPaper(paper(f"2001.0000{n}", 2018 + n).paper, rows[n], f"way {n}") for n in (0, 1)]
    graph = CitationGraph((paper("2001.00009").paper,), (CitationLink("2001.00000", "2001.00009"),))
    index.hold(held, graph)
    assert index.graph() == graph
    [found] = index.search(rows[1:], 1)
    assert [(c.paper.id, c.discovered) for c in found] == [
        ("2001.00001", "way 1"),
        ("2001.00000", "way 0"),
    ]
    [early] = index.search(rows[1:], 1, Filters(until="2018"))
    assert [c.paper.id for c in early] == ["2001.00000"]
    assert len(index.search(rows[1:], 1, Filters(topics=("t",)))[0]) == 2  # the limit cannot be applied
    assert index.unapplied(Filters(topics=("t",))).topics
    assert index.status().papers == 2 and set(index.get(["2001.00000", "x"])) == {"2001.00000"}


def test_the_abstracts_with_the_words_of_the_draft_are_embedded_whatever_their_rank() -> None:
    far = [DiscoveredPaper(Paper(str(n), "Bees", "Honey bees dance.")) for n in range(299)]
    near = DiscoveredPaper(Paper("near", "Gas loss", ABSTRACT))
    named = (*far[:150], near, *far[150:])
    chosen = most_relevant(named, query())
    assert len(chosen) == MOST_EMBEDDED and near in chosen
    sentence = Query("sentence", (), ABSTRACT, "Gas loss", text="Ram pressure strips dwarf galaxies.")
    few = most_relevant(named, sentence)
    assert len(few) == MOST_EMBEDDED and near in few
