"""A server of the user's own is filled: what was written is found, and a server that dies loses nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest
from texgeist_retrieval.errors import IndexUnavailable
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.hashes import HashTable
from texgeist_retrieval.index.update import Updater
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.sources.records import Record
from texgeist_retrieval.types import Matrix
from texgeist_server.library import syncing

from ...local_index import called
from ..milvus_server import TOKEN
from .conftest import HashEmbedder, ListSource, Proxy, papers_of, vector_of

pytestmark = pytest.mark.milvus
ROWS, TOP = 6000, 1000


def test_what_was_written_just_now_is_searched_whole(
    milvus_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server looks through one in eight of its lists of rows that are not sealed, once they are 5,000: 772 of these were found."""
    monkeypatch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: HashEmbedder())
    lines = [{"id": f"2401.{n:05}", "title": f"On {n}", "abstract": f"We study {n}."} for n in range(ROWS)]
    (tmp_path / "all.jsonl").write_text("\n".join(map(json.dumps, lines)))
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TEXGEIST_INDEX_TOKEN", TOKEN)
    monkeypatch.setenv("TEXGEIST_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").write_text('[index]\ncollection = "just_now"\n')

    called(["index", "add", str(tmp_path / "all.jsonl"), "--index", milvus_server, "--mine"])
    assert [*(tmp_path / "data").rglob("*.made-here")]

    with closing(open_index(milvus_server, token=TOKEN, collection="just_now")) as index:
        time.sleep(3)  # until then it looks through all rows, whatever it will do with them
        deadline = time.monotonic() + 60
        while (found := len(index.search(vector_of("query")[None], TOP)[0])) != TOP:
            assert time.monotonic() < deadline, found
            time.sleep(0.5)


def test_a_collection_that_could_not_be_made_is_not_marked_as_ours(
    milvus_server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs = tmp_path / "refs.bib"
    refs.write_text("@article{a, title={On Songs and Sailors}, author={K. Weill}, year=1999}\n")
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TEXGEIST_INDEX_TOKEN", TOKEN)
    monkeypatch.setenv("TEXGEIST_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").write_text('[index]\ncollection = "no-such-name"\n')  # Milvus refuses hyphens
    called(["index", "add", str(refs), "--index", milvus_server, "--mine"], code=1)
    assert not [*(tmp_path / "data").rglob("*.made-here")]


class Cutting(HashEmbedder):
    """Cuts the line to the server after so many papers."""

    def __init__(self, line: Proxy, papers: int) -> None:
        super().__init__()
        self._line, self._papers = line, papers

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        if len(self.texts) + len(texts) > self._papers:
            self._line.cut()
        return super().embed_documents(texts)


def test_a_server_that_dies_in_the_middle_loses_nothing(milvus_server: str, tmp_path: Path) -> None:
    records = [Record(paper) for paper in papers_of(1200)]
    line = Proxy(int(milvus_server.rpartition(":")[2]))
    name = "dies_in_the_middle"
    dying = open_index(f"http://127.0.0.1:{line.port}", token=TOKEN, collection=name, create=True)
    with closing(HashTable(tmp_path / "team.hashes.sqlite")) as table:
        with closing(dying), pytest.raises(IndexUnavailable) as stopped:
            Updater(dying, table, lambda: Cutting(line, 600), Silent()).run(ListSource(records))
        assert "Until then: 576 papers put into the index." in str(stopped.value)
        assert stopped.value.help == "Run the command again later; it continues where it stopped."

        again = HashEmbedder()
        with closing(open_index(milvus_server, token=TOKEN, collection=name, writable=True)) as index:
            summary = Updater(index, table, lambda: again, Silent()).run(ListSource(records))
            assert (index.count(), summary.embedded, len(again.texts)) == (1200, 624, 624)
