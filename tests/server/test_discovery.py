"""Papers discovered for a draft, from an empty library, over a stand-in for the literature services."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from texgeist_latex.bib.parser import read_bib
from texgeist_retrieval.defaults import LEAST_CHANCE
from texgeist_server.command_line.exits import NOTHING_FOUND
from texgeist_server.config import user_file
from texgeist_server.plain_text import plain

from ..literature_server import Literature, Work, environment, serving
from ..retrieval.hostile_server import answer
from .conftest import ROOT
from .editor import editor
from .test_cli import texgeist

pytestmark = pytest.mark.model
LOCAL = ("127.0.0.1", "::1", "localhost", "/")
WATCH = """
import os, sys
def note(event, args):
    if event in ("socket.connect", "socket.getaddrinfo"):
        with open(os.environ["WATCHED"], "a") as file:
            file.write(f"{args[1] if event == 'socket.connect' else args[:2]}\\n")
sys.addaudithook(note)
"""


def works() -> list[Work]:
    """The papers that the sample paper cites, and a part of the sample library, with all papers on related work:
    these are cited by three works that also cite what the sample paper cites."""
    cited = [work_of(fields) for fields in read_entries(ROOT / "examples" / "paper" / "references.bib")]
    others = [work_of(fields) for fields in read_entries(ROOT / "examples" / "library.bib")]
    others = [work for at, work in enumerate(others) if at % 6 == 0 or "related work" in work.title.lower()]
    known = {work.title for work in cited}
    found = [*cited, *(work for work in others if work.title not in known)]
    related = [at for at, work in enumerate(found) if "related work" in work.title.lower()]
    for at in [at for at in range(len(cited), len(found)) if at not in related][:3]:
        found[at] = replace(found[at], references=(0, 1, *related))
    return found


def read_entries(path: Path) -> list[dict[str, str]]:
    return [dict(entry.fields) for entry in read_bib(path, path.read_text("utf-8")).entries]


def work_of(fields: dict[str, str]) -> Work:
    authors = [" ".join(reversed(name.split(", "))) for name in fields["author"].split(" and ")]
    title, abstract = plain(fields["title"]), plain(fields.get("abstract", "Of the same subject."))
    return Work(title, abstract, authors, int(fields["year"]), arxiv=fields.get("eprint", ""))


@pytest.fixture
def literature() -> Iterator[Literature]:
    with serving(works()) as state:
        yield state


@pytest.fixture
def alone(env: dict[str, str], model_folder: Path, literature: Literature, tmp_path: Path) -> dict[str, str]:
    """The embedding model, no library, and the addresses of the stand-in. Each connection of a Python process
    is written to a file."""
    data = Path(env["TEXGEIST_DATA"])
    data.mkdir()
    (data / "model").symlink_to(model_folder.resolve())
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCH)
    watched = {"PYTHONPATH": str(tmp_path / "watch"), "WATCHED": str(tmp_path / "connections")}
    return {**env, **environment(literature.address), **watched}


def test_a_section_from_an_empty_library_and_again_without_requests(
    alone: dict[str, str], paper: Path, literature: Literature, monkeypatch: pytest.MonkeyPatch
) -> None:
    main = paper / "main.tex"
    first = texgeist(alone, "related-work", str(main), "--discover", "--apply", "--json")
    assert first.returncode == 0, first.stderr
    told = json.loads(first.stdout)
    assert len(told["citations"]) >= 8 and 0 < len(literature.asked) <= 40
    assert {name for name, _ in literature.asked} == {"openalex", "semanticscholar", "arxiv", "crossref"}
    assert any("papers were discovered with" in note and "$" in note for note in told["notes"])
    ways = [one["reasons"]["discovered"] for one in told["citations"]]
    assert all(ways) and any("of the works that you cite" in way for way in ways), ways
    assert "of the works that you cite" in (paper / ".texgeist" / "provenance.json").read_text("utf-8")
    sent = len(literature.asked)
    again = texgeist(alone, "related-work", str(main), "--discover", "--json")
    assert again.returncode == 0 and len(literature.asked) == sent
    missing = texgeist(alone, "missing", str(main), "--discover")  # the draft now cites the papers discovered
    assert missing.returncode == NOTHING_FOUND and len(literature.asked) == sent, missing.stderr
    known = texgeist(
        alone, "ask", "How do language models write academic surveys?", "--draft", str(main), "--json"
    )
    assert known.returncode == 0 and json.loads(known.stdout)["papers"] and len(literature.asked) == sent
    monkeypatch.chdir(paper)
    here = texgeist(alone, "search", "language models that write academic surveys", "--json")
    assert here.returncode == 0 and "discovered for main.tex" in here.stderr and len(literature.asked) == sent
    assert any(hit["chance"] >= LEAST_CHANCE for hit in json.loads(here.stdout)), here.stdout


def test_apply_writes_the_section_of_the_preview_although_a_service_did_not_finish(
    alone: dict[str, str], paper: Path, literature: Literature
) -> None:
    command = ("related-work", str(paper / "main.tex"), "--discover", "--json")
    literature.instead["semanticscholar"] = answer(429, b"", retry_after="99999")
    shown = texgeist(alone, *command)
    assert shown.returncode == 0, shown.stderr
    first, sent = json.loads(shown.stdout), len(literature.asked)
    assert any("Semantic Scholar will be asked again" in note for note in first["notes"]), first["notes"]
    literature.instead.clear()
    second = json.loads(texgeist(alone, *command, "--apply").stdout)
    assert second["citations"] == first["citations"] and len(literature.asked) == sent
    assert any("Semantic Scholar did not finish then" in note for note in second["notes"]), second["notes"]


def test_a_dead_network_is_named_and_costs_nothing(alone: dict[str, str], paper: Path) -> None:
    dead = {**alone, **environment("http://127.0.0.1:1")}
    done = texgeist(dead, "related-work", "--discover", str(paper / "main.tex"))
    assert done.returncode == 6 and "No papers were discovered" in done.stderr, done.stderr
    assert all(name in done.stderr for name in ("OpenAlex", "Semantic Scholar", "arXiv", "Crossref"))
    assert done.stderr.count("cannot be reached") == 1 and "$" not in done.stdout + done.stderr
    assert "settings/api" not in done.stderr and "Errno" not in done.stderr  # a key would not help


async def test_nothing_is_sent_before_consent(
    alone: dict[str, str], paper: Path, literature: Literature, tmp_path: Path
) -> None:
    """Previewing, and writing in an editor whose project asks for discovery, connect to nothing outside this
    machine and to no literature service."""
    main = paper / "main.tex"
    texgeist(alone, "index", "add", "sample")
    shown = texgeist(alone, "related-work", str(main), "--discover", "--dry-run")
    assert "search for: related work you check" in shown.stdout and "Semantic Scholar" in shown.stderr
    asks = {"index": {"discover": ["openalex"]}}
    assert user_file.load({}, asks)[0].index.discover == ()
    async with editor(paper, env=alone) as one:
        changed = lsp.DidChangeConfigurationParams({"texgeist": asks})
        one.client.workspace_did_change_configuration(changed)
        one.open(main)
        await one.execute("relatedWork", {"uri": one.uri(main), "from": "abstract"})
        await one.said("Related work written", 300)
        one.picks = "Not now"
        await one.execute("discover", {"uri": one.uri(main)})
        await one.until(lambda: bool(one.questions), 60)
        assert "its title" in one.questions[-1] and "Semantic Scholar" in one.questions[-1]
        await one.said("nothing was sent")
    assert literature.asked == []
    connected = (tmp_path / "connections").read_text().splitlines()
    assert connected and all(any(name in line for name in LOCAL) for line in connected), connected
    assert not [line for line in connected if literature.address.rpartition(":")[2] in line]


async def test_an_editor_discovers_for_a_draft_once_the_user_agreed(
    alone: dict[str, str], paper: Path, literature: Literature
) -> None:
    main = paper / "main.tex"
    async with editor(paper, env=alone) as one:
        one.picks = "Discover"
        one.open(main)
        await one.execute("relatedWork", {"uri": one.uri(main), "from": "abstract"})
        await one.until(lambda: "texgeist:begin" in one.texts[main], 300)
        key = re.findall(r"\\cite[pt]?\{(\w+)", one.texts[main].split("texgeist:begin")[1])[0]
        hover = await one.hover(main, key)
    assert "nothing is remembered" in one.questions[1].lower() and literature.asked
    assert "Discovered: it" in hover
