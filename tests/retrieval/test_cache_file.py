"""The cache in a SQLite file: what holds, and that a file which cannot be used is no failure."""

import sys
from pathlib import Path

import pytest
from texgeist_retrieval.cache_file import Cache
from texgeist_retrieval.fulltext.arxiv import FileCache


def values(path: Path, *keys: str) -> dict[str, object]:
    return {key: kept.value for key, kept in Cache(path).get(keys).items()}


def test_values_are_kept_and_the_newest_stay(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "down" / "cache.sqlite"
    cache = Cache(path, most=2)
    for number in range(3):
        cache.put({f"k{number}": f"v{number}"})
    cache.put({"k1": b"v1 again"})
    assert values(path, "k0", "k1", "k2", "none") == {"k1": b"v1 again", "k2": "v2"}
    assert 0 <= cache.get(["k2"])["k2"].age_s < 60
    cache.remove("v2")
    assert values(path, "k1", "k2") == {"k1": b"v1 again"}


def test_a_file_that_cannot_be_used_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "damaged").write_bytes(b"no database" * 100)
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "file" / "cache.sqlite", tmp_path / "damaged", tmp_path / "folder"):
        Cache(path).put({"k": "v"})
        assert values(path, "k") == {}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")
def test_its_owner_alone_may_read_it(tmp_path: Path) -> None:
    """Also where an older version has left the file and its folder open to others."""
    path = tmp_path / "cache" / "answers.sqlite"
    path.parent.mkdir(mode=0o755)
    path.touch(0o644)
    path.chmod(0o644)
    Cache(path).put({"k": "unpublished"})
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    files = FileCache(tmp_path / "pdf", 1000)
    files.put("a.pdf", b"text")
    assert (tmp_path / "pdf").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "pdf" / "a.pdf").stat().st_mode & 0o777 == 0o600
