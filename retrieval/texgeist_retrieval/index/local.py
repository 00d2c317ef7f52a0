"""Reaching the server of a local index, and starting it where there is none."""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from ..errors import IndexUnavailable
from ..paths import private_file
from .collection import connect
from .lite_server import Registration, is_served, read_registration

START_SECONDS = 30.0  # a busy laptop imports slowly; two seconds are usual


def connect_local(database: Path) -> Any:
    """A client of the server that holds `database`, which `places.check_place` has let pass; starts one where
    none answers.

    Any number of processes may call this at once: they all end up with the same server."""
    if importlib.util.find_spec("milvus_lite") is None:
        raise IndexUnavailable(
            "milvus-lite, which holds the library on this machine, is not installed.",
            "Install it (`pip install milvus-lite`), or search a Milvus server (index.location).",
        )
    from pymilvus.exceptions import MilvusException

    deadline = time.monotonic() + START_SECONDS
    starting: subprocess.Popen[bytes] | None = None
    again, pause = 0.0, 0.5
    while time.monotonic() < deadline:
        if (server := read_registration(database)) and is_served(database) and _answers(server):
            try:
                return connect(f"http://127.0.0.1:{server.port}", server.token)
            except MilvusException:
                pass  # another program on the port of a server that crashed, or one that is just ending
        if starting is None or (starting.poll() is not None and time.monotonic() > again):
            starting, again = _start(database), time.monotonic() + pause
            pause *= 2  # what ends at once, does so again: it is not started hundreds of times
        time.sleep(0.05)
    raise IndexUnavailable(
        f"The local index {database} could not be opened{_reason(database)}",
        "If another program has it open (a notebook, an older texgeist), close that and try again.",
    )


def _answers(server: Registration) -> bool:
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=1.0).close()
    except OSError:
        return False
    return True


def log_file(database: Path) -> Path:
    return database.with_name(database.name + ".server.log")


def detached() -> dict[str, Any]:
    """What lets a process outlive an editor, without the window that Windows would give it."""
    if sys.platform != "win32":
        return {"start_new_session": True}
    return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}


def _start(database: Path) -> subprocess.Popen[bytes]:
    """Started detached, so that it outlives an editor and takes no Ctrl-C of a terminal."""
    command = [sys.executable, "-P", "-m", "texgeist_retrieval.index.lite_server", str(database.absolute())]
    try:
        private_file(log_file(database))
        with log_file(database).open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                **detached(),
                cwd=database.absolute().parent,
            )
    except OSError as error:
        raise IndexUnavailable(
            f"The folder {database.parent} of the local index cannot be written: {error.strerror}.",
            "Name another path with --index or in the settings.",
        ) from error


def _reason(database: Path) -> str:
    try:
        lines = log_file(database).read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        lines = []
    return f": {lines[-1][:300]}" if lines else "."
