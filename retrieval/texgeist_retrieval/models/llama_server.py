"""The process that runs a language model on this machine, for all texgeist processes of a user.

llama.cpp (`xllamacpp`) reads the model from a GGUF file and serves OpenAI's protocol on a free loopback port,
only to clients that know its random token. A native crash or a lack of memory ends this process, not the
worker. It has low priority and half of the processor's threads, so that typing stays fast, and ends after an
idle time.

    python -m texgeist_retrieval.models.llama_server FILE CONTEXT [IDLE_SECONDS]"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..shared_process import Registration, only_holder, register

IDLE_SECONDS = 300.0
CONTEXT = 8192  # tokens of a request and its answer, if each request is about a single paper
LONG_CONTEXT = 32_768  # if a request has all papers
BATCH = 32  # tokens of a prompt that are read before the next check whether the client has gone
PROMPTS_KEPT = 256  # MiB for the states of earlier prompts, so that equal beginnings are not read again
_COUNTED = re.compile(r"^llamacpp:(?:n_decode_total|requests_processing) (\d+)", re.MULTILINE)


def held(file: Path, context: int) -> Path:
    """The path where the process for this model and context is registered."""
    return file.with_name(f"{file.name}.{context}")


def memory_needed(file: Path, context: int) -> int:
    """Bytes of memory that the process needs for the weights (llama.cpp rearranges a part of them), the
    context and the libraries. Based on measurements with the context of the small path: models of 0.1 and 1.1
    GB used 0.3 and 2.0 GB."""
    size = file.stat().st_size
    return size * 5 // 4 + context * (size // 50_000) + 600_000_000


def serve(file: Path, context: int, idle: float) -> None:
    """Serves the model until it was idle for `idle` seconds. Returns at once if another server runs the
    model."""
    with only_holder(held(file, context)) as alone:
        if alone:
            _serve_locked(file, context, idle)


def _serve_locked(file: Path, context: int, idle: float) -> None:
    token = secrets.token_hex(16)
    server = _loaded(file, context, token)
    register(
        held(file, context), Registration(os.getpid(), urlsplit(server.listening_address).port or 0, token)
    )
    counted, quiet_since = "", time.monotonic()
    while time.monotonic() - quiet_since < idle and file.exists():
        time.sleep(min(2.0, idle / 4))
        decoded, running = _COUNTED.findall(server.handle_metrics())
        if decoded != counted or running != "0":
            counted, quiet_since = decoded, time.monotonic()


def _loaded(file: Path, context: int, token: str) -> Any:
    """The server with its model. Raises `RuntimeError`; llama.cpp writes the reason to standard error."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(file)
    parameters.port, parameters.api_keys = 0, [token]
    parameters.ui = parameters.endpoint_slots = parameters.endpoint_props = False
    parameters.endpoint_metrics = True
    parameters.n_ctx, parameters.n_parallel = context, 1
    parameters.n_batch = parameters.n_ubatch = BATCH
    parameters.cache_ram_mib = PROMPTS_KEPT
    threads = max(1, (os.cpu_count() or 2) // 2)
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.warmup = False
    parameters.verbosity = 2  # errors and warnings, no prompts
    return xllamacpp.Server(parameters)


def _yield_to_others(file: Path, context: int) -> None:
    """Lowers the priority and limits the memory of this process. On Windows, `local` starts it with low
    priority, and its memory is not limited."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(10)
    most = 2 * memory_needed(file, context)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    known = [limit for limit in (soft, hard, most) if limit != resource.RLIM_INFINITY]
    with contextlib.suppress(ValueError, OSError):  # not every system has this limit
        resource.setrlimit(resource.RLIMIT_DATA, (min(known), hard))


if __name__ == "__main__":
    os.umask(0o077)
    os.environ["GGML_NO_BACKTRACE"] = "1"  # else a debugger is started after a crash
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    model, tokens = Path(sys.argv[1]), int(sys.argv[2])
    _yield_to_others(model, tokens)
    serve(model, tokens, float(sys.argv[3]) if len(sys.argv) > 3 else IDLE_SECONDS)
