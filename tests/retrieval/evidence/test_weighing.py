"""Passages weighed by a model, several in a call, over a real snapshot."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from texgeist_retrieval.errors import (
    WriterError,
    WriterInvalid,
    WriterRefused,
    WriterTruncated,
    WriterUnavailable,
)
from texgeist_retrieval.evidence.methods import PAPERQA
from texgeist_retrieval.evidence.search import PassageSearch
from texgeist_retrieval.evidence.weighing import (
    MOST_IN_VAIN,
    ModelWeigher,
    checked,
)
from texgeist_retrieval.index import snapshot
from texgeist_retrieval.ranking.fusion import evidence_score
from texgeist_retrieval.types import Evidence, Paper, Passage, Usage

from ..agent.conftest import WordEmbedder
from .conftest import silent


class Scripted:
    """A model that gives the relevance that is written for a word of the passage, and counts its calls."""

    name, local = "scripted", True

    def __init__(self, relevance: Mapping[str, Any]) -> None:
        self.relevance = relevance
        self.calls = self.of_several = 0
        self._lock = threading.Lock()

    def prepare(self) -> None: ...

    def complete_json(self, system: str, user: str, schema: Any, **_: Any) -> tuple[Any, Usage]:
        with self._lock:
            self.calls += 1
        blocks = re.findall(r'<passage id="(\d+)"(.*?)</passage>', user, re.S)
        several = len(schema["properties"]["passages"]["items"]["properties"]["id"]["enum"]) > 1
        self.of_several += several
        given = [{"id": id, "summary": "It  matters.", "relevance": self.said(text)} for id, text in blocks]
        answer = {"passages": given}
        return self.spoil(answer) if several else answer, Usage(1, 10, 5)

    def said(self, text: str) -> Any:
        said = next(value for word, value in self.relevance.items() if word in text)
        if isinstance(said, Exception):
            raise said
        return said

    def spoil(self, answer: Any) -> Any:
        """What becomes of an answer on several passages."""
        return answer


QUERY = "sentences of a language, their pronouns, alignments and trees"


def weighed(found: snapshot.Snapshot, model: Scripted) -> PassageSearch:
    return PassageSearch(found, WordEmbedder(), ModelWeigher(model))


def test_the_score_of_a_model_orders_drops_and_is_shown(found: snapshot.Snapshot) -> None:
    result = weighed(found, Scripted({"Pronouns": 0.0, "alignments": 0.9, "chart": 0.5})).search(
        QUERY, silent()
    )
    papers = [one.passage.paper_id for one in result.evidence]
    assert papers[0] == "alignment" and "parsing" in papers and "pronouns" not in papers
    for one in result.evidence:
        assert one.relevance is not None and one.summary == "It matters."
        assert one.score == pytest.approx(evidence_score(one.similarity, one.relevance))
    assert [one.score for one in result.evidence] == sorted(
        (one.score for one in result.evidence), reverse=True
    )


def test_the_published_method_rates_each_passage_in_its_own_call(found: snapshot.Snapshot) -> None:
    """One passage of a paper, up to 20 of them."""
    model = Scripted({"Pronouns": 0.7, "alignments": 0.9, "chart": 0.5, "": 0.4})
    own = weighed(found, model)
    published = replace(own, weigher=ModelWeigher(model, one_by_one=True), method=PAPERQA)
    result = published.search(QUERY, silent())
    papers = [one.passage.paper_id for one in result.evidence]
    assert len(papers) == len(set(papers)) > 1
    assert model.of_several == 0 and model.calls == result.usage.calls >= len(papers)


@pytest.mark.parametrize("wrong", [7, -1, "high", None, True, float("nan")])
def test_a_relevance_beyond_its_range_is_no_relevance(found: snapshot.Snapshot, wrong: Any) -> None:
    model = Scripted({"Pronouns": wrong, "alignments": 0.9, "chart": 0.5})
    result = weighed(found, model).search(QUERY, silent())
    assert "pronouns" not in {one.passage.paper_id for one in result.evidence}
    assert any("did not weigh" in note for note in result.notes)


def test_where_every_call_fails_words_and_vectors_choose(found: snapshot.Snapshot) -> None:
    failure = WriterInvalid("It answered in prose.", "Try again.")
    result = weighed(found, Scripted({"": failure})).search(QUERY, silent())
    assert result.evidence and all(one.relevance is None for one in result.evidence)
    assert any("words and vectors alone" in note for note in result.notes)


def of(*texts: str) -> list[Evidence]:
    return [Evidence(str(n), Passage(f"p{n}", 1, text), 0.5, 0.5) for n, text in enumerate(texts, 1)]


def papers_of(evidence: list[Evidence]) -> dict[str, Paper]:
    return {one.passage.paper_id: Paper(one.passage.paper_id, "A title") for one in evidence}


class Spoiling(Scripted):
    """Weighs one passage well, and several as `how` has it."""

    def __init__(self, how: Any) -> None:
        super().__init__({"": 0.8})
        self.how = how

    def spoil(self, answer: Any) -> Any:
        if isinstance(self.how, Exception):
            raise self.how
        return self.how(answer["passages"])


@pytest.mark.parametrize(
    ("how", "alone"),
    [
        (lambda given: {"passages": given[:2]}, 2),  # some forgotten
        (lambda given: {"passages": [*given, given[0]]}, 1),  # one weighed twice
        (lambda given: {"passages": [{**given[0], "relevance": 7}, *given[1:]]}, 1),
        (lambda given: {"passages": [{**given[0], "id": "9"}, *given[1:]]}, 4),
        (
            lambda given: {"passages": [{**one, "id": str(int(one["id"]) - 1)} for one in given]},
            4,
        ),  # from 0 on
        (lambda given: {"passages": [{**given[0], "summary": "It was 12.4."}, *given[1:]]}, 1),  # another's
        (lambda given: {"passages": [None, "text", *given]}, 0),
        (lambda given: "I would rather talk.", 4),
        (lambda given: {"passages": []}, 4),
        (lambda given: {"passages": [{**one, "relevance": True} for one in given]}, 4),
        (WriterTruncated("It was cut off.", ""), 4),
        (WriterRefused("It declined.", ""), 4),
    ],
)
def test_what_does_not_stand_is_asked_for_by_itself(how: Any, alone: int) -> None:
    evidence = of("Sleep helps.", "Recall was 12.4 points better.", "Naps do not.", "Age matters.")
    model = Spoiling(how)
    result = ModelWeigher(model).weigh("sleep", evidence, papers_of(evidence), silent())
    assert {one.relevance for one in result.evidence} == {0.8} and len(result.evidence) == 4
    assert all(one.summary == "It matters." for one in result.evidence) and not result.notes
    assert model.calls - model.of_several == alone


@pytest.mark.parametrize("failure", [WriterInvalid, WriterTruncated, WriterRefused])
def test_a_model_that_never_keeps_to_the_form_is_soon_asked_no_more(failure: type[WriterError]) -> None:
    evidence = of(*(f"Sleep helps {name}." for name in ("cats", "dogs", "mice", "rats", "cows", "hens")))
    model = Scripted({"": failure("It did not answer in the form.", "Try a larger one.")})
    weigher = ModelWeigher(model, concurrency=1)
    for query in ("sleep", "naps", "rest"):
        result = weigher.weigh(query, evidence, papers_of(evidence), silent())
        assert len(result.evidence) == 6 and "It did not answer in the form." in result.notes[0]
    asked = 1 if failure is WriterRefused else 2  # what can be mended is asked for once more
    assert model.of_several <= 6 and model.calls - model.of_several == asked * MOST_IN_VAIN


def test_a_server_that_is_away_is_not_asked_passage_by_passage() -> None:
    evidence = of(*["Sleep helps."] * 12)
    model = Spoiling(WriterUnavailable("The server does not answer.", "Start it."))
    result = ModelWeigher(model).weigh("sleep", evidence, papers_of(evidence), silent())
    assert model.calls == model.of_several == 2 and len(result.evidence) == 12
    assert "The server does not answer." in result.notes[0]


@pytest.mark.parametrize(
    ("summary", "stands"),
    [
        ("Recall was 12.4 points better.", True),  # its own
        ("In 30 adults, it helps.", True),  # the query's
        ("It helps by 7.", False),  # another's
        ("It helps by 99.", True),  # of none of them: that is no mix-up
        ("BM25 helps.", True),
    ],
)
def test_a_summary_with_a_figure_of_another_passage_does_not_stand(summary: str, stands: bool) -> None:
    evidence = dict(zip("12", of("Recall was 12.4 points better.", "It was 7 % and 25."), strict=True))
    given = {"passages": [{"id": "1", "summary": summary, "relevance": 0.5}]}
    assert ("1" in checked(given, evidence, "sleep in 30 adults")[0]) == stands
