"""A package index on loopback that serves a folder of wheels, and can fail as networks do."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote


@contextmanager
def package_index(wheels: Path) -> Iterator[str]:
    """Its address. GET /control/up, /control/down and /control/stall change its mind: `down` breaks every
    connection, `stall` sends half of the biggest wheel and then nothing; /control/served counts files."""
    server = _Index(wheels)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.resume.set()
        server.shutdown()
        server.server_close()


class _Index(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, wheels: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files = {file.name: file for file in wheels.glob("*.whl")}
        self.biggest = max(self.files, key=lambda name: self.files[name].stat().st_size)
        self.mode = "up"
        self.resume = threading.Event()
        self.served: Counter[str] = Counter()


class _Handler(BaseHTTPRequestHandler):
    server: _Index
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        _, kind, name, *_ = [*unquote(self.path).split("/"), ""]
        if kind == "control":
            return self._control(name)
        if self.server.mode == "down":
            self.close_connection = True
            self.connection.close()
            return None
        if kind == "simple":
            return self._project(name)
        return self._file(name)

    def _control(self, what: str) -> None:
        if what in ("up", "down", "stall"):
            self.server.mode = what
            (self.server.resume.clear if what == "stall" else self.server.resume.set)()
        self._send(json.dumps(self.server.served).encode(), "application/json")

    def _project(self, name: str) -> None:
        links = [
            f'<a href="/files/{file}#sha256={_hash(path)}">{file}</a>'
            for file, path in self.server.files.items()
            if _normal(file.split("-")[0]) == _normal(name)
        ]
        if not links:
            self.send_error(404)
            return
        self._send("".join(links).encode(), "text/html")

    def _file(self, name: str) -> None:
        body = self.server.files[name].read_bytes()
        if self.server.mode == "stall" and name == self.server.biggest:
            self._head(len(body), "application/octet-stream")
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            self.server.resume.wait(120)
            self.close_connection = True
            return
        self.server.served[name] += 1
        self._send(body, "application/octet-stream")

    def _send(self, body: bytes, kind: str) -> None:
        self._head(len(body), kind)
        self.wfile.write(body)

    def _head(self, length: int, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        lasting = kind == "application/octet-stream"
        self.send_header("Cache-Control", "max-age=365000000, immutable" if lasting else "no-cache")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    with package_index(Path(sys.argv[1])) as address:
        print(address, flush=True)
        threading.Event().wait()
