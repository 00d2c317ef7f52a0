"""The agent that gathers evidence, with a scripted model over HTTP and a library that is searched by words."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from texgeist_retrieval.evidence.agent import NOBODY, gather_evidence
from texgeist_retrieval.evidence.default_queries import default_queries
from texgeist_retrieval.evidence.gathering import Pool
from texgeist_retrieval.evidence.methods import PAPERQA, TEXGEIST
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import EvidenceResults
from texgeist_retrieval.types import Evidence, EvidenceRun, Paper, Passage, Query, SectionBrief

from ..model_server import Turn
from .conftest import DRAFTED, SECTION, WRITTEN, WordEmbedder

MODEL_QUERIES = [
    "Caffeine before bed shortens deep sleep.", "Spindles were counted in the electroencephalogram.",
    "The hippocampus replays what was learned.", "Older adults gain nothing from a night.",
    "Naps leave recall as it was in children.", "Dreams are reported on waking in the morning.",
    "Blue light of screens delays the onset.",
]  # fmt: skip


def searches(*queries: Any, enough: str = "") -> Turn:
    """A model's answer with these queries."""
    found = [{"query": query, "missing": "the other side"} for query in queries]
    return Turn({"searches": found, "enough": enough})


def by_model(run: EvidenceRun) -> list[str]:
    return [q.text for q in run.queries if q.by == "model" and not q.refused]


def test_without_a_model_the_default_queries_are_all(library: Any) -> None:
    run = gather_evidence(SECTION, library, WordEmbedder(), Silent())
    assert [q.text for q in run.queries] == [part.text for part in default_queries(SECTION)]
    assert sorted(library.asked) == sorted(q.text for q in run.queries)
    assert run.stopped == NOBODY and not run.searches and not run.model
    assert {paper.id for paper in run.papers} == {one.passage.paper_id for one in run.evidence} >= {"sleep"}
    texts = [(one.passage.paper_id, one.passage.place) for one in run.evidence]
    assert len(set(texts)) == len(texts)
    known = {one.id for one in run.evidence}
    assert all(set(q.found) <= known for q in run.queries)


def test_each_section_takes_its_queries_from_elsewhere() -> None:
    told = {}
    for kind in DRAFTED:
        brief = replace(SECTION.brief or SectionBrief("other", ""), section=kind)
        parts = default_queries(replace(SECTION, brief=brief))
        assert 0 < len(parts) <= TEXGEIST.most_queries and len({p.text.lower() for p in parts}) == len(parts)
        told[kind] = parts[0].text
    assert told["discussion"] == told["results"] == "recall of word pairs is better after sleep"
    assert told["introduction"].startswith("Sleep after learning") and len(set(told.values())) > 1


def test_what_says_only_which_section_does_what_is_not_asked() -> None:
    kept = "Naps in the afternoon help pupils of every age to keep the vocabulary that they learned."
    layout = (
        "The remainder of this paper is organized as follows. Section 2 tells of the pupils, while Section 3 has "
        "the naps. In Section 4 we discuss what follows, and Chapter 5 ends with the words of the teachers."
    )
    brief = SectionBrief("introduction", "Introduction")
    for written in (f"{kept}\n\n{layout}", f"{kept} {layout}"):
        parts = default_queries(Query("section", (), title="Naps", written=written, brief=brief))
        assert [part.text for part in parts] == [kept]


def test_the_published_method_asks_six_to_eight_queries() -> None:
    bare = replace(SECTION, written="", brief=SectionBrief("other", ""))
    assert len(default_queries(bare)) < 6
    abstract = " ".join(f"Sleepers of group {n} were taught many word pairs." for n in range(12))
    assert len(default_queries(replace(bare, abstract=abstract), PAPERQA)) == 6
    written = "\n\n".join(f"{WRITTEN} {n}" for n in range(12))
    assert len(default_queries(replace(SECTION, written=written), PAPERQA)) == 8


def test_the_model_sees_what_was_found_and_asks_on(run_agent: Any, server: Any) -> None:
    server.script = [
        searches(MODEL_QUERIES[0], MODEL_QUERIES[1]),
        searches(enough="Both sides are there."),
    ]
    run = run_agent()
    assert by_model(run) == MODEL_QUERIES[:2] and run.searches == 2
    assert run.stopped == "The model has enough: Both sides are there." and run.usage.calls == 2
    assert not run.failed
    assert {"caffeine", "spindles"} <= {paper.id for paper in run.papers}
    asked_for = {one.passage.paper_id: one.query for one in run.evidence}
    assert asked_for["caffeine"] == MODEL_QUERIES[0]
    opening, later = str(server.requests[0]["messages"]), str(server.requests[1]["messages"])
    assert "Sleep after learning improves recall" in opening and "71.2" in opening and "findings" in opening
    assert "Caffeine before bed" in later and "3 searches are left" in later


def test_a_model_that_never_stops_is_stopped(run_agent: Any, server: Any) -> None:
    left = iter(MODEL_QUERIES)
    server.brain = lambda _: searches(next(left))
    run = run_agent()
    assert run.searches == TEXGEIST.searches and by_model(run) == MODEL_QUERIES[: TEXGEIST.searches]
    assert run.stopped == f"All {TEXGEIST.searches} searches were spent."


def test_a_query_has_at_most_600_characters(run_agent: Any, server: Any) -> None:
    server.script = [searches("Caffeine before bed shortens deep sleep. " * 40), searches(enough="Enough.")]
    (query,) = by_model(run_agent())
    assert 500 < len(query) <= 600


def test_a_search_without_a_query_is_told_to_the_model(run_agent: Any, server: Any) -> None:
    server.script = [searches(MODEL_QUERIES[0], 7), searches(enough="That is all.")]
    run = run_agent()
    assert by_model(run) == MODEL_QUERIES[:1] and run.stopped == "The model has enough: That is all."
    assert "There is no query in this search" in str(server.requests[1]["messages"])


def test_what_was_asked_is_not_asked_again(run_agent: Any, server: Any, library: Any) -> None:
    same = "is better after sleep recall of word pairs"
    server.script = [
        searches(same),
        searches(MODEL_QUERIES[0], MODEL_QUERIES[0].lower()),
        searches(MODEL_QUERIES[1]),
        searches(),
    ]
    run = run_agent()
    assert by_model(run) == MODEL_QUERIES[:2] and run.searches == 2
    refused = [q for q in run.queries if q.refused]
    assert [q.text for q in refused] == [same, MODEL_QUERIES[0].lower()] and same not in library.asked
    assert all("says again" in q.refused for q in refused)
    assert "Not run: it says again" in str(server.requests[1]["messages"])
    assert run.stopped == "The model asked for nothing more."


def test_an_index_that_dies_between_two_searches_keeps_what_was_found(
    run_agent: Any, server: Any, library: Any
) -> None:
    library.dies_after = len(default_queries(SECTION)) + 1
    server.script = [searches(MODEL_QUERIES[0]), searches(MODEL_QUERIES[1])]
    run = run_agent()
    assert "The index does not answer." in run.stopped and "was kept" in run.stopped
    assert "caffeine" in {p.id for p in run.papers} and run.queries[-1].refused and not server.script


def test_the_drafts_own_paper_is_left_out(library: Any) -> None:
    run = gather_evidence(SECTION, library, WordEmbedder(), Silent(), leave_out=frozenset(["sleep"]))
    assert run.evidence and "sleep" not in {p.id for p in run.papers}


def test_the_draft_itself_in_the_library_is_no_evidence(library: Any) -> None:
    library.chunks["own"] = ("{Sleep} and word pairs", "results", library.chunks["sleep"][2])
    run = gather_evidence(SECTION, library, WordEmbedder(), Silent())
    assert "sleep" in {p.id for p in run.papers} and "own" not in {p.id for p in run.papers}


def test_a_passage_keeps_its_best_score_and_its_rating() -> None:
    first = Evidence("1", Passage("p", 1, "Sleep improves recall."), 0.9, 0.3)
    better, rated = (
        replace(first, score=0.8),
        replace(first, score=0.6, relevance=0.7, summary="Supports it."),
    )
    for order, kept in (((first, better, first), better), ((better, rated), rated), ((rated, better), rated)):
        pool = Pool()
        for one in order:
            pool.take("sleep", EvidenceResults((one,), {"p": Paper("p", "Sleep")}))
        (best,) = pool.best()
        assert (best.score, best.relevance, best.summary) == (kept.score, kept.relevance, kept.summary)
