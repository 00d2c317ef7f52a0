"""How a cache in SQLite is opened: what holds, and what is told of a file that cannot be used."""

import sqlite3
import sys
from pathlib import Path

import pytest
from texgeist_retrieval.cache_file import opened
from texgeist_retrieval.fulltext.store import FileStore

TABLE = "said (name TEXT PRIMARY KEY)"


def names(path: Path) -> list[str]:
    with opened(path, TABLE) as db:
        return [name for (name,) in db.execute("SELECT name FROM said")]


def test_what_was_put_down_is_there_the_next_time_and_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "cache.sqlite"
    with opened(path, TABLE) as db:
        db.execute("INSERT INTO said VALUES ('a')")
    assert names(path) == ["a"]


def test_of_a_block_that_fails_nothing_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    with pytest.raises(KeyError), opened(path, TABLE) as db:
        db.execute("INSERT INTO said VALUES ('a')")
        raise KeyError
    assert names(path) == []


def test_whatever_is_wrong_with_the_file_is_one_kind_of_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "damaged").write_bytes(b"no database" * 100)
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "cache.sqlite", tmp_path / "damaged", tmp_path / "folder"):
        with pytest.raises(sqlite3.Error):
            names(path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_its_owner_alone_may_read_it(tmp_path: Path) -> None:
    """Also where an older version has left the file and its folder open to others."""
    path = tmp_path / "cache" / "answers.sqlite"
    path.parent.mkdir(mode=0o755)
    path.touch(0o644)
    path.chmod(0o644)
    with opened(path, "kept (text TEXT)") as db:
        db.execute("INSERT INTO kept VALUES ('unpublished')")
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    files = FileStore(tmp_path / "pdf", 1000)
    files.put("a.pdf", b"text")
    assert (tmp_path / "pdf").stat().st_mode & 0o777 == 0o700
