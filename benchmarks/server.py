"""The language server: start-up to `initialized`, memory before the first job, the handlers of the
keystroke path, and requests while a job runs. `python -m benchmarks.server`."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, "-P", "-m", "texgeist_server", "lsp"]
START_SECONDS, MEMORY_MEGABYTES = 0.5, 120  # targets


class Wire:
    """A client of a few lines, so that what is measured is the server's time alone."""

    def __init__(self, folder: Path) -> None:
        self.started = time.perf_counter()
        env = {**os.environ, "TEXGEIST_CONFIG": str(folder / "none.toml")}
        self.process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.count = 0

    def send(self, method: str, params: Any, id: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(message if id is None else {**message, "id": id}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def read(self) -> Any:
        assert self.process.stdout
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return json.loads(self.process.stdout.read(length))

    def request(self, method: str, params: Any) -> tuple[Any, float]:
        """The result and how long it took, in seconds; what the server asks meanwhile is answered."""
        self.count += 1
        started = time.perf_counter()
        self.send(method, params, self.count)
        while True:
            message = self.read()
            if message.get("id") == self.count and "method" not in message:
                return message.get("result"), time.perf_counter() - started
            if "id" in message and "method" in message:
                self.answer(message)

    def answer(self, message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": None}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def memory(self) -> float:
        """Resident memory in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0

    def processor_time(self) -> float:
        """Seconds of processor time so far: what a machine with nothing else to do would take."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()


def start(folder: Path) -> tuple[Wire, float]:
    wire = Wire(folder)
    uri = folder.as_uri()
    wire.request(
        "initialize",
        {
            "processId": None,
            "capabilities": {},
            "rootUri": uri,
            "workspaceFolders": [{"uri": uri, "name": "w"}],
        },
    )
    took = time.perf_counter() - wire.started
    wire.send("initialized", {})
    return wire, took


def measure(runs: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "main.tex"
        file.write_text(_thesis())
        bare = [_timed([sys.executable, "-P", "-c", "import pygls.lsp.server"]) for _ in range(runs)]
        starts, busy = [], []
        for _ in range(runs):
            wire, took = start(folder)
            starts.append(took)
            busy.append(wire.processor_time())
            wire.close()
        wire, _ = start(folder)
        document = {"uri": file.as_uri(), "languageId": "latex", "version": 1, "text": file.read_text()}
        wire.send("textDocument/didOpen", {"textDocument": document})
        identifier = {"textDocument": {"uri": file.as_uri()}}
        at = {"line": 3, "character": 8}
        wire.request("textDocument/hover", {**identifier, "position": at})
        memory = wire.memory()
        actions = {**identifier, "range": {"start": at, "end": at}, "context": {"diagnostics": []}}
        figures = {
            "code action, ms": [wire.request("textDocument/codeAction", actions)[1] for _ in range(100)],
            "hover, ms": [
                wire.request("textDocument/hover", {**identifier, "position": at})[1] for _ in range(100)
            ],
        }
        wire.close()
    return {
        "start to initialized, s": {
            "median": round(statistics.median(starts), 3),
            "best": round(min(starts), 3),
            "processor time (best)": round(min(busy), 3),
            "target": START_SECONDS,
            "of which importing pygls alone (best)": round(min(bare), 3),
        },
        "memory before the first job, MB": {"value": round(memory, 1), "target": MEMORY_MEGABYTES},
        **{name: _spread(values) for name, values in figures.items()},
    }


def _timed(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - started


def _spread(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(1000 * value for value in seconds)
    return {"p50": round(statistics.median(ordered), 2), "p95": round(ordered[len(ordered) * 95 // 100], 2)}


def _thesis() -> str:
    paragraph = "Words on \\emph{things} and their \\cite{smith2020things}, at length.\n" * 20
    return "\\documentclass{article}\n\\begin{document}\n\\section{One}\n" + "\n".join([paragraph] * 40)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    print(json.dumps(measure(parser.parse_args().runs), indent=2))


if __name__ == "__main__":
    main()
