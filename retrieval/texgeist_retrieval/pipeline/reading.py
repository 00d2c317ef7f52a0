"""Reads texts and embeds them: the full texts of papers, in parallel, and the draft's sentences. Vectors are cached,
because the next run on a draft usually reads the same pages. Also forms windows of neighbouring sentences, the unit in
which a passage supports a claim."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from ..cache_file import Cache
from ..errors import SourceError
from ..ports import Embedder, Monitor, PaperSource
from ..services import Services
from ..text.sentences import clean, split_sentences
from ..text.words import shortened
from ..types import Candidate, Matrix, Paper, Passage, Query, Vector

READERS = 12  # papers fetched in parallel; a source with a rate limit queues them itself
PATIENCE_S = 0.1  # interval between two checks for cancellation while papers are fetched
BATCH = 48  # pages embedded between two checks for cancellation
REPORTED = 8  # texts embedded between two reports
MOST_VECTORS = 20_000  # kept in the cache, about 60 MB: some 2,000 papers
_MOST_SENTENCES = 30  # of the draft: embedding them takes about a second
_LONGEST_INTRODUCTION = 8_000  # characters
# Parentheses from which the references were removed.
_EMPTY = re.compile(r"\s*\([^()\w]*(?:Sections?|Tables?|Figures?|Equations?|Appendix|and|,|\s)+[^()\w]*\)")
LEAST = 0.25  # a draft's sentence with a lower cosine to a paper is not quoted for it
# Of the sentences whose cosine is at most this much below the highest, the most specific is quoted.
NEAR = 0.12
_LONGEST = 300  # characters of half a quotation from a paper
_LONGEST_SENTENCE = 420  # characters of a quoted sentence of the draft: as many as the hover shows
NO_TEXT = "Its PDF holds no text that can be read."
Readings = Mapping[str, tuple[Passage, ...]]  # passages by paper id, with vectors


def read_library(text: str, papers: Sequence[Paper], services: Services, monitor: Monitor) -> Readings:
    """The passages of those papers whose full text is in the index. `text`: the draft's text, by which the
    passages are chosen."""
    if services.library is None or not papers:
        return {}
    monitor.report("Reading the papers in your library")
    return services.library.passages([paper.id for paper in papers], text, services.embedder)


def read_papers(
    papers: Sequence[Paper], source: PaperSource, embedder: Embedder, monitor: Monitor
) -> tuple[Readings, list[str]]:
    """Returns the pages of each paper, and a reason for each paper that could not be read.

    The pages of a paper are embedded as soon as they arrive, while other papers are still being fetched. Raises
    `Cancelled` soon after the user asked to stop."""
    monitor.report("Reading the papers", 0, len(papers))
    readings: dict[str, tuple[Passage, ...]] = {}
    reasons: list[str] = []
    pool = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="texgeist-read")
    try:
        waiting = {pool.submit(_read, paper, source, monitor) for paper in papers}
        while waiting:
            done, waiting = wait(waiting, timeout=PATIENCE_S, return_when=FIRST_COMPLETED)
            monitor.check()
            for pages in (future.result() for future in done):
                if isinstance(pages, str):
                    reasons.append(pages)
                else:
                    readings[pages[0].paper_id] = _with_vectors(pages, embedder, monitor)
            if done:
                monitor.report("Reading the papers", len(readings) + len(reasons), len(papers))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return readings, reasons


def _read(paper: Paper, source: PaperSource, monitor: Monitor) -> tuple[Passage, ...] | str:
    """The pages of the paper, without vectors; else a sentence on why it could not be read."""
    try:
        monitor.check()
        pages = source.pages(paper, monitor)
    except SourceError as error:
        return str(error)
    except OSError as error:  # a full disk or a lost share: go on without the full text
        return f"It could not be read ({error.strerror or error})."
    numbered = enumerate(pages, start=1)
    return tuple(Passage(paper.id, number, text) for number, text in numbered if text.strip()) or NO_TEXT


def _with_vectors(pages: Sequence[Passage], embedder: Embedder, monitor: Monitor) -> tuple[Passage, ...]:
    vectors = embed_all([page.text for page in pages], embedder, monitor)
    return tuple(replace(page, vector=vector) for page, vector in zip(pages, vectors, strict=True))


def embed_all(texts: Sequence[str], embedder: Embedder, monitor: Monitor, step: str = "") -> Matrix:
    """The vectors of the texts, shape [texts, dimension]. Between slices of `BATCH` texts, cancellation is
    checked. `step`: the words with which progress is reported."""
    slices = list(_embedded(texts, embedder, monitor, step))
    return np.vstack(slices) if slices else np.empty((0, embedder.dimension), dtype=np.float32)


def _embedded(texts: Sequence[str], embedder: Embedder, monitor: Monitor, step: str) -> Iterator[Matrix]:
    size = REPORTED if step else BATCH
    for start in range(0, len(texts), size):
        monitor.check()
        if step:
            monitor.report(step, start, len(texts))
        yield embedder.embed_documents(texts[start : start + size])


def reading_notes(reasons: Sequence[str], papers: int) -> tuple[str, ...]:
    """The note on papers that could not be read, with the most common reason; empty if all could be read."""
    if not reasons:
        return ()
    common = max(sorted(set(reasons)), key=reasons.count)
    if len(reasons) == papers:
        return (f"No paper could be read in full; all were judged by their abstracts. {common}",)
    return (
        f"{len(reasons)} of {papers} papers could not be read in full and were judged by their "
        f"abstracts alone. {'Most often' if len(reasons) > 1 else 'The reason'}: {common}",
    )


def windows(text: str, longest: int = 600) -> list[str]:
    """All pairs of neighbouring sentences of the text, in order. Line breaks are removed, and each pair is cut
    to `longest` characters."""
    sentences = split_sentences(" ".join(text.split()))
    if len(sentences) < 2:
        return [sentence[:longest] for sentence in sentences]
    return [f"{one} {other}"[:longest] for one, other in pairwise(sentences)]


def likeliest(passages: Sequence[str], text: str, most: int) -> list[str]:
    """The `most` passages with the largest share of longer words in common with `text`, in the given order.

    It selects the windows to embed: a page has about twenty, and embedding them all costs more than it
    gains."""
    wanted = _words(text)
    shares = [len(wanted & (words := _words(passage))) / (len(words) + 5) for passage in passages]
    chosen = sorted(range(len(passages)), key=lambda i: -shares[i])[:most]
    return [passages[i] for i in sorted(chosen)]


def _words(text: str) -> frozenset[str]:
    """Approximate stems of the text's words: the first six letters of each word of at least four letters."""
    return frozenset(word[:6] for word in re.findall(r"\w{4,}", text.casefold()))


@dataclass(frozen=True, slots=True)
class DraftSentences:
    """The draft's sentences that the reasons may quote. `rows`: their vectors, one row each; `usual`: the
    mean cosine of each sentence to the papers found. Both are None if they are not known."""

    sentences: tuple[str, ...] = ()
    rows: Matrix | None = None
    usual: Vector | None = None


def read_draft_sentences(query: Query, embedder: Embedder, monitor: Monitor) -> DraftSentences:
    """The sentences of the draft's abstract and introduction. For a question or a selected sentence, its text
    is the only sentence, and no vector is computed."""
    if query.kind not in ("abstract", "draft"):
        return DraftSentences((query.text,) if query.text else ())
    text = clean(query.abstract or query.parts[0].text[:4000])
    more = clean(query.introduction[:_LONGEST_INTRODUCTION])
    found = [
        _EMPTY.sub("", s) for s in (*split_sentences(text), *split_sentences(more)) if len(s.split()) > 4
    ]
    damaged = [_letters(text) for text in query.unquotable if len(text.split()) > 3]
    letters = {
        s: _letters(s) for s in found
    }  # without their citations, sentences are divided in other places
    whole = [s for s, own in letters.items() if not any(own in text or text in own for text in damaged)]
    sentences = tuple(whole[:_MOST_SENTENCES])
    return DraftSentences(sentences, embed_all(sentences, embedder, monitor) if sentences else None)


def _letters(text: str) -> str:
    """The lower-case letters and digits of the text, for comparing plain text with cleaned text, which has
    other spaces and punctuation."""
    return re.sub(r"\W+", "", text).lower()


def with_usual_similarity(draft: DraftSentences, found: Sequence[Candidate]) -> DraftSentences:
    """Fills in `usual`; returns `draft` unchanged if vectors are missing or come from another model."""
    known = [c.vector for c in found if c.vector is not None]
    if draft.rows is None or not known or draft.rows.shape[1] != known[0].size:
        return draft
    return replace(draft, usual=(draft.rows @ np.stack(known).T).mean(axis=1))


def relevant_sentence(candidate: Candidate, draft: DraftSentences) -> str:
    """The sentence of the draft to quote for this paper; "" if no sentence is similar. Of the most similar
    sentences, it is the one least similar to the other papers: by similarity alone, all papers would get the
    draft's topic sentence."""
    if len(draft.sentences) == 1 and draft.rows is None:
        return shortened(draft.sentences[0], _LONGEST_SENTENCE)
    if draft.rows is None or candidate.vector is None or draft.rows.shape[1] != candidate.vector.size:
        return ""
    near = draft.rows @ candidate.vector
    if near.max() < LEAST:
        return ""
    above = near - (draft.usual if draft.usual is not None else 0.0)
    best = int(np.argmax(np.where(near >= max(LEAST, near.max() - NEAR), above, -np.inf)))
    return shortened(draft.sentences[best], _LONGEST_SENTENCE)


def relevant_passage(passages: Sequence[Passage], text: str) -> Passage | None:
    """The two neighbouring sentences of the passages that share most words with the text. Returns None if the
    passages contain no sentence."""
    runs = [replace(p, text=run) for p in passages for run in windows(p.text, longest=_LONGEST * 2)]
    if not runs:
        return None
    [best] = likeliest([run.text for run in runs], text, 1)
    return next(replace(run, text=shortened(run.text, _LONGEST * 2)) for run in runs if run.text == best)


class RememberingEmbedder:
    """An `Embedder` that caches document vectors in a file. The key of a vector is a hash of model and text;
    the text is not stored. Several programs may share the file. If it cannot be read or written, everything
    is embedded again."""

    def __init__(self, embedder: Embedder, path: Path, most: int = MOST_VECTORS) -> None:
        self._embedder = embedder
        self._cache = Cache(path, most)

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    def embed_query(self, text: str) -> Vector:
        return self._embedder.embed_query(text)

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """The vectors of the texts, shape [texts, dimension]. Texts that are not in the cache are embedded in
        one batch."""
        keys = [self._key(text) for text in texts]
        known = self._get(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            rows = self._embedder.embed_documents(list(new.values()))
            fresh: dict[str, Vector] = dict(zip(new, rows, strict=True))
            self._put(fresh)
            known |= fresh
        if not keys:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([known[key] for key in keys])

    def _key(self, text: str) -> str:
        return hashlib.sha256(f"{self.name}\0{text}".encode(errors="surrogatepass")).hexdigest()

    def _get(self, keys: Sequence[str]) -> dict[str, Vector]:
        found = self._cache.get(keys).items()
        vectors = {key: np.frombuffer(kept.value, dtype=np.float32) for key, kept in found}
        return {key: vector for key, vector in vectors.items() if vector.size == self.dimension}

    def _put(self, vectors: Mapping[str, Vector]) -> None:
        self._cache.put(
            {key: np.asarray(vector, dtype=np.float32).tobytes() for key, vector in vectors.items()}
        )
