"""The review page in a browser, over the real server: sliders, keyboard, themes, and what it writes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from texgeist_retrieval.types import AskedQuery, Evidence, EvidenceRun, Paper, Passage, SectionType
from texgeist_retrieval.writing.extractive.writer import _NO_SENTENCE

from ..conftest import ROOT
from ..server.test_evidence_review import Desk, run_of
from .conftest import HERE, run

pytestmark = [pytest.mark.editor, pytest.mark.model]


@contextmanager
def served(file: Path, data: Path) -> Iterator[str]:
    """The page's address, of a review that is not bound to an editor."""
    command = [sys.executable, "-P", "-m", "texgeist_server", "review", str(file), "--apply"]
    environment = {**os.environ, "TEXGEIST_DATA": str(data)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=20)


def chosen_by_command_line(file: Path, data: Path, options: dict[str, float]) -> set[str]:
    """What the command line chooses for the same numbers, another way to the same steps: what it cites, and what its
    writer then found nothing to say of."""
    numbers = [f"--{name}={value}" for name, value in options.items()]
    command = [sys.executable, "-m", "texgeist_server", "related-work", str(file), *numbers, "--json"]
    done = subprocess.run(
        command, env={**os.environ, "TEXGEIST_DATA": str(data)}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    unsaid = {left["id"] for left in told["left_out"] if left["reason"] == _NO_SENTENCE}
    return {citation["paper"]["id"] for citation in told["citations"]} | unsaid


@pytest.mark.timeout(420)
def test_the_page(project: Path, node: Path, data_folder: Path, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.json"
    main = project / "main.tex"
    with served(main, data_folder) as url:
        assert url.startswith("http://127.0.0.1:")
        shots = os.environ.get("TEXGEIST_TEST_SHOTS", "")
        environment = {"TEXGEIST_TEST_NODE": str(node), **({"TEXGEIST_TEST_SHOTS": shots} if shots else {})}
        ran = run(["node", str(HERE / "review" / "page.mjs"), url, str(chosen)], environment)
    ran.passed(
        "table and map show the server's choice",
        "a row says title, year, similarity and why",
        "only those left out are shown",
        "a filter finds title and year",
        "nearest first",
        "what is unfolded stays so while one types and ticks",
        "from a row that leaves the focus goes to the next",
        "at 1280 pixels papers with why and evidence are in sight",
        "at 600 pixels papers with why and evidence are in sight",
        "at 400 pixels papers with why and evidence are in sight",
        "the text that would be written is shown",
        "without a model it follows the choice",
        "sliders move the choice",
        "Tab reaches all controls",
        "Space unticks a paper",
        "the focus stays on it",
        "Space pins a paper",
        "a pin holds against the sliders",
        "arrow keys and End move on the map",
        "the caption names the paper",
        "Space chooses on the map",
        "no serious fault by axe-core, light",
        "no serious fault by axe-core, dark",
        "another token gets nothing",
        "a strict content security policy",
        "Write writes",
        "nothing foreign is asked for",
        "nothing complains",
    )
    assert "texgeist:begin" in main.read_text("utf-8")
    assert (project / ".texgeist" / "provenance.json").exists()
    held = json.loads(chosen.read_text())
    untouched = shutil.copytree(ROOT / "examples" / "paper", tmp_path / "untouched")
    assert chosen_by_command_line(untouched / "main.tex", data_folder, held["options"]) == set(held["chosen"])


@pytest.mark.timeout(300)
def test_evidence_is_ticked_and_drafted_from(node: Path) -> None:
    desk = Desk(run_of())
    try:
        shots = os.environ.get("TEXGEIST_TEST_SHOTS", "")
        environment = {"TEXGEIST_TEST_NODE": str(node), **({"TEXGEIST_TEST_SHOTS": shots} if shots else {})}
        ran = run(["node", str(HERE / "review" / "evidence.mjs"), desk.url], environment)
    finally:
        desk.review.close()
        desk.loop.call_soon_threadsafe(desk.loop.stop)
    ran.passed(
        "each query stands with what it found",
        "both scores, section and page are there",
        "why it stopped is there",
        "what others wrote is text",
        "all is ticked to begin with",
        "nothing ticked cannot be drafted from",
        "Space ticks a piece",
        "the draft begins",
        "no serious fault by axe-core, light",
        "no serious fault by axe-core, dark",
        "nothing foreign is asked for",
        "nothing complains",
    )
    assert [[one.id for one in drafted.evidence] for drafted in desk.drafted] == [["2"]]


@pytest.mark.timeout(300)
def test_the_page_of_evidence_as_the_documentation_shows_it(node: Path, tmp_path: Path) -> None:
    shots = Path(os.environ.get("TEXGEIST_SCREENSHOTS") or tmp_path)
    desk = Desk(sample())
    try:
        command = ["node", str(HERE / "review" / "evidence_picture.mjs"), desk.url, str(shots)]
        ran = run(command, {"TEXGEIST_TEST_NODE": str(node)})
    finally:
        desk.review.close()
        desk.loop.call_soon_threadsafe(desk.loop.stop)
    for scheme in ("light", "dark"):
        assert (shots / f"evidence-{scheme}.webp").read_bytes()[8:12] == b"WEBP", ran


def sample() -> EvidenceRun:
    """A run on papers that nobody has written."""
    told: list[tuple[str, str, int, SectionType, str, int, float, float, str, str, str]] = [
        ("a", "Sleep and the Recall of Word Pairs", 2019, "results", "4 Results", 7, 0.62, 0.95, "first",
         "Sleep after learning improved the recall of word pairs by a fifth in adults of all ages.",
         "It measured what the note claims, on word pairs as well, and found a gain of a fifth."),
        ("b", "Short Naps in School", 2021, "discussion", "6 Discussion", 11, 0.55, 0.7, "first",
         "Naps of twenty minutes left the recall of word pairs as it was in school children.",
         "It bounds the finding: short naps of children brought no gain."),
        ("c", "Caffeine at Night", 2016, "results", "Results", 4, 0.48, 0.8, "second",
         "Caffeine before bed shortened deep sleep and delayed the consolidation of memory by a day.",
         "It shows a cause that was not controlled for in this study."),
    ]  # fmt: skip
    queries = {
        "first": "recall was 12.4 points better after sleep",
        "second": "Caffeine before bed delays consolidation.",
    }
    evidence = tuple(
        Evidence(str(n), Passage(id, page, text, None, kind, heading, n), cosine, 0.4 * cosine + 0.6 * model, summary, model, queries[by])
        for n, (id, _, _, kind, heading, page, cosine, model, by, text, summary) in enumerate(told, 1)
    )  # fmt: skip
    asked = (
        AskedQuery(queries["first"], "default", "your note on the findings", ("1", "2")),
        AskedQuery(queries["second"], "model", "what else could explain the gain", ("3",)),
        AskedQuery("Sleep is good for recall.", "model", "", (), "It says again what was asked: “recall was 12.4 points better after sleep”"),
    )  # fmt: skip
    papers = tuple(Paper(id, title, year=year) for id, title, year, *_ in told)
    return EvidenceRun(
        asked, evidence, papers, "The model has enough: both sides and one other cause are there.", 1
    )
