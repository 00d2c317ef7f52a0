"""The answer to `initialize`, before the server's libraries are imported: Emacs stands still until it comes, and the
classes of lsprotocol alone take half a second to build. What is offered is generated from what the server itself would
answer (`capabilities.json`, by `scripts/generate`). Standard library alone, and as little of it as can be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, BinaryIO

from .. import __version__
from .incoming import Messages

CAPABILITIES = Path(__file__).with_name("capabilities.json")
_UNITS = ("utf-8", "utf-16", "utf-32")


def answer_first(messages: Messages, stdout: BinaryIO) -> int | str | None:
    """Answers the first message if it is `initialize`, and gives the id that was answered; the message is still to be
    read. Anything else is left to the server, which knows what to say."""
    request = _request(messages.look())
    if request is None:
        return None
    result = {
        "capabilities": offered(request["params"]["capabilities"]),
        "serverInfo": {"name": "texgeist", "version": __version__},
    }
    answer = json.dumps({"id": request["id"], "jsonrpc": "2.0", "result": result}).encode()
    stdout.write(b"Content-Length: %d\r\n\r\n%s" % (len(answer), answer))
    stdout.flush()
    answered: int | str = request["id"]
    return answered


def offered(client: dict[str, Any]) -> dict[str, Any]:
    """The capabilities for a client of these: only the units of positions, and whether a renaming may be prepared,
    depend on them."""
    capabilities: dict[str, Any] = json.loads(CAPABILITIES.read_text("utf-8"))
    units = [one for one in _within(client, "general", "positionEncodings") or () if one in _UNITS]
    if units:
        capabilities["positionEncoding"] = units[0]
    if _within(client, "textDocument", "rename", "prepareSupport"):
        capabilities["renameProvider"] = {"prepareProvider": True}
    return capabilities


def _request(body: bytes) -> dict[str, Any] | None:
    try:
        said = json.loads(body)
    except ValueError:
        return None
    known = isinstance(said, dict) and said.get("method") == "initialize" and said.get("jsonrpc") == "2.0"
    if not known or not isinstance(said.get("id"), int | str):
        return None
    return said if isinstance(_within(said, "params", "capabilities"), dict) else None


def _within(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value
