"""A sentence of one paper that is credited to another is sent back with the right evidence, and then left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from texgeist_retrieval.embedding import load_embedder
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.types import Candidate, Evidence, Paper, Passage, Query, Selected
from texgeist_retrieval.writing import AnthropicModel, ModelWriter
from texgeist_retrieval.writing.model.belonging import Belonging
from texgeist_retrieval.writing.model.checks import Material, check_section

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
            "near",
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


def test_one_of_several_papers_may_carry_a_sentence(belonging: Belonging) -> None:
    text = "All of these papers look for ways to do better with few samples."
    assert belonging.elsewhere(text, ["2101.00001", "2101.00002", "2101.00003"]) is None
    assert belonging.elsewhere(RETOLD["1"], ["2101.00002", "2101.00003"]) is not None


def test_the_complaint_names_the_right_passage_and_a_second_slip_falls_out(
    papers: list[Selected], embedder: Embedder
) -> None:
    material = Material.of(papers, "", embedder)

    def answer(swapped: str) -> dict[str, Any]:
        evidence = {"1": "1", "2": swapped, "3": "3"}
        sentences = [{"text": RETOLD[n], "evidence": [e], "textual": False} for n, e in evidence.items()]
        return {"paragraphs": [{"theme": "", "sentences": sentences}]}

    assert not check_section(answer("2"), material, set(), 500).problems
    (problem,) = check_section(answer("3"), material, set(), 500).problems
    assert "“Forgetting in Federated Learning” (passage 2)" in problem
    left = check_section(answer("3"), material, set(), 500, drop=True)
    assert not left.problems and len(left.section.paragraphs[0].sentences) == 2


@pytest.mark.parametrize("learns", [True, False])
def test_a_model_that_swaps_evidence_is_asked_again_and_no_section_is_lost(
    learns: bool, papers: list[Selected], embedder: Embedder, server: Any, turn: Any, query: Query
) -> None:
    def answers(request: dict[str, Any]) -> Any:
        mended = learns and "(passage 2)" in json.dumps(request, ensure_ascii=False)
        evidence = {"1": "1", "2": "2" if mended else "3", "3": "3"}
        sentences = [{"text": RETOLD[n], "evidence": [e], "textual": False} for n, e in evidence.items()]
        return turn({"paragraphs": [{"theme": "", "sentences": sentences}], "unused": []})

    server.brain = answers
    model = AnthropicModel("test", "sk-test", server.url)
    written = ModelWriter(model, summaries=False, embedder=embedder).write(query, papers, Silent())
    cited = [s.evidence for p in written.section.paragraphs for s in p.sentences]
    assert len(server.requests) == 2
    assert cited == ([("1",), ("2",), ("3",)] if learns else [("1",), ("3",)])
    assert bool(written.notes) is not learns and [id for id, _ in written.unused] == (
        [] if learns else ["2101.00002"]
    )
