"""A model that does not answer is a failure that says what to start; another writer's text is written only when
the author asks for it. Real processes and local HTTP servers."""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from texgeist_server.command_line.exits import NO_ANSWER

from ..http_server import got, send
from .editor import editor
from .test_cli import texgeist


@pytest.fixture
def dead_address() -> Iterator[str]:
    """An address of this machine at which nothing listens."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{closed.getsockname()[1]}"


@pytest.fixture
def model_server() -> Iterator[str]:
    """A server that lists one model, as Ollama does."""

    body = json.dumps({"object": "list", "data": [{"id": "llama3.1:latest"}]}).encode()
    with got(lambda asked: send(asked, 200 if asked.path == "/v1/models" else 404, body)) as address:
        yield address


def configure(env: dict[str, str], address: str, model: str = "llama3.1") -> None:
    Path(env["TEXGEIST_CONFIG"]).write_text(
        f'[writer]\nprovider = "openai"\nmodel = "{model}"\nbaseUrl = "{address}/v1"\n', "utf-8"
    )


@pytest.mark.model
def test_a_dead_model_writes_nothing_and_says_what_to_start(
    searching: dict[str, str], paper: Path, dead_address: str
) -> None:
    configure(searching, dead_address)
    before = {path: path.read_bytes() for path in paper.rglob("*") if path.is_file()}
    done = texgeist(searching, "related-work", str(paper / "main.tex"), "--apply")
    assert done.returncode == NO_ANSWER, done.stderr
    said = " ".join(done.stderr.split())
    assert dead_address in said and "ollama serve" in said
    assert done.stdout == ""
    assert {path: path.read_bytes() for path in paper.rglob("*") if path.is_file()} == before


@pytest.mark.model
async def test_the_editor_says_what_to_start_and_writes_nothing(
    searching: dict[str, str], paper: Path, dead_address: str
) -> None:
    wanted = {"writer": {"provider": "openai", "model": "llama3.1", "baseUrl": f"{dead_address}/v1"}}
    async with editor(paper, env=searching, settings=wanted) as one:
        main = paper / "main.tex"
        one.open(main)
        await one.execute("relatedWork", {"uri": one.uri(main), "from": "abstract"})
        said = await one.said(dead_address)
        await one.idle()
        assert not one.edits and "ollama serve" in said
        assert [m.type for m in one.messages if m.message == said] == [lsp.MessageType.Error]
        assert "showLog" in one.mends


@pytest.mark.model
def test_a_torn_model_loses_nothing(searching: dict[str, str], paper: Path) -> None:
    if find_spec("xllamacpp") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("xllamacpp is not installed")
    torn = Path(searching["TEXGEIST_DATA"]) / "writers" / "torn.gguf"
    torn.parent.mkdir(exist_ok=True)
    torn.write_bytes(b"GGUF" + bytes(1000))
    Path(searching["TEXGEIST_CONFIG"]).write_text('[writer]\nprovider = "local"\n', "utf-8")
    before = {path: path.read_bytes() for path in paper.rglob("*") if path.is_file()}
    refused = texgeist(searching, "related-work", str(paper / "main.tex"), "--apply")
    shutil.rmtree(torn.parent)
    assert refused.returncode and "damaged or incomplete" in " ".join(refused.stderr.split())
    assert {path: path.read_bytes() for path in paper.rglob("*") if path.is_file()} == before


def writer_of(env: dict[str, str]) -> dict[str, str]:
    found = {one["what"]: one for one in json.loads(texgeist(env, "doctor", "--json").stdout)}
    writer: dict[str, str] = found["writer"]
    return writer


def test_doctor_asks_a_server_of_this_machine(
    env: dict[str, str], model_server: str, dead_address: str
) -> None:
    configure(env, model_server)
    assert writer_of(env)["state"] == "ok"
    configure(env, model_server, "mistral")
    assert writer_of(env)["state"] == "wrong" and "llama3.1:latest" in writer_of(env)["message"]
    configure(env, dead_address)
    assert writer_of(env)["state"] == "wrong"
    assert dead_address in writer_of(env)["message"] and "ollama serve" in writer_of(env)["help"]


def port_of(address: str) -> str:
    return address.rpartition(":")[2]


def test_doctor_names_the_model_servers_of_this_machine(env: dict[str, str], model_server: str) -> None:
    found = json.loads(
        texgeist(
            {**env, "TEXGEIST_MODEL_PORTS": f"Ollama={port_of(model_server)}"}, "doctor", "--json"
        ).stdout
    )
    (server,) = [one for one in found if one["what"] == "model server"]
    assert server["message"].startswith("Ollama runs on this machine, and has llama3.1:latest")
    assert f"writer.baseUrl {model_server}/v1" in server["help"]


def test_doctor_says_what_the_local_writer_lacks(env: dict[str, str], tmp_path: Path) -> None:
    Path(env["TEXGEIST_CONFIG"]).write_text('[writer]\nprovider = "local"\n', "utf-8")
    writer = writer_of(env)
    assert writer["state"] == "wrong"
    assert ".[local]" in writer["help"] or "texgeist model fetch writer" in writer["help"]
    other = tmp_path / "notes.txt"
    other.write_text("no model")
    done = texgeist(env, "model", "fetch", "writer", "--from", str(other))
    assert done.returncode == 1 and "is no GGUF file" in done.stderr


@pytest.mark.model
async def test_after_notes_the_editor_offers_a_model_of_this_machine_once(
    searching: dict[str, str], paper: Path, model_server: str
) -> None:
    ports = {"TEXGEIST_MODEL_PORTS": f"Ollama={port_of(model_server)}"}
    async with editor(paper, env={**searching, **ports}) as one:
        main = paper / "main.tex"
        one.open(main)
        for _ in range(2):
            await one.execute("relatedWork", {"uri": one.uri(main), "from": "abstract"})
            await one.idle()
        said = await one.said("Ollama on this machine has llama3.1:latest")
        assert "nothing leaves this machine" in said
        assert one.mends == ["chooseWriter"]
        listed = await one.execute("modelServers", {})
        assert listed["servers"][0]["address"] == f"{model_server}/v1"
