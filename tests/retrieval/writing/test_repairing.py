"""A repair asks for the faulty sentences, shows the whole answer, and keeps what was right."""

from __future__ import annotations

import json
from typing import Any

from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.types import Query
from texgeist_retrieval.writing import AnthropicModel, ModelWriter
from texgeist_retrieval.writing.model.repair import mended, sentences_of

GOOD: dict[str, Any] = {
    "text": "Passages are ranked by meaning in one line of work.",
    "evidence": ["1a"],
    "textual": False,
}
BAD = {"text": r"See \cite{smith} for more.", "evidence": ["2a"], "textual": False}
LAST = {"text": "Our work writes from what it finds.", "evidence": [], "textual": False}
ANSWER = {
    "paragraphs": [{"theme": "t", "sentences": [GOOD, BAD]}, {"theme": "u", "sentences": [LAST]}],
    "unused": [],
}


def write(server: Any, turn: Any, selected: Any, query: Query, *answers: Any) -> Any:
    told = list(answers)
    server.brain = lambda request: turn(told.pop(0))
    writer = ModelWriter(AnthropicModel("test", "sk-test", server.url, 20.0), summaries=False)
    return writer.write(query, selected(2), Silent())


def test_only_the_faulty_sentence_is_asked_for(server: Any, turn: Any, selected: Any, query: Query) -> None:
    new = {"number": 2, "added": False, "lead": "", "text": "A second kind has its own passages.",
           "evidence": ["2a"], "textual": False, "more": []}  # fmt: skip
    written = write(server, turn, selected, query, ANSWER, {"sentences": [new], "unused": []})
    texts = [s.text for p in written.section.paragraphs for s in p.sentences]
    assert texts == [GOOD["text"], new["text"], LAST["text"]]
    assert len(server.requests) == 2
    asked = json.dumps(server.requests[1], ensure_ascii=False)
    assert "Sentence 2: " in asked and "Sentence 1: " not in asked
    assert GOOD["text"] in asked, "the answer is shown whole"
    assert "holds LaTeX" in asked


def test_a_forgotten_paper_is_added_behind_a_sentence(
    server: Any, turn: Any, selected: Any, query: Query
) -> None:
    first = {"paragraphs": [{"theme": "t", "sentences": [GOOD, LAST]}], "unused": []}
    new = {"number": 1, "added": True, "text": "Another kind exists.", "evidence": ["2a"], "textual": False}
    written = write(server, turn, selected, query, first, {"sentences": [new], "unused": []})
    texts = [s.text for p in written.section.paragraphs for s in p.sentences]
    assert texts == [GOOD["text"], "Another kind exists.", LAST["text"]] and not written.unused


def test_a_repair_leaves_out_nothing_that_was_right(
    server: Any, turn: Any, selected: Any, query: Query
) -> None:
    """Else a section shrinks to the one sentence that was asked for."""
    new = {"number": 2, "added": False, "text": "Another kind exists.", "evidence": ["2a"], "textual": False}
    gone = [{**new, "number": n, "text": "", "evidence": []} for n in (1, 3)]
    written = write(server, turn, selected, query, ANSWER, {"sentences": [*gone, new], "unused": []})
    texts = [s.text for p in written.section.paragraphs for s in p.sentences]
    assert texts == [GOOD["text"], "Another kind exists.", LAST["text"]] and not written.unused


def test_a_sentence_that_stays_bad_is_refused_as_before(
    server: Any, turn: Any, selected: Any, query: Query
) -> None:
    import pytest
    from texgeist_retrieval.errors import WriterInvalid

    again = {"number": 2, "added": False, **BAD}
    with pytest.raises(WriterInvalid):
        write(server, turn, selected, query, ANSWER, {"sentences": [again], "unused": []})


def test_a_faulty_sentence_may_be_left_out(server: Any, turn: Any, selected: Any, query: Query) -> None:
    gone = {"number": 2, "added": False, "text": "", "evidence": [], "textual": False}
    unused = [{"paper": "P2", "reason": "off the subject"}]
    written = write(server, turn, selected, query, ANSWER, {"sentences": [gone], "unused": unused})
    assert [s.text for p in written.section.paragraphs for s in p.sentences] == [GOOD["text"], LAST["text"]]
    assert written.unused == (("2101.00002", "off the subject."),)


def test_mending_takes_what_has_the_form_and_nothing_else() -> None:
    strange = {
        "sentences": [None, 3, {"number": "2"}, {"number": True, "text": 4}, {"number": 99, "text": "x"}]
    }
    assert sentences_of(mended(ANSWER, strange)) == [GOOD, BAD, LAST]
    assert mended(ANSWER, [1]) == [1] and mended(ANSWER, {"paragraphs": []}) == {"paragraphs": []}
    assert sentences_of({"paragraphs": [1, {"sentences": 3}]}) == []
