"""Local servers that stand in for arXiv and for a model, each by its address, a setting, and take their time."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, TypeVar

from ..http_server import body_of, got, send


@dataclass
class SlowArxiv:
    """Answers 404 to every paper, `seconds` later. `asked` counts the requests."""

    address: str = ""
    seconds: float = 30.0
    asked: int = 0
    closing: threading.Event = field(default_factory=threading.Event)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        self.asked += 1
        began = time.monotonic()
        while time.monotonic() < began + self.seconds and not self.closing.wait(0.05):
            pass
        handler.send_error(404)

    def settings(self) -> dict[str, Any]:
        return {"papers": {"arxiv": "always"}}

    def environment(self) -> dict[str, str]:
        return {"TEXGEIST_ARXIV_ADDRESS": self.address, "TEXGEIST_ARXIV_PAUSE": "0"}


@dataclass
class SlowModel:
    """Speaks the OpenAI protocol at a local address, another setting: answers every prompt rightly, from
    its schema alone, `seconds` later. `prompts` are what reached it."""

    address: str = ""
    seconds: float = 0.05
    prompts: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        request = json.loads(body_of(handler))
        self.prompts.append(json.dumps(request["messages"], ensure_ascii=False))
        self.closing.wait(self.seconds)
        schema = request["response_format"]["json_schema"]["schema"]
        answer = json.dumps(_answer(schema, "".join(m["content"] for m in request["messages"])))
        chunk = {"index": 0, "delta": {"role": "assistant", "content": answer}, "finish_reason": "stop"}
        frame = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m"}
        usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
        frames = [{**frame, "choices": [chunk]}, {**frame, "choices": [], "usage": usage}]
        events = "".join(f"data: {json.dumps(one)}\n\n" for one in frames) + "data: [DONE]\n\n"
        send(handler, 200, events.encode(), Content_Type="text/event-stream")

    def settings(self) -> dict[str, Any]:
        return {
            "writer": {"provider": "openai", "baseUrl": f"{self.address}/v1", "model": "m", "path": "strong"}
        }


Slow = TypeVar("Slow", SlowArxiv, SlowModel)


@contextlib.contextmanager
def running(server: Slow) -> Iterator[Slow]:
    with got(server.answer) as server.address:
        try:
            yield server
        finally:
            server.closing.set()


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
