"""How sections and paragraphs open and close: only what was counted, and what the draft itself says."""

from __future__ import annotations

import pytest
from texgeist_retrieval.writing.extractive.english import openings
from texgeist_retrieval.writing.extractive.english.draft_clauses import (
    claim_on,
    claims,
    unnamed,
)
from texgeist_retrieval.writing.extractive.english.keyphrases import without_article


@pytest.mark.parametrize("strands", [2, 3, 4])
def test_every_strand_is_opened_by_its_phrase_and_no_two_alike(strands: int) -> None:
    said = [openings.opening(place, strands, "execution traces", 5) for place in range(strands)]
    assert all("execution traces" in text and text.endswith(".") for text in said)
    assert len(set(said)) == strands


def test_papers_that_share_no_phrase_are_not_said_to_share_one() -> None:
    assert openings.opening(0, 0, "", 5) == "The papers noted here share no single theme."
    assert openings.opening(3, 3, "", 2) == "Other papers stand beside these strands."
    assert openings.opening(0, 0, "", 3) == ""
    assert openings.overview(["execution traces"]) == ""
    assert openings.in_common("", 3) == ""


def test_the_overview_names_the_strands_in_order() -> None:
    said = openings.overview(["dense retrieval", "query logs", "ranking"])
    assert (
        said == "Three strands of earlier work bear on this paper: dense retrieval, query logs and ranking."
    )


@pytest.mark.parametrize("size", [1, 2, 7])
def test_a_list_of_titles_says_how_many(size: int) -> None:
    listed = openings.listing(size)
    assert openings.number(size) in listed.lower() and ("paper is" in listed) == (size == 1)


def test_a_gap_is_a_subject_of_the_title_that_no_text_has() -> None:
    title = "A Comparative Study of Network Costs"
    assert unnamed(title, "", ["We place containers.", "We study network latency."]) == "network costs"
    assert unnamed(title, "", ["We study the network costs of containers."]) == ""
    assert unnamed(title, "", ["We lower the costs of a network of containers."]) == ""


def test_a_gap_needs_no_article_and_is_no_name_of_the_drafts_own() -> None:
    assert unnamed("Caching at a Cloud Provider", "", ["We cache."]) == ""
    assert unnamed("KVCache Caches", "", ["We cache."]) == ""


def test_the_close_joins_the_gap_to_what_the_draft_does() -> None:
    [claim] = claims("We measure the network costs of clusters.", "Costs")
    assert openings.closing("network costs", claim) == (
        "None of these works takes network costs as its subject; in this paper, we measure the network costs "
        "of clusters."
    )
    assert openings.closing("", claim) == "In this paper, we measure the network costs of clusters."
    assert (
        openings.closing("network costs", None) == "None of these works takes network costs as its subject."
    )
    assert openings.closing("", None) == ""


def test_a_strand_ends_with_what_the_draft_does_about_it_once() -> None:
    found = claims("We study dense retrieval of passages for drafts. We propose a text planner.", "Drafts")
    claim = claim_on("dense retrieval", found, [])
    assert claim and claim.clause == "we study dense retrieval of passages for drafts"
    assert claim_on("dense retrieval", found, [claim]) is None
    assert claim_on("query logs", found, []) is None


@pytest.mark.parametrize(
    ("phrase", "bare"),
    [
        ("annotated corpus", "annotated corpora"),
        ("persistence diagram", "persistence diagrams"),
        ("persistence diagrams", "persistence diagrams"),
        ("citation recommendation", "citation recommendation"),
    ],
)
def test_what_is_counted_is_plural_where_no_article_stands(phrase: str, bare: str) -> None:
    assert without_article(phrase) == bare
