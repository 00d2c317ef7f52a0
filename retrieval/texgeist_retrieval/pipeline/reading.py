"""Reads full texts in parallel, embeds their pages while others are being fetched, and forms windows of
neighbouring sentences, the unit in which a passage supports a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np

from ..errors import SourceError
from ..ports import Embedder, Monitor, PaperSource
from ..services import Services
from ..text.sentences import split_sentences
from ..types import Matrix, Paper, Passage

READERS = 12  # papers fetched in parallel; a source with a rate limit queues them itself
PATIENCE_S = 0.1  # interval in which cancellation is checked while papers are fetched
BATCH = 48  # pages embedded between two checks for cancellation


@dataclass(frozen=True, slots=True)
class Reading:
    """The text read of a paper. `passages` is empty if only its abstract is available."""

    paper_id: str
    passages: tuple[Passage, ...] = ()  # with vectors
    note: str = ""


def read_library(
    text: str, papers: Sequence[Paper], services: Services, monitor: Monitor
) -> dict[str, Reading]:
    """The readings of the papers whose full text is in the index. `text`: of the draft."""
    if services.library is None or not papers:
        return {}
    monitor.report("Reading the papers in your library")
    passages = services.library.passages([paper.id for paper in papers], text, services.embedder)
    return {id: Reading(id, read) for id, read in passages.items()}


def read_papers(
    papers: Sequence[Paper], source: PaperSource, embedder: Embedder, monitor: Monitor
) -> dict[str, Reading]:
    """Returns the readings by paper id, not by position, so that no text can be assigned to another paper.

    Pages are embedded as soon as their paper arrives, while others are still being fetched. A paper that
    cannot be read gets a reading with a note. Raises `Cancelled` soon after the user asked to stop."""
    monitor.report("Reading the papers", 0, len(papers))
    readings: dict[str, Reading] = {}
    pool = ThreadPoolExecutor(max_workers=READERS, thread_name_prefix="texgeist-read")
    try:
        waiting = {pool.submit(_read, paper, source, monitor) for paper in papers}
        while waiting:
            done, waiting = wait(waiting, timeout=PATIENCE_S, return_when=FIRST_COMPLETED)
            monitor.check()
            if done:
                arrived = [future.result() for future in done]
                readings |= _with_vectors(arrived, embedder, monitor)
                monitor.report("Reading the papers", len(readings), len(papers))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return readings


def _read(paper: Paper, source: PaperSource, monitor: Monitor) -> Reading:
    try:
        monitor.check()
        pages = source.pages(paper, monitor)
    except SourceError as error:
        return Reading(paper.id, note=str(error))
    except OSError as error:  # a full disk or a lost share: go on without the full text
        return Reading(paper.id, note=f"It could not be read ({error.strerror or error}).")
    passages = tuple(
        Passage(paper.id, number, text) for number, text in enumerate(pages, start=1) if text.strip()
    )
    return Reading(paper.id, passages, "" if passages else "Its PDF holds no text that can be read.")


def _with_vectors(arrived: Sequence[Reading], embedder: Embedder, monitor: Monitor) -> Mapping[str, Reading]:
    passages = [passage for reading in arrived for passage in reading.passages]
    vectors = iter(embed_all([passage.text for passage in passages], embedder, monitor))
    return {
        reading.paper_id: Reading(
            reading.paper_id,
            tuple(Passage(p.paper_id, p.page, p.text, next(vectors)) for p in reading.passages),
            reading.note,
        )
        for reading in arrived
    }


def embed_all(texts: Sequence[str], embedder: Embedder, monitor: Monitor) -> Matrix:
    """Embeds in slices, so that cancellation is noticed. Shape [texts, dimension]."""
    slices = list(_embedded(texts, embedder, monitor))
    return np.vstack(slices) if slices else np.empty((0, embedder.dimension), dtype=np.float32)


def _embedded(texts: Sequence[str], embedder: Embedder, monitor: Monitor) -> Iterator[Matrix]:
    for start in range(0, len(texts), BATCH):
        monitor.check()
        yield embedder.embed_documents(texts[start : start + BATCH])


def reading_notes(readings: Mapping[str, Reading]) -> tuple[str, ...]:
    """One sentence on the papers that could not be read, with the most common reason."""
    reasons = [reading.note for reading in readings.values() if reading.note]
    if not reasons:
        return ()
    common = max(sorted(set(reasons)), key=reasons.count)
    if len(reasons) == len(readings):
        return (f"No paper could be read in full; all were judged by their abstracts. {common}",)
    return (
        f"{len(reasons)} of {len(readings)} papers could not be read in full and were judged by their "
        f"abstracts alone. {'Most often' if len(reasons) > 1 else 'The reason'}: {common}",
    )


def windows(text: str, size: int = 2, longest: int = 600) -> list[str]:
    """Every run of `size` neighbouring sentences, in order, without line breaks, truncated to `longest`
    characters."""
    sentences = split_sentences(" ".join(text.split()))
    if len(sentences) <= size:
        return [" ".join(sentences)[:longest]] if sentences else []
    return [" ".join(sentences[i : i + size])[:longest] for i in range(len(sentences) - size + 1)]


def likeliest(passages: Sequence[str], text: str, most: int) -> list[str]:
    """The `most` passages with the largest share of longer words in common with the text, in their order.

    A page has about twenty windows; embedding all of them costs more than it gains."""
    wanted = _words(text)
    shares = [len(wanted & (words := _words(passage))) / (len(words) + 5) for passage in passages]
    chosen = sorted(range(len(passages)), key=lambda i: -shares[i])[:most]
    return [passages[i] for i in sorted(chosen)]


def _words(text: str) -> frozenset[str]:
    """Approximate stems: the first six letters of words of at least four letters."""
    return frozenset(word[:6] for word in re.findall(r"\w{4,}", text.casefold()))
