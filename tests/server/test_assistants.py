"""`texgeist mcp` over its real process, driven by the protocol's own client."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from texgeist_latex.bib.parser import read_bib
from texgeist_retrieval.types import Candidate, Paper
from texgeist_server.assistants.issued import Issued, NeverIssued
from texgeist_server.sections.runs import SearchHit

from ..conftest import absent
from ..local_index import shelf_of
from .test_full_papers import LIBRARY

try:
    from mcp import Client, StdioServerParameters
except ModuleNotFoundError:
    absent("the extra `mcp` is not installed: scripts/test installs it")

REFERENCES = """# References

[1] A. Vaswani, N. Shazeer. Attention is all you need. In Advances in Neural Information Processing Systems, 2017.

[2] J. Devlin, M. Chang. BERT: Pre-training of deep bidirectional transformers. In NAACL, pages 4171-4186, 2019.
"""
WORDS = "retrieval of scientific papers with language models"


def client_of(env: dict[str, str]) -> Any:
    arguments = ["-P", "-m", "texgeist_server", "mcp"]
    return Client(
        StdioServerParameters(command=sys.executable, args=arguments, env=env), read_timeout_seconds=120
    )


def told(result: Any) -> dict[str, Any]:
    assert not result.is_error, result.content
    said = result.structured_content
    return dict(said.get("result", said)) if said else dict(json.loads(result.content[0].text))


async def test_few_tools_that_say_what_they_take(env: dict[str, str]) -> None:
    async with client_of(env) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"search", "evidence", "cite", "verify"}
        assert "Never make up a citation key" in client.instructions
        assert tools["cite"].input_schema["required"] == ["ids"]


@pytest.mark.model
async def test_what_was_found_can_be_cited_and_nothing_else(searching: dict[str, str], paper: Path) -> None:
    before = {file: file.read_bytes() for file in paper.rglob("*") if file.is_file()}
    async with client_of(searching) as client:
        guessed = await client.call_tool("cite", {"ids": ["P1"]})
        assert guessed.is_error and "no key" in guessed.content[0].text
        found = told(await client.call_tool("search", {"text": WORDS, "top": 5}))["papers"]
        assert all(one["abstract"] and one["why"].startswith("It says") and "doi" in one for one in found)
        assert len(found) == 5 and all(one["title"] and re.fullmatch(r"P\d+", one["id"]) for one in found)
        again = told(await client.call_tool("search", {"text": WORDS, "top": 5}))["papers"]
        assert [one["id"] for one in again] == [one["id"] for one in found]

        ids = [one["id"] for one in found[:3]]
        cited = told(await client.call_tool("cite", {"ids": ids, "file": str(paper / "main.tex")}))
        entries = read_bib(Path("new.bib"), cited["entries"]).entries
        held = {
            entry.key
            for entry in read_bib(paper / "references.bib", (paper / "references.bib").read_text()).entries
        }
        for id_, key in cited["keys"].items():
            assert (key in held) == (id_ in cited["already_in_bibliography"])
            assert (key in {entry.key for entry in entries}) == (key not in held)
        mixed = await client.call_tool("cite", {"ids": [ids[0], "P99"]})
        assert mixed.is_error and "P99" in mixed.content[0].text
        stranger = await client.call_tool("cite", {"ids": ["vaswani2017attention"]})
        assert stranger.is_error
    assert {file: file.read_bytes() for file in paper.rglob("*") if file.is_file()} == before


async def test_passages_of_full_papers_can_be_cited_too(env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "shelf").mkdir()
    with shelf_of(tmp_path / "shelf", LIBRARY) as data:
        await cite_a_passage({**env, "TEXGEIST_DATA": str(data)})


async def cite_a_passage(env: dict[str, str]) -> None:
    async with client_of(env) as client:
        statement = "the antecedent of a pronoun is the noun phrase with the highest score"
        best = told(await client.call_tool("evidence", {"statement": statement, "top": 3}))["passages"][0]
        assert best["title"] == "Resolving pronouns" and best["heading"] == "Method"
        assert "highest is taken as the antecedent" in best["text"]
        cited = told(await client.call_tool("cite", {"ids": [best["id"]]}))
        assert "Resolving pronouns" in cited["entries"]
        assert (await client.call_tool("evidence", {"statement": " "})).is_error


async def test_verify_and_failures_are_words(env: dict[str, str], paper: Path, tmp_path: Path) -> None:
    async with client_of(env) as client:
        report = told(await client.call_tool("verify", {"file": str(paper / "references.bib")}))
        assert len(report["entries"]) == 8
        (tmp_path / "paper.md").write_text(REFERENCES)
        listed = told(await client.call_tool("verify", {"file": str(tmp_path / "paper.md")}))
        assert [one["key"] for one in listed["entries"]] == ["1", "2"] and listed["read"]
        missing = await client.call_tool("verify", {"file": str(tmp_path / "none.bib")})
        assert missing.is_error and "none.bib" in missing.content[0].text
        empty = await client.call_tool("search", {"text": WORDS})
        assert empty.is_error and "texgeist model fetch" in empty.content[0].text


async def test_a_file_is_named_by_its_whole_path(env: dict[str, str], tmp_path: Path) -> None:
    """Of a folder, the project was looked for: of `/`, in all of the machine."""
    (tmp_path / "main.bib").mkdir()
    async with client_of(env) as client:
        for file in (
            "",
            ".",
            "/",
            "main.tex",
            "~/main.tex",
            "/etc/passwd",
            str(tmp_path),
            "/dev/zero",
            "\x00.bib",
        ):
            said = await client.call_tool("verify", {"file": file})
            assert (
                said.is_error and "is not the absolute path of a .tex, .bib, .bbl" in said.content[0].text
            ), file
        said = await client.call_tool("verify", {"file": str(tmp_path / "main.bib")})
        assert said.is_error and "is a folder" in said.content[0].text
        said = await client.call_tool("cite", {"ids": ["x" * 10**6]})
        assert said.is_error and len(said.content[0].text) < 1000


async def test_what_is_no_question_is_refused_in_a_few_words(env: dict[str, str], tmp_path: Path) -> None:
    before = sorted(tmp_path.rglob("*.bib"))
    async with client_of(env) as client:
        for tool, given in (
            ("search", {"text": "x" * 10**7}), ("search", {"text": 5}), ("search", {"text": ["a"]}), ("search", {}),
            ("search", {"text": WORDS, "top": 10**30}), ("search", {"text": WORDS, "top": -1}), ("search", {"text": "\x00 "}),
            ("evidence", {"statement": "x" * 10**7}), ("evidence", {"statement": {"a": 1}}),
            ("cite", {"ids": []}), ("cite", {"ids": ["P1"] * 10_000}), ("cite", {"ids": [["P1"]]}),
            ("cite", {"ids": ["P1"], "file": "/etc/passwd"}), ("cite", {"ids": ["\\input{x}"], "file": ""}),
            ("verify", {"file": "/" + "x" * 10**6 + ".bib"}), ("verify", {"file": "/proc/self/mem.bib"}), ("verify", {"file": 7}),
        ):  # fmt: skip
            said = await client.call_tool(tool, given)
            assert said.is_error and len(said.content[0].text) < 2000, (tool, str(given)[:80])
            assert "Traceback" not in said.content[0].text
        assert len((await client.list_tools()).tools) == 4, "it is still there"
    assert sorted(tmp_path.rglob("*.bib")) == before


def hit(paper: Paper) -> SearchHit:
    return SearchHit(Candidate(paper, 0.5, 1), (), "")


class TestIssued:
    def test_one_paper_one_id_one_key(self) -> None:
        issued = Issued()
        first = Paper(id="2401.00001", title="On keys", authors=("Ada Lovelace",), year=2024)
        twin = Paper(id="2401.00002", title="On keys too", authors=("Ada Lovelace",), year=2024)
        ids = [issued.hand_out(hit(paper))["id"] for paper in (first, twin, first)]
        assert ids == ["P1", "P2", "P1"]
        given = issued.cite(["P1", "P2"], None)
        assert len(set(given["keys"].values())) == 2
        assert issued.cite(["P2"], None)["keys"]["P2"] == given["keys"]["P2"]

    @pytest.mark.parametrize("ids", [[], ["P1"], ["lovelace2024keys"], ["P0", ""], ["2401.00001"]])
    def test_no_key_without_a_paper(self, ids: list[str]) -> None:
        issued = Issued()
        if ids != ["P1"]:
            issued.hand_out(hit(Paper(id="2401.00001", title="On keys")))
        with pytest.raises(NeverIssued, match="no key"):
            issued.cite(ids, None)

    def test_what_a_stranger_named_a_paper_is_no_bibtex(self) -> None:
        issued = Issued()
        wild = Paper(id="2401.00003", title="T},\n author={Eve}}\n@misc{evil, title={x", authors=("A } B",))
        issued.hand_out(hit(wild))
        entries = read_bib(Path("new.bib"), issued.cite(["P1"], None)["entries"]).entries
        assert [entry.key for entry in entries] != ["evil"] and len(entries) == 1
