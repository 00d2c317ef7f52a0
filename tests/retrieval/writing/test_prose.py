"""How a text with ids in brackets is read: headings, sentences, and each citation at its place."""

from __future__ import annotations

import pytest
from texgeist_retrieval.types import Sentence
from texgeist_retrieval.writing.model.prose import Ids, MarkedSentence, read_sentences, read_text

IDS = Ids({"1": ("Kang",), "2": ("Sun", "van den Berg"), "3": ()}, {"D1"})


def one(text: str) -> MarkedSentence:
    (marked,) = read_sentences(text, IDS)
    return marked


def test_paragraphs_and_their_headings() -> None:
    text = "**Attention.** One [1]. Two [2].\r\n\r\n## Both ways\n\nThree [3].\n \nFour."
    read = read_text(text, IDS)
    assert [(p.heading, len(p.sentences)) for p in read] == [("Attention", 2), ("Both ways", 1), ("", 1)]


@pytest.mark.parametrize(
    "heading", ["Ranking [1]", "Ranking (Sun et al., 2019)", r"\cite{x}", "See arxiv.org/abs/1"]
)
def test_a_heading_that_cites_is_left_out(heading: str) -> None:
    for text in (f"**{heading}.** Sun models rank [1].", f"## {heading}\nSun models rank [1]."):
        [paragraph] = read_text(text, IDS)
        assert not paragraph.heading and len(paragraph.sentences) == 1


def test_each_citation_stands_behind_its_clause() -> None:
    told = one(
        "SASRec [1] attends to the past, while BERT4Rec [2, 3] looks both ways; we do neither."
    ).sentence
    assert told.text == "SASRec attends to the past, while BERT4Rec looks both ways; we do neither."
    assert told.evidence == ("1", "2", "3") and not told.textual
    assert told.clauses == (
        Sentence("SASRec", ("1",)),
        Sentence("attends to the past, while BERT4Rec", ("2", "3")),
        Sentence("looks both ways; we do neither."),
    )


def test_punctuation_behind_a_citation_belongs_to_the_words_before_it() -> None:
    told = one("Some attend (SASRec [1]), others look both ways [2] [3].").sentence
    assert [c.text for c in told.clauses] == ["Some attend (SASRec),", "others look both ways."]
    assert told.clauses[1].evidence == ("2", "3")


def test_a_citation_behind_the_full_stop_belongs_to_the_sentence_before() -> None:
    first, second = read_sentences("Items matter. [1] Others [2] differ.", IDS)
    assert (first.sentence.text, first.sentence.evidence) == ("Items matter.", ("1",))
    assert second.sentence.evidence == ("2",)


def test_a_sentence_may_begin_with_a_small_name() -> None:
    sentences = read_sentences(
        "Paging helps [1]. vLLM pages the cache [2]. ip-NSW searches e.g. graphs [3].", IDS
    )
    assert [one.sentence.evidence for one in sentences] == [("1",), ("2",), ("3",)]


@pytest.mark.parametrize(
    ("text", "lead", "rest"),
    [
        ("Kang et al. [1] attend to items.", "", "attend to items."),
        ("More recently, Kang [1] attends to items.", "More recently,", "attends to items."),
        ("Sun and Lin [2] attend to items.", "", "attend to items."),
        ("In contrast, van den Berg and Sun [2] attend to items.", "In contrast,", "attend to items."),
        ("The authors of [3] attend to items.", "", "attend to items."),
        ("[3] attends to items.", "", "attends to items."),
        ("Kang et al. [1]'s items matter.", "", "'s items matter."),
    ],
)
def test_authors_before_a_citation_are_its_subject(text: str, lead: str, rest: str) -> None:
    told = one(text).sentence
    assert told.textual and (told.lead, told.text) == (lead, rest) and len(told.evidence) == 1


def test_a_subject_and_a_further_citation() -> None:
    told = one("Kang et al. [1] attend to the past, which BERT4Rec [2] reads both ways.").sentence
    assert told.textual and told.text == "attend to the past, which BERT4Rec reads both ways."
    assert [c.evidence for c in told.clauses] == [("1",), ("2",), ()]
    assert " ".join(c.text for c in told.clauses) == told.text


def test_passages_of_the_author_are_told_from_evidence() -> None:
    told = one("We gained 12 points [D1], and sleep helps [1].").sentence
    assert (told.own, told.evidence) == (("D1",), ("1",))
    assert [(c.own, c.evidence) for c in told.clauses] == [(("D1",), ()), ((), ("1",))]


@pytest.mark.parametrize(
    "text", ["A value lies in [1, 5].", "The token [CLS] is read.", "A range of [0, 1] is used."]
)
def test_brackets_that_cite_nothing_stay(text: str) -> None:
    assert one(text).sentence.text == text and not one(text).unknown


def test_two_citations_are_no_interval_for_a_word_before_them() -> None:
    assert one("CCM puts the targets into sequence [1, 2].").sentence.evidence == ("1", "2")
    assert one("The answer lies in [1].").sentence.evidence == ("1",)


def test_ids_that_were_not_given_are_reported() -> None:
    marked = one("Items matter [1, 77, D9].")
    assert marked.unknown == ("77", "D9") and marked.sentence.evidence == ("1",)


def test_control_characters_and_surrogates_do_not_pass() -> None:
    assert one("Ranking\x00 is \ud800old\u202e indeed\x1b [1].").sentence.text == "Ranking is old indeed."
