"""Language models that texgeist runs itself, in a process that is started for the first request."""

from __future__ import annotations

import contextlib
import importlib.util
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import WriterDenied, WriterError, WriterUnavailable, with_extra
from ..shared_process import Registration, Starter, is_served
from .answers import Answer
from .gguf import chosen_file
from .llama_server import CONTEXT, held, memory_needed
from .openai import OpenAIModel, connection_to
from .retry import Stopped

if TYPE_CHECKING:
    import threading

    from .client import Connection

ENGINE = "xllamacpp"
START_SECONDS = 120.0  # to read several gigabytes from a slow disk
_OTHERWISE = "or use the extractive writer."
_SMALLER = f"Close other programs, choose a smaller model (`writer.model`), {_OTHERWISE}"


class LocalModel(OpenAIModel):
    """A `LanguageModel` that runs a GGUF file of `folder` with llama.cpp, in a separate process
    (`llama_server`) that several editor windows share. `model`: the file's name without its ending; "" for
    the largest file. `context`: in tokens."""

    def __init__(
        self,
        model: str = "",
        api_key: str = "",
        timeout: float = 120.0,
        *,
        folder: Path,
        context: int = CONTEXT,
    ) -> None:
        super().__init__(model or "model", "local", "http://127.0.0.1", timeout)
        self._address = ""  # known when the process has started
        self._chosen, self._folder, self._context = model, folder, context
        self._connected: tuple[Registration, Connection] | None = None

    @property
    def name(self) -> str:
        with contextlib.suppress(WriterDenied):
            return f"local {chosen_file(self._chosen, self._folder).stem}"
        return f"local {self._model}"

    @property
    def local(self) -> bool:
        return True

    def prepare(self) -> None:
        """Starts the process, which reads the model while papers are searched. A failure is raised by the first
        request."""
        with contextlib.suppress(WriterError):
            self._connect()

    def _streamed(self, request: Mapping[str, Any], max_tokens: int, stop: threading.Event) -> Answer:
        self._connect(stop)
        return super()._streamed(request, max_tokens, stop)

    @property
    def _connection(self) -> Connection:  # after a crash the process has another port
        return self._connected[1] if self._connected else self._connect()

    def _connect(self, stop: threading.Event | None = None) -> Connection:
        server = running_server(check_place(self._chosen, self._folder), self._context, stop)
        if self._connected is None or self._connected[0] != server:
            address = f"http://127.0.0.1:{server.port}/v1"
            self._connected = server, connection_to(address, server.token, self._timeout)
        return self._connected[1]


def check_place(name: str, folder: Path) -> Path:
    """The model's file. Raises `WriterDenied` if llama.cpp or the model is not installed."""
    if importlib.util.find_spec(ENGINE) is None:
        raise WriterDenied(
            "The local writer needs llama.cpp, which is not installed.",
            f"{with_extra('local')} Otherwise, use the extractive writer.",
        )
    return chosen_file(name, folder)


def running_server(file: Path, context: int = CONTEXT, stop: threading.Event | None = None) -> Registration:
    """The registration of the process that runs this model; starts the process if there is none. Raises
    `WriterUnavailable` and `WriterDenied`, and `Stopped` when `stop` is set."""
    place = held(file, context)
    module, path = f"{__package__}.llama_server", str(file.absolute())
    starter = Starter(place, module, path, str(context), **_low_priority())
    logged, deadline, checked = len(starter.log()), time.monotonic() + START_SECONDS, False
    while time.monotonic() < deadline and not starter.failed:
        if stop is not None and stop.is_set():
            raise Stopped
        if server := starter.find():
            return server
        if not checked and not is_served(place):  # a starting process holds its memory already
            _check_memory(file, context)
            checked = True
        try:
            starter.start()
        except OSError as error:
            words = (
                f"The folder {file.parent} of the local writer's models cannot be written: {error.strerror}."
            )
            raise WriterUnavailable(words, f"Make it writable, {_OTHERWISE}") from error
        time.sleep(0.05)
    raise _failure(file, starter.failed, starter.log()[logged:])


def _low_priority() -> dict[str, Any]:
    """Process options for low priority on Windows; empty elsewhere, where the process lowers its priority
    itself."""
    if sys.platform != "win32":
        return {}
    flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
    return {"creationflags": flags | subprocess.BELOW_NORMAL_PRIORITY_CLASS}


def _check_memory(file: Path, context: int) -> None:
    need, free = memory_needed(file, context), _free_memory()
    if free is not None and free < need:
        raise WriterUnavailable(
            f"The model {file.stem} needs {need / 1e9:.1f} GB of memory, and {free / 1e9:.1f} GB are free.",
            _SMALLER,
        )


def _free_memory() -> int | None:
    """The available memory in bytes; None if the system does not report it (only Linux does)."""
    try:
        found = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text("utf-8"))
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def _failure(file: Path, code: int, log: Sequence[str]) -> WriterError:
    """The error for a process that ended with `code` before it answered; `log` contains the lines that it
    wrote."""
    text = "\n".join(log)
    again = f"Fetch it again: `texgeist model fetch writer --force`, {_OTHERWISE}"
    if unknown := re.search(r"unknown model architecture: '([^']*)'", text):
        return WriterDenied(
            f"This version of llama.cpp cannot run {file.name}: it does not know the architecture {unknown[1]!r}.",
            f"Choose another model, update llama.cpp (`pip install -U {ENGINE}`), {_OTHERWISE}",
        )
    if code in (-signal.SIGILL, 0xC000001D):
        return WriterDenied(
            "This processor lacks instructions (AVX2) that the installed llama.cpp needs.",
            f"Use a model server built for it, such as Ollama (`writer.provider` = openai), {_OTHERWISE}",
        )
    out_of_memory = re.search(
        r"failed to (?:allocate|create_context)|bad_alloc|cannot allocate|MemoryError", text, re.I
    )
    if out_of_memory or code in (-signal.SIGABRT, -getattr(signal, "SIGKILL", 9)):
        return WriterUnavailable(f"There is not enough memory for the model {file.stem}.", _SMALLER)
    if "failed to load model" in text:
        return WriterDenied(f"The model's file {file} is damaged or incomplete.", again)
    reason = f": {log[-1][:200]}" if log else ""
    return WriterUnavailable(
        f"The process for the model {file.stem} did not start{reason}.", f"Try again, {_OTHERWISE}"
    )
