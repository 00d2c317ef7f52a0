"""A real HTTP server that speaks Anthropic's and OpenAI's streaming protocols, and does what it is told.
For tests and benchmarks."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from texgeist_retrieval.writing import AnthropicModel, OpenAIModel

from ..http_server import Handler, Server, send

KEY = "sk-test-0123456789abcdef"


@dataclass
class Turn:
    """What the server does with one request."""

    answer: Any = None  # sent as JSON, or as it is where it is text
    status: int = 200
    message: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    finish: str = "stop"  # stop, length, refusal
    breaks: bool = False  # the connection is cut in the middle of the answer
    hangs: bool = False  # accepts and says nothing
    stalls: bool = False  # begins to answer and stops
    endless: bool = False  # goes on and on
    event_error: str = ""  # an error event inside the stream
    seconds: float = 0.0  # waited before the answer
    tokens: tuple[int, int] = (100, 25)  # sent and written, as OpenAI's protocol tells them

    @property
    def text(self) -> str:
        return self.answer if isinstance(self.answer, str) else json.dumps(self.answer)


Brain = Callable[[dict[str, Any]], Turn]


@dataclass(frozen=True)
class Call:
    """One request that was answered, by the clock `time.monotonic`."""

    began: float
    ended: float
    request: dict[str, Any]
    turn: Turn


class _Server(Server):
    request_queue_size = 128  # of callers that knock at one moment; 5 is the library's


class ModelServer:
    def __init__(self) -> None:
        self.script: list[Turn] = []
        self.brain: Brain | None = None
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.calls: list[Call] = []
        self.released = threading.Event()
        self.open = 0
        self.most_open = 0
        self._lock = threading.Lock()
        self._http = _Server(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self.released.set()
        self._http.shutdown()
        self._http.server_close()

    def next(self, request: dict[str, Any]) -> Turn:
        with self._lock:
            if self.script:
                return self.script.pop(0)
        return self.brain(request) if self.brain else Turn(status=500, message="nothing left to say")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Answering(Handler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with server._lock:
                    server.requests.append(body)
                    server.headers.append({k.lower(): v for k, v in self.headers.items()})
                    server.open += 1
                    server.most_open = max(server.most_open, server.open)
                began = time.monotonic()
                try:
                    turn = server.next(body)
                    self.answer(turn)
                    server.calls.append(Call(began, time.monotonic(), body, turn))
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True
                finally:
                    with server._lock:
                        server.open -= 1

            def answer(self, turn: Turn) -> None:
                time.sleep(turn.seconds)
                if turn.hangs:
                    server.released.wait(20)
                if turn.status != 200:
                    return self.refuse(turn)
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("transfer-encoding", "chunked")
                self.end_headers()
                anthropic = self.path.startswith("/v1/messages")
                events = anthropic_events(turn) if anthropic else openai_events(turn)
                for number, event in enumerate(events):
                    if number == 3 and (turn.breaks or turn.stalls):
                        if turn.stalls:
                            server.released.wait(20)
                        self.close_connection = True
                        return None
                    if turn.endless and server.released.is_set():
                        self.close_connection = True
                        return None
                    data = event.encode()
                    self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
                    self.wfile.flush()
                self.wfile.write(b"0\r\n\r\n")
                return None

            def refuse(self, turn: Turn) -> None:
                error = {"type": "error", "error": {"type": "error", "message": turn.message}}
                data = json.dumps(error).encode()
                send(self, turn.status, data, content_type="application/json", **turn.headers)

        return Answering


@contextlib.contextmanager
def serving_model(brain: Brain) -> Iterator[ModelServer]:
    """A server that answers as `brain` does, for as long as it is needed."""
    server = ModelServer()
    server.brain = brain
    try:
        yield server
    finally:
        server.close()


def pieces(turn: Turn) -> Iterator[str]:
    text = turn.text
    step = max(1, len(text) // 7)
    yield from (text[i : i + step] for i in range(0, len(text), step))
    while turn.endless:
        yield "and so on and so forth, " * 40


def anthropic_events(turn: Turn) -> Iterator[str]:
    def event(name: str, data: dict[str, Any]) -> str:
        return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"

    usage = {
        "input_tokens": 100,
        "output_tokens": 1,
        "cache_read_input_tokens": 40,
        "cache_creation_input_tokens": 10,
    }
    message: dict[str, Any] = {
        "id": "m", "type": "message", "role": "assistant", "model": "test", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    yield event("message_start", {"message": message})
    if turn.event_error:
        yield event("error", {"error": {"type": "overloaded_error", "message": turn.event_error}})
        return
    thinking = {"type": "thinking", "thinking": "", "signature": ""}
    yield event("content_block_start", {"index": 0, "content_block": thinking})
    yield event("content_block_delta", {"index": 0, "delta": {"type": "thinking_delta", "thinking": "{hm"}})
    yield event("content_block_stop", {"index": 0})
    yield event("content_block_start", {"index": 1, "content_block": {"type": "text", "text": ""}})
    for piece in pieces(turn):
        yield event("content_block_delta", {"index": 1, "delta": {"type": "text_delta", "text": piece}})
    yield event("content_block_stop", {"index": 1})
    reason = {"stop": "end_turn", "length": "max_tokens", "refusal": "refusal"}[turn.finish]
    yield event(
        "message_delta",
        {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 25}},
    )
    yield event("message_stop", {})


def openai_events(turn: Turn) -> Iterator[str]:
    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        data = {
            "id": "c",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "test",
            "choices": [choice],
            **more,
        }
        return f"data: {json.dumps(data)}\n\n"

    if turn.event_error:
        yield f"data: {json.dumps({'error': {'message': turn.event_error}})}\n\n"
        return
    yield chunk({"role": "assistant", "content": ""})
    if turn.finish == "refusal":
        yield chunk({"refusal": "I cannot help with that."})
    for piece in pieces(turn) if turn.finish != "refusal" else ():
        yield chunk({"content": piece})
    yield chunk({}, "length" if turn.finish == "length" else "stop")
    usage = {
        "prompt_tokens": turn.tokens[0],
        "completion_tokens": turn.tokens[1],
        "total_tokens": sum(turn.tokens),
        "prompt_tokens_details": {"cached_tokens": min(40, turn.tokens[0])},
    }
    yield chunk({}, None, usage=usage).replace(
        '"choices": [{"index": 0, "delta": {}, "finish_reason": null}]', '"choices": []'
    )
    yield "data: [DONE]\n\n"


class FakeBrain:
    """A model of the simplest kind: it answers every prompt rightly, from the schema alone."""

    def __init__(self, drop: frozenset[str] = frozenset()) -> None:
        self.drop = drop
        self.seen: list[str] = []

    def __call__(self, request: dict[str, Any]) -> Turn:
        schema = schema_of(request)
        properties = schema["properties"]
        self.seen.append(next(iter(properties)))
        if "summary" in properties:
            ids = properties["passages"]["items"]["properties"]["id"]["enum"]
            passages = [{"id": i, "relevance": 8, "supports": f"What {i} says."} for i in ids]
            return Turn({"summary": f"A summary that rests on {ids[0]}.", "passages": passages})
        if "corrections" in properties:
            return Turn({"corrections": []})
        cited = [i for i in ids_in(request) if i.endswith("a") and i not in self.drop]
        said = [f"[{i}] ranks passages in manner-{i}." for i in cited]
        text = " ".join(["Several papers rank passages, as our work does.", *said])
        return Turn({"plan": ["ranking"], "section": f"**Ranking.** {text}"})


def ids_in(request: dict[str, Any]) -> list[str]:
    """The ids of the passages in the prompt, in order."""
    return re.findall(r'<passage id="(\w+)"', text_of(request))


def text_of(request: dict[str, Any]) -> str:
    """All that the model is sent, without its system prompt."""
    contents = (message["content"] for message in request["messages"])
    return "".join(c if isinstance(c, str) else "".join(b.get("text", "") for b in c) for c in contents)


def schema_of(request: dict[str, Any]) -> dict[str, Any]:
    if "output_config" in request:
        return request["output_config"]["format"]["schema"]
    form = request.get("response_format", {})
    if "json_schema" in form:
        return form["json_schema"]["schema"]
    system = request["messages"][0]["content"]
    return json.loads(system.split("nothing else:\n", 1)[1])


def model_at(provider: str, url: str, timeout: float = 20.0, key: str = KEY) -> AnthropicModel | OpenAIModel:
    """A model of this provider at the address of a server. The HTTP library is imported: that is no part of any bound."""
    made = (
        AnthropicModel("test", key, url, timeout)
        if provider == "anthropic"
        else OpenAIModel("test", key, f"{url}/v1", timeout=timeout)
    )
    made.prepare()
    return made
