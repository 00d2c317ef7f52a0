"""A section without a model: every paper once, nothing said that is not in a text, forms that vary."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.errors import Cancelled
from texgeist_retrieval.monitor import Silent, StopEvent
from texgeist_retrieval.types import (
    Candidate,
    Evidence,
    Matrix,
    Paper,
    Passage,
    Query,
    QueryPart,
    Section,
    Selected,
    Vector,
)
from texgeist_retrieval.writing import ExtractiveWriter
from texgeist_retrieval.writing.extractive.english.draft_clauses import claims, main_claim
from texgeist_retrieval.writing.extractive.english.keyphrases import phrases
from texgeist_retrieval.writing.extractive.themes import group


class WordEmbedder:
    """Texts that share words are near: hashed word counts, normalised."""

    name = "words"
    dimension = 256

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        rows = np.full((len(texts), self.dimension), 1e-6, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w{4,}", text.lower()):
                row[int(hashlib.md5(word.encode()).hexdigest(), 16) % self.dimension] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


TOPICS = {
    "dense retrieval": (
        "We propose {name}, a dense retrieval model that encodes questions of kind {n}.",
        "We study dense retrieval for domain {n} under weak supervision.",
        "This paper introduces a dense retrieval index of kind {n} for long documents.",
    ),
    "citation recommendation": (
        "We present a citation recommendation method of kind {n} that reads the manuscript.",
        "We find that citation recommendation of kind {n} gains from graph structure.",
        "We introduce {name}, a citation recommendation dataset of domain {n}.",
    ),
    "text summarization": (
        "We develop a text summarization system of kind {n} with copied phrases.",
        "We show that text summarization of kind {n} is hard to evaluate by overlap.",
        "We compare text summarization metrics of kind {n} with human judgement.",
    ),
}
ABSTRACT = (
    "Writing takes time. We introduce Scribe, a system that writes related work by citation recommendation. "
    "We study dense retrieval of passages for drafts. We compare text summarization with extraction."
)


def paper(number: int, **changes: Any) -> Selected:
    topic = list(TOPICS)[number % 3]
    sentence = TOPICS[topic][number // 3 % 3].format(name=f"Model{number}X", n=f"q{number}")
    abstract = f"The field of {topic} has grown in recent years. {sentence} Results are discussed."
    made = Paper(
        f"2101.{number:05d}", f"On {topic.title()} of Kind q{number}", abstract, ("Ada Miller", "Bo Stone"),
        year=2012 + number % 12,
    )  # fmt: skip
    made = replace(made, **changes)
    vector = WordEmbedder().embed_query(made.abstract)
    evidence = (
        Evidence(f"{number}.0", Passage(made.id, None, made.abstract), 0.6),
        Evidence(f"{number}.1", Passage(made.id, 4, "As Figure 2 shows, it works. They did so."), 0.4),
    )
    return Selected(Candidate(made, 0.6, number, vector=vector), evidence, 0.5, "near")


def write(selected: Sequence[Selected], **changes: Any) -> Section:
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT, "Scribe: Writing Related Work")
    return ExtractiveWriter(WordEmbedder()).write(replace(query, **changes), selected, Silent()).section


def sentences(section: Section) -> list[Any]:
    return [s for p in section.paragraphs for s in p.sentences]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 10, 12, 25, 40])
def test_every_paper_is_cited_exactly_once(count: int) -> None:
    section = write([paper(n) for n in range(1, count + 1)])
    cited = [i for s in sentences(section) for i in s.evidence]
    assert sorted(cited) == sorted(f"{n}.0" for n in range(1, count + 1))
    assert section.title == "Related Work"
    for paragraph in section.paragraphs[:-1]:
        opened = bool(paragraph.theme)
        assert [bool(s.evidence) for s in paragraph.sentences[:2]] == [not opened, True][
            : len(paragraph.sentences)
        ]
        assert len(paragraph.sentences) <= 9


def test_themes_become_paragraphs_and_name_what_is_shared() -> None:
    section = write([paper(n) for n in range(1, 10)])
    openings = " ".join(p.sentences[0].text for p in section.paragraphs[:-1])
    for topic in TOPICS:
        assert topic in openings
    for paragraph in section.paragraphs[:-1]:
        topics = {int(s.evidence[0].split(".")[0]) % 3 for s in paragraph.sentences if s.evidence}
        assert len(topics) == 1


def test_the_section_ends_with_what_the_draft_does() -> None:
    last = sentences(write([paper(n) for n in range(1, 10)]))[-1]
    assert last.text.endswith(
        "we introduce Scribe, a system that writes related work by citation recommendation."
    )
    assert last.text.startswith("In this paper, we introduce") and not last.evidence


def test_openings_and_forms_do_not_repeat() -> None:
    section = write([paper(n) for n in range(1, 31)])
    openings = [
        re.sub(r"\b(?:dense|citation|text) \w+", "T", p.sentences[0].text)[:25] for p in section.paragraphs
    ]
    assert len(set(openings)) == len(openings)
    said = [s for s in sentences(section) if s.evidence]
    assert {s.textual for s in said} == {True, False}
    leads = [s.lead for s in said if s.lead]
    assert leads and all(lead.endswith(",") for lead in leads)


def test_cited_sentences_say_only_what_their_passage_says() -> None:
    chosen = [paper(n) for n in range(1, 20)]
    texts = {e.id: e.passage.text for s in chosen for e in s.evidence}
    allowed = {"also", "is", "and"}
    for sentence in sentences(write(chosen)):
        for id in sentence.evidence:
            source = {re.sub(r"s$", "", w) for w in re.findall(r"\w+", texts[id].lower())}
            said = {re.sub(r"s$", "", w) for w in re.findall(r"\w+", sentence.text.lower())}
            assert said - source <= {re.sub(r"s$", "", w) for w in allowed}, sentence


def test_years_in_connectives_are_true() -> None:
    chosen = {f"{n}.0": n for n in range(1, 25)}
    section = write([paper(n) for n in range(1, 25)])
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]
    seen = 0
    for paragraph in section.paragraphs:
        years = [2012 + chosen[s.evidence[0]] % 12 for s in paragraph.sentences if s.evidence]
        assert years == sorted(years)
        for before, after, sentence in zip(years, years[1:], paragraph.sentences[2:], strict=False):
            if found := re.match(r"(\w+) years later,", sentence.lead):
                assert words.index(found[1].lower()) == after - before
                seen += 1
            elif sentence.lead == "More recently,":
                assert after > before
    assert seen


def test_one_author_takes_the_singular() -> None:
    section = write([paper(n, authors=("Ada Miller",)) for n in range(1, 9)])
    textual = [s.text.removeprefix("also ").split()[0] for s in sentences(section) if s.textual]
    assert textual and all(verb.endswith("s") for verb in textual)


@pytest.mark.parametrize("authors", [(), ("others",)])
def test_without_authors_no_name_is_the_subject(authors: tuple[str, ...]) -> None:
    said = [s for s in sentences(write([paper(n, authors=authors) for n in range(1, 9)])) if s.evidence]
    assert said and not any(s.textual or s.lead for s in said)
    assert any(s.text.startswith("One paper ") for s in said)


def test_pages_are_cited_for_what_stands_on_them() -> None:
    bare = paper(1, abstract="")
    page = (
        "Introduction. In this paper, we propose a dense retrieval engine for legal documents. See Table 2."
    )
    evidence = replace(bare.evidence[1], passage=replace(bare.evidence[1].passage, text=page))
    section = write([replace(bare, evidence=(evidence,))])
    cited = [s for s in sentences(section) if s.evidence]
    assert [(s.text, s.evidence) for s in cited] == [
        ("propose “a dense retrieval engine for legal documents”.", ("1.1",))
    ]


def test_a_paper_whose_text_gives_nothing_is_left_out_with_the_reason() -> None:
    odd = paper(1, abstract=r"$x^2$ \foo see [3].", title="Is Retrieval Dead? A Reply")
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT)
    written = ExtractiveWriter(WordEmbedder()).write(query, [odd, paper(2)], Silent())
    assert [s.evidence for s in sentences(written.section) if s.evidence] == [("2.0",)]
    assert written.unused == (
        ("2101.00001", "no sentence of its text can stand alone, so that nothing is said of it"),
    )


def test_where_no_paper_can_be_told_of_their_titles_stand_and_claim_nothing() -> None:
    odd = paper(1, abstract=r"$x^2$ \foo see [3].", title="Is Retrieval “Dead”? A Reply")
    section = write([odd])
    assert [s.text for s in sentences(section)] == [
        "One paper is noted here.",
        "See “Is Retrieval Dead? A Reply”.",
    ]


def test_a_paper_far_from_the_draft_is_left_out() -> None:
    far = paper(4, abstract="We propose a beekeeping calendar for alpine villages in winter.")
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT)
    written = ExtractiveWriter(WordEmbedder()).write(query, [paper(1), paper(2), far], Silent())
    assert [id for id, _ in written.unused] == ["2101.00004"]


def test_a_theme_is_said_of_the_papers_and_not_of_the_draft() -> None:
    items = "We study negative polarity items in the grammar of kind q{n}."
    papers = [
        paper(n, title=f"Negative Polarity Items q{n}", abstract=items.format(n=n)) for n in range(1, 5)
    ]
    section = write(
        papers, abstract="We introduce Polarity, a programming language for data.", title="Polarity"
    )
    assert section.paragraphs[0].sentences[0].text == "Four papers speak of negative polarity items."


def test_papers_without_any_passage_are_reported() -> None:
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT)
    selected = [paper(1), replace(paper(2), evidence=())]
    written = ExtractiveWriter(WordEmbedder()).write(query, selected, Silent())
    assert [id for id, _ in written.unused] == ["2101.00002"]
    nothing = ExtractiveWriter(WordEmbedder()).write(query, [], Silent())
    assert nothing.section.paragraphs == ()


def test_a_draft_without_an_abstract_still_gets_a_section() -> None:
    section = write([paper(n) for n in range(1, 6)], abstract="", title="")
    assert len([s for s in sentences(section) if s.evidence]) == 5


def test_vectors_that_the_index_did_not_bring_are_made_here() -> None:
    chosen = [paper(n) for n in range(1, 8)]
    bare = [replace(s, candidate=replace(s.candidate, vector=None)) for s in chosen]
    assert write(bare) == write(chosen)


def test_the_same_papers_give_the_same_section() -> None:
    chosen = [paper(n) for n in range(1, 16)]
    assert write(chosen) == write(chosen)


def test_a_question_is_answered_from_statements() -> None:
    section = write(
        [paper(n) for n in range(1, 5)], kind="question", text="Is summarization hard to evaluate?"
    )
    assert section.title == "Answer" and len(section.paragraphs) == 1
    assert len([s for s in sentences(section) if s.evidence]) == 4


def test_cancel_stops_the_writer() -> None:
    stop = threading.Event()
    stop.set()
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT)
    with pytest.raises(Cancelled):
        ExtractiveWriter(WordEmbedder()).write(query, [paper(1)], StopEvent(stop, lambda *_: None))


def test_groups_are_of_a_paragraphs_size() -> None:
    rng = np.random.default_rng(1)
    for count in range(0, 61):
        vectors = rng.normal(size=(count, 12)).astype(np.float32)
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
        groups = group(vectors)
        assert sorted(i for g in groups for i in g) == list(range(count))
        assert groups == group(vectors)
        if count > 4:
            assert all(2 <= len(g) <= 9 for g in groups)


def test_phrases_are_noun_phrases() -> None:
    found = {
        p.surface for p in phrases("We propose Dense Passage Retrieval for open-domain question answering.")
    }
    assert {"dense passage retrieval", "question answering"} <= found
    assert not any(p.startswith("propose") or p.endswith("open-domain") for p in found)


def test_what_a_draft_claims_of_itself() -> None:
    found = claims(
        f"{ABSTRACT} The system runs inside the editor of the author.", "Scribe: Writing Related Work"
    )
    assert [c.clause for c in found] == [
        "we introduce Scribe, a system that writes related work by citation recommendation",
        "we study dense retrieval of passages for drafts",
        "we compare text summarization with extraction",
        "our system runs inside the editor of the author",
    ]
    best = main_claim(found, "Scribe: Writing Related Work")
    assert best and best.clause.startswith("we introduce Scribe")
