"""A critical reader corrects sentences, a verifier compares each with its sources, and what still fails a check is
left out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from texgeist_retrieval.errors import WriterInvalid
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.types import Query
from texgeist_retrieval.writing import AnthropicModel, ModelWriter
from texgeist_retrieval.writing.model.checks import Material
from texgeist_retrieval.writing.model.prose import read_text
from texgeist_retrieval.writing.model.revision import Correction, corrected, read_corrections

from ..model_server import Turn
from .conftest import QUERY, selected
from .texts import answer, corrections, texts, verdicts

OLD = [f"Model-{n} orders what a reader sees." for n in range(1, 7)]
LAST = "Our work writes from what it finds."
SECTION = " ".join(f"{text[:-1]} [{n}a]." for n, text in enumerate(OLD, 1)) + f"\n\n{LAST}"
FAULTY = SECTION.replace(OLD[1][:-1], r"See \cite{smith} for more")
NEW = "Passages are put in order by this one."


def write(server: Any, *answers: Any, second: bool = True, query: Query = QUERY) -> Any:
    told = list(answers)
    server.brain = lambda request: Turn(told.pop(0)) if told else Turn(status=400, message="no")
    model = AnthropicModel("test", "sk-test", server.url, 60.0)
    return ModelWriter(model, summaries=False, second_reading=second).write(query, selected(6), Silent())


def test_corrections_stand_and_the_rest_stays(server: Any) -> None:
    given = corrections((2, f"{NEW[:-1]} [2a]. Both are rankers [2a, 3a]."), (4, ""))
    written = write(server, answer(SECTION), given, verdicts())
    assert texts(written) == [OLD[0], NEW, "Both are rankers.", OLD[2], *OLD[4:], LAST]
    assert written.usage.calls == len(server.requests) == 3
    asked = json.dumps(server.requests[1], ensure_ascii=False)
    assert f"(7) {LAST}" in asked and "You review this" in asked


def test_each_sentence_of_the_corrected_text_is_compared_with_its_sources(server: Any) -> None:
    told = verdicts((2, "Passages are ranked [2a]."), (3, ""))
    told["sentences"] += [
        {"number": 4, "beyond": "all", "holds": True, "text": "Not used [4a]."},
        {"holds": False},
    ]
    written = write(server, answer(SECTION), corrections((2, f"All {NEW[:-1].lower()} [2a].")), told)
    assert texts(written) == [OLD[0], "Passages are ranked.", *OLD[3:], LAST]
    asked = server.requests[2]["messages"][0]["content"][-1]["text"]
    assert asked.count("</paper>") == 6 and asked.index("</paper>") < asked.index("(2) All passages are")
    assert asked.rindex("</paper>") < asked.index(f"(7) {LAST}") and "found: " not in asked


@pytest.mark.parametrize(
    "text", ["", "Model-{0} orders what a reader sees.", "Smith (2019) orders what a reader sees [{0}a]."]
)
def test_a_verifier_cannot_empty_a_section_or_take_its_citations(text: str, server: Any) -> None:
    told = verdicts(*((n, text.format(n)) for n in range(1, 7)))
    written = write(server, answer(SECTION), corrections(), told)
    assert texts(written) == [*OLD, LAST] and not written.unused
    assert "objected to 6 sentences, but" in written.notes[0]


def test_an_answer_on_half_of_the_sentences_is_asked_for_again(server: Any) -> None:
    half = {"sentences": verdicts((2, "Passages are ranked [2a]."), (3, "Ranked."))["sentences"][:3]}
    written = write(server, answer(SECTION), corrections(), half, half)
    assert texts(written) == [OLD[0], "Passages are ranked.", *OLD[2:], LAST]
    assert "4 sentences were not compared" in written.notes[0] and "to 1 sentence, but" in written.notes[1]
    assert "It lacks the sentences 4, 5, 6, 7;" in json.dumps(server.requests[3])


def test_only_faulty_sentences_are_asked_for(server: Any) -> None:
    mended = corrections((1, ""), (2, f"{NEW[:-1]} [2a]."), (3, "Other words [3a]."))  # more than was asked
    written = write(server, answer(FAULTY), mended, second=False)
    assert texts(written) == [OLD[0], NEW, *OLD[2:], LAST] and not written.notes
    asked = server.requests[1]["messages"][0]["content"][-1]["text"]
    assert asked.count("found: ") == 1 and "found: It holds LaTeX" in asked and OLD[0][:-1] in asked


@pytest.mark.parametrize("second", [True, False])
@pytest.mark.parametrize(
    "given", [corrections(), corrections((2, r"\input{x} [2a].")), corrections((2, "Smith (2019) ranks [2a].")),
              corrections((2, "A claim [99].")), {"corrections": [7, {"number": "2"}]}, [], "no JSON"],
)  # fmt: skip
def test_what_stays_faulty_is_left_out_and_said(second: bool, given: Any, server: Any) -> None:
    answers = [answer(FAULTY), *([corrections()] if second else []), given, given]
    written = write(server, *answers, second=second)
    assert texts(written) == [OLD[0], *OLD[2:], LAST]
    assert "One sentence was left out" in written.notes[-1]
    assert written.unused == (("2101.00002", "the model found no place for it"),)


UNSAID = {"sentences": [{"number": 1, "holds": "no", "text": ""}, {"number": 2, "holds": False}, "all hold"]}


@pytest.mark.parametrize(
    "answers",
    [["no JSON", "no JSON"], [], [corrections(), UNSAID, UNSAID], [corrections(), *2 * [{"sentences": []}]]],
)
def test_a_reader_who_fails_costs_no_section(answers: list[Any], server: Any) -> None:
    written = write(server, answer(SECTION), *answers)
    assert texts(written) == [*OLD, LAST] and "The sentences were not compared" in written.notes[0]


def test_mostly_faulty_is_no_section(server: Any) -> None:
    bad = "Ranking is old [1a]. Smith (2019) says so [2a]. So does Stone (2020) [3a]."
    with pytest.raises(WriterInvalid):
        write(server, answer(bad), corrections(), second=False)


def test_a_reader_cannot_worsen_or_empty_a_section() -> None:
    material = Material.of(selected(6))
    paragraphs = read_text(SECTION, material.ids)

    def after(*given: tuple[int, str, str]) -> list[str]:
        made = corrected(paragraphs, [Correction(*one) for one in given], material)
        return [s.sentence.text for p in made for s in p.sentences]

    assert after((1, "reading", "Smith (2019) ranks [1a].")) == [*OLD, LAST]
    assert after((1, "reading", "This model ranks.")) == [*OLD, LAST]
    assert after((1, "truth", "This model ranks.")) == [*OLD, LAST], "the only citation is not lost"
    assert after((1, "truth", "This ranks [1a]. " * 30)) == [*OLD, LAST], "nothing is flooded"
    assert after((1, "truth", "Smith (2019) ranks [1a]."))[0] == "Smith (2019) ranks."
    assert after(*((n, "reading", "") for n in range(1, 7)), (2, "truth", f"{NEW[:-1]} [2a].")) == [
        OLD[0], NEW, *OLD[2:], LAST]  # fmt: skip
    assert after((77, "truth", NEW), (0, "truth", "")) == [*OLD, LAST]


def test_corrections_of_wrong_types_are_passed_over() -> None:
    good = {"number": 1, "kind": "other", "text": "x"}
    given = [None, 3, {"number": True, "text": "x"}, {"number": 2, "text": 4}, good]
    assert read_corrections({"corrections": given})[0].given == (Correction(1, "truth", "x"),)
    assert read_corrections({"corrections": 5})[1] and read_corrections([])[1]


def test_it_is_told_and_counted_before_anything_is_sent(server: Any) -> None:
    model = AnthropicModel("test", "sk-test", server.url, 60.0)
    once, twice = (ModelWriter(model, summaries=False, second_reading=on) for on in (False, True))
    assert twice.estimate(QUERY, selected(8)).calls == once.estimate(QUERY, selected(8)).calls + 2 == 3
    shown = twice.preview(QUERY, selected(8))
    assert "You review this" in shown and "You verify this" in shown
    assert "You review this" not in once.preview(QUERY, selected(8)) and not server.requests
