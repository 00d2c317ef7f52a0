"""A section from evidence and from the author's own text: what a model may say, and what becomes a note to the author."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.evidence.agent import gather_evidence
from texgeist_retrieval.evidence.drafting import NOTHING, OutlineWriter, SectionWriter, asked_as, selected_of
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline.bearing import write_from
from texgeist_retrieval.types import Query, Result, SectionBrief, Sentence
from texgeist_retrieval.writing import OpenAIModel
from texgeist_retrieval.writing.model.checks import Material, unfounded
from texgeist_retrieval.writing.model.section_prompts import own_passages

from ..model_server import Turn
from ..writing.texts import corrections
from .conftest import SECTION, WordEmbedder

UNASKED = OpenAIModel("m", "k", "http://127.0.0.1:9/v1")  # nobody answers there: a request would be an error


def said(text: str, evidence: Any = (), own: Any = (), more: Any = ()) -> str:
    """A sentence with its ids in brackets, and its further parts, each with its own ids."""
    return " ".join(_marked(t, [*e, *o]) for t, e, o in [(text, evidence, own), *more])


def _marked(text: str, ids: list[str]) -> str:
    end = text[-1:] if text[-1:] in ".,;" else ""
    return f"{text.removesuffix(end)} [{', '.join(ids)}]{end}" if ids else text


def answer(*sentences: str, needs: Any = ()) -> Any:
    return {"plan": [], "section": " ".join(sentences), "needs": list(needs)}


@pytest.fixture
def run(library: Any) -> Any:
    return gather_evidence(SECTION, library, WordEmbedder(), Silent())


def id_of(run: Any, paper: str) -> str:
    return next(e.id for e in run.evidence if e.passage.paper_id == paper)


def own_id(section: Query, words: str) -> str:
    return next(id for id, (_, text) in own_passages(section).items() if words in text)


def sentences(written: Any) -> list[Any]:
    return list(written.section.sentences)


def write(model: Any, run: Any, section: Query = SECTION) -> Any:
    return SectionWriter(model).write(asked_as(section, run), selected_of(run), Silent())


def test_sentences_stand_on_evidence_and_on_the_authors_text(make_model: Any, server: Any, run: Any) -> None:
    sleep, result = id_of(run, "sleep"), own_id(SECTION, "p = 0.003")
    server.script = [
        Turn(
            answer(
                said("A night of sleep was found to help adults remember pairs of words.", [sleep]),
                said("We see the same, by 12.4 points.", [], [result]),
                needs=["How participants were recruited"],
            )
        )
    ]
    written = write(make_model(), run)
    first, second, need = sentences(written)
    assert first.evidence == (sleep,) and not first.own and second.own == (result,) and not second.evidence
    assert (need.aside, need.text) == ("needs", "How participants were recruited.")
    assert written.section.title == "Discussion" and written.usage.calls == 1
    prompt = str(server.requests[0])
    assert "71.2" in prompt and "is better after sleep" in prompt and "go on from its last sentence" in prompt
    assert "% texgeist" not in prompt and "\\cite" not in prompt


@pytest.mark.parametrize(
    ("text", "own", "why"),
    [
        ("We recruited sixty students from two schools.", (), "cites no own passage"),
        ("Most people sleep at night.", (), "It stands on nothing"),
        ("We found a gain of 13.9 points.", ("result",), "13.9, which stands in no passage"),
        ("Our gain of 12.4 points held for 87 % of adults.", ("result",), "87, which stands in no passage"),
    ],
)
def test_what_the_author_has_not_said_is_asked_for_and_never_stated(
    make_model: Any, server: Any, run: Any, text: str, own: Any, why: str
) -> None:
    """Said once more at the second try, it becomes a comment to the author."""
    sleep = id_of(run, "sleep")
    named = [own_id(SECTION, "p = 0.003")] if own else []
    good = said("A night of sleep was found to help adults remember pairs of words.", [sleep])
    bad = said(text, [], named)
    server.script = [Turn(answer(good, bad)), Turn(corrections((2, bad)))]
    written = write(make_model(), run)
    kept, aside = sentences(written)
    assert kept.evidence == (sleep,) and not kept.aside
    assert aside.aside == "needs" and text in aside.text and not aside.evidence
    assert why in str(server.requests[1]["messages"]) and len(server.requests) == 2


@pytest.mark.parametrize("text", ["We reach an accuracy of 97.3 %.", "Most people sleep at night."])
def test_a_draft_without_a_word_founds_nothing(make_model: Any, server: Any, run: Any, text: str) -> None:
    """Where the author has written nothing yet, there is all the more to invent."""
    bare = replace(SECTION, parts=(), abstract="", written="", brief=SectionBrief("results", "Results"))
    assert not own_passages(bare)
    sleep = id_of(run, "sleep")
    good = said("A night of sleep was found to help adults remember pairs of words.", [sleep])
    server.brain = lambda _: Turn(answer(good, said(text)))
    written = SectionWriter(make_model()).write(bare, selected_of(run), Silent())
    assert [(s.aside, s.evidence) for s in sentences(written)] == [("", (sleep,)), ("needs", ())]


@pytest.mark.parametrize(
    "figure",
    "p < .001|p<.05|-0.42|12-fold|10-20%|1.5x|2.3M|100k|1e-5|1e−5|92.1/88.3|accuracy—92 %|12.4/88.3|2-20".split(
        "|"
    ),
)
def test_no_figure_passes_for_how_it_is_written(run: Any, figure: str) -> None:
    material = replace(
        Material.of(selected_of(run)), own={"D1": "Recall was 12.4 points better in 2 of 1 runs."}
    )
    text = f"Recall was better ({figure})."
    assert "which stands in no passage" in unfounded("", [Sentence(text, own=("D1",))], material)
    material = replace(material, own={"D1": f"Also {figure} was seen."})
    assert not unfounded("", [Sentence(text, own=("D1",))], material)


@pytest.mark.parametrize("name", ["BM25", "GPT-4", "GPT-4.5", "COVID-19", "v1.2.3", "x_1", "Llama‑3"])
def test_the_digits_of_a_name_are_no_figures(run: Any, name: str) -> None:
    material = replace(Material.of(selected_of(run)), own={"D1": "A system."})
    assert not unfounded("", [Sentence(f"Ours is near {name}.", own=("D1",))], material)


def part(text: str, evidence: Any = (), own: Any = ()) -> tuple[str, Any, Any]:
    return text, evidence, own


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (part("while our readers slept for a week."), "cites no own passage in that part"),
        (part("Our readers slept for a week."), "cites no own passage in that part"),
        (part("and 12.4 points stand in both.", ["sleep"]), "12.4, which stands in no passage"),
        (part("We planned this long ago.", ["sleep"]), "cites no own passage in that part"),
    ],
)
def test_a_part_stands_on_nothing_that_another_part_names(
    make_model: Any, server: Any, run: Any, second: tuple[str, Any, Any], why: str
) -> None:
    """What the author did is not vouched for by the passage of another part, whether it goes on or begins anew."""
    result, sleep = own_id(SECTION, "p = 0.003"), id_of(run, "sleep")
    second = (second[0], [sleep for _ in second[1]], second[2])
    good = said("A night of sleep was found to help adults remember pairs of words.", [sleep])
    bad = said("We gained 12.4 points.", own=[result], more=[second])
    server.script = [Turn(answer(good, bad)), Turn(corrections())]
    written = sentences(write(make_model(), run))
    assert why in str(server.requests[1]["messages"])
    assert any(one.aside == "needs" and "your own words" in one.text for one in written)
    assert not any(second[0] in one.text for one in written if not one.aside)


def test_without_a_model_the_evidence_becomes_notes(library: Any) -> None:
    found = gather_evidence(SECTION, library, WordEmbedder(), Silent())
    result = write_from(SECTION, found, WordEmbedder(), OutlineWriter(WordEmbedder()), Silent())
    notes = list(result.section.sentences)
    assert notes and all(s.aside == "note" and len(s.evidence) == 1 for s in notes)
    assert any(
        "“Sleep after learning improves recall" in s.text and "(Results, p. 3)." in s.text for s in notes
    )
    assert result.writer == "extractive" and result.run and result.run.queries
    known = {e.id for one in result.selected for e in one.evidence}
    assert {id for s in notes for id in s.evidence} <= known
    by_label = {s.candidate.paper.id: result.query.parts[s.candidate.found_by].text for s in result.selected}
    assert all(by_label.values())
    there_and_back = from_plain(Result, to_plain(result))
    assert there_and_back.run == to_same(result).run and there_and_back.query.brief == SECTION.brief


def to_same(result: Result) -> Result:
    """Vectors stay behind when a result travels."""
    return from_plain(Result, to_plain(result))


def test_nothing_found_writes_nothing(library: Any) -> None:
    library.chunks = {"x": ("Volcanoes", "results", "Basalt flows cool from their margins.")}
    found = gather_evidence(SECTION, library, WordEmbedder(), Silent())
    result = write_from(SECTION, found, WordEmbedder(), OutlineWriter(WordEmbedder()), Silent())
    assert not result.section.paragraphs and not result.selected and NOTHING in result.notes
    written = SectionWriter(UNASKED).write(SECTION, (), Silent())
    assert not written.section.paragraphs and written.notes == (NOTHING,)


def test_a_model_that_cannot_write_leaves_the_notes(make_model: Any, server: Any, run: Any) -> None:
    server.brain = lambda _: Turn("Prose, and no JSON.")
    result = write_from(SECTION, run, WordEmbedder(), SectionWriter(make_model()), Silent())
    assert result.writer == "extractive" and result.section.paragraphs
    assert "put down as notes instead" in result.notes[0]


def test_vectors_of_the_searchs_model_do_not_meet_those_of_the_writers(
    make_model: Any, server: Any, run: Any
) -> None:
    """Passages come from a search with vectors of its own model, of another length."""
    searched = tuple(
        replace(one, passage=replace(one.passage, vector=np.ones(7, np.float32))) for one in run.evidence
    )
    sleep = id_of(run, "sleep")
    server.script = [Turn(answer(said("A night of sleep was found to help adults remember.", [sleep])))]
    writer = SectionWriter(make_model(), WordEmbedder())
    written = write_from(SECTION, replace(run, evidence=searched), WordEmbedder(), writer, Silent())
    assert written.writer == writer.name and not written.notes
    assert [s.evidence for s in written.section.sentences] == [(sleep,)]
