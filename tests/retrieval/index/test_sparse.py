"""Sparse vectors in real Milvus Lite: the naive inner products, entry by entry, and how a user gets them."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_retrieval.errors import IndexMismatch, IndexMissing, IndexUnavailable
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.sparse import ENCODERS, LEAST, LEAST_ASKED, Sparse
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline.search import find
from texgeist_retrieval.ranking import storage
from texgeist_retrieval.ranking.bm25 import K1, B
from texgeist_retrieval.ranking.ranker import HybridRanker, LearnedRanker
from texgeist_retrieval.ranking.storage import load_lexicon, load_words
from texgeist_retrieval.services import Services
from texgeist_retrieval.text.words import words
from texgeist_retrieval.types import Filters, Paper, Query, QueryPart

from ..milvus_server import TOKEN
from .conftest import HashEmbedder, papers_of, vectors_of

SUBJECTS = (
    "graph neural networks learn representations of nodes", "diffusion models generate images from noise",
    "reinforcement learning agents explore with rewards", "language models reason over long documents",
    "convex optimization converges at a linear rate",
)  # fmt: skip
PAPERS = [
    Paper(
        f"2401.{n:05}",
        f"On {SUBJECTS[n % 5].split()[0]} {n}",
        f"{SUBJECTS[n % 5]}, and {SUBJECTS[n // 5]}.",
        ("Ann Lee",),
    )
    for n in range(25)
]
QUERY = "We train graph networks, and language models that reason"


def naive(query: Sparse, document: Sparse) -> float:
    return sum(weight * document.get(place, 0.0) for place, weight in query.items())


@pytest.mark.parametrize("name", sorted(ENCODERS))
def test_milvus_gives_the_naive_inner_product(database: Path, name: str) -> None:
    index = open_index(str(database), create=True, sparse=name)
    index.upsert(PAPERS, vectors_of(PAPERS))
    index.close()
    index = open_index(str(database))
    assert index.status().sparse == name, "an index remembers its encoder"

    found, nothing = index.search_text([QUERY, "zzzz"], 25)

    encoder = ENCODERS[name]()
    scores = {p.id: naive(encoder.query(QUERY), encoder.document(f"{p.title} {p.abstract}")) for p in PAPERS}
    expected = sorted((s for s in scores.values() if s > 0), reverse=True)
    assert len(found) > 5
    assert [hit.similarity for hit in found] == pytest.approx(expected[: len(found)], rel=1e-4, abs=1e-5)
    assert all(hit.similarity == pytest.approx(scores[hit.paper.id], rel=1e-4, abs=1e-5) for hit in found)
    assert found[0].vector is not None and found[0].paper.title
    assert nothing == []
    assert len(index.search(vectors_of(PAPERS[:1]), 3)[0]) == 3, "the dense search is as it was"
    index.close()


def test_the_lexicon_is_the_equations_written_out() -> None:
    """Equations 5-11 by loops over the shipped weights' tables."""
    lexicon, encoder = load_lexicon(), ENCODERS["lexicon"]()
    shares = lexicon.distributions()

    def importance(text: str) -> list[float]:
        rows = [shares[lexicon.vocabulary[w]] for w in words(text) if w in lexicon.vocabulary]
        return [max(float(row[v]) for row in rows) for v in range(shares.shape[1])]

    asked, held = importance(QUERY), importance(PAPERS[3].abstract)
    expected = whole = 0.0
    for start in range(0, len(asked), lexicon.group):
        group = asked[start : start + lexicon.group]
        entry = start + group.index(max(group))
        whole += asked[entry] * held[entry]
        if asked[entry] > LEAST_ASKED and held[entry] > LEAST:
            expected += asked[entry] * held[entry]
    found = naive(encoder.query(QUERY), encoder.document(PAPERS[3].abstract))
    assert found == pytest.approx(expected, abs=1e-5)
    assert 0.8 * whole < found <= whole, "what is left out weighs little"


def test_without_its_weights_the_lexicon_is_refused_before_anything_is_made(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The wheel leaves them out."""
    monkeypatch.setattr(storage, "_place", lambda folder: folder or tmp_path / "none")
    with pytest.raises(storage.BadWeights, match="no weights of the lexicon"):
        open_index(str(database), create=True, sparse="lexicon")
    with pytest.raises(IndexMissing, match="has no collection"):
        open_index(str(database))


def test_words_are_bm25_with_the_counts_of_papers_at_large() -> None:
    statistics, encoder = load_words(), ENCODERS["words"]()
    text, score = PAPERS[3].abstract, 0.0
    length = len(words(text))
    for word in set(words(QUERY)) & set(words(text)):
        count = words(text).count(word)
        norm = count + K1 * (1 - B + B * length / statistics.length)
        score += words(QUERY).count(word) ** 0.5 * statistics.idf(word) * count * (K1 + 1) / norm
    assert naive(encoder.query(QUERY), encoder.document(text)) == pytest.approx(score, rel=1e-5)


def test_an_index_is_what_it_was_made_as(database: Path) -> None:
    plain = open_index(str(database), create=True)
    plain.upsert(PAPERS, vectors_of(PAPERS))
    assert plain.search_text([QUERY], 5) == [[]]
    plain.close()
    with pytest.raises(IndexMismatch, match="keeps no sparse vectors"):
        open_index(str(database), create=True, sparse="words")
    open_index(str(database), create=True, collection="other", sparse="words").close()
    with pytest.raises(IndexMismatch, match="by “words”"):
        open_index(str(database), create=True, collection="other", sparse="lexicon")
    with pytest.raises(IndexMismatch, match="does not know"):
        open_index(str(database), create=True, collection="third", sparse="tarot")


@pytest.mark.parametrize("order", [LearnedRanker.load, HybridRanker.load])
@pytest.mark.parametrize("kind", ["question", "sentence"])
def test_questions_and_sentences_take_in_what_only_words_find(database: Path, kind, order) -> None:
    """By its own words alone: the title of the draft that it stands in is no part of it."""
    embedder = HashEmbedder()
    wanted = Paper(
        "2401.77777", "Quaternion wavelets", "Quaternion wavelets for holographic tomography.", ("Ann Lee",)
    )
    index = open_index(str(database), create=True, sparse="words")
    for part in (papers_of(400), [wanted]):
        index.upsert(part, vectors_of(part))
    text = "Who denoised tomography by quaternion wavelets?"
    query = Query(kind, (QueryPart(text, "the words"),), title="Dense retrieval of passages", text=text)

    services = Services(embedder, index, None, None, ranker=order())  # type: ignore[arg-type]
    found = find(query, services, 20, Filters(), Silent()).candidates
    assert next(c.rank for c in found if c.paper.id == wanted.id) <= 5
    plain = Services(embedder, index, None, None)  # type: ignore[arg-type]
    assert wanted.id not in {c.paper.id for c in find(query, plain, 20, Filters(), Silent()).candidates}
    index.close()


def test_a_failing_search_by_words_costs_them_alone(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(*_: object) -> None:
        raise IndexUnavailable("The table of words is torn.")

    index = open_index(str(database), create=True, sparse="words")
    index.upsert(PAPERS, vectors_of(PAPERS))
    monkeypatch.setattr(index, "search_text", torn)
    services = Services(HashEmbedder(), index, None, None, ranker=LearnedRanker.load())  # type: ignore[arg-type]
    found = find(Query("abstract", (QueryPart(QUERY, "abstract"),), QUERY), services, 5, Filters(), Silent())
    assert len(found.candidates) == 5
    assert any("torn" in note and "by their words" in note for note in found.notes)
    index.close()


@pytest.mark.milvus
def test_a_server_too_old_for_sparse_vectors_is_told_before_anything_is_made(milvus_server: str) -> None:
    with pytest.raises(IndexMismatch, match=r"sparse vectors need 2\.4"):
        open_index(milvus_server, token=TOKEN, collection="sparse_papers", create=True, sparse="words")
    with pytest.raises(IndexMissing):
        open_index(milvus_server, token=TOKEN, collection="sparse_papers")
