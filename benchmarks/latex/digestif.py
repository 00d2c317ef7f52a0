"""The same thesis by digestif, the language server of TeX Live, where it is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any


def measure(root: Path, rounds: int = 40) -> dict[str, float] | None:
    """Hover and completion at citations over stdio; None where there is no digestif."""
    program = shutil.which("digestif")
    if program is None:
        return None
    client = _Client(program)
    try:
        begun = time.perf_counter()
        client.ask("initialize", {"processId": None, "rootUri": root.parent.as_uri(), "capabilities": {}})
        client.tell("initialized", {})
        path = max(root.parent.glob("*.tex"), key=lambda p: p.stat().st_size)
        text = path.read_text()
        opened = {"uri": path.as_uri(), "languageId": "latex", "version": 1, "text": text}
        client.tell("textDocument/didOpen", {"textDocument": opened})
        place = text.index("\\citep{") + 7
        line, column = text.count("\n", 0, place), place - text.rfind("\n", 0, place) - 1
        where = {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": column}}
        client.ask("textDocument/completion", where)
        first = time.perf_counter() - begun
        completion, hover = [], []
        for number in range(rounds):
            change = {"uri": path.as_uri(), "version": number + 2}
            changed = {"textDocument": change, "contentChanges": [{"text": text + " " * (number % 3)}]}
            client.tell("textDocument/didChange", changed)
            completion.append(client.timed("textDocument/completion", where))
            hover.append(client.timed("textDocument/hover", where))
    except (OSError, ValueError, EOFError) as error:
        print(f"digestif: {error}")
        return None
    finally:
        client.end()
    completion.sort()
    hover.sort()
    return {
        "start, open, first completion (s)": first,
        "change and completion p50 (ms)": completion[len(completion) // 2],
        "change and completion p95 (ms)": completion[int(len(completion) * 0.95)],
        "hover p50 (ms)": hover[len(hover) // 2],
        "hover p95 (ms)": hover[int(len(hover) * 0.95)],
    }


class _Client:
    """Just enough of LSP over stdio."""

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.last = 0

    def tell(self, method: str, params: dict[str, Any], **more: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        self.last += 1
        self.tell(method, params, id=self.last)
        while (answer := self._read()).get("id") != self.last:
            pass
        return answer.get("result")

    def timed(self, method: str, params: dict[str, Any]) -> float:
        begun = time.perf_counter()
        self.ask(method, params)
        return (time.perf_counter() - begun) * 1e3

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise EOFError("it ended")
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        answer: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return answer

    def end(self) -> None:
        self.process.kill()
        self.process.wait(10)
