"""A local server that stands in for arXiv by its address, a setting, and takes its time."""

from __future__ import annotations

import json
import re
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
        return {"papers": {"arxiv": "always"}}

    def environment(self) -> dict[str, str]:
        address = f"http://127.0.0.1:{self._server.server_address[1]}"
        return {"TEXGEIST_ARXIV_ADDRESS": address, "TEXGEIST_ARXIV_PAUSE": "0"}

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()


class SlowModel:
    """Speaks the OpenAI protocol at a local address, another setting: answers every prompt rightly, from
    its schema alone, `seconds` later. `prompts` are what reached it."""

    def __init__(self) -> None:
        self.seconds = 0.05
        self.prompts: list[str] = []
        self._closing = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.prompts.append(json.dumps(request["messages"], ensure_ascii=False))
                outer._closing.wait(outer.seconds)
                schema = request["response_format"]["json_schema"]["schema"]
                answer = json.dumps(_answer(schema, "".join(m["content"] for m in request["messages"])))
                chunk = {
                    "index": 0,
                    "delta": {"role": "assistant", "content": answer},
                    "finish_reason": "stop",
                }
                frame = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m"}
                usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
                frames = [{**frame, "choices": [chunk]}, {**frame, "choices": [], "usage": usage}]
                events = [f"data: {json.dumps(one)}\n\n" for one in frames]
                body = "".join([*events, "data: [DONE]\n\n"]).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def settings(self) -> dict[str, Any]:
        address = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        return {"writer": {"provider": "openai", "baseUrl": address, "model": "m", "path": "strong"}}

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()


def _answer(schema: dict[str, Any], prompt: str) -> Any:
    properties = schema["properties"]
    if "score" in properties:
        return {"reason": "It is near.", "score": 7}
    if "strands" in properties:
        found = [("citations", "checking citations by their sources"), ("drafts", "writing drafts of papers")]
        return {"strands": [{"name": n, "query": q, "why": "It is near.", "works": []} for n, q in found]}
    if "corrections" in properties:
        return {"corrections": []}
    if "papers" in properties:
        return {
            "papers": [{"title": "Checked citations", "abstract": "A citation is checked by its source."}]
        }
    if "summary" in properties:
        ids = properties["passages"]["items"]["properties"]["id"]["enum"]
        passages = [{"id": id, "relevance": 8, "supports": "It bears on the draft."} for id in ids]
        return {"summary": "It bears on the draft, as its abstract says.", "passages": passages}
    ids = list(dict.fromkeys(re.findall(r'<passage id="(\w+)"', prompt)))
    said = [f"[{id}] treat a neighbouring question of kind-{id} with care." for id in ids[:14]]
    return {"plan": [], "section": " ".join(["**Neighbours.** Several papers are near to our work.", *said])}
