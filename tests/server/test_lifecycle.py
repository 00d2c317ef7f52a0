"""The server over its real process: start, settings, trust, odd documents."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from texgeist_server.lsp.editor_commands import EDITOR_COMMANDS

from .editor import editor

PAPER = "\\documentclass{article}\n\\begin{document}\nA paper on 𝒳 things, with words.\n\\end{document}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_text(PAPER)
    return tmp_path


async def test_only_other_kinds_are_asked_for(folder: Path, env: dict[str, str]) -> None:
    async with editor(folder, env=env) as one:
        path = folder / "main.tex"
        one.open(path)
        for only, some in (("quickfix", False), ("refactor", True), ("refactor.texgeist", True)):
            assert bool(await one.fixes(path, one.range(path, "words"), only)) is some, only


async def test_a_bad_setting_is_named_and_the_server_serves(folder: Path, env: dict[str, str]) -> None:
    settings = {"relatedWork": {"breadth": "many"}, "nonsense": 1}
    async with editor(folder, env=env, settings=settings) as one:
        said = await one.said("texgeist.relatedWork.breadth")
        path = folder / "main.tex"
        one.open(path)
        assert await one.actions(path, one.range(path, "words"))
    assert "texgeist.nonsense" in said
    assert "default" in said


async def test_a_workspace_of_another_editor_cannot_redirect(folder: Path, env: dict[str, str]) -> None:
    async with editor(folder, "neovim-0.11", env) as one:
        sent = {"texgeist": {"writer": {"baseUrl": "http://evil.example", "provider": "openai"}}}
        one.client.set_configuration(sent)
        one.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(sent))
        await one.said("texgeist.writer.baseUrl is not taken from a workspace")
        status = await one.execute("status", {})
    assert "evil" not in str(status)


async def test_an_untrusted_workspace_runs_nothing(folder: Path, env: dict[str, str]) -> None:
    async with editor(folder, env=env, trusted=False) as one:
        uri = one.open(folder / "main.tex")
        for name in ("relatedWork", "review"):
            await one.execute(name, {"uri": uri, "from": "abstract"})
        said = await one.said("not trusted")
        one.client.protocol.notify("texgeist/trust", {"trusted": True})
        await one.execute("relatedWork", {"uri": uri, "from": "draft"})
        await one.said("embedding model is not on this machine")
        assert "440 MB" in one.questions[0]
    assert "sends nothing" in said
    assert not (folder / ".texgeist").exists()


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "vscode-vfs://github/owner/paper/main.tex",
        "file://",  # Neovim's name of a new buffer
        "",
        f"file:///{'a' * 5000}.tex",
        f"file:///{'a/' * 3000}main.tex",
        Path(f"/{'論' * 120}.tex").as_uri(),
    ],
    ids=range(7),
)
async def test_every_command_refuses_a_document_that_is_no_file(
    folder: Path, env: dict[str, str], uri: str
) -> None:
    place = {"line": 2, "character": 3}
    given = {"uri": uri, "position": place, "range": {"start": place, "end": place}, "section": "texgeist"}
    async with editor(folder, env=env) as one:
        item = lsp.TextDocumentItem(uri, "latex", 1, PAPER)
        one.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        at = lsp.TextDocumentIdentifier(uri), lsp.Position(2, 3)
        assert await one.client.text_document_hover_async(lsp.HoverParams(*at)) is None
        assert await one.client.text_document_definition_async(lsp.DefinitionParams(*at)) == []
        for command in EDITOR_COMMANDS:
            if command.needs != "nothing":
                answer = await one.execute(command.order, {**given, **command.argument})
                assert "Save it as a .tex file, or open its project" in answer["error"], command.order
        assert not one.edits and not (folder / ".texgeist").exists() and not Path("/untitled").exists()


async def test_the_status_says_what_leaves_the_machine(folder: Path, env: dict[str, str]) -> None:
    async with editor(folder, env=env) as one:
        local = await one.execute("status", {})
        assert local["sends"] == ""
        settings = {
            "index": {"location": "citegeist"},
            "writer": {"provider": "anthropic"},
        }
        one.client.set_configuration({"texgeist": settings})
        one.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({}))
        await one.until(lambda: any(status["sends"] for status in one.statuses))
        without_key = one.statuses[-1]["sends"]
        await one.execute("setKey", {"provider": "anthropic", "key": "sk-not-shown"})
        await one.until(lambda: "abstract" in one.statuses[-1]["sends"])
        chosen = {"writer": {"provider": "editor", "baseUrl": "http://localhost:11434/v1"}}
        one.client.set_configuration({"texgeist": chosen})
        one.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({}))
        await one.execute("setKey", {"provider": "editor", "key": "9:token"})
        await one.until(lambda: "VS Code" in one.statuses[-1]["sends"])
        assert "11434" not in one.statuses[-1]["sends"]  # an address that another provider takes
    assert "vector" in without_key and "abstract" not in without_key
    assert "sk-not-shown" not in str(one.statuses)


async def test_a_folder_that_is_added_later_counts(tmp_path: Path, env: dict[str, str]) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    (second / "parts").mkdir(parents=True)
    first.mkdir()
    (second / "main.tex").write_text(PAPER)
    path = second / "parts" / "new.tex"
    path.write_text("A sentence that no document includes yet.\n")
    async with editor(first, env=env) as one:
        added = [lsp.WorkspaceFolder(one.uri(second), "second")]
        event = lsp.WorkspaceFoldersChangeEvent(added=added, removed=[])
        one.client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event))
        one.open(path)
        await one.execute("findCitations", one.selected(path, "A sentence that no document"))
        await one.said("main.tex, the nearest document")


def spoken(env: dict[str, str], *messages: dict[str, Any]) -> tuple[int, list[dict[str, Any]]]:
    """The exit code of a server that is sent these messages, and its answers."""
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(body), body) for body in bodies)
    command = [sys.executable, "-m", "texgeist_server", "lsp"]
    done = subprocess.run(command, input=sent, env=env, capture_output=True, timeout=60)
    parts = done.stdout.split(b"Content-Length: ")[1:]
    answers = [json.loads(part.split(b"\r\n\r\n", 1)[1]) for part in parts]
    return done.returncode, [answer for answer in answers if "id" in answer and "method" not in answer]


FIRST = {
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}
SHUTDOWN, EXIT = {"id": 2, "method": "shutdown"}, {"method": "exit"}


@pytest.mark.parametrize(("messages", "code"), [((FIRST, SHUTDOWN, EXIT), 0), ((FIRST, EXIT), 1)])
def test_an_exit_without_a_shutdown_is_an_error(
    env: dict[str, str], messages: tuple[dict[str, Any], ...], code: int
) -> None:
    assert spoken(env, *messages)[0] == code


def test_what_comes_before_initialize_is_refused(env: dict[str, str]) -> None:
    at = {"textDocument": {"uri": "file:///a.tex"}, "position": {"line": 0, "character": 0}}
    asked = {"id": 7, "method": "textDocument/hover", "params": at}
    trusted = {"method": "texgeist/trust", "params": {"trusted": True}}
    _, answers = spoken(env, trusted, asked, FIRST, SHUTDOWN, EXIT)
    assert [(answer["id"], answer.get("error", {}).get("code")) for answer in answers] == [
        (7, -32002), (1, None), (2, None),
    ]  # fmt: skip


@pytest.mark.parametrize("position", [{"line": -1, "character": 0}, {"line": "x"}])
def test_a_position_that_is_none_is_answered(env: dict[str, str], position: object) -> None:
    at = {"textDocument": {"uri": "file:///a.tex"}, "position": position}
    asked = {"id": 7, "method": "textDocument/hover", "params": at}
    _, answers = spoken(env, FIRST, asked, SHUTDOWN, EXIT)
    assert [(answer["id"], answer.get("error", {}).get("code")) for answer in answers if answer["id"] != 1] == [
        (7, -32602), (2, None),
    ]  # fmt: skip
