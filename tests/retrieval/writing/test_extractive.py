"""A section without a model: every paper once, nothing said that is not in a text, forms that vary."""

from __future__ import annotations

import hashlib
import re
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.errors import Cancelled
from texgeist_retrieval.monitor import Silent, StopEvent
from texgeist_retrieval.text.keyphrases import phrases
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
from texgeist_retrieval.writing.extractive.english.composing import Used, paragraph_sentences
from texgeist_retrieval.writing.extractive.english.draft_clauses import claims, main_claim
from texgeist_retrieval.writing.extractive.english.facts import Fact
from texgeist_retrieval.writing.extractive.english.saying import Source
from texgeist_retrieval.writing.extractive.writer import _KEPT, _too_far


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


_GENERAL = re.compile(
    r"(?:Closest to this paper is|Another line of research concerns|Several works (?:concern|deal with)"
    r"|A further body of work is on|Work on .* is relevant here)"
)


def told(section: Section) -> list[Any]:
    """The sentences on single papers and lists of them, without those that only cite who works on a strand."""
    return [s for s in sentences(section) if s.evidence and not _GENERAL.match(s.text)]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 10, 12, 25, 40])
def test_every_paper_is_told_once_or_left_out_with_a_reason(count: int) -> None:
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT, "Scribe: Writing Related Work")
    written = ExtractiveWriter(WordEmbedder()).write(query, [paper(n) for n in range(1, count + 1)], Silent())
    cited = {int(i.split(".")[0]) for s in sentences(written.section) for i in s.evidence}
    unused = {int(id.split(".")[1]) for id, _ in written.unused}
    assert cited | unused == set(range(1, count + 1)) and not cited & unused
    assert len(cited) >= min(count, 5)
    alone = Counter(int(i.split(".")[0]) for s in told(written.section) for i in s.evidence)
    assert max(alone.values()) <= 2  # what it does, and what came of it or how
    assert all(reason for _, reason in written.unused)
    assert written.section.title == "Related Work"


def test_strands_become_paragraphs_and_name_what_is_shared() -> None:
    section = write([paper(n) for n in range(1, 13)])
    themes = [p.theme for p in section.paragraphs if p.theme]
    assert set(themes) <= set(TOPICS) and len(themes) == len(set(themes)) >= 2
    for paragraph in section.paragraphs[:-1]:
        opening = next(s for s in paragraph.sentences if s.evidence)
        assert paragraph.theme in opening.text and len(opening.evidence) > 1
        topics = {int(i.split(".")[0]) % 3 for i in opening.evidence}
        assert len(topics) == 1


def test_the_section_ends_with_what_is_lacking_and_what_the_draft_does() -> None:
    lacking = "Existing systems read every paper of a field but its drafts."
    chosen = [paper(n) for n in range(1, 10)]
    last = write(chosen, abstract=f"{lacking} {ABSTRACT}").paragraphs[-1].sentences
    offer = "we introduce Scribe, a system that writes related work by citation recommendation."
    assert [s.text for s in last] == [lacking, f"In contrast, {offer}"]
    assert not any(s.evidence for s in last)
    assert sentences(write(chosen))[-1].text == f"In this paper, {offer}"


def test_openings_do_not_repeat() -> None:
    section = write([paper(n) for n in range(1, 31)])
    openings = [
        re.sub(r"\b(?:dense|citation|text) \w+", "T", p.sentences[0].text)[:25] for p in section.paragraphs
    ]
    assert len(set(openings)) == len(openings)


def test_cited_sentences_say_only_what_their_paper_says() -> None:
    """In its words, or in those of its title, but for the subject, the number of the verb and small words."""
    chosen = [paper(n) for n in range(1, 20)]
    texts = {e.id: f"{s.candidate.paper.title} {e.passage.text}" for s in chosen for e in s.evidence}
    spoken = set(
        "they in encoding other others paper treat further also related i work the author authors on with and by".split()
    )
    for sentence in told(write(chosen)):
        source = " ".join(texts[id] for id in sentence.evidence)
        known = {re.sub(r"s$", "", w) for w in re.findall(r"\w+", source.lower())}
        said = {re.sub(r"s$", "", w) for w in re.findall(r"\w+", sentence.text.lower())}
        assert said - known <= spoken, sentence


def test_one_author_takes_the_singular() -> None:
    section = write([paper(n, authors=("Ada Miller",)) for n in range(9, 30)])
    textual = [s.text.split()[0] for s in told(section) if s.textual]
    assert textual and all(verb.endswith("s") for verb in textual)


@pytest.mark.parametrize("authors", [(), ("others",)])
def test_without_authors_no_name_is_the_subject(authors: tuple[str, ...]) -> None:
    said = [s for s in sentences(write([paper(n, authors=authors) for n in range(9, 30)])) if s.evidence]
    assert said and not any(s.textual or s.lead for s in said)


def test_what_only_authors_can_do_is_done_by_a_paper() -> None:
    findings = [
        Fact("find", f"show that {what}.", True, verb="show", evidence="1")
        for what in ("labels matter", "books end", "drafts grow")
    ]
    said = paragraph_sentences(
        [Source("T", "t", None, False, False, (), (), f, (f,)) for f in findings], Used()
    )
    assert [s.text.split(" show")[0] for s in said] == ["One paper", "Another paper", "A further paper"]
    assert not any(s.textual for s in said)


def test_of_each_paper_one_thing_more_is_told() -> None:
    offer = Fact("offer", "propose PlanTree, a planner of drafts.", True, verb="propose", evidence="1")
    means = Fact(
        "means", "The planner joins the outlines of books with notes of readers.", False, evidence="1"
    )
    result = Fact(
        "find", "show that “outlines shorten chapters by one page”.", True, verb="show", evidence="1"
    )
    source = Source("T", "t", None, True, True, (), (), offer, (offer, means, result))
    first, *rest = paragraph_sentences([source], Used())
    assert (first.lead, first.text, first.textual) == ("", offer.text, True)
    assert [s.text for s in rest] == [f"They {result.text}"]
    [_, one] = paragraph_sentences([replace(source, several=False)], Used())
    assert one.text.startswith("The author ")
    named = replace(offer, text="PlanTree is a planner of drafts.", textual=False, kind="name")
    [_, its] = paragraph_sentences([replace(source, first=named)], Used())
    assert its.text == f"Its authors {result.text}"
    [_, how] = paragraph_sentences([replace(source, facts=(offer, means))], Used())
    assert how.text == means.text
    assert len(paragraph_sentences([replace(source, authored=False)], Used())) == 1  # "They": who?


@pytest.mark.parametrize(
    ("title", "begins"),
    [
        ("PlanTree: Planning the Drafts of Long Novels", "PlanTree "),  # the title says more
        ("PlanTree: An Engine for Legal Documents", "With PlanTree, Ash"),  # and here the same
        ("An Engine for Legal Documents", "Ash"),
    ],
)
def test_a_system_that_the_title_names_is_named(title: str, begins: str) -> None:
    abstract = (
        "Novels are long. We propose an engine for legal documents that ranks the clauses of contracts by cost. "
        "PlanTree is our planning engine of drafts; it plans the drafts of long novels."
    )
    one = paper(1, abstract=abstract, title=title)
    said = told(write([one]))[0]
    subject = "" if not said.textual else "Ash "
    assert f"{said.lead} {subject}{said.text}".strip().startswith(begins)


def test_a_paper_without_an_abstract_is_told_by_its_full_text() -> None:
    bare = paper(1, abstract="", title="Dense Retrieval for Legal Documents")
    page = "Introduction. In this paper, we propose an engine for legal documents. See Table 2."
    evidence = replace(bare.evidence[1], passage=replace(bare.evidence[1].passage, text=page))
    section = write([replace(bare, evidence=(evidence,))])
    assert [(s.text, s.evidence) for s in told(section)] == [
        ("propose an engine for legal documents.", ("1.1",))
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
    assert "Polarity" not in " ".join(s.text for s in told(section))


def test_what_cannot_be_retold_is_quoted_before_it_is_left_out() -> None:
    """A paper of which one sentence alone is fit to be told."""
    abstract = (
        "AutoSurvey writes academic surveys with nested tree planners trained against silver outline graphs."
    )
    title = "AutoSurvey: Large Language Models Can Automatically Write Surveys"
    section = write([paper(1), paper(2, title=title, abstract=abstract)])
    (quoted,) = [s for s in told(section) if "2.0" in s.evidence]
    assert quoted.text == (
        "AutoSurvey writes academic surveys “with nested tree planners trained against silver outline graphs”."
    )


def test_papers_without_any_passage_are_reported() -> None:
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT)
    selected = [paper(1), replace(paper(2), evidence=())]
    written = ExtractiveWriter(WordEmbedder()).write(query, selected, Silent())
    assert [id for id, _ in written.unused] == ["2101.00002"]
    nothing = ExtractiveWriter(WordEmbedder()).write(query, [], Silent())
    assert nothing.section.paragraphs == ()


def test_a_draft_without_an_abstract_still_gets_a_section() -> None:
    section = write([paper(n) for n in range(1, 6)], abstract="", title="")
    assert {i for s in told(section) for i in s.evidence} == {f"{n}.0" for n in range(1, 6)}


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


def test_the_nearest_of_which_anything_can_be_told_is_never_far() -> None:
    assert _too_far(["no text", ""], np.asarray([0.9, 0.01], np.float32))[1] == ""
    assert _too_far(["", ""], np.asarray([0.9, 0.01], np.float32))[1]


def test_of_many_papers_with_nothing_to_tell_the_nearest_are_named() -> None:
    papers = [paper(n, title=f"Étude numéro {n}", abstract="Nous étudions les textes.") for n in range(1, 31)]
    assert len(told(write(papers))) == _KEPT


def test_no_sentence_of_a_draft_in_another_language_stands_in_the_section() -> None:
    german = (
        "In diesen Fällen fehlen die Texte um in die Archive zu gelangen. Wir zeigen dass dense retrieval nicht nur für "
        "kurze Fragen ist, und wie es auch nach langen Texten sucht."
    )
    said = sentences(write([paper(n) for n in range(1, 6)], abstract=german, title="Suche"))
    assert all(s.evidence for s in said)
    assert not all(s.evidence for s in sentences(write([paper(n) for n in range(1, 6)], abstract=ABSTRACT)))
