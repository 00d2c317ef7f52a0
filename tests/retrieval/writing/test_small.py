"""A section by a small model: its sentences where they agree with the papers, else the notes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from texgeist_retrieval.errors import WriterTimedOut
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline.recipes import keep_used
from texgeist_retrieval.ports import Written
from texgeist_retrieval.types import Sentence
from texgeist_retrieval.types.papers import SAMPLE
from texgeist_retrieval.writing import ExtractiveWriter, OpenAIModel, SmallWriter
from texgeist_retrieval.writing.model.checks import Material
from texgeist_retrieval.writing.small.retelling import (
    Source,
    agrees,
    order_kept,
    retelling_prompt,
    sentences_of,
    with_marks,
)

from ..model_server import Turn
from .test_extractive import QUERY, WordEmbedder, paper

PAPERS = [paper(n) for n in range(1, 13) if n not in (3, 12)]


def retold(request: dict[str, Any]) -> dict[str, str]:
    """The given sentence, as a model should shorten it."""
    said = re.search(r"Sentences: (.*?\.)(?:\s|$)", request["messages"][-1]["content"])
    assert said
    shortened = re.search(
        r"(propose|study|introduces?|present|find that|develop|show that|compare) (.*)\.", said[1]
    )
    assert shortened
    less = (
        shortened[2].replace(" of kind", " kind" if "that" in shortened[1] else "").replace(" is ", " are ")
    )
    return {"verb": shortened[1].removesuffix("s"), "rest": f"{less}."}


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


def test_sentences_that_agree_replace_the_quotations_and_cite_what_the_notes_cite(server: Any) -> None:
    written = write(server, retold)
    assert sorted(cited(written)) == sorted(cited(NOTES)) and not quotations(written) and quotations(NOTES)
    assert written.usage.calls == len(server.requests) == len(quotations(NOTES))
    assert written.unused == NOTES.unused and not written.notes
    prefixes = {request["messages"][0]["content"] for request in server.requests}
    assert len(prefixes) == 1, "the engine can cache the common prefix"
    assert "reword them before you submit" in written.section.paragraphs[0][0].text
    shown = {e.id: e.summary for s in keep_used(PAPERS, written)[0] for e in s.evidence if e.summary}
    assert len(shown) == len(quotations(NOTES)), "the hover shows the sentences that are retold"
    abstracts = {e.id: s.candidate.paper.abstract for s in PAPERS for e in s.evidence}
    assert all(text in abstracts[id] for id, text in shown.items())


WRONG = {
    "a word that is not there": "{} for medical images of the heart",
    "a figure that is not there": "{} with 17 layers",
    "a name that is not there": "{} after Halloran",
    "the contrary": "{} that cannot encode",
    "first person": "{} as we do",
    "too short": "it",
    "markup": "{} \\\\cite{{key}}",
}


def test_a_title_is_not_retold(server: Any) -> None:
    background = (
        "Related work and citation recommendation have attracted attention in writing. However, it is hard."
    )
    bare = paper(3, abstract=background)
    written = write(server, retold, papers=[*PAPERS[:2], bare])
    assert len(server.requests) == 2
    assert any(s.text == "See also." for s in written.section.sentences)


@pytest.mark.parametrize("form", WRONG.values(), ids=WRONG.keys())
def test_a_sentence_that_disagrees_stays_a_quotation(server: Any, form: str) -> None:
    def wrong(request: dict[str, Any]) -> dict[str, str]:
        return {"verb": "propose", "rest": form.format(retold(request).get("rest", "").rstrip(".")) + "."}

    written = write(server, wrong)
    assert quotations(written) == quotations(NOTES)
    assert written.usage.calls == len(quotations(NOTES))
    assert written.notes == (
        "10 of 10 papers are quoted, because the model's sentences did not agree with them.",
    )


@pytest.mark.parametrize(
    "answer", ["{", "no JSON at all", {"verb": "fly", "rest": "to the moon and back."}, []]
)
def test_answers_of_another_form_leave_the_notes(server: Any, answer: Any) -> None:
    written = write(server, lambda _: answer)
    assert [*written.section.paragraphs[1:]] == [*NOTES.section.paragraphs[1:]]


def test_a_text_that_is_the_notes_alone_is_not_credited_to_the_model(server: Any) -> None:
    described = [
        replace(one, candidate=replace(one.candidate, paper=replace(one.candidate.paper, origin=SAMPLE)))
        for one in PAPERS
    ]
    written = write(server, retold, papers=described)
    assert written.by == "extractive" and "no abstract that the model could retell" in written.notes[-1]
    assert not write(server, retold).by


def test_when_the_time_is_over_the_others_are_quoted(server: Any) -> None:
    written = write(server, retold, seconds=0.0)
    assert quotations(written) == quotations(NOTES) and not server.requests
    assert "10 of 10 papers are quoted, because the model was too slow" in written.notes[0]


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
    server.brain = lambda request: Turn(retold(request))
    model = Slow("m", base_url=f"{server.url}/v1")
    written = SmallWriter(model, WordEmbedder()).write(QUERY, PAPERS, Silent())
    assert len(quotations(written)) == 1 and written.usage.calls == 9
    assert written.notes == (
        "1 of 10 papers are quoted, because the model was too slow: it has 360 s for a section. "
        "`texgeist config set writer.timeoutSeconds 720` gives it more time.",
    )
    model.hangs = True
    written = SmallWriter(model, WordEmbedder(), seconds=0.1).write(QUERY, PAPERS, Silent())
    comment = written.section.paragraphs[0][0].text
    assert quotations(written) == quotations(NOTES) and "choose a language model" not in comment


def test_the_progress_knows_the_time(
    server: Any,
) -> None:
    reports = list[tuple[str, int | None, int | None]]()

    class Reports(Silent):
        def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
            reports.append((message, done, total))

    server.brain = lambda request: Turn(retold(request))
    model = OpenAIModel("m", base_url=f"{server.url}/v1", timeout=20)
    SmallWriter(model, WordEmbedder()).write(QUERY, PAPERS, Reports())
    shares = [done or 0 for message, done, _ in reports if message == "Retelling 10 papers"]
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 90

    def slow(request: dict[str, Any]) -> Turn:
        time.sleep(0.06)
        return Turn(retold(request))

    reports.clear()
    server.brain = slow
    SmallWriter(model, WordEmbedder(), seconds=0.1).write(QUERY, PAPERS, Reports())
    asked = [done or 0 for message, done, _ in reports if message == "Retelling 10 papers"]
    assert len(asked) == 1 or asked[1] >= 60, "more of the time than of the papers"


def test_an_answer_quotes(server: Any) -> None:
    model = OpenAIModel("m", base_url=f"{server.url}/v1", timeout=20)
    question = replace(QUERY, kind="question", text="Which retriever encodes questions?")
    answer = SmallWriter(model, WordEmbedder()).write(question, PAPERS, Silent())
    assert answer.section == ExtractiveWriter(WordEmbedder()).write(question, PAPERS, Silent()).section
    assert answer.by == "extractive" and not server.requests


def test_neighbours_begin_with_different_verbs(server: Any) -> None:
    written = write(server, lambda request: {**retold(request), "verb": "propose"})
    for paragraph in written.section.paragraphs[1:]:
        for one, other in pairwise(paragraph):
            assert "“" in other.text or one.text.split()[0] != other.text.split()[0]


def test_the_preview_is_what_is_sent(server: Any) -> None:
    write(server, retold)
    writer = SmallWriter(OpenAIModel("m", base_url=f"{server.url}/v1"), WordEmbedder())
    shown = writer.preview(QUERY, PAPERS)
    assert all(message["content"] in shown for r in server.requests for message in r["messages"])
    assert SmallWriter(writer._model).estimate(QUERY, PAPERS).calls == len(PAPERS)


def test_a_model_that_copies_is_quoted_and_a_last_clause_that_nobody_said_is_left_out() -> None:
    said = (
        "a retriever with a dual encoder that learns from a small number of questions and of passages alone"
    )
    source = Source("1.0", "Dense", (f"We propose {said}.", "It gains."), 2)
    answer = {"verb": "propose", "rest": f"{said}."}
    assert [s.text for s in sentences_of(answer, source)] == [f"propose {said}."]
    (copy,) = sentences_of(answer, source)
    assert (marked := with_marks(copy, source)) and marked.text == f"propose “{said}”."
    less = replace(copy, text=copy.text.replace("that learns", "learning"))
    assert (marked := with_marks(less, source)) and marked.text == (
        "propose a retriever with a dual encoder learning “from a small number of questions and of passages alone”."
    )
    named = Source("1.0", f"{said.title()}", source.sentences, 2)
    assert with_marks(copy, named) == copy, "words of the title need no marks"
    ended = "We propose a retriever that learns from questions and passages, which is of use."
    (with_which,) = sentences_of(
        {"verb": "propose", "rest": "a retriever that learns from questions and passages, which ends"},
        source := Source("1.0", "Dense", (ended,), 2),
    )[:1]
    assert (marked := with_marks(with_which, source)) and marked.text == (
        "propose “a retriever that learns from questions and passages”, which ends."
    )
    source = Source("1.0", "Dense", (f"We propose {said}.", "It gains."), 2)
    for forged in ("propose a “retriever that learns from passages”.",):
        assert with_marks(replace(copy, text=forged), source) is None
    two = [
        f"{kind} codes of {kind} books and {kind} covers learn {kind} readers"
        for kind in ("short", "long", "sparse")
    ]
    twice = with_marks(
        replace(copy, text=f"propose {', '.join(two)}."), replace(source, sentences=(" ".join(two),))
    )
    assert twice and twice.text == f"propose {', '.join(f'“{one}”' for one in two)}."
    again = replace(copy, text=copy.text.replace("of passages", "of (passages)"))
    assert (marked := with_marks(again, source)) and marked.text.endswith(
        "of questions” and of (passages) alone."
    )
    more = {
        "verb": "propose",
        "rest": "a retriever that learns from questions and passages alone, improving recall by far.",
    }
    assert [s.text[-9:] for s in sentences_of(more, source)] == ["l by far.", "es alone."]
    parts = {"verb": "propose", "rest": "a retriever that learns with two key parts, i.e., two encoders"}
    assert [s.text[-9:] for s in sentences_of(parts, source)] == ["encoders."]
    other = replace(copy, text="propose “a cure for all”.")
    assert not agrees(other, source, Material.for_query(QUERY, PAPERS), WordEmbedder())


def test_the_examples_of_the_request_copy_little() -> None:
    prompt = retelling_prompt(Source("1.0", "T", ("We do.",), 2)).system
    examples = re.findall(r"Title: (.*)\nSentences: (.*)\n(\{.*\})", prompt)
    assert len(examples) == 3
    for title, said, answer in examples:
        source = Source("1.0", title, (said,), 2)
        made = sentences_of(json.loads(answer), source)[0]
        assert with_marks(made, source) == made, "no long copies"


def test_a_clause_after_a_semicolon_can_be_left_out_and_the_last_report_counts() -> None:
    said = "We propose a convolutional network for codes; we present a novel UCB policy that learns codes."
    source = Source("1.0", "Codes", (said,), 2)
    long = {
        "verb": "propose",
        "rest": "a convolutional network for codes and for UCB policies; it also learns codes",
    }
    assert [s.text[-9:] for s in sentences_of(long, source)] == ["ns codes.", "policies."]
    two = {
        "verb": "propose",
        "rest": "a convolutional network, and we present a UCB policy that learns codes",
    }
    assert sentences_of(two, source)[0].text == "present a UCB policy that learns codes."


def test_a_claim_is_not_shortened() -> None:
    said = "We show that a convolutional network for codes learns all of them, if the codes are short enough."
    answer = {"verb": "show that", "rest": said[13:]}
    assert len(sentences_of(answer, Source("1.0", "Codes", (said,), 2))) == 1


@pytest.mark.parametrize(
    ("rest", "whole"),
    [
        ("a change of the codes achieves constant regret.", False),
        ("changed codes achieve, with high probability, a constant regret.", True),
        ("changed “codes achieve with high probability constant regret”.", False),
    ],
)
def test_a_claim_keeps_all_its_conditions_and_is_a_clause(rest: str, whole: bool) -> None:
    said = "We show that a change of codes achieves with high probability constant regret."
    made = Sentence(f"show that {rest}", ("1.0",), textual=True)
    material = Material.for_query(QUERY, PAPERS)
    assert agrees(made, Source("1.0", "Codes", (said,), 2), material, WordEmbedder()) is whole


def test_what_refers_to_a_sentence_that_is_left_out_is_refused() -> None:
    abstract = PAPERS[0].candidate.paper.abstract
    source, material = Source("1.0", "T", (abstract,), 2), Material.for_query(QUERY, PAPERS)
    rest = "a citation recommendation method that reads the manuscript"
    (made,) = sentences_of({"verb": "present", "rest": rest}, source)
    assert agrees(made, source, material, WordEmbedder())
    leaning = replace(made, text="present a citation recommendation method of this kind.")
    assert not agrees(leaning, source, material, WordEmbedder())


def test_an_answer_that_was_cut_loses_its_last_clause() -> None:
    source = Source("1.0", "T", (PAPERS[0].candidate.paper.abstract,), 2)
    clause = "a citation recommendation method that reads the manuscript"
    cut = f"{clause}, which uses a graph to {'x' * 300}"[:300]
    (made,) = sentences_of({"verb": "present", "rest": cut}, source)
    assert made.text == f"present {clause}."


def test_words_in_another_order_are_noticed() -> None:
    source = (
        "During training, the discriminator assigns rewards to samples from a distribution near the data."
    )
    assert order_kept("the discriminator assigns rewards to samples near the data", source) == 1
    assert order_kept("uses data near a distribution to assign samples rewards during training", source) < 0.8


def test_what_the_authors_did_not_make_is_not_said_to_be_made_by_them() -> None:
    texts = ("Our aim is to advance open-vocabulary detection.", "We propose ViLD, a way of distillation.")
    source = Source("1.0", "Detection", texts, 2)
    assert sentences_of({"verb": "propose", "rest": "ViLD, a way of distillation of models"}, source)
    assert not sentences_of({"verb": "present", "rest": "open-vocabulary detection by distillation"}, source)
    assert not sentences_of({"verb": "propose", "rest": "and address ViLD, a way of distillation"}, source)
    hashed = replace(
        source, sentences=("For image retrieval, we propose a way of hashing that learns codes.",)
    )
    assert not sentences_of(
        {"verb": "propose", "rest": "image retrieval by hashing that learns codes"}, hashed
    )
    assert sentences_of(
        {"verb": "propose", "rest": "a way of hashing for image retrieval that learns codes"}, hashed
    )
    for title in ("A Planning Framework for Robots", "Planning: a Framework"):
        named = Source("1.0", title, ("Robots run a continuous loop of goal assignment.",), 2)
        assert sentences_of({"verb": "present", "rest": "a planning framework for robots and loops"}, named)
    hoped = "We hope this study can facilitate collective efforts in constructing larger 3D medical datasets."
    source = replace(source, sentences=(hoped,))
    rest = "can facilitate collective efforts in constructing larger 3D medical datasets"
    assert not sentences_of({"verb": "study", "rest": rest}, source)
