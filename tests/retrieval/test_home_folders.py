"""`~nobody/x`, a home folder of a user that this machine does not know."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_retrieval.errors import RetrievalError
from texgeist_retrieval.fulltext.local import _existing
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.config.storage import data_folder, log_to_file
from texgeist_server.index_places import index_place

NAME = "~no-such-user-here/x"


def test_it_is_refused_in_a_sentence() -> None:
    with pytest.raises(RetrievalError, match="does not know") as refused:
        index_place(Settings(), Keys(), NAME)
    assert "whole path" in refused.value.help


def test_a_bibliography_that_names_one_is_read_on(tmp_path: Path) -> None:
    assert _existing(f"{NAME}.pdf", tmp_path) is None


def test_a_data_folder_in_one_leaves_the_log_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXGEIST_DATA", NAME)
    log_to_file()
    with pytest.raises(RetrievalError):
        data_folder()
