"""A sentence of one paper that is credited to another is sent back with the right evidence, and then left out; the words
of others and of the draft are free in short runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.types import Candidate, Evidence, Paper, Passage, Selected
from texgeist_retrieval.writing import AnthropicModel, ModelWriter
from texgeist_retrieval.writing.model.belonging import Belonging, Sources

from ..model_server import Turn
from .conftest import QUERY
from .texts import answer, corrections

ABSTRACTS = {
    "Ranking by Late Interaction": "We keep one vector for each token of a passage. LateX sums the best match of every "
    "query token, so that passages can be indexed beforehand and are still compared word by word.",
    "Forgetting in Federated Learning": "A client of a federated model may ask to be forgotten. We roll back the "
    "updates that it has sent and retrain for few rounds, with a proof of convergence.",
    "Calibration of Click Models": "Predicted click rates are often too high. We correct them field by field with "
    "isotonic functions whose strength depends on how many samples a field has.",
}
RETOLD = {
    "1": "Passages are indexed token by token, and a query looks for the best match of each of its tokens.",
    "2": "The contribution of one participant can be erased by undoing its updates and a short retraining.",
    "3": "Click probabilities are adjusted per field, more strongly where many samples were seen.",
}


@pytest.fixture(scope="module")
def embedder(model_folder: Path) -> Embedder:
    return load_embedder(model_folder)


@pytest.fixture(scope="module")
def papers() -> list[Selected]:
    return [
        Selected(
            Candidate(Paper(f"2101.0000{n}", title, abstract), 0.5, n),
            (Evidence(str(n), Passage(f"2101.0000{n}", None, abstract), 0.5),),
            0.5,
        )
        for n, (title, abstract) in enumerate(ABSTRACTS.items(), start=1)
    ]


@pytest.fixture(scope="module")
def belonging(papers: list[Selected], embedder: Embedder) -> Belonging:
    return Belonging(papers, embedder)


def test_retold_sentences_stay_with_their_paper_and_leave_any_other(belonging: Belonging) -> None:
    ids = {n: f"2101.0000{n}" for n in RETOLD}
    for n, text in RETOLD.items():
        assert belonging.elsewhere(text, [ids[n]]) is None
        for other in ids.keys() - {n}:
            found = belonging.elsewhere(text, [ids[other]])
            assert found is not None and found.better == ids[n] and found.cited == ids[other]


@pytest.mark.parametrize("learns", [True, False])
def test_a_model_that_swaps_evidence_is_asked_again_and_no_section_is_lost(
    learns: bool, papers: list[Selected], embedder: Embedder, server: Any
) -> None:
    def answers(request: dict[str, Any]) -> Any:
        if "“Forgetting in Federated Learning” (2)" in json.dumps(request, ensure_ascii=False):
            return Turn(corrections((2, f"{RETOLD['2'][:-1]} [{2 if learns else 3}].")))
        return Turn(answer(" ".join(f"{RETOLD[n][:-1]} [{e}]." for n, e in zip("123", "133", strict=True))))

    server.brain = answers
    model = AnthropicModel("test", "sk-test", server.url)
    written = ModelWriter(model, summaries=False, embedder=embedder).write(QUERY, papers, Silent())
    cited = [s.evidence for s in written.section.sentences]
    assert len(server.requests) == 2
    assert cited == ([("1",), ("2",), ("3",)] if learns else [("1",), ("3",)])
    assert bool(written.notes) is not learns and [id for id, _ in written.unused] == (
        [] if learns else ["2101.00002"]
    )


ONE = (
    "Late interaction keeps a vector for every token of a passage and sums the best matches of each query token, "
    "which costs more space than one vector."
)
OTHER = "Learned sparse models expand a passage with words that it does not hold and weigh each of them by context."
TITLE = "Late Interaction for the Efficient Search of Large Collections of Short Texts on the Web"
DRAFT = (
    "We study how compressed token vectors change the order of passages in legal search, and find that the first "
    "ten stay as they are."
)


@pytest.fixture
def sources() -> Sources:
    return Sources.of({"1": ONE, "2": OTHER}, [TITLE], DRAFT)


def test_a_passage_of_the_cited_paper_is_told_apart_from_anothers(sources: Sources) -> None:
    assert "copies its source word for word" in sources.problem(ONE, ["1"])
    assert "copies passage 1 word for word and does not cite it" in sources.problem(ONE, ["2"])
    assert "copies passage 2 word for word" in sources.problem(OTHER, [])


WRITTEN = "Compressed vectors were first tried on news. Of their cost in legal search nothing was known until lately."


def test_what_the_author_has_written_is_not_said_again() -> None:
    sources = Sources.of({"1": ONE}, [TITLE], DRAFT, f"{WRITTEN} Two follow {TITLE}.")
    for text in ("Compressed vectors were first tried on news.", WRITTEN):
        assert "stands in the section already" in sources.problem(text, ["1"])
    assert not sources.problem("Compressed vectors were first tried on maps.", ["1"])
    assert not sources.problem("Compressed vectors were first tried.", ["1"])
    assert not sources.problem(f"{TITLE}.", ["1"]), "a title is no repetition"


def test_short_runs_and_titles_are_free(sources: Sources) -> None:
    assert not sources.problem("Late interaction keeps a vector for every token, and others keep one.", ["2"])
    assert not sources.problem(f"One of them is called {TITLE}.", ["2"])


def test_the_draft_is_not_repeated_at_length(sources: Sources) -> None:
    assert "repeats the draft's abstract" in sources.problem(DRAFT, [])
    assert "for what the draft says of itself" in sources.problem(DRAFT, ["1"])
    assert not sources.problem("Here too, compressed token vectors are studied in legal search.", [])
