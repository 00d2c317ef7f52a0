"""What a draft stands on, by its own words."""

from __future__ import annotations

import pytest
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.strands.draft import strands_of
from texgeist_retrieval.strands.finders import DraftStrands
from texgeist_retrieval.strands.systems import expansions, own_name, systems
from texgeist_retrieval.types import CitedWork, Query, QueryPart

ABSTRACT = (
    "Dense retrieval models need labelled pairs, which are costly. Synthetic queries are a cheap alternative. "
    "We propose AlignQ, which uses Direct Preference Optimization (DPO) for query generation, "
    "so that ranking signals reach the generator. "
    "On MS MARCO and ClueWeb22 query generation by AlignQ improves dense retrieval over SASRec."
)


def query(**more: object) -> Query:
    values = {"abstract": ABSTRACT, "title": "AlignQ: Query Generation with Preferences", **more}
    return Query(kind="abstract", parts=(QueryPart(ABSTRACT, "abstract"),), **values)  # type: ignore[arg-type]


def test_strands_carry_the_sentence_that_says_them() -> None:
    found = {strand.name: strand for strand in strands_of(query())}
    assert "query generation" in found
    strand = found["query generation"]
    assert strand.query.startswith("query generation. ") and len(strand.query) > 40
    assert strand.why.startswith("your text says: “") and "query generation" in strand.why.lower()


def test_no_strand_says_another_again_and_none_is_the_drafts_own_system() -> None:
    names = [set(strand.name.casefold().split()) for strand in strands_of(query())]
    for n, one in enumerate(names):
        assert "alignq" not in one
        assert all(len(one & other) < 0.6 * min(len(one), len(other)) for other in names[:n])


def test_the_introduction_is_read_where_the_abstract_is_silent() -> None:
    introduction = "Rankers are made small by knowledge distillation. We use knowledge distillation."
    names = [strand.name for strand in strands_of(query(introduction=introduction))]
    assert "knowledge distillation" in names
    assert "knowledge distillation" not in [strand.name for strand in strands_of(query())]


def test_what_the_draft_cites_makes_strands_of_its_own() -> None:
    cited = ("Sparse attention for long documents", "Contrastive learning of sentences")
    found = strands_of(query(cited_works=tuple(CitedWork(title) for title in cited)))
    assert {s.query for s in found if s.why == "your draft cites it"} == set(cited)


@pytest.mark.parametrize("kind", ["sentence", "question"])
def test_a_sentence_or_a_question_is_one_strand(kind: str) -> None:
    asked = Query(kind, (QueryPart("Does reranking help?", "the question"),), text="Does reranking help?")  # type: ignore[arg-type]
    assert DraftStrands().find(asked, Silent()).strands == ()


def test_named_systems_become_works_of_the_strand_that_speaks_of_them() -> None:
    strands = DraftStrands().find(query(), Silent()).strands
    works = [work for strand in strands for work in strand.works]
    assert {work.name for work in works} >= {"DPO", "ClueWeb22", "SASRec"}
    assert next(w.title for w in works if w.name == "DPO") == "Direct Preference Optimization"
    assert "AlignQ" not in {work.name for work in works}


def test_a_draft_without_words_has_no_strands() -> None:
    empty = Query("abstract", (QueryPart("", "abstract"),))
    assert DraftStrands().find(empty, Silent()).strands == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("We compare GPT-4 with BERT on ImageNet.", ("GPT-4", "BERT", "ImageNet")),
        ("An LLM on a GPU, see https://github.com/Foo/BarBaz.", ()),
        ("The cat sat on the mat.", ()),
    ],
)
def test_names_are_words_written_as_names(text: str, found: tuple[str, ...]) -> None:
    assert systems(text) == found


def test_short_names_are_expanded_where_the_initials_agree() -> None:
    text = "the Maximum Inner Product Search (MIPS) and We Use Federated Learning (XYZ)"
    assert expansions(text) == {"MIPS": "Maximum Inner Product Search"}


@pytest.mark.parametrize(
    ("title", "abstract", "own"),
    [
        ("STAR-Rec: Making Peace", "", "STAR-Rec"),
        ("A title", "We propose VocAda, an adapter.", "VocAda"),
        ("A title", "We propose a framework that leverages Preference Optimization (DPO).", ""),
        ("A title", "a new loss termed SCLoss is introduced", "SCLoss"),
    ],
)
def test_the_drafts_own_system(title: str, abstract: str, own: str) -> None:
    assert own_name(title, abstract) == own
