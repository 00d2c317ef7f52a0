"""`texgeist eval retrieval`: its formats, its figures, its sentences for bad files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.evaluation.collection import BadCollection, CollectionFiles, load_collection
from texgeist_retrieval.evaluation.measures import MEASURES, difference, interval, measure
from texgeist_retrieval.monitor import Silent
from texgeist_server.cli import build
from typer.testing import CliRunner

TOPICS = ("graph search", "image noise", "protein folding", "speech tokens")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    random = np.random.default_rng(0)
    centres = random.normal(size=(4, 768))
    papers = [
        {
            "doc": i,
            "title": f"{TOPICS[i % 4]} number {i}",
            "abstract": f"About {TOPICS[i % 4]}.",
            "year": 2020,
        }
        for i in range(60)
    ]
    rows = centres[[i % 4 for i in range(60)]] + random.normal(size=(60, 768))
    queries = [
        {"id": f"q{t}", "title": TOPICS[t], "abstract": f"We study {TOPICS[t]}.", "cited": [t, t + 4, t + 8]}
        for t in range(4)
    ]
    queries.append({"id": "none", "title": "x", "abstract": "y", "cited": [999]})
    with gzip.open(tmp_path / "corpus.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(p) + "\n" for p in papers)
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(q) + "\n" for q in queries))
    np.save(tmp_path / "vectors.npy", rows.astype(np.float16))
    np.save(tmp_path / "asked.npy", np.vstack([centres, centres[:1]]).astype(np.float16))
    return tmp_path


def run(folder: Path, *more: str, systems: str = "dense,bm25,hybrid,adapter,full"):
    files = ["--corpus", folder / "corpus.jsonl.gz", "--queries", folder / "queries.jsonl"]
    vectors = ["--vectors", folder / "vectors.npy", "--query-vectors", folder / "asked.npy"]
    arguments = ["eval", "retrieval", *map(str, files + vectors), "--systems", systems, *more]
    return CliRunner().invoke(build("eval"), arguments)


def test_json_has_the_systems_with_intervals(folder):
    result = run(folder, "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert list(report["systems"]) == ["dense", "bm25", "hybrid", "adapter", "full"]
    assert report["queries"] == 4 and report["papers"] == 60
    for system in report["systems"].values():
        assert set(system) == set(MEASURES)
        for value in system.values():
            assert set(value) == {"mean", "low", "high"}
            assert 0 <= value["low"] <= value["mean"] <= value["high"] <= 1
    assert report["systems"]["dense"]["recall@100"]["mean"] == 1
    assert report["systems"]["dense"]["recall@20"]["mean"] > 0.9
    assert 0 < report["against_dense"]["bm25"]["recall@5"]["p"] <= 1
    assert report["unseen"]["full"]["recall@20"]["mean"] > 0.9


def test_an_unknown_system_is_named(folder):
    result = run(folder, systems="dense,wrong")
    assert result.exit_code == 1
    assert "wrong" in result.output and "hybrid" in result.output


def test_measures_by_hand():
    values = measure([[3, 1, 2], [9, 8, 7]], [[1, 2], [5]])
    assert values["recall@5"].tolist() == [1, 0]
    assert values["mrr"].tolist() == [0.5, 0]
    gain = (1 / np.log2(3) + 1 / np.log2(4)) / (1 + 1 / np.log2(3))
    assert values["ndcg@10"] == pytest.approx([gain, 0])


def test_intervals_hold_their_mean_and_shrink_with_more_queries():
    random = np.random.default_rng(1)
    few, many = interval(random.random(20)), interval(random.random(2000))
    assert few.low < few.mean < few.high
    assert many.high - many.low < (few.high - few.low) / 5


def test_the_paired_test_sees_a_steady_gain_and_no_gain():
    random = np.random.default_rng(2)
    base = random.random(100)
    assert difference(base + 0.05 + 0.02 * random.random(100), base).p < 0.001
    assert difference(base, base).p == 1
    assert difference(base + random.normal(0, 0.1, 100), base).p > 0.01


@pytest.mark.parametrize(
    ("line", "said"),
    [("{", "is not JSON"), ('{"doc": 1}', "has no title, abstract"), ("[]", "has no doc, title, abstract")],
)
def test_a_bad_line_is_named(folder, line, said):
    with gzip.open(folder / "corpus.jsonl.gz", "at") as file:
        file.write(line + "\n")
    with pytest.raises(BadCollection, match=said) as error:
        load_collection(folder / "corpus.jsonl.gz", folder / "queries.jsonl")
    assert "corpus.jsonl.gz, line 61" in str(error.value)


def test_a_missing_file_is_one_sentence(folder):
    (folder / "queries.jsonl").unlink()
    result = run(folder)
    assert result.exit_code == 1
    assert "cannot be read" in result.output and "Traceback" not in result.output


@pytest.mark.slow
def test_the_shipped_weights_help_on_papers_they_were_not_trained_on(shared_data):
    """On a third of `dev`: the goals are 1.22 and 1.41 on the whole, intervals are wide here."""
    from texgeist_retrieval.evaluation.systems import Bench, run_system

    data = shared_data / "citations"
    names = ("corpus.jsonl.gz", "queries.jsonl.gz", "corpus-mpnet.npy", "queries-mpnet.npy")
    whole = Bench.load(CollectionFiles(*(data / f"dev-{name}" for name in names)), pytest.fail, Silent())
    bench = whole.part(range(0, len(whole.queries), 3))
    cited = [topic.cited for topic in bench.collection.topics]
    recall = {
        n: measure(run_system(bench, n), cited)["recall@20"].mean() for n in ("dense", "adapter", "full")
    }
    assert recall["adapter"] > 1.1 * recall["dense"]
    assert recall["full"] > 1.3 * recall["dense"]
