"""Model servers that run on this machine already: Ollama, LM Studio, llama.cpp and vLLM on their usual ports.

They are asked only about their models, and only on demand; no text of a draft is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urljoin

from pydantic import BaseModel, StringConstraints, TypeAdapter, ValidationError

from .llama_server import CONTEXT

PORTS = {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080, "vLLM": 8000}
_CONNECT, _SECONDS = 0.3, 1.5  # seconds; a local server that takes longer is busy
_MOST = 50  # models of a server
_ELSEWHERE = "It runs on Ollama's servers, so your abstract and passages of the papers are sent there."
_MORE_CONTEXT = {
    "Ollama": "set OLLAMA_CONTEXT_LENGTH={0} and restart it",
    "LM Studio": "load it with {0}",
    "llama.cpp": "start it with -c {0}",
    "vLLM": "start it with --max-model-len {0}",
}


@dataclass(frozen=True, slots=True)
class ServedModel:
    """`remark`: says where the model runs, or why its answer may be late or fail; "" if there is nothing to
    say. `here`: True if the model runs on this machine."""

    name: str
    remark: str = ""
    here: bool = True


@dataclass(frozen=True, slots=True)
class ModelServer:
    """`address`: the value for the setting `writer.baseUrl`."""

    name: str
    address: str
    models: tuple[ServedModel, ...]


Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[\x20-\x7e]+$")]


class _Entry(BaseModel):
    """A model in the lists of the four servers, which name its fields differently."""

    id: Name
    type: str = ""  # LM Studio
    state: str = ""  # LM Studio: "loaded" or "not-loaded"
    max_model_len: int = 0  # vLLM
    loaded_context_length: int = 0  # LM Studio


class _Loaded(BaseModel):
    """A loaded model, as listed by Ollama's `/api/ps`."""

    name: Name
    context_length: int = 0


class _Generation(BaseModel):
    n_ctx: int = 0


class _Props(BaseModel):
    default_generation_settings: _Generation = _Generation()


_ENTRIES, _LOADED = TypeAdapter(list[_Entry]), TypeAdapter(list[_Loaded])
Get = Callable[[str], Any]


def model_servers(ports: Mapping[str, int] = PORTS) -> list[ModelServer]:
    """The servers that answer within two seconds and offer a model."""
    with ThreadPoolExecutor(max_workers=len(ports) or 1) as side:
        asked = [side.submit(server_at, f"http://127.0.0.1:{port}/v1", name) for name, port in ports.items()]
        return [server for each in asked if (server := each.result())]


def server_at(address: str, name: str = "The model server", key: str = "") -> ModelServer | None:
    """The server at `address` (as in `writer.baseUrl`), with its models; None if it does not answer, or offers no
    models."""
    import httpx2

    from .client import UnboundedAnswer, model_client

    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with model_client(address, _SECONDS, _CONNECT) as client:

        def get(path: str) -> Any:
            try:
                answer = client.get(urljoin(f"{address.rstrip('/')}/", path), headers=headers)
                return answer.json() if answer.is_success else None
            except (httpx2.HTTPError, httpx2.InvalidURL, UnboundedAnswer, ValueError, RecursionError):
                return None

        try:
            models = tuple(_models(name, get))
        except (ValidationError, AttributeError):
            return None  # another program uses this port
    return ModelServer(name, address, models) if models else None


def _models(name: str, get: Get) -> Iterator[ServedModel]:
    listed = (get("/api/v0/models") if name == "LM Studio" else None) or get("models") or {}
    entries = _ENTRIES.validate_python(listed.get("data") or [])[:_MOST]
    contexts = _contexts(name, entries, get) if entries else {}
    for entry in entries:
        if "embed" not in f"{entry.type} {entry.id}".lower():
            here = not (name == "Ollama" and entry.id.endswith("cloud"))
            yield ServedModel(entry.id, _remark(name, contexts.get(entry.id)) if here else _ELSEWHERE, here)


def _contexts(name: str, entries: Iterable[_Entry], get: Get) -> dict[str, int]:
    """The context of each loaded model in tokens, 0 if unknown; models that are not loaded are absent."""
    if name == "Ollama":
        running = _LOADED.validate_python((get("/api/ps") or {}).get("models") or [])
        return {each.name: each.context_length for each in running}
    if name == "LM Studio":
        return {each.id: each.loaded_context_length for each in entries if each.state != "not-loaded"}
    shared = _Props.model_validate(get("/props") or {}) if name == "llama.cpp" else _Props()
    return {each.id: each.max_model_len or shared.default_generation_settings.n_ctx for each in entries}


def _remark(server: str, context: int | None) -> str:
    if context is None:
        return "It is not loaded yet, so its first answer takes longer."
    if 0 < context < CONTEXT:
        more = _MORE_CONTEXT.get(server, "start it with {0}").format(CONTEXT)
        return f"Its context of {context:,} tokens is too small for texgeist: {more}."
    return ""
