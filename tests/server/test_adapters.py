"""What the settings select: the order of papers, and how a section is written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from texgeist_retrieval.errors import RetrievalError
from texgeist_retrieval.ranking.ranker import HybridRanker, LearnedRanker, LexiconRanker
from texgeist_retrieval.types import Query, QueryPart
from texgeist_retrieval.writing import ModelWriter, OpenAIModel, SmallWriter
from texgeist_server.adapters import (
    RANKED_MODEL,
    build_model,
    expander_for,
    model_writer,
    ranker_for,
    setup_of,
    strands_for,
)
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.sections.requests import Choice
from texgeist_server.sections.runs import first_choice

from ..retrieval.agent.conftest import WordEmbedder
from ..retrieval.model_server import ModelServer, Turn
from ..retrieval.writing.conftest import make_selected
from .slow import SlowModel
from .test_cli import texgeist


class Named:
    dimension = 768

    def __init__(self, name: str) -> None:
        self.name = name


def kind(order: str, model: str, notes: list[str]) -> type:
    settings = Settings.model_validate({"relatedWork": {"order": order}})
    return type(ranker_for(settings, Named(model), notes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("order", "model", "expected"),
    [
        ("learned", RANKED_MODEL, LearnedRanker),
        ("learned", "another-model", HybridRanker),
        ("hybrid", RANKED_MODEL, HybridRanker),
        ("lexicon", RANKED_MODEL, LexiconRanker),
        ("lexicon", "another-model", HybridRanker),
        ("similarity", RANKED_MODEL, type(None)),
        ("similarity", "another-model", type(None)),
    ],
)
def test_the_order_is_the_users_choice_where_the_model_allows_it(order, model, expected):
    notes: list[str] = []
    assert kind(order, model, notes) == expected and notes == []


def test_torn_weights_leave_similarity_and_a_note(monkeypatch):
    def torn(*_):
        raise RetrievalError("The weights are torn.", "Mend them.")

    monkeypatch.setattr(LearnedRanker, "load", torn)
    notes: list[str] = []
    assert kind("learned", RANKED_MODEL, notes) is type(None)
    assert notes == ["The weights are torn. Mend them. Papers were ordered by similarity alone."]


FAR, HERE = "https://models.example/v1", "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("address", "settings", "twice"),
    [(FAR, {}, True), (FAR, {"calls": ()}, False), (HERE, {"path": "strong"}, False)],
)
def test_a_model_elsewhere_reads_its_section_twice(
    address: str, settings: dict[str, object], twice: bool
) -> None:
    writer = model_writer(Settings.model_validate({"writer": settings}), OpenAIModel("m", base_url=address))
    assert isinstance(writer, ModelWriter)
    query = Query("abstract", (QueryPart("We rank.", "abstract"),), "We rank.", "Ranking")
    sent = writer.preview(query, [make_selected(n) for n in range(1, 9)])
    assert ("You review this" in sent) is twice


@pytest.mark.parametrize(
    ("address", "path", "small"),
    [(FAR, "auto", False), (FAR, "small", True), (HERE, "auto", True), (HERE, "strong", False)],
)
def test_the_path_for_small_models_is_taken_on_this_machine_or_as_chosen(
    address: str, path: str, small: bool
) -> None:
    settings, model = Settings.model_validate({"writer": {"path": path}}), OpenAIModel("m", base_url=address)
    assert isinstance(model_writer(settings, model), SmallWriter) is small
    assert (strands_for(settings, model) == (None, None)) is small


def test_a_model_on_this_machine_has_the_time_of_a_section_for_an_answer() -> None:
    for address, given, seconds in ((FAR, 120, 120), (HERE, 120, 360), (HERE, 600, 600)):
        raw = {"writer": {"baseUrl": address, "timeoutSeconds": given}}
        model = build_model(Settings.model_validate(raw), Keys(models={"openai": "k"}), "openai")
        assert isinstance(model, OpenAIModel) and model._timeout == seconds


def test_citegeists_method_sets_the_values_of_the_published_pipeline() -> None:
    raw = {"relatedWork": {"method": "citegeist"}, "writer": {"baseUrl": FAR, "model": "m"}}
    settings = setup_of(Settings.model_validate(raw), Keys()).settings
    model = OpenAIModel("m", base_url=FAR)
    assert strands_for(settings, model) == (None, None)
    assert ranker_for(settings, WordEmbedder(), []) is None and expander_for(settings, model) is None
    assert first_choice(Settings.model_validate(raw)) == Choice(10, 2, 0.0)
    writer = model_writer(settings, model)
    query = Query("abstract", (QueryPart("We rank.", "abstract"),), "We rank.", "Ranking")
    papers = [make_selected(n) for n in range(1, 4)]
    text = writer.preview(query, papers)
    *summaries, section = text.split("=== the section ===")
    assert text.count("=== summary of") == 3 and "You review this" not in text
    passage = papers[0].evidence[0].passage.text
    assert passage in summaries[0] and passage not in section and 'id="1' in section


def test_a_section_on_the_command_line_by_a_model_that_fails_is_the_notes(
    paper: Path, searching: dict[str, str], model: ModelServer
) -> None:
    model.brain = lambda _: Turn("{")
    Path(searching["TEXGEIST_CONFIG"]).write_text(
        f'[writer]\nprovider = "openai"\nbaseUrl = "{model.url}/v1"\nmodel = "m"\n'
    )
    command = ("related-work", str(paper / "main.tex"), "--json", "--writer")
    notes, tried = (json.loads(texgeist(searching, *command, w).stdout) for w in ("extractive", "auto"))
    assert tried["writer"] == "extractive" and model.requests
    advice = " For prose, choose a large language model, with the setting writer.provider or with --writer on the command line."
    tried, notes = (" ".join(one["section"]["latex"].replace("%   ", "").split()) for one in (tried, notes))
    assert tried == notes.replace(advice, "")


ASKED = "its related-work section would cite"


def configure(model: SlowModel, env: dict[str, str], expansion: bool) -> None:
    written = [f'{name} = "{value}"' for name, value in model.settings()["writer"].items()]
    Path(env["TEXGEIST_CONFIG"]).write_text(
        "\n".join(["[writer]", *written, "calls = ['expansion']" if expansion else "calls = []"])
    )


@pytest.mark.parametrize("expansion", [True, False])
def test_the_model_is_asked_first_where_it_is_wanted(
    paper: Path, searching: dict[str, str], slow_model: SlowModel, expansion: bool
) -> None:
    configure(slow_model, searching, expansion)
    command = ("related-work", str(paper / "main.tex"), "--breadth", "2", "--json")

    shown = json.loads(texgeist(searching, *command, "--dry-run").stdout)

    assert slow_model.prompts == []
    assert (ASKED in shown["text"]) == expansion
    done = texgeist(searching, *command)
    assert done.returncode == 0, done.stderr
    assert [ASKED in prompt for prompt in slow_model.prompts].count(True) == expansion
    if expansion:
        _, user = json.loads(slow_model.prompts[0])
        assert user["content"] in shown["text"], "the exact text"
