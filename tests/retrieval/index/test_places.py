"""What is no index is not opened, and looking at a path makes nothing there."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from texgeist_retrieval.errors import IndexMismatch, IndexMissing, SearchError
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.hashes import recorded_papers
from texgeist_retrieval.index.local import _is_plain, check_place

from .conftest import end_server

SOON = 5.0  # seconds; to start a server in vain takes thirty


def _folder(path: Path) -> None:
    path.mkdir()
    (path / "thesis.tex").write_text("Mine.")


def _collections_of_another_kind(path: Path) -> None:
    (path / "collections" / "stamps").mkdir(parents=True)
    (path / "albums").mkdir()


def _link_to_nothing(path: Path) -> None:
    path.symlink_to(path.with_name("nothing"))


def _link_to_itself(path: Path) -> None:
    path.symlink_to(path)


def _link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/null")


STRANGERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "folder": (_folder, "folder with other files \\(thesis.tex"),
    "collections": (_collections_of_another_kind, "other files \\(albums"),
    "file": (lambda path: path.write_text("@misc{a,}"), "is a file, and no index"),
    "pipe": (os.mkfifo, "is a device or a pipe"),
    "device": (_link_to_a_device, "is a device or a pipe"),
    "nowhere": (_link_to_nothing, "is a broken link"),
    "loop": (_link_to_itself, "cannot be opened"),
}


def tree(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*"))


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("name", STRANGERS)
def test_what_is_no_index_is_left_as_it_is(tmp_path: Path, name: str, create: bool) -> None:
    make, words = STRANGERS[name]
    path = tmp_path / "here"
    make(path)
    before, begun = tree(tmp_path), time.monotonic()
    with pytest.raises(SearchError, match=words) as refused:
        open_index(str(path), create=create, writable=create)
    assert time.monotonic() - begun < SOON
    assert "\n" not in refused.value.sentence() and str(path) in refused.value.sentence()
    assert tree(tmp_path) == before


def test_looking_makes_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    before = tree(tmp_path)
    for path in (tmp_path / "a" / "b" / "c.db", tmp_path / "empty"):
        with pytest.raises(IndexMissing):
            open_index(str(path))
    assert tree(tmp_path) == before


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no such file system here")
def test_where_no_file_can_be_made_no_index_is_made() -> None:
    begun = time.monotonic()
    with pytest.raises(IndexMismatch, match="No index can be made in the folder /proc"):
        check_place(Path("/proc/x.db"), create=True)
    assert time.monotonic() - begun < SOON


def test_below_a_file_no_index_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for create in (False, True):
        with pytest.raises(IndexMismatch, match="Not a directory"):
            check_place(tmp_path / "file" / "x.db", create=create)


@pytest.mark.parametrize("left", [["collections"], ["collections", "databases"], ["databases", "LOCK"]])
def test_what_a_kill_left_half_made_is_made_whole(tmp_path: Path, left: list[str]) -> None:
    path = tmp_path / "here"
    for name in left:
        (path / name).mkdir(parents=True) if name != "LOCK" else (path / name).touch()
    with pytest.raises(IndexMissing):
        open_index(str(path))
    try:
        open_index(str(path), create=True, writable=True).close()
        open_index(str(path)).close()
    finally:
        end_server(path)


def test_a_table_that_is_none_records_nothing(tmp_path: Path) -> None:
    (tmp_path / "junk.sqlite").write_bytes(os.urandom(5_000))
    os.mkfifo(tmp_path / "pipe.sqlite")
    (tmp_path / "folder.sqlite").mkdir()
    for name in ("junk", "pipe", "folder", "none"):
        assert recorded_papers(tmp_path / f"{name}.sqlite") == 0


def _linked(database: Path, name: str, victim: Path) -> None:
    """A link to the user's own file in the index, or beside it."""
    place = database / name[1:] if name[0] == "/" else database.with_name(database.name + name)
    place.unlink(missing_ok=True)
    place.symlink_to(victim)


BESIDE = [
    *[".server.log", ".server.lock", ".server.json", ".hashes.sqlite", ".texts.sqlite", ".snapshot", ".4711"],
    *["/LOCK", "/aliases.json", "/collections/more"],
]


@pytest.mark.parametrize("name", BESIDE)
def test_an_index_writes_through_no_link(name: str, tmp_path: Path) -> None:
    """Its server appends to a log, takes a lock and writes its port beside it, and whatever Lite writes inside."""
    database, victim = tmp_path / "library.db", tmp_path / "profile"
    (database / "collections").mkdir(parents=True)
    (database / "LOCK").touch()
    victim.write_text("export SAFE=1\n")
    _linked(database, name, victim)
    for create in (False, True):
        with pytest.raises(IndexMismatch, match="is a link, a device or a pipe"):
            open_index(str(database), create=create)
    assert victim.read_text() == "export SAFE=1\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        {"library.db", "profile", *([] if name[0] == "/" else [f"library.db{name}"])}
    )


def test_a_new_index_writes_through_no_link_either(tmp_path: Path) -> None:
    (tmp_path / "library.db.server.log").symlink_to(tmp_path / "victim")
    with pytest.raises(IndexMismatch, match=r"server\.log is a link"):
        open_index(str(tmp_path / "library.db"), create=True)
    assert not (tmp_path / "victim").exists()


def test_the_index_itself_may_be_a_link_of_the_users_own(database: Path, tmp_path: Path) -> None:
    open_index(str(database), create=True).close()
    end_server(database)
    link = tmp_path / "link.db"
    link.symlink_to(database)
    open_index(str(link)).close()
    end_server(link)


def test_what_went_while_it_was_looked_at_is_no_device(tmp_path: Path) -> None:
    (tmp_path / "gone").touch()
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    [gone] = [entry for entry in os.scandir(tmp_path) if entry.name == "gone"]
    [link] = [entry for entry in os.scandir(tmp_path) if entry.name == "link"]

    class Unsaid:
        """An entry of a file system that does not say what kind it is."""

        path = gone.path

        def is_file(self, *, follow_symlinks: bool) -> bool:
            return False

        is_dir = is_file

    assert not _is_plain(cast(Any, Unsaid())) and not _is_plain(link)
    (tmp_path / "gone").unlink()
    assert _is_plain(cast(Any, Unsaid()))
