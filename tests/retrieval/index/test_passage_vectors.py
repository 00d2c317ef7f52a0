"""Vectors of passages: embedded while others search, resumed, and taken along when the snapshot is rebuilt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.errors import Cancelled, ModelUnreachable
from texgeist_retrieval.evidence.search import PassageSearch
from texgeist_retrieval.index import full_texts, snapshot
from texgeist_retrieval.index.full_papers import BATCH, embed_all
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.types import Block, Matrix, Paper, Passage, TextSection, Vector

from ..agent.conftest import WordEmbedder
from ..evidence.conftest import loaded

EMBEDDER = WordEmbedder()
HERDS = ("north", "south", "west", "east")


def build(folder: Path, stamp: str = "1", papers: int = 3, each: int = BATCH) -> None:
    passages = [
        Passage(f"p{paper}", 1, f"Zebras number {n} of herd {HERDS[paper]} graze", None, "other", "", n + 1)
        for paper in range(papers)
        for n in range(each)
    ]
    known = {
        f"p{n}": (Paper(f"p{n}", f"Herd {HERDS[n]}"), np.zeros(EMBEDDER.dimension, np.float32))
        for n in range(papers)
    }
    snapshot.build(folder, stamp, EMBEDDER.name, passages, lambda ids: known, Silent())


class Counted(WordEmbedder):
    """Counts the texts, and does something after each batch."""

    def __init__(self, after: Callable[[int], None] = lambda _: None) -> None:
        self.texts: list[str] = []
        self.after = after

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        self.texts += texts
        self.after(len(self.texts))
        return super().embed_documents(texts)


class Stopping(Silent):
    def __init__(self, checks: int) -> None:
        self.left = checks

    def check(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Cancelled


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    folder, embedder = tmp_path / "s", Counted()
    build(folder)
    with pytest.raises(Cancelled):
        embed_all(lambda: loaded(folder), folder, embedder, Stopping(1))
    assert len(embedder.texts) == BATCH and "number 0 of" in embedder.texts[0]
    held = loaded(folder).vectors
    assert held is not None and held.done.sum() == BATCH
    assert embed_all(lambda: loaded(folder), folder, embedder, Silent()) == 2 * BATCH
    assert sorted(embedder.texts) == sorted(set(embedder.texts))


def test_what_is_searched_is_embedded_first_and_the_search_says_what_is_missing(tmp_path: Path) -> None:
    folder, embedder = tmp_path / "s", Counted()
    build(folder)
    with pytest.raises(Cancelled):
        embed_all(lambda: loaded(folder), folder, embedder, Stopping(0))
    result = PassageSearch(loaded(folder), EMBEDDER).search("zebras of herd west graze", Silent(), top=1)
    assert "0 of 48 passages are embedded" in result.notes[0] and "index embed" in result.notes[0]
    with pytest.raises(Cancelled):
        embed_all(lambda: loaded(folder), folder, embedder, Stopping(1))
    assert all("of herd west" in text for text in embedder.texts) and embedder.texts


def test_a_rebuilt_snapshot_takes_its_vectors_along_also_in_the_middle_of_a_run(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    build(folder)
    embedder = Counted(lambda texts: build(folder, "2", papers=4) if texts == BATCH else None)
    embed_all(lambda: loaded(folder), folder, embedder, Silent())
    held = loaded(folder)
    assert held.stamp == "2" and held.vectors is not None and held.vectors.done.all()
    for row in (0, len(held.paper) - 1):
        assert np.allclose(held.vectors.rows[row], EMBEDDER.embed_query(held.texts[row]))
    assert len(embedder.texts) <= 5 * BATCH, "at most the batch of the interruption is embedded twice"


def test_another_model_starts_anew_and_a_dead_server_leaves_the_words(tmp_path: Path) -> None:
    class Dead(WordEmbedder):
        def embed_query(self, text: str) -> Vector:
            raise ModelUnreachable("The server is gone.", "Start it.")

    class Other(WordEmbedder):
        name = "other"

    folder = tmp_path / "s"
    build(folder)
    embed_all(lambda: loaded(folder), folder, EMBEDDER, Silent())
    found = loaded(folder)
    assert "0 of 48" in PassageSearch(found, Other()).search("zebras graze", Silent()).notes[0]
    result = PassageSearch(found, Dead()).search("zebras graze", Silent())
    assert result.evidence and "by words alone" in result.notes[0] and "gone" in result.notes[0]
    embed_all(lambda: loaded(folder), folder, Other(), Silent())
    held = loaded(folder).vectors
    assert held is not None and held.model == "other" and held.done.all()


def test_a_text_stays_if_writing_its_new_passages_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "I.full-texts.sqlite"
    texts = full_texts.FullTexts(file, Silent())
    texts.take([("p", (TextSection("Herds", (Block("Zebras graze."),)),))])
    broken = [Passage("p", 1, text, place=place) for place, text in ((1, "Lions hunt."), (2, "\ud800"))]
    monkeypatch.setattr(full_texts, "chunks_of", lambda *_: broken)
    with pytest.raises(UnicodeEncodeError):
        texts.take([("p", (TextSection("Herds", (Block("Lions hunt."),)),))])
    texts.close()
    assert [passage.text for passage in full_texts.read_passages(file)] == ["Zebras graze."]
