"""What somebody who types waits for, beside another language server in the same run: a thesis of 1 MB in 40 files with
5,000 entries is opened, typed into and asked about. Times mean little on a busy machine; ratios do.
`python -m benchmarks.keystrokes [--runs 5] [--entries 72000] [--beside "badness lsp"]`."""

from __future__ import annotations

import argparse
import json
import os
import queue
import shlex
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.latex.thesis import write_thesis

OURS = [sys.executable, "-P", "-m", "texgeist_server", "lsp"]
_CAPABILITIES = {
    "textDocument": {"publishDiagnostics": {"versionSupport": True}, "hover": {"contentFormat": ["markdown"]}}
}


class Peer:
    """A client that reads on a thread, so that nothing waits for it."""

    def __init__(self, command: list[str], folder: Path) -> None:
        compiled = {  # as an installed server is: without it our modules are compiled at each start
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        }
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=compiled,
        )
        self.answers: queue.Queue[Any] = queue.Queue()
        self.published: queue.Queue[tuple[float, Any]] = queue.Queue()
        self.count = 0
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def tell(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> Any:
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        while (answer := self.answers.get(timeout=120)).get("id") != self.count:
            pass
        return answer.get("result")

    def _read(self) -> None:
        assert self.process.stdout
        while line := self.process.stdout.readline():
            length = 0
            while line.strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                line = self.process.stdout.readline()
            message = json.loads(self.process.stdout.read(length))
            if "method" in message and "id" in message:
                items = (
                    message.get("params", {}).get("items")
                    if message["method"] == "workspace/configuration"
                    else None
                )
                self.send({"id": message["id"], "result": [None] * len(items) if items else None})
            elif message.get("method") == "textDocument/publishDiagnostics":
                self.published.put((time.perf_counter(), message["params"]))
            elif "id" in message:
                self.answers.put(message)

    def memory(self) -> float:
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def measure(command: list[str], folder: Path, rounds: int = 40) -> dict[str, float]:
    """Milliseconds, the 95th of a hundred; seconds for the start; MB."""
    started = time.perf_counter()
    peer = Peer(command, folder)
    uri, file = folder.as_uri(), folder / "chapter07.tex"
    peer.ask(
        "initialize",
        {
            "processId": None,
            "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": "t"}],
            "capabilities": _CAPABILITIES,
        },
    )
    figures = {"first answer, s": time.perf_counter() - started}
    peer.tell("initialized", {})
    text = file.read_text()
    for one in (folder / "main.tex", file):
        document = {"uri": one.as_uri(), "languageId": "latex", "version": 1, "text": one.read_text()}
        peer.tell("textDocument/didOpen", {"textDocument": document})
    identifier = {"uri": file.as_uri()}
    cited = text.index("\\citep{") + 9
    at = {"line": text.count("\n", 0, cited), "character": cited - text.rfind("\n", 0, cited) - 1}
    asked = {"textDocument": identifier, "position": at}
    while not _items(peer.ask("textDocument/completion", asked)):
        time.sleep(0.05)
    figures["first completion, s"] = time.perf_counter() - started
    place = {"line": text.count("\n", 0, text.rfind("\n\n", 0, cited)) + 1, "character": 0}
    version = 1

    def change(new: str, end: Any = place) -> None:
        nonlocal version
        version += 1
        changes = [{"range": {"start": place, "end": end}, "text": new}]
        params = {"textDocument": {**identifier, "version": version}, "contentChanges": changes}
        peer.tell("textDocument/didChange", params)

    took: dict[str, list[float]] = {}

    def timed(name: str, work: Callable[[], object]) -> None:
        begun = time.perf_counter()
        work()
        took.setdefault(name, []).append(1000 * (time.perf_counter() - begun))

    def change_and_complete(number: int) -> None:
        change(*(("x",) if number % 2 == 0 else ("", {**place, "character": 1})))
        peer.ask("textDocument/completion", asked)

    for number in range(rounds):
        timed("change and completion, ms", partial(change_and_complete, number))
        timed("hover, ms", lambda: peer.ask("textDocument/hover", asked))
        timed("definition, ms", lambda: peer.ask("textDocument/definition", asked))
        time.sleep(0.02)
    for number in range(rounds // 2):
        begun = time.perf_counter()
        change(f"\\cite{{nokey{number}}} ")
        while True:
            arrived, params = peer.published.get(timeout=30)
            if (
                params["uri"] == file.as_uri()
                and arrived > begun
                and params.get("version", version) in (None, version)
            ):
                break
        took.setdefault("change to diagnostics, ms", []).append(1000 * (arrived - begun))
        time.sleep(0.1)
    figures |= {name: sorted(values)[int(len(values) * 0.95)] for name, values in took.items()}
    figures["memory, MB"] = peer.memory()
    peer.close()
    return figures


def _items(result: Any) -> list[Any]:
    found = result.get("items") if isinstance(result, dict) else result
    return found or []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--entries", type=int, default=5000, help="in the bibliography")
    parser.add_argument("--beside", default="", help="another server's command, for instance `badness lsp`")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        write_thesis(Path(name), entries=given.entries)
        runs = []
        for _ in range(given.runs):
            beside = measure(shlex.split(given.beside), Path(name)) if given.beside else None
            runs.append((measure(OURS, Path(name)), beside))
    middle = statistics.median
    for figure in runs[0][0]:
        row: dict[str, Any] = {"median of the runs": round(middle(ours[figure] for ours, _ in runs), 2)}
        if given.beside:
            row["beside"] = round(middle(other[figure] for _, other in runs if other), 2)
            row["ratio"] = round(middle(ours[figure] / other[figure] for ours, other in runs if other), 2)
        print(json.dumps({figure: row}))


if __name__ == "__main__":
    main()
