"""What a drafted section may keep: sentences that their passages support, with their connectives."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from texgeist_retrieval.errors import Cancelled, WriterInvalid
from texgeist_retrieval.evidence.drafting import material_of
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline.bearing import SupportedSection, keep_supported, marked
from texgeist_retrieval.types import (
    Candidate,
    Evidence,
    Paper,
    Passage,
    Query,
    QueryPart,
    Section,
    SectionBrief,
    Selected,
    Sentence,
    Usage,
)
from texgeist_retrieval.writing.model.checks import Material

SELECTED = tuple(
    Selected(Candidate(Paper(id, title), 0.5, 1), (Evidence(number, Passage(id, 3, text), 0.5),), 0.5)
    for number, id, title, text in [
        ("1", "sleep", "Sleep", "Sleep after learning improves recall by a fifth."),
        ("2", "naps", "Naps", "Naps of twenty minutes leave recall as it was."),
    ]
)
JOINED = "Sleep improves recall, because naps do not."
APART = "Sleep improves recall, and naps do not."


class Judge:
    """A model by script: `judge` gives the label for what it is shown, `loosen` the new sentence."""

    name, local = "judge", True

    def __init__(
        self,
        judge: Callable[[str], str],
        loosen: Any = APART,
        sureness: int = 90,
        missing: str = "the because",
    ) -> None:
        self._judge, self._loosen = judge, loosen
        self._sureness, self._missing = sureness, missing
        self.asked: list[str] = []
        self.lock = threading.Lock()

    def complete_json(
        self, system: str, user: str, schema: Any, *, max_tokens: int, monitor: Any
    ) -> tuple[Any, Usage]:
        with self.lock:
            self.asked.append(user)
        if "label" in schema["properties"]:
            label = self._judge(user)
            if label == "prose":
                return "I would say so.", Usage(calls=1)
            return {"label": label, "sureness": self._sureness, "missing": self._missing}, Usage(calls=1)
        if isinstance(self._loosen, Exception):
            raise self._loosen
        return {"sentence": self._loosen}, Usage(calls=1)


def kept(model: Judge, *sentences: Sentence, own: dict[str, str] | None = None) -> SupportedSection:
    section = Section("Discussion", (sentences,))
    material = replace(Material.of(SELECTED), own=own or {})
    return keep_supported(section, SELECTED, material, model, 2, Silent())  # type: ignore[arg-type]


def no_because(asked: str) -> str:
    return (
        "not stated" if "because" in asked.rsplit("Sentence:\n", 1)[-1].split("Passages:")[0] else "supported"
    )


def test_a_joint_that_no_passage_says_is_taken_out() -> None:
    model = Judge(no_because)
    plain, joined = Sentence("Sleep improves recall.", ("1",)), Sentence(JOINED, ("1", "2"), own=("D1",))
    made = kept(model, plain, Sentence("We ask about it."), joined, own={"D1": "We slept."})
    first, own, loosened = made.section.paragraphs[0]
    assert (first.text, own.text) == (plain.text, "We ask about it.")
    assert (loosened.text, loosened.evidence, loosened.own) == (APART, ("1", "2"), ("D1",))
    assert made.notes == (
        "One sentence claimed more than the passages support and was weakened: the because.",
    )
    assert made.usage.calls == 4 == len(model.asked)  # two judged, one loosened, and judged again
    shown = next(one for one in model.asked if JOINED in one)
    assert (
        "[1] Sleep: Sleep after" in shown and "[2] Naps" in shown and "(the authors' own) We slept." in shown
    )
    assert any("take it out: the because" in one for one in model.asked)


@pytest.mark.parametrize(
    "loosen", [JOINED, "See \\cite{x}.", 7, WriterInvalid("It wrote nothing.", "Try again.")]
)
def test_what_cannot_be_loosened_becomes_a_note_and_nothing_is_lost(loosen: Any) -> None:
    made = kept(
        Judge(no_because, loosen), Sentence(JOINED, ("1", "2")), Sentence("Sleep improves recall.", ("1",))
    )
    aside, stays = made.section.paragraphs[0]
    assert (aside.aside, aside.text, aside.evidence) == ("needs", f"a source for “{JOINED}”", ())
    assert stays.text == "Sleep improves recall." and "became a note to you" in made.notes[0]


def test_a_subject_that_is_the_citation_is_not_rewritten() -> None:
    model = Judge(lambda _: "contradicted")
    made = kept(model, Sentence("show it because of naps.", ("1",), textual=True, lead="Later,"))
    assert made.section.paragraphs[0][0].aside == "needs" and len(model.asked) == 1


def test_each_clause_is_judged_at_its_own_passages() -> None:
    clauses = (Sentence("Sleep improves recall", ("1",)), Sentence("and naps do not.", ("2",)))
    sentence = Sentence(APART, ("1", "2"), clauses=clauses)
    assert marked(sentence) == "Sleep improves recall [1] and naps do not. [2]"
    made = kept(Judge(lambda _: "supported"), sentence)
    assert made.section.paragraphs[0] == (sentence,) and made.notes == ()
    ours = Sentence(
        APART, ("1",), clauses=(Sentence("We slept", own=("D1",)), Sentence("and recalled.", ("1",)))
    )
    assert marked(ours) == "We slept [D1] and recalled. [1]"


@pytest.mark.parametrize(
    ("said", "clauses"),
    [
        ("Sleep improves recall, ⟨1⟩ and naps do not.",
         (Sentence("Sleep improves recall,", ("1",)), Sentence("and naps do not.", ("2",)))),
        ("⟨1⟩ Sleep improves recall, and naps do not.", ()),
        ("Sleep improves recall, and naps do not.", None),
    ],
)  # fmt: skip
def test_what_is_loosened_keeps_each_citation_in_its_place(said: str, clauses: Any) -> None:
    """Where the model moves a mark, all is cited at the end; where it loses one, nothing of it stands."""
    parts = (Sentence("Sleep improves recall,", ("1",)), Sentence("because naps do not.", ("2",)))
    joined = Sentence(JOINED, ("1", "2"), clauses=parts)
    model = Judge(no_because, said)
    [told] = kept(model, joined).section.paragraphs[0]
    assert any("recall, ⟨1⟩ because naps" in one for one in model.asked)
    if clauses is None:
        assert told.aside == "needs" and "because" in told.text
    else:
        assert (told.text, told.clauses, told.evidence) == (APART, clauses, ("1", "2"))


def test_a_judge_that_says_prose_leaves_the_sentences_and_says_so() -> None:
    made = kept(Judge(lambda _: "prose"), Sentence(JOINED, ("1", "2")))
    assert made.section.paragraphs[0][0].text == JOINED
    assert made.notes[0].startswith("One sentence could not be checked against the passages:")


def test_the_sentence_before_is_shown_where_a_sentence_leads_on() -> None:
    model = Judge(lambda asked: "not stated" if "not judged:\nSleep" in asked and "Against" in asked else "supported",
                  "Naps leave recall as it was.")  # fmt: skip
    leading = Sentence("Against this, naps leave recall as it was.", ("2",))
    made = kept(model, Sentence("Sleep improves recall.", ("1",)), leading)
    first, second = made.section.paragraphs[0]
    assert first.text == "Sleep improves recall." and second.text == "Naps leave recall as it was."
    assert sum("which is not judged" in one for one in model.asked) == 2


def test_asides_and_sentences_without_a_citation_are_not_asked_about() -> None:
    model = Judge(lambda _: "contradicted")
    sentences = (Sentence("We slept."), Sentence("how many slept", aside="needs"))
    assert kept(model, *sentences).section.paragraphs[0] == sentences and not model.asked


def answered(model: Judge, *sentences: Sentence) -> SupportedSection:
    section = Section("Answer", (sentences[:2], sentences[2:]))
    material = replace(Material.of(SELECTED), cited_figures=True)
    return keep_supported(section, SELECTED, material, model, 2, Silent())  # type: ignore[arg-type]


def test_an_answers_sentence_that_cites_nothing_is_held_against_all_that_it_cites() -> None:
    """Nobody else vouches for it: in the author's own section the author does."""
    model = Judge(lambda asked: "not stated" if "Sentence:\nNaps harm" in asked else "supported")
    invented, bridge = Sentence("Naps harm recall."), Sentence("So far, two ways were compared.")
    made = answered(
        model, Sentence("Sleep helps.", ("1",)), invented, Sentence("Naps do not.", ("2",)), bridge
    )
    (_, aside), (_, stays) = made.section.paragraphs
    assert (aside.aside, aside.text) == ("needs", "a source for “Naps harm recall.”") and stays is bridge
    shown = [one for one in model.asked if "Naps harm" in one.split("Passages:")[0].split("Sentence:\n")[1]]
    assert len(shown) == 1 and "[1] Sleep: Sleep after" in shown[0] and "[2] Naps: Naps of" in shown[0]
    assert not any("take it out" in one for one in model.asked), "there is no passage to hold its words to"
    asked = [one for one in model.asked if "Sentence:\nSleep helps" in one]
    assert len(asked) == 1 and "[2]" not in asked[0]


def test_doubt_that_names_what_is_missing_loosens_the_sentence_or_is_told() -> None:
    made = kept(Judge(lambda _: "contradicted", sureness=60), Sentence(JOINED, ("1", "2")))
    assert made.section.paragraphs[0][0].text == APART
    assert "was weakened" in made.notes[0] and "was unsure" in made.notes[1]
    unbroken = kept(Judge(lambda _: "contradicted", 7, 60), Sentence(JOINED, ("1", "2")))
    assert unbroken.section.paragraphs[0][0].text == JOINED
    assert [note.partition(" whether")[0] for note in unbroken.notes] == ["The model was unsure"]
    calm = kept(Judge(lambda _: "supported", 7, 60, ""), Sentence(JOINED, ("1", "2")))
    assert calm.section.paragraphs[0][0].text == JOINED and not calm.notes


def test_what_is_loosened_is_held_against_all_that_its_writer_was_given() -> None:
    query = Query("section", (QueryPart("q", "brief"),), abstract="Halloran ranks recall by sleep.",
                  brief=SectionBrief("discussion", "Discussion"))  # fmt: skip
    material = material_of(query, SELECTED)
    section = Section("Discussion", ((Sentence(JOINED, ("1", "2")),),))

    def loosened(text: str) -> Sentence:
        model = Judge(no_because, text)
        made = keep_supported(section, SELECTED, material, model, 2, Silent())  # type: ignore[arg-type]
        return made.section.paragraphs[0][0]

    assert not loosened("Sleep improves recall, as Halloran shows.").aside
    assert loosened("Sleep improves recall, as Kowalczyk shows.").aside
    assert loosened("Sleep improves recall by 43 percent.").aside, "a figure that no passage has"


def test_cancel_ends_it() -> None:
    class Stop(Silent):
        def check(self) -> None:
            raise Cancelled("Stopped.")

    section = Section("", ((Sentence(JOINED, ("1", "2")),),))
    with pytest.raises(Cancelled):
        keep_supported(section, SELECTED, Material.of(SELECTED), Judge(lambda _: "supported"), 2, Stop())  # type: ignore[arg-type]
