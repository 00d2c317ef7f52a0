"""A local server that stands in for arXiv by its address, a setting, and takes its time."""

from __future__ import annotations

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class SlowArxiv:
    """Answers 404 to every paper, `seconds` later. `asked` counts the requests."""

    def __init__(self) -> None:
        self.seconds = 30.0
        self.asked = 0
        self._closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked += 1
                deadline = time.monotonic() + outer.seconds
                while time.monotonic() < deadline and not outer._closing.is_set():
                    outer._closing.wait(0.05)
                try:
                    self.send_error(404)
                except OSError:
                    return

            def log_message(self, format: str, *args: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def settings(self) -> dict[str, Any]:
        address = f"http://127.0.0.1:{self._server.server_address[1]}"
        return {"papers": {"arxiv": "always", "arxivAddress": address, "arxivGateSeconds": 0}}

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
