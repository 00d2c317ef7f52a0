"""Another embedding model for one's own library, by settings."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from texgeist_retrieval.errors import ModelMissing, ModelUnusable
from texgeist_server.config.settings import EmbeddingSettings, Settings
from texgeist_server.embedders import build_embedder, is_ours, made_by

from ..local_index import Run, commands, end_servers
from ..retrieval.embedding.test_served import by_length, rows, server

BIB = """
@article{knuth1984, title = {Literate Programming}, author = {Donald E. Knuth}, year = 1984,
  abstract = {programs are written for people as works of literature}}
@article{dijkstra1968, title = {Go To}, author = {Edsger W. Dijkstra}, year = 1968,
  abstract = {the jump makes the course of a process hard to follow}}
"""


def settings(model: str = "all-mpnet-base-v2", device: str = "cpu") -> Settings:
    return Settings(embedding=EmbeddingSettings(model=model, device=device))


@pytest.fixture(scope="module")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of sentence-transformers with 16 numbers a vector, made here."""
    modules = pytest.importorskip("sentence_transformers.sentence_transformer.modules")
    from sentence_transformers import SentenceTransformer
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = sorted(set(BIB.replace("{", " ").replace("}", " ").split()))
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(["?", *words])}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    folder = tmp_path_factory.mktemp("models") / "small"
    static = modules.StaticEmbedding(tokenizer, embedding_dim=16)
    SentenceTransformer(modules=[static], device="cpu").save(str(folder))
    return folder


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    data = tmp_path / "data"
    data.mkdir()
    yield commands(monkeypatch, tmp_path, data)
    end_servers(data)


def test_the_base_install_computes_our_model_on_a_processor_alone() -> None:
    assert is_ours(settings()) and is_ours(settings("sentence-transformers/all-mpnet-base-v2"))
    assert not is_ours(settings(device="cuda")) and not is_ours(settings("allenai-specter"))
    assert made_by(settings(device="cuda")) == ("all-mpnet-base-v2", 768)


@pytest.mark.parametrize("device", ["gpu", "cuda:x", "cpu; rm", "CUDA", ""])
def test_a_device_that_there_is_not_is_no_setting(device: str) -> None:
    with pytest.raises(ValueError, match="device"):
        settings(device=device)


def test_without_the_extra_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModelUnusable) as caught:
        build_embedder(settings("allenai-specter"))
    assert "pip install '.[torch]'" in caught.value.sentence()
    assert isinstance(caught.value, ModelMissing)


@pytest.mark.slow
def test_a_model_that_is_not_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    pytest.importorskip("sentence_transformers")
    with pytest.raises(ModelUnusable, match="cannot be loaded"):
        build_embedder(settings(str(tmp_path / "nowhere")))


@pytest.mark.slow
def test_a_library_of_another_model_remembers_it_and_is_searched_by_it_alone(
    run: Run, small_model: Path, tmp_path: Path
) -> None:
    (tmp_path / "my.bib").write_text(BIB)
    other = f'[embedding]\nmodel = "{small_model}"\n'
    assert "2 new" in run("index", "add", "my.bib", config=other).stdout
    found = json.loads(run("search", "programs for people", "--json", config=other).stdout)
    assert found[0]["title"] == "Literate Programming"

    for config in (other, ""):  # looked at by whatever settings
        about = json.loads(run("index", "status", "--json", config=config).stdout)
        assert (about["model"], about["dimension"], about["papers"]) == ("small", 16, 2)
    refused = run("index", "add", "my.bib", code=1).stderr
    assert "made by the model small" in refused and "all-mpnet-base-v2" in refused
    assert "Traceback" not in refused and json.loads(run("index", "status", "--json").stdout)["papers"] == 2


def test_a_server_embeds_the_whole_library(run: Run, tmp_path: Path) -> None:
    with server(by_length) as address:
        config = f'[embedding]\nmodel = "nomic"\nbaseUrl = "{address}"\n'
        (tmp_path / "refs.bib").write_text(BIB)
        run("index", "add", "refs.bib", config=config)
        about = json.loads(run("index", "status", "--json", config=config).stdout)
        assert (about["model"], about["dimension"], about["papers"]) == ("nomic", 3, 2)
        assert len(json.loads(run("search", "jumps", "--json", config=config).stdout)) == 2
    assert "does not answer" in run("search", "jumps", config=config, code=6).stderr


def test_papers_are_not_called_far_by_the_cosines_of_another_model(run: Run, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIB)
    with server(lambda texts: rows(*([3.0, 0.1] if text == "jumps" else [0.1, 3.0] for text in texts))) as at:
        config = f'[embedding]\nmodel = "nomic"\nbaseUrl = "{at}"\n'
        run("index", "add", "refs.bib", config=config)
        told = run("search", "jumps", config=config)
    assert "0.07" in told.stdout and "seems to be about" not in told.output


def test_a_dry_run_sends_nothing_to_a_server_of_embeddings_and_names_it(run: Run, tmp_path: Path) -> None:
    (tmp_path / "d.tex").write_text(
        "\\begin{document}\\begin{abstract}We study jumps in programs, and why the course of a process is hard to follow after a jump.\\end{abstract}\\end{document}"
    )
    config = '[embedding]\nmodel = "nomic"\nbaseUrl = "http://192.0.2.1:9/v1"\n'
    told = run("related-work", "d.tex", "--dry-run", config=config)
    assert "We study jumps" in told.stdout and "192.0.2.1" in told.stdout + told.stderr
