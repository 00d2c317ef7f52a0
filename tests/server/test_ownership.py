"""No index but the user's own is written to: the rule itself, and every command that writes."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from texgeist_retrieval.errors import IndexReadOnly
from texgeist_retrieval.index.hashes import table_of
from texgeist_retrieval.monitor import StopEvent
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.index_places import Place, index_place
from texgeist_server.library import own_index
from texgeist_server.library.own_index import check_own, is_citegeist, marker
from typer.testing import Result

from ..local_index import end_servers
from .test_index_commands import data, run

__all__ = ["data", "run"]  # fixtures
Run = Callable[..., Result]
THEIRS = "http://milvus.example.org:19530"


def allowed(folder: Path, location: str, *declared: str) -> bool:
    place = Place(location, "", True)
    try:
        check_own(place, table_of(location, "abstracts", folder), folder / "library.db", declared)
    except IndexReadOnly as refused:
        assert "searche" in str(refused) and refused.help
        return False
    return True


@pytest.mark.parametrize(
    "spelled",
    [
        "http://49.12.219.90:19530",
        "https://49.12.219.90",
        "TCP://citegeist:citegeist@49.12.219.90:19530/",
        "grpc://49.12.219.90:1",
        "http://822926170:19530",
        "http://0x310cdb5a",
        "http://[::ffff:49.12.219.90]:19530",
        "citegeist",
    ],
)
def test_the_index_of_citegeist_is_known_in_every_spelling(tmp_path: Path, spelled: str) -> None:
    assert is_citegeist(spelled)
    assert not allowed(tmp_path, spelled, spelled, "citegeist", "http://49.12.219.90:19530")


def test_what_the_name_citegeist_means_is_refused(tmp_path: Path) -> None:
    place = index_place(Settings(), Keys(), "citegeist")
    assert not allowed(tmp_path, place.location, place.location)


def test_a_server_is_others_until_it_is_declared(tmp_path: Path) -> None:
    assert not allowed(tmp_path, THEIRS)
    assert not allowed(tmp_path, THEIRS, "http://other.example.org:19530", "http://milvus.example.org:19531")
    for declared in (
        THEIRS,
        THEIRS + "/",
        "tcp://me:secret@MILVUS.example.org",
        "https://milvus.example.org.:19530",
    ):
        assert allowed(tmp_path, THEIRS, declared)
    assert not allowed(tmp_path, "http://127.0.0.1:19530"), "a tunnel, perhaps: loopback proves nothing"


def test_what_was_made_here_needs_no_word(tmp_path: Path) -> None:
    table = table_of(THEIRS, "abstracts", tmp_path)
    table.parent.mkdir(parents=True)
    marker(table).touch()
    assert allowed(tmp_path, THEIRS)

    file = tmp_path / "new.db"
    assert allowed(tmp_path, str(file)), "nothing is there: it is being made"
    file.mkdir()
    assert not allowed(tmp_path, str(file)), "made by another program, or elsewhere"
    assert allowed(tmp_path, str(file), str(file))
    table_of(str(file), "abstracts").touch()
    assert allowed(tmp_path, str(file))
    (tmp_path / "library.db").mkdir()
    assert allowed(tmp_path, str(tmp_path / "library.db"))


@pytest.fixture
def nobody() -> Iterator[tuple[str, socket.socket]]:
    """A server's address at which every connection would be seen."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", listener


@pytest.mark.parametrize(
    "command",
    [
        ("add", "two.jsonl"),
        ("sync", "two.jsonl"),
        ("sync", "two.jsonl", "--prune"),
        ("remove", "2401.00001"),
        ("topics",),
    ],
    ids=" ".join,
)
def test_every_command_that_writes_refuses_before_it_connects(
    run: Run, data: Path, tmp_path: Path, nobody: tuple[str, socket.socket], command: tuple[str, ...]
) -> None:
    (tmp_path / "two.jsonl").write_text("")
    address, listener = nobody
    for index in (address, "citegeist"):
        for mine in ([], ["--mine"]) if index == "citegeist" else ([],):
            said = run("index", *command, "--index", index, *mine, code=1).stderr
            assert (
                "belongs to its authors" if index == "citegeist" else "was not made on this machine"
            ) in said
    with pytest.raises(TimeoutError):
        listener.accept()
    assert {path.name for path in data.iterdir()} - {"texgeist.log"} == {"model"}, "no table, no lock"


def test_an_index_that_is_not_there_is_not_made_to_take_something_out(run: Run, data: Path) -> None:
    assert "no library" in run("index", "remove", "2401.00001", code=1).stderr
    assert "no library" in run("index", "topics", code=1).stderr
    assert not (data / "library.db").exists()


def test_a_run_that_failed_before_it_made_an_index_does_not_make_later_files_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(settings: Settings) -> tuple[str, int]:
        raise OSError("No space left on device")

    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(own_index, "made_by", full)
    file = tmp_path / "theirs.db"
    settings = Settings.model_validate({"index": {"location": str(file)}})
    with (
        pytest.raises(OSError, match="No space"),
        own_index.writing(settings, Keys(), StopEvent(Event(), lambda *_: None)),
    ):
        pass
    file.write_bytes(b"made elsewhere")
    assert not own_index.is_own(settings, index_place(settings, Keys()))


OPEN_TO_WRITE = """
import sys
from texgeist_retrieval.monitor import Silent
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.library.own_index import writing
with writing(Settings(), Keys(), Silent(), index=sys.argv[1]) as opened:
    print(opened.index.count())
"""


def open_to_write(index: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", OPEN_TO_WRITE, str(index)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_killed_as_soon_as_the_index_exists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    index = tmp_path / "new.db"
    first, deadline = open_to_write(index), time.monotonic() + 60
    while not index.exists():
        assert time.monotonic() < deadline and first.poll() is None
        time.sleep(0.002)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    try:
        again = open_to_write(index)
        out, err = again.communicate(timeout=90)
        assert (again.returncode, out.strip()) == (0, "0"), err
        kept = [
            index,
            table_of(str(index), "abstracts"),
            *index.rglob("*"),
            *tmp_path.glob("new.db.server.log"),
        ]
        assert {str(path): oct(path.stat().st_mode) for path in kept if path.stat().st_mode & 0o077} == {}
    finally:
        end_servers(tmp_path, seconds=20)


@pytest.mark.parametrize(
    ("address", "remote"), [("http://192.0.2.1:19530", True), ("http://127.0.0.1:19530", False)]
)
def test_an_index_on_another_machine_counts_as_remote(address: str, remote: bool) -> None:
    assert index_place(Settings(), Keys(), address).remote is remote
