"""An editor waits for the server's start: what a job needs is imported when there is one, and `initialize` is answered
before that."""

from __future__ import annotations

import json
import subprocess
import sys
from io import BytesIO
from typing import Any, BinaryIO, cast

import pytest
from lsprotocol import types as lsp
from pygls.protocol import default_converter
from texgeist_server.lsp.connection.first_answer import Messages, answer_first
from texgeist_server.lsp.server import create_server

from scripts.generating.files import offered

from .editor import PROFILES

HEAVY = (
    "numpy",
    "pymilvus",
    "pydantic",
    "httpx2",
    "texgeist_retrieval.pipeline",
    "texgeist_latex.writing.merge",
    "texgeist_retrieval.fulltext.arxiv",
)


def test_the_start_brings_nothing_heavy() -> None:
    code = (
        f"import sys, texgeist_server.lsp.server; print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def message(body: dict[str, Any] | bytes) -> bytes:
    text = body if isinstance(body, bytes) else json.dumps({"jsonrpc": "2.0", **body}).encode()
    return b"Content-Length: %d\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n%s" % (len(text), text)


def messages(stream: bytes) -> list[Any]:
    found = []
    while stream:
        head, _, rest = stream.partition(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.splitlines() if b"Length" in line)
        found.append(json.loads(rest[:length]))
        stream = rest[length:]
    return found


@pytest.mark.parametrize("profile", PROFILES)
def test_the_first_answer_is_what_the_server_itself_would_say(profile: str) -> None:
    client = PROFILES[profile].capabilities()
    params = {"processId": None, "rootUri": None, "capabilities": default_converter().unstructure(client)}
    written = BytesIO()
    sent = message({"id": "one", "method": "initialize", "params": params})
    asked = Messages(BytesIO(sent + message(b"what comes next")))
    answered = answer_first(asked, written)
    [answer] = messages(written.getvalue())
    wanted = offered(client)
    for never in ("willSave", "willSaveWaitUntil"):  # false where it is not said
        assert not wanted["textDocumentSync"].pop(never, False)
    assert (answer["id"], answer["result"]["capabilities"]) == ("one", wanted)
    assert answered == "one"
    assert json.loads(asked.read())["id"] == "one"
    assert (asked.read(), asked.read()) == (b"what comes next", b"")


def test_initialize_is_answered_once_and_the_server_goes_on() -> None:
    command = [sys.executable, "-P", "-m", "texgeist_server", "lsp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin and server.stdout
        given = Messages(cast(BinaryIO, server.stdout))
        params: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
        for sent in (
            {"id": 1, "method": "initialize", "params": params},
            {"method": "initialized", "params": {}},
            {"id": 2, "method": "shutdown"},
        ):
            server.stdin.write(message(sent))
            server.stdin.flush()
        answers: list[Any] = []
        while 2 not in answers:
            if "method" not in (one := json.loads(given.read())):
                answers.append(one["id"])
        assert answers == [1, 2]
        server.stdin.write(message({"method": "exit"}))
        server.stdin.close()
        assert (server.wait(30), given.read()) == (0, b"")


@pytest.mark.parametrize(
    "first",
    [
        message({"id": 1, "method": "shutdown"}),
        message({"method": "initialize", "params": {"capabilities": {}}}),
        message({"id": 1, "method": "initialize"}),
        message({"id": 1, "method": "initialize", "params": {"capabilities": None}}),
        message({"id": [1], "method": "initialize", "params": {"capabilities": {}}}),
        message(b"not JSON \xff"),
        message(b"[1, 2]"),
        b"Content-Length: none\r\n\r\n",
        b"Content-Length: 99\r\n\r\n{}",
        b"",
    ],
)
def test_whatever_else_comes_first_is_left_to_the_server(first: bytes) -> None:
    written = BytesIO()
    asked = Messages(BytesIO(first))
    assert (answer_first(asked, written), written.getvalue()) == (None, b"")
    assert asked.read() == first.partition(b"\r\n\r\n")[2] * (b"none" not in first)


def test_a_failure_after_the_answer_is_told() -> None:
    class Written:
        data = b""

        def write(self, data: bytes) -> None:
            self.data += data

        def close(self) -> None: ...

    server, _ = create_server()
    written = Written()
    server.protocol.set_writer(written)
    server.protocol.answered = 1
    server.protocol._send_response(1, None, lsp.ResponseError(-32603, "no such folder"))
    server.protocol._send_response(1, "the next request of this id")
    told, answer = messages(written.data)
    assert (told["method"], told["params"]["type"]) == ("window/showMessage", 1)
    assert "no such folder" in told["params"]["message"]
    assert answer["result"] == "the next request of this id"


def test_an_unknown_option_ends_with_a_sentence() -> None:
    """An old configuration of an editor may start `lsp --tcp`, and would wait for ever."""
    command = [sys.executable, "-P", "-m", "texgeist_server", "lsp", "--tcp"]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2 and "no option --tcp" in ended.stderr
