"""Notes without a model: whole sentences of papers, unchanged, each paper once or left out with a reason."""

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
from texgeist_retrieval.pipeline.recipes import keep_used
from texgeist_retrieval.text.sentences import clean
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
from texgeist_retrieval.types.papers import SAMPLE
from texgeist_retrieval.writing import ExtractiveWriter
from texgeist_retrieval.writing.extractive.key_sentences import LEAST_MARK, marks_of, points_back
from texgeist_retrieval.writing.extractive.quotations import quotation
from texgeist_retrieval.writing.extractive.writer import _NO_SENTENCE, ANSWERS


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
    return Selected(Candidate(made, 0.6, number, vector=vector), evidence, 0.5)


def write(selected: Sequence[Selected], **changes: Any) -> Section:
    query = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT, "Scribe: Writing Related Work")
    return ExtractiveWriter(WordEmbedder()).write(replace(query, **changes), selected, Silent()).section


def sentences(section: Section) -> list[Any]:
    return list(section.sentences)


QUERY = Query("abstract", (QueryPart(ABSTRACT, "abstract"),), ABSTRACT, "Scribe: Writing Related Work")


def quotations(section: Section) -> list[Any]:
    return [s for s in sentences(section) if s.evidence and "“" in s.text]


def without_abstract(number: int, **changes: Any) -> Selected:
    bare = paper(number, abstract="", **changes)
    made = bare.candidate.paper
    candidate = replace(bare.candidate, vector=None)
    return replace(
        bare,
        candidate=candidate,
        evidence=(Evidence(f"{number}.0", Passage(made.id, None, made.title), 0.6),),
    )


@pytest.mark.parametrize("count", [1, 2, 3, 5, 10, 12, 25, 40])
def test_every_paper_is_quoted_once_or_left_out_with_a_reason(count: int) -> None:
    written = ExtractiveWriter(WordEmbedder()).write(QUERY, [paper(n) for n in range(1, count + 1)], Silent())
    cited = {int(i.split(".")[0]) for s in sentences(written.section) for i in s.evidence}
    unused = {int(id.split(".")[1]) for id, _ in written.unused}
    assert cited | unused == set(range(1, count + 1)) and not cited & unused
    assert len(cited) == count
    quoted = Counter(i for s in quotations(written.section) for i in s.evidence)
    assert set(quoted.values()) == {1}
    assert all(reason for _, reason in written.unused)
    assert written.section.title == "Related Work"


def test_a_quotation_is_a_run_of_words_of_the_evidence_that_it_cites() -> None:
    chosen = [paper(n) for n in range(1, 20)]
    texts = {e.id: clean(e.passage.text) for s in chosen for e in s.evidence}
    section = write(chosen)
    assert len(quotations(section)) > 5
    for sentence in quotations(section):
        [id] = sentence.evidence
        [quoted] = re.findall("“(.*)”", sentence.text)
        assert f" {quoted}. " in texts[id] and sentence.textual


@pytest.mark.parametrize(
    ("authors", "sentence", "written"),
    [
        (3, "We propose an engine for books.", "@ propose “an engine for books”."),
        (3, "In this paper, we formally show that covers tell little.", "@ formally show that “covers tell little”."),
        (3, "To tackle these two issues, we also introduce Cover, a reader.", "@ introduce “Cover, a reader”."),
        (3, "To tackle this issue we introduce Cover, a reader.", "@ introduce “Cover, a reader”."),
        (3, "To see how we read covers of books, it counts.", "@ write: “To see how we read covers of books, it counts”."),
        (3, "In addition, the result we present separates readers.", "@ write: “In addition, the result we present separates readers”."),
        (3, "We apply well-known covers to books.", "@ apply “well-known covers to books”."),
        (3, "We carried out a survey of covers.", "@ carried out “a survey of covers”."),
        (3, "This survey paper compares readers of covers.", "The paper by @ compares “readers of covers”."),
        (3, "To this end, our work compares readers of covers.", "The work by @ compares “readers of covers”."),
        (3, "The paper compares readers of covers.", "The paper by @ compares “readers of covers”."),
        (3, "We propose a “cover” reader of books.", "@ propose “a ‘cover’ reader of books”."),
        (3, "We are interested in covers of books.", "@ write: “We are interested in covers of books”."),
        (3, "In this work, to save time, we use the covers alone.", "@ use “the covers alone”."),
        (3, "When the cover is known, we judge a book by it.", "@ write: “When the cover is known, we judge a book by it”."),
        (3, "Under this law, we prove that bounds exist.", "@ write: “Under this law, we prove that bounds exist”."),
        (3, "Under a law, we prove a bound of use.", "@ write: “Under a law, we prove a bound of use”."),
        (3, "Covers we describe in part tell little.", "@ write: “Covers we describe in part tell little”."),
        (3, "We show that covers tell a reader more than he would think, if we print them.",
            "@ write: “We show that covers tell a reader more than he would think, if we print them”."),
        (2, "We draw a cover of each of the many books in [0, 1] with the same chance for every book of each of the"
            " readers of books.", "@ draw “a cover of each of the many books in [0, 1] with the same chance for every"
            " book of each of the readers of books”."),
        (2, "In this study of use, a bound is proved.", "@ write: “In this study of use, a bound is proved”."),
        (2, "In this paper, a bound of use is proved.", "@ write that “a bound of use is proved”."),
        (2, "A bound of use is proved in this paper.", "“A bound of use is proved” @."),
        (2, "We propose a reader of books and of all their printed covers, where we train judges.",
            "@ propose “a reader of books and of all their printed covers”."),
        (2, "We present a reader of all the books of kinds that people call cheap novels, short and long for people who "
            "read them in their own old houses or elsewhere.", "@ present “a reader of all the books of kinds that people call "
            "cheap novels, short and long for people who read them in their own old houses or elsewhere”."),
        (3, "This paper proposes a reader of covers.", "The paper by @ proposes “a reader of covers”."),
        (3, "We propose a fast reader, Cover, to solve it in time.", "@ propose “a fast reader, Cover”."),
        (3, "We propose the only reader to solve these.", "@ propose “the only reader to solve these”."),
        (3, "We propose a reader designed to solve it.", "@ propose “a reader designed to solve it”."),
        (3, "We propose a reader that we call Cover.", "@ write: “We propose a reader that we call Cover”."),
        (3, "Our engine reads books by their covers.", "@ write: “Our engine reads books by their covers”."),
        (3, "Cover reads books by their covers.", "“Cover reads books by their covers” @."),
        (1, "We propose an engine for books.", "@ proposes “an engine for books”."),
        (1, "We introduce covers of books and show that they count.", "@ writes: “We introduce covers of books and show that they count”."),
        (1, "We survey covers of books.", "@ surveys “covers of books”."),
        (1, "We study covers of books.", "@ studies “covers of books”."),
        (1, "I propose an engine for books.", "@ writes: “I propose an engine for books”."),
        (1, "This Thesis proposes a reader of covers.", "The thesis by @ proposes “a reader of covers”."),
        (1, "This Thesis present a reader of covers.", "@ writes: “This Thesis present a reader of covers”."),
        (0, "We propose an engine for books.", "@ propose “an engine for books”."),
        (0, "This paper proposes a reader of covers.", "@ write: “This paper proposes a reader of covers”."),
        (2, "The authors compare it with experts.", "@ write: “The authors compare it with experts”."),
        (2, "In prior work, the authors sell books.", "@ write: “In prior work, the authors sell books”."),
    ],
)  # fmt: skip
def test_the_authors_are_named_as_the_speakers(authors: int, sentence: str, written: str) -> None:
    made = quotation(sentence, "1.0", authors)
    shown = f"{made.lead} @ {made.text}".strip() if made.textual else made.text.replace("”.", "” @.")
    assert shown == written and made.evidence == ("1.0",)
    for quoted in re.findall("“(.*?)”", made.lead + made.text):
        assert quoted in sentence.translate(str.maketrans("“”", "‘’"))


def test_descriptions_of_the_sample_library_are_not_shown_as_quotations() -> None:
    chosen = [paper(n) for n in range(1, 8)]
    sample = [
        replace(s, candidate=replace(s.candidate, paper=replace(s.candidate.paper, origin=SAMPLE)))
        for s in chosen
    ]
    assert any("“" in s.text for s in sentences(write(chosen)))
    assert not any("“" in s.text + s.lead or "write" in s.text[:6] for s in sentences(write(sample)))


def test_the_reason_of_a_paper_is_the_sentence_that_is_quoted() -> None:
    chosen = [paper(n) for n in range(1, 8)]
    written = ExtractiveWriter(WordEmbedder()).write(QUERY, chosen, Silent())
    kept, _ = keep_used(chosen, written)
    by_id = {e.id: one for one in kept for e in one.evidence}
    for sentence in quotations(written.section):
        [quoted] = re.findall("“(.*)”", sentence.text)
        assert quoted in by_id[sentence.evidence[0]].reasons.theirs


def test_similar_papers_share_a_paragraph_that_names_no_subject() -> None:
    about, *paragraphs = write([paper(n) for n in range(1, 13)]).paragraphs
    assert len(about) == 1 and len(paragraphs) >= 2
    for paragraph in paragraphs:
        assert not any(s.aside for s in paragraph)
        topics = Counter(int(i.split(".")[0]) % 3 for s in paragraph for i in s.evidence)
        assert max(topics.values()) > len(paragraph) / 2


def test_a_paper_without_an_abstract_is_left_out() -> None:
    chosen = [*(paper(n) for n in range(1, 13)), without_abstract(15)]
    chosen = [
        replace(s, candidate=replace(s.candidate, rank=-n)) for n, s in enumerate(chosen)
    ]  # it is the first
    section = write(chosen)
    assert not any("15.0" in s.evidence for s in sentences(section))
    alone = without_abstract(16, title="Text Summarization Once More")
    written = ExtractiveWriter(WordEmbedder()).write(QUERY, [paper(1), alone], Silent())
    assert written.unused == (("2101.00016", _NO_SENTENCE),)


def test_a_paper_without_an_abstract_is_quoted_from_its_full_text() -> None:
    bare = paper(1, abstract="", title="Dense Retrieval for Legal Documents")
    page = "Introduction. In this paper, we propose an engine for legal documents. See Table 2."
    evidence = replace(bare.evidence[1], passage=replace(bare.evidence[1].passage, text=page))
    quoted = quotations(write([replace(bare, evidence=(evidence,))]))
    assert [(s.text, s.evidence) for s in quoted] == [("propose “an engine for legal documents”.", ("1.1",))]


@pytest.mark.parametrize(
    "spoiled",
    [
        r"We propose \foo{x} for all the texts of books.",
        "We propose what Miller et al. did for all books.",
        "We propose texts that stand at https://example.com for all.",
        "We propose an engine (Miller, 2019) for all the books.",
        "We propose an engine for all the books “with texts”.",
        "We propose an engine for all the books as Fig. 3 shows.",
        "We propose an engine for books based on these two types of features.",
        "We build an engine for books by combining this prior with covers.",
        "We address this limitation and propose an engine for all the books.",
        "Then we propose low-rank covers: an engine for all the books.",
    ],
)
def test_what_points_elsewhere_is_not_quoted(spoiled: str) -> None:
    good = "We study the engines that read books by their covers."
    [quoted] = quotations(write([paper(1, abstract=f"{spoiled} {good}")]))
    assert quoted.text == "study “the engines that read books by their covers”."


@pytest.mark.parametrize(
    ("made", "points"),
    [
        ("study “graphs of books and the number of these graphs”.", False),
        ("combine “readers and writers, and both kinds of people”.", False),
        ("combine “both readers and writers”.", False),
        ("write: “Here, we show in this short note that this work counts”.", False),
        ("extend “covers to both limits”.", True),
        ("study “books as a main tool in this context”.", True),
        ("study “models for such slip”.", True),
    ],
)
def test_demonstratives_refer_to_what_the_quotation_shows(made: str, points: bool) -> None:
    assert points_back(made) == points


def test_papers_that_have_no_telling_sentence_are_cited_in_one_sentence_at_the_end() -> None:
    background = "Citation recommendation has attracted much attention in recent years. However, it is hard."
    bare = [paper(n, abstract=background, year=2000 + n) for n in (7, 4)]
    section = write([paper(1), *bare])
    *_, last = sentences(section)
    assert (last.text, last.evidence) == ("See also.", ("4.0", "7.0"))
    assert len(quotations(section)) == 1


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("We propose a tunnel that hides the traffic of a web page.", "Many tunnels have been proposed to hide traffic."),
        ("We measure how often relays of Tor share a family.", "We focus on the latter, because it is stronger."),
        ("This paper surveys attacks on routing in the Internet.", "Our results show an accuracy of 97.3 % on such data."),
        ("We show that the network of caches is stable under load.", "To overcome this, we then extend it to graphs."),
    ],
)  # fmt: skip
def test_a_sentence_that_says_alone_what_the_paper_did_has_the_higher_mark(better: str, worse: str) -> None:
    for text in ([better, worse], [worse, better]):
        marks = dict(zip(text, marks_of(text, "On Networks"), strict=True))
        assert marks[better] >= LEAST_MARK and marks[better] > marks[worse] + 0.3


def test_a_question_is_answered_by_a_sentence_of_each_paper_that_shares_its_words() -> None:
    chosen = [paper(n) for n in range(1, 6)]
    section = write(chosen, kind="question", text="Is text summarization hard to evaluate by overlap?")
    assert section.title == "Answer" and not any(s.aside for s in sentences(section))
    assert 1 < len(section.paragraphs) <= ANSWERS and all(len(p) == 1 for p in section.paragraphs)
    assert any("hard to evaluate by overlap" in one.text for one in sentences(section))
    assert not write(chosen, kind="question", text="Is the earth flat?").paragraphs


def test_cancel_stops_the_writer() -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        ExtractiveWriter(WordEmbedder()).write(QUERY, [paper(1)], StopEvent(stop, lambda *_: None))
