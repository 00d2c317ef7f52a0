"""A section by a small model: quotations of the notes that end where it says, else the notes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from typing import Any

import pytest
from texgeist_retrieval.errors import WriterTimedOut
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import Written
from texgeist_retrieval.types import Sentence
from texgeist_retrieval.types.papers import SAMPLE
from texgeist_retrieval.writing import ExtractiveWriter, OpenAIModel, SmallWriter
from texgeist_retrieval.writing.extractive.quotations import quotation
from texgeist_retrieval.writing.small.shortening import UNMARKED, choice_of
from texgeist_retrieval.writing.small.titles import within_sentence

from ..model_server import Turn
from .test_extractive import QUERY, WordEmbedder, paper

LONG = "We propose a retriever of kind {} that reads whole manuscripts with a graph, which ranks all of their passages."
PAPERS = [paper(n, abstract=LONG.format(n)) for n in range(1, 13)]


def choices(request: dict[str, Any]) -> list[str]:
    schema = request["response_format"]["json_schema"]["schema"]
    found: list[str] = schema["properties"]["cut"]["enum"]
    return found


def first(request: dict[str, Any]) -> dict[str, str]:
    return {"cut": choices(request)[-1]}


def write(server: Any, answer: Callable[[dict[str, Any]], Any], **more: Any) -> Written:
    server.brain = lambda request: Turn(answer(request))
    model = OpenAIModel("m", base_url=f"{server.url}/v1", timeout=20)
    papers = more.pop("papers", PAPERS)
    return SmallWriter(model, WordEmbedder(), **more).write(QUERY, papers, Silent())


def cited(written: Written) -> list[tuple[str, ...]]:
    return [s.evidence for s in written.section.sentences]


def quotations(written: Written) -> list[Sentence]:
    return [s for s in written.section.sentences if "“" in s.text and not s.aside]


NOTES = ExtractiveWriter(WordEmbedder()).write(QUERY, PAPERS, Silent())


def test_quotations_end_where_the_model_says_and_cite_what_the_notes_cite(server: Any) -> None:
    written = write(server, first)
    assert cited(written) == cited(NOTES) and len(quotations(written)) == len(quotations(NOTES)) == 12
    assert written.usage.calls == len(server.requests) == 12
    assert written.unused == NOTES.unused and written.supports == NOTES.supports
    assert written.notes == (written.section.paragraphs[0][0].text,), "the terminal says it too"
    prefixes = {request["messages"][0]["content"] for request in server.requests}
    assert len(prefixes) == 1, "the engine can cache the common prefix"
    assert "reword them before you submit" in written.section.paragraphs[0][0].text
    for sentence in written.section.sentences[1:]:
        of = sentence.evidence[0].partition(".")[0]
        assert sentence.text.endswith(
            f" “a retriever of kind {of} that reads whole manuscripts with a graph”."
        )


def test_only_the_first_is_asked_if_there_is_no_choice(server: Any) -> None:
    short = [paper(n, abstract="We propose a retriever that reads whole manuscripts.") for n in (1, 2)]
    written = write(server, first, papers=short)
    assert len(server.requests) == 1 and not quotations(written) and not written.by
    assert len(quotations(write(server, lambda _: "{", papers=short))) == 2


def test_a_paper_that_cannot_be_quoted_is_not_sent(server: Any) -> None:
    background = (
        "Related work and citation recommendation have attracted attention in writing. However, it is hard."
    )
    written = write(server, first, papers=[*PAPERS[:2], paper(3, abstract=background)])
    assert len(server.requests) == 2
    assert any(s.text == "See also." for s in written.section.sentences)


@pytest.mark.parametrize(
    "answer", ["{", "no JSON at all", {"cut": "to the moon"}, {"cut": ["nothing"]}, {"rest": "lies"}, []]
)
def test_other_answers_leave_the_notes(server: Any, answer: Any) -> None:
    written = write(server, lambda _: answer)
    assert [*written.section.paragraphs[1:]] == [*NOTES.section.paragraphs[1:]]
    assert written.by == "extractive" and written.notes == (
        "12 of 12 papers are quoted as in notes, because the model's answers had another form.",
    )


def test_a_text_that_is_the_notes_alone_is_not_credited_to_the_model(server: Any) -> None:
    described = [
        replace(one, candidate=replace(one.candidate, paper=replace(one.candidate.paper, origin=SAMPLE)))
        for one in PAPERS
    ]
    written = write(server, first, papers=described)
    assert written.by == "extractive" and "No quotation of the notes was shortened" in written.notes[-1]
    assert not write(server, first).by
    whole = write(
        server,
        lambda request: {"cut": "nothing"},
        papers=[paper(1, abstract="We study " + "wet ink " * 4 + "in use.")],
    )
    assert whole.by == "extractive" and not any("left out" in s.text for s in whole.section.sentences)


def test_when_the_time_is_over_the_others_are_quoted(server: Any) -> None:
    written = write(server, first, seconds=0.0)
    assert quotations(written) == quotations(NOTES) and not server.requests
    assert "12 of 12 papers are quoted as in notes, because the model was too slow" in written.notes[0]


class Slow(OpenAIModel):
    """Its first answer is late; then it answers, or, if it `hangs`, waits until it is stopped."""

    calls, hangs = 0, False

    def complete_json(self, *of: Any, monitor: Any, **more: Any) -> Any:
        self.calls += 1
        while self.hangs:
            monitor.check()
        if self.calls == 1:
            raise WriterTimedOut("late")
        return super().complete_json(*of, monitor=monitor, **more)


def test_one_late_answer_leaves_the_other_papers_to_the_model_which_all_share_the_time(server: Any) -> None:
    server.brain = lambda request: Turn(first(request))
    model = Slow("m", base_url=f"{server.url}/v1")
    written = SmallWriter(model, WordEmbedder()).write(QUERY, PAPERS, Silent())
    assert sum("which" in s.text for s in quotations(written)) == 1 and written.usage.calls == 11
    assert written.notes[1:] == (
        "1 of 12 papers are quoted as in notes, because the model was too slow: it has 360 s for a section. "
        "`texgeist config set writer.timeoutSeconds 720` gives it more time.",
    )
    model.hangs = True
    written = SmallWriter(model, WordEmbedder(), seconds=0.1).write(QUERY, PAPERS, Silent())
    comment = written.section.paragraphs[0][0].text
    assert quotations(written) == quotations(NOTES) and "large language model" not in comment


def test_the_progress_knows_the_time(
    server: Any,
) -> None:
    reports = list[tuple[str, int | None, int | None]]()

    class Reports(Silent):
        def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
            reports.append((message, done, total))

    server.brain = lambda request: Turn(first(request))
    model = OpenAIModel("m", base_url=f"{server.url}/v1", timeout=20)
    SmallWriter(model, WordEmbedder()).write(QUERY, PAPERS, Reports())
    shares = [done or 0 for message, done, _ in reports if message == "Writing 12 sentences"]
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 92

    def slow(request: dict[str, Any]) -> Turn:
        time.sleep(0.06)
        return Turn(first(request))

    reports.clear()
    server.brain = slow
    SmallWriter(model, WordEmbedder(), seconds=0.1).write(QUERY, PAPERS, Reports())
    asked = [done or 0 for message, done, _ in reports if message == "Writing 12 sentences"]
    assert len(asked) == 1 or asked[1] >= 60, "more of the time than of the papers"


def test_an_answer_quotes(server: Any) -> None:
    model = OpenAIModel("m", base_url=f"{server.url}/v1", timeout=20)
    question = replace(QUERY, kind="question", text="Which retriever encodes questions?")
    answer = SmallWriter(model, WordEmbedder()).write(question, PAPERS, Silent())
    assert answer.section == ExtractiveWriter(WordEmbedder()).write(question, PAPERS, Silent()).section
    assert answer.by == "extractive" and not server.requests


def test_papers_without_a_report_are_described_by_their_titles(server: Any) -> None:
    background = (
        "The field of codes has grown in recent years. However, long codes of Mars for readers are hard."
    )
    titles = ["Long codes of Mars", "Codes of Mars for readers", "Codes of Mars: readers", "On codes of Mars"]
    papers = [paper(n, title=title, abstract=background) for n, title in enumerate(titles, 1)]
    written = write(server, first, papers=[*papers, *PAPERS[4:6]])
    texts = {s.text: s.evidence for s in written.section.sentences[1:]}
    assert {"study long codes of Mars.", "examine codes of Mars for readers."} <= {*texts}
    assert {id for ids in texts.values() for id in ids} == {f"{n}.0" for n in range(1, 7)}
    assert len(texts["See also."]) == 2
    assert write(server, lambda _: "{", papers=papers).by == "extractive"


@pytest.mark.parametrize(
    ("title", "abstract", "written"),
    [
        ("Radiation Hardness of Long CsI Crystals", "Crystals. The radiation hardness of long crystals of CsI.",
         "radiation hardness of long CsI crystals"),
        ("Radiation hardness of Kalman crystals", "Of crystals by Kalman.", "radiation hardness of Kalman crystals"),
        ("Radiation Hardness of Kalman Crystals", "Of crystals.", ""),
        ("Kalman filters for long crystals", "We use Kalman filters.", "Kalman filters for long crystals"),
        ("A K-theory of the crystals", "The k of K.", "a K-theory of the crystals"),
        ("Monte Carlo simulation of crystals", "", "Monte Carlo simulation of crystals"),
        ("On the hardness of crystals", "", ""),
        ("Quantifying the hardness of crystals", "", ""),
        ("Hardness of crystals. A note", "", ""),
        ("Crystals of Mars are hard", "", ""),
        ("The crystals of Mars should stay", "", ""),
        ("GOLD - hardness of crystals", "", ""),
        ("Control Protocol Attacks on Crystals", "A protocol, the Control Protocol, on attacks on crystals.",
         "Control Protocol attacks on crystals"),
        ("GOLD: the hardness of crystals", "", ""),
        ("How hard are the crystals?", "", ""),
        ("Crystals", "", ""),
    ],
)  # fmt: skip
def test_titles_within_sentences_have_the_capitals_of_the_abstract(
    title: str, abstract: str, written: str
) -> None:
    assert within_sentence(title, abstract) == written


def test_the_preview_is_what_is_sent(server: Any) -> None:
    write(server, first)
    writer = SmallWriter(OpenAIModel("m", base_url=f"{server.url}/v1"), WordEmbedder())
    shown = writer.preview(QUERY, PAPERS)
    assert all(message["content"] in shown for r in server.requests for message in r["messages"])
    assert SmallWriter(writer._model).estimate(QUERY, PAPERS).calls == len(PAPERS)


PLACES = (  # a verb, and what follows; | marks each place where the quotation may end
    ("provide", "a complete characterization of groups with many generators on the open unit disc|"),
    ("propose", "GM-Skip (GM), a very flexible block skipping framework| that accelerates inference while preserving all of "
     "the quality of the output"),
    ("propose", "a fast new algorithm for many graphs that have a bounded degree and no more than two short cycles of edges"),
    ("present", "a code for books which has many letters, short words, and new signs of readers on planets near to Mars"),
    ("present", "the design of a periodic medium of thin layers|, which localizes waves at the interface between a layered and "
     "a homogeneous space"),
    ("study", "the dynamics of vortices in repulsive condensates| in the presence of a lattice of lasers, a parabolic trap and"
     " a ring"),
    ("present", "the dynamics of vortices in repulsive condensates in the presence of a lattice of lasers, a parabolic trap and"
     " a ring"),
    ("study", "the number of rounds for games, assuming that all of their many players are very short and polite to others"),
    ("consider", "the phenomenon of many waves and suggest a way to deal with it in a setting of logic and of thought"),
    ("present", "the first demonstration of a very fast measurement for readers using squeezed light of a laser and books"),
    ("propose", "a new code of books (Code), a method that reads all of the letters and all of the signs of readers"),
    ("propose", "a new kind of code as a more efficient alternative that reads all of the letters and signs of readers"),
    ("propose that", "codes work well in books because it is good for readers of all books on many planets of stars"),
)  # fmt: skip


@pytest.mark.parametrize(("verb", "marked"), PLACES)
def test_a_quotation_ends_only_where_nothing_is_restricted(verb: str, marked: str) -> None:
    choice = choice_of(quotation(f"We {verb} {marked.replace('|', '')}.", "1.0", 2))
    kept = choice.kept if choice else {}
    assert sorted(kept.values(), key=len) == list(accumulate(marked.split("|")[:-1]))
    for cut, part in kept.items():
        made = choice.sentence({"cut": cut}) if choice else None
        assert (
            made
            and made.text.translate({8220: "", 8221: ""}) == f"{verb} {part}."
            and made.evidence == ("1.0",)
        )


def test_longer_parts_are_in_quotation_marks() -> None:
    whole = "a retriever that reads the manuscript"
    choice = choice_of(quotation(f"We propose {whole}.", "1.0", 2))
    assert choice and choice.kept == {"nothing": whole}
    dense = " ".join(f"dense{n}" for n in range(UNMARKED + 5))
    choice = choice_of(
        quotation(f"We propose {dense}, which is of great use to all readers of it.", "1.0", 2)
    )
    (made,) = [choice.sentence({"cut": cut}) for cut in choice.kept] if choice else [None]
    assert made and made.text == f"propose “{dense}”."


@pytest.mark.parametrize(
    ("text", "authors", "choices"),
    [
        ("We show that codes of all kinds are learned by a network of neurons, if short.", 2, []),
        ("We prove that codes are short.", 2, []),
        (
            "We reduce the mean error of codes by ten percent in all experiments with books of two readers.",
            2,
            [],
        ),
        ("We reduce the error of codes by half.", 2, ["reduce the error of codes by half."]),
        ("Codes of all kinds are learned by a network of neurons in the brain.", 2, []),
        ("In this paper, a code of a book is proposed.", 2, ["propose a code of a book."]),
        ("In this paper, a code of a book has been studied.", 1, ["studies a code of a book."]),
        ("In this paper, a code of a book is shown.", 2, []),
        ("In this paper, a code is used and the errors of readers are examined.", 2, []),
        ("In this paper, using codes, the notion of a book is introduced.", 2, []),
        ("We propose a code of books and review other codes.", 1, []),
        (
            "In this work, we propose a very short new code book that leverages a type of deep learning called"
            " network of layers with a sophisticated design of all of its parts, and we evaluate it.",
            2,
            ["propose a very short new code book."],
        ),
        ("We prove a bound of our codes.", 2, []),
        ("We prove a bound of codes.", 1, []),
        ("In this paper, a code of a book is observed.", 1, []),
        ("We apply it to books of codes.", 2, []),
        ("We discuss codes of books.", 1, ["discusses codes of books."]),
    ],
)
def test_the_end_of_a_claim_stays(text: str, authors: int, choices: list[str]) -> None:
    choice = choice_of(quotation(text, "1.0", authors))
    made = [choice.sentence({"cut": cut}) for cut in choice.kept] if choice else []
    assert [one.text for one in made if one] == choices
