"""What differs on other systems, as far as it can be had here: consoles that are not UTF-8, files that others
hold open, no Milvus Lite, how processes are detached."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from texgeist_latex.disk import folder
from texgeist_retrieval import shared_process
from texgeist_retrieval.errors import IndexUnavailable
from texgeist_retrieval.index import local

TEX = r"""\documentclass{article}\title{Über Größe und 数学}\begin{document}\maketitle
\begin{abstract}Wir zählen Größen.\end{abstract}\section{Größe}\end{document}"""


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii", "utf-8"])
def test_a_console_of_other_letters_stops_nothing(tmp_path: Path, env: dict[str, str], encoding: str) -> None:
    (tmp_path / "a.tex").write_text(TEX, "utf-8")
    command = [sys.executable, "-P", "-m", "texgeist_server", "draft", str(tmp_path / "a.tex")]
    env = {**env, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    shown = subprocess.run(command, env=env, capture_output=True, timeout=60, check=False)
    assert shown.returncode == 0, shown.stderr.decode(encoding, "replace")
    plain = subprocess.run([*command, "--json"], env=env, capture_output=True, timeout=60, check=True)
    assert json.loads(plain.stdout.decode("utf-8"))["title"] == "Über Größe und 数学"


def test_a_file_that_another_program_reads_is_replaced_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    new.write_text("new")
    old.write_text("old")
    replace = os.replace
    refused: list[Any] = []

    def windows(source: str, target: str) -> None:
        if len(refused) < 3:
            refused.append(target)
            raise PermissionError(13, "The process cannot access the file", target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", windows)
    folder._replace_patiently(str(new), str(old))
    assert old.read_text() == "new" and len(refused) == 3

    new.write_text("newer")
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(PermissionError(13, "in use")))
    monkeypatch.setattr(folder, "PAUSES", (0.0, 0.0))
    with pytest.raises(PermissionError):
        folder._replace_patiently(str(new), str(old))
    assert old.read_text() == "new"


def test_without_milvus_lite_the_sentence_comes_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == "milvus_lite" else find(name, *a)
    )
    started = time.monotonic()
    with pytest.raises(IndexUnavailable, match="milvus-lite") as raised:
        local.connect_local(tmp_path / "library.db")
    assert time.monotonic() - started < 5 and "pip install milvus-lite" in raised.value.help


def test_a_server_that_ends_at_once_is_not_started_hundreds_of_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[float] = []

    def dying(_: Path) -> Any:
        starts.append(time.monotonic())
        return subprocess.Popen(
            [sys.executable, "-I", "-c", "raise SystemExit('no room')"], stderr=subprocess.DEVNULL
        )

    monkeypatch.setattr(shared_process.Starter, "_started", dying)
    monkeypatch.setattr(local, "START_SECONDS", 4.0)
    with pytest.raises(IndexUnavailable, match="could not be opened"):
        local.connect_local(tmp_path / "library.db")
    assert 2 <= len(starts) <= 5
