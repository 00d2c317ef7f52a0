"""How a strand's paragraph opens and closes: only what its papers use, and what the draft itself says."""

from __future__ import annotations

import re

import pytest
from texgeist_retrieval.writing.extractive.english import openings
from texgeist_retrieval.writing.extractive.english.draft_clauses import Claim, claims, main_claim, shortened
from texgeist_retrieval.writing.extractive.english.keyphrases import without_article


@pytest.mark.parametrize("strands", [1, 2, 3, 4, 5])
def test_every_strand_is_opened_by_its_phrase_and_no_two_alike(strands: int) -> None:
    said = [openings.opening(place, strands, "execution traces") for place in range(strands)]
    assert all("execution traces" in text and text.endswith(".") for text in said)
    assert len(set(said)) == strands
    lists = [openings.covering(place, strands, "execution traces") for place in range(strands)]
    assert all("execution traces" in text for text in lists) and len(set(lists)) == min(strands, 5)


def test_papers_that_share_no_phrase_are_not_said_to_share_one() -> None:
    assert openings.opening(0, 0, "") == ""


@pytest.mark.parametrize(
    ("topic", "means"),
    [
        ("interactive path reasoning on graphs for conversational search", "interactive path reasoning on graphs"),
        ("conversational search via memory reasoning", "memory reasoning"),
        ("conversational search with a memory", ""),  # an article: it cannot stand in a list of means
        ("evaluation of conversational search", ""),
        ("memory for conversational search", ""),
    ],
)  # fmt: skip
def test_means_are_what_a_title_says_that_it_does_it_by(topic: str, means: str) -> None:
    assert openings.means(topic, "conversational search") == means


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("inference attacks in federated learning", "inference attacks"),
        ("federated learning", ""),
        ("attacks in federated learning", "attacks in federated learning"),  # one word says too little
        ("federated active learning", "federated active learning"),
    ],
)
def test_a_topic_does_not_name_the_strand_again(topic: str, said: str) -> None:
    assert openings.about(topic, "federated learning") == said


@pytest.mark.parametrize("size", [1, 2, 7])
def test_a_list_of_titles_says_how_many(size: int) -> None:
    listed = openings.listing(size)
    assert openings.number(size) in listed.lower() and ("paper is" in listed) == (size == 1)


def test_what_the_draft_does_is_set_against_no_paper() -> None:
    """That no paper does it too is nowhere looked at."""
    [offer] = claims("We propose a cache for files of all kinds.", "")
    [study] = claims("We measure the network costs of clusters.", "Costs")
    for place in range(4):
        assert openings.beside(place, offer).endswith("we propose a cache for files of all kinds.")
        contrast = re.compile(r"unlike|contrast|differ|beyond|none|first", re.I)
        for claim in (offer, study):
            assert not contrast.search(openings.beside(place, claim).split(", we ")[0])
    assert len({openings.beside(place, offer) for place in range(4)}) == 4
    assert openings.closing(study) == "In this paper, we measure the network costs of clusters."
    assert openings.closing(None) == ""


def test_papers_beyond_the_strands_are_said_to_be_so_where_the_sentence_has_room() -> None:
    assert openings.leading("propose a cache.", "", True, 2) == (
        "propose a cache.",
        "Beyond these lines of work,",
    )
    assert openings.leading("propose a cache.", "", True, 1)[1] == "Beyond this line of work,"
    assert openings.leading("propose a cache.", "For files,", True, 2)[1] == "For files,"
    assert openings.leading("GPTCache is a cache.", "", False, 2) == ("GPTCache is a cache.", "")


def test_a_long_claim_loses_what_it_adds_at_its_end() -> None:
    long = Claim(
        "we propose a planner of paragraphs for drafts of papers in all fields of science and of the arts that orders "
        "the sentences by what they say, leading to shorter texts",
        "",
        True,
    )
    assert shortened(long).clause == (
        "we propose a planner of paragraphs for drafts of papers in all fields of science and of the arts"
    )
    short = Claim("we propose a planner that orders sentences, leading to shorter texts", "", True)
    assert shortened(short) == short


def test_a_name_keeps_what_it_stands_for() -> None:
    [claim] = claims("We propose CHASe (Client Heterogeneity-Aware Selection), made for active learning.", "")
    assert claim.clause == "we propose CHASe, Client Heterogeneity-Aware Selection, made for active learning"


def test_of_two_things_that_a_sentence_claims_the_offer_counts() -> None:
    [claim] = claims(
        "We quantify the challenges of small devices and then we present CLONE, a design for them.", ""
    )
    assert claim.main and claim.clause == "we present CLONE, a design for them"
    assert main_claim([claim], "CLONE") == claim


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
