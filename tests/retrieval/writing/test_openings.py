"""How a strand's paragraph opens and closes: only what its papers use, and what the draft itself says."""

from __future__ import annotations

import pytest
from texgeist_retrieval.text.keyphrases import without_article
from texgeist_retrieval.writing.extractive.english import openings
from texgeist_retrieval.writing.extractive.english.draft_clauses import (
    Claim,
    claims,
    limit,
    main_claim,
    setting,
    shortened,
)


@pytest.mark.parametrize("strands", [1, 2, 3, 4, 5])
def test_every_strand_is_opened_by_its_phrase_and_no_two_alike(strands: int) -> None:
    said = [openings.opening(place, "execution traces") for place in range(strands)]
    assert all("execution traces" in text and text.endswith(".") for text in said)
    assert len(set(said)) == strands


@pytest.mark.parametrize("size", [1, 2, 7])
def test_a_list_of_titles_says_how_many(size: int) -> None:
    listed = openings.listing(size)
    assert openings.number(size) in listed.lower() and ("paper is" in listed) == (size == 1)


def test_a_section_ends_with_what_is_lacking_and_what_the_draft_does() -> None:
    [offer] = claims("We propose a cache for files of all kinds.", "")
    existing = limit("Existing models keep one file of each kind. We propose a cache for files.")
    assert existing == "Existing models keep one file of each kind."
    assert openings.closing(existing, offer) == [
        existing, "In contrast, we propose a cache for files of all kinds.",
    ]  # fmt: skip
    rare = limit("Files are many. However, caches of all files are rare and slow. We propose a cache.")
    assert openings.closing(rare, offer) == [
        "Caches of all files are rare and slow.", "In this paper, we propose a cache for files of all kinds.",
    ]  # fmt: skip
    assert openings.closing("", offer) == ["In this paper, we propose a cache for files of all kinds."]
    assert openings.closing(existing, None) == []


@pytest.mark.parametrize(
    "abstract",
    [
        "However, this makes the caches of all files slow. We propose a cache.",
        "We like files. However, they lie in rare and slow caches. We propose a cache.",
        "We propose a cache. However, caches of all files are rare and slow.",  # its own weakness
        "Caches are rare. We propose a cache.",
        "However, caches lose 43.2% of all files in one day. We propose a cache.",
        "",
    ],
)
def test_what_leans_or_comes_late_is_no_limit(abstract: str) -> None:
    assert limit(abstract) == ""


def test_a_limit_brings_along_what_leans_on_it() -> None:
    said = (
        "Existing methods keep the files that were read last. However, this assumption fails for old files."
    )
    assert limit(f"{said} We propose a cache.") == said


def test_what_the_closest_paper_shares_is_told_of_its_authors_or_of_the_paper() -> None:
    shared = ["file caches", "slow disks", "old tapes"]
    text, textual = openings.nearest(shared, True, True)
    assert (
        textual
        and text == "come closest to this paper: they, too, treat file caches, slow disks and old tapes."
    )
    text, textual = openings.nearest(shared[:2], False, True)
    assert textual and text == "comes closest to this paper, and treats file caches and slow disks as well."
    text, textual = openings.nearest(shared[:2], False, False)
    assert not textual and text.startswith("The paper that is closest to this one treats file caches and")


def test_the_setting_is_what_the_draft_says_before_it_speaks_of_itself() -> None:
    first = "Files of all kinds are kept in caches by most systems."
    lacking = "However, caches of all files are rare and slow."
    assert setting(f"{first} {lacking} We propose a cache. Disks are slower than caches in most cases.") == [
        first
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "This makes the caches of all files slow and large.",
        "The problem has been studied for a long time in all fields.",
        "In der heutigen Zeit existieren zahlreiche Verfahren mit Dateien.",
        "Furthermore, files of all kinds are kept in caches by systems.",
    ],
)
def test_what_leans_or_is_in_another_tongue_is_no_setting(sentence: str) -> None:
    assert setting(f"{sentence} We propose a cache.") == []


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
