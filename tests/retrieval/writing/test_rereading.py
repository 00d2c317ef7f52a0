"""A second reading mends sentences of a section that stands; whatever it gives, the section is never the worse."""

from __future__ import annotations

import json
from typing import Any

import pytest
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.writing import ModelWriter

from ..model_server import Turn, model_at
from .conftest import QUERY, selected

PAPERS = 8  # from which on an answer begins with its outline, and is read once more


def said(text: str, *evidence: str) -> dict[str, Any]:
    return {"lead": "", "text": text, "evidence": [*evidence], "textual": False, "more": []}


def anew(number: int, text: str, *evidence: str, added: bool = False) -> dict[str, Any]:
    return {"number": number, "added": added, **said(text, *evidence)}


OLD = [said(f"Model-{n} orders what a reader sees.", f"{n}a") for n in range(1, PAPERS + 1)]
LAST = said("Our work writes from what it finds.")
ANSWER = {"paragraphs": [{"theme": "t", "sentences": OLD}, {"theme": "u", "sentences": [LAST]}], "unused": []}
TEXTS = [str(s["text"]) for s in (*OLD, LAST)]
NEW = "Passages are put in order by this one."


def reader(server: Any, second: bool = True) -> ModelWriter:
    return ModelWriter(model_at("anthropic", server.url), summaries=False, second_reading=second)


def write(server: Any, *answers: Any) -> Any:
    told = list(answers)
    server.brain = lambda _: Turn(told.pop(0))
    return reader(server).write(QUERY, selected(PAPERS), Silent())


def texts(written: Any) -> list[str]:
    return [s.text for p in written.section.paragraphs for s in p.sentences]


def test_what_it_gives_anew_stands_and_the_rest_stays(server: Any) -> None:
    given = {
        "sentences": [anew(2, NEW, "2a"), anew(3, "Both are rankers.", "2a", "3a", added=True)],
        "unused": [],
    }
    written = write(server, ANSWER, given)
    assert texts(written) == [TEXTS[0], NEW, TEXTS[2], "Both are rankers.", *TEXTS[3:]]
    assert written.usage.calls == len(server.requests) == 2, "both are counted"
    asked = json.dumps(server.requests[1], ensure_ascii=False)
    assert "(paragraph 2)" in asked and f"9. {LAST['text']}" in asked and "Read the section now" in asked


@pytest.mark.parametrize(
    "given",
    [
        {"sentences": [], "unused": []},
        {"sentences": [anew(2, r"See \cite{smith} for more.", "2a")], "unused": []},
        {"sentences": [anew(2, "Smith et al. (2019) rank passages.", "2a")], "unused": []},
        {"sentences": [anew(2, NEW, "99z")], "unused": []},
        {"sentences": [anew(2, "")], "unused": []},  # the only one that cites its paper
        {"sentences": [anew(77, NEW, "2a")], "unused": []},
        {"sentences": [7, None, {"number": "2", "text": NEW}], "unused": []},
        {"sentences": [{**anew(2, r"See \cite{smith}.", "2a"), "number": [2]}], "unused": []},
        {"sentences": [anew(2, NEW)], "unused": []},  # what it stood on is gone
        {"sentences": [anew(2, ""), {**anew(5, NEW, "2a", added=True), "number": {}}], "unused": []},
        {"sentences": [anew(9, ""), anew(0, NEW, "2a", added=True)], "unused": []},
        {"sentences": "none"},
        {"paragraphs": []},
        [],
    ],
)
def test_what_does_not_pass_leaves_the_section_as_it_was(server: Any, given: Any) -> None:
    written = write(server, ANSWER, given)
    assert texts(written) == TEXTS and not written.notes and not written.unused


def test_a_reader_takes_no_section_away(server: Any) -> None:
    """One sentence that cites all of them loses no paper, and is no section."""
    all_of_them = said("All of these order what a reader sees.", *(f"{n}a" for n in range(1, PAPERS + 1)))
    answer = {**ANSWER, "paragraphs": [{"theme": "t", "sentences": [*OLD, all_of_them, LAST]}]}
    taken = {"sentences": [anew(n, "") for n in range(1, PAPERS + 1)], "unused": []}
    assert len(texts(write(server, answer, taken))) == PAPERS + 2
    fewer = {"sentences": [anew(n, "") for n in range(1, 3)], "unused": []}
    assert len(texts(write(server, answer, fewer))) == PAPERS


MOVED = anew(5, "Passages are put in order by this one.", "2a", added=True)
BAD = "[3] says so."


@pytest.mark.parametrize(
    "given, wanted",
    [
        ([anew(2, ""), {**MOVED, "text": BAD}], TEXTS),  # the copy is refused: nothing is taken out
        ([anew(1, ""), anew(2, ""), MOVED], TEXTS),  # 1 goes for good, with its paper: nor is 2 told twice
        ([anew(2, NEW, "2a"), anew(2, BAD, "2a", added=True)], TEXTS),  # half a sentence
        ([anew(2, ""), MOVED], [TEXTS[0], *TEXTS[2:5], MOVED["text"], *TEXTS[5:]]),
        ([anew(2, ""), MOVED, anew(3, BAD, "3a")], [TEXTS[0], *TEXTS[2:5], MOVED["text"], *TEXTS[5:]]),
    ],
)
def test_what_moves_is_told_once(server: Any, given: list[Any], wanted: list[str]) -> None:
    assert texts(write(server, ANSWER, {"sentences": given, "unused": []})) == wanted


def test_a_reader_who_fails_costs_no_section(server: Any) -> None:
    answers = [ANSWER]

    def brain(request: Any) -> Any:
        return Turn(answers.pop(0)) if answers else {"status": 400, "body": {"error": {"message": "no"}}}

    server.brain = brain
    written = reader(server).write(QUERY, selected(PAPERS), Silent())
    assert texts(written) == TEXTS and len(server.requests) >= 2


def test_it_is_told_and_counted_before_anything_is_sent(server: Any) -> None:
    once, twice = reader(server, second=False), reader(server)
    assert twice.estimate(QUERY, selected(PAPERS)).calls == once.estimate(QUERY, selected(PAPERS)).calls + 1
    assert "Read the section now" in twice.preview(QUERY, selected(PAPERS))
    assert "Read the section now" not in once.preview(QUERY, selected(PAPERS))
    assert not server.requests
