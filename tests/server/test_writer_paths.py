"""How a section is written, and whose is read a second time: the settings and the model's place say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from texgeist_retrieval.defaults import Numbers
from texgeist_retrieval.types import Query, QueryPart
from texgeist_retrieval.writing import ModelWriter, OpenAIModel, SmallWriter
from texgeist_server.adapters import (
    expander_for,
    model_writer,
    picker_for,
    ranker_for,
    setup_of,
    strands_for,
)
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.sections.runs import numbers_of

from ..retrieval.agent.conftest import WordEmbedder
from ..retrieval.model_server import ModelServer, Turn
from ..retrieval.writing.conftest import make_selected
from .test_cli import texgeist

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
    assert (strands_for(settings, model) is None) is (picker_for(settings, model) is None) is small


def test_citegeists_method_sets_the_values_of_the_published_pipeline() -> None:
    raw = {"relatedWork": {"method": "citegeist"}, "writer": {"baseUrl": FAR, "model": "m"}}
    settings = setup_of(Settings.model_validate(raw), Keys()).settings
    model = OpenAIModel("m", base_url=FAR)
    assert strands_for(settings, model) is None and picker_for(settings, model) is None
    assert ranker_for(settings, WordEmbedder(), []) is None and expander_for(settings, model) is None
    assert numbers_of(Settings.model_validate(raw)) == Numbers(10, 2, 0.0)
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
    assert tried["writer"] == "openai m, sentence by sentence" and model.requests
    assert tried["section"]["latex"] == notes["section"]["latex"]
