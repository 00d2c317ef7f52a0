"""Reads the full texts of papers in parallel and embeds their pages while other papers are being fetched.
Also forms windows of neighbouring sentences, the unit in which a passage supports a claim."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..errors import SourceError
from ..ports import Embedder, Monitor, PaperSource
from ..services import Services
from ..text.sentences import split_sentences
from ..types import Matrix, Paper, Passage

READERS = 12  # papers fetched in parallel; a source with a rate limit queues them itself
PATIENCE_S = 0.1  # interval between two checks for cancellation while papers are fetched
BATCH = 48  # pages embedded between two checks for cancellation


@dataclass(frozen=True, slots=True)
class Reading:
    """The passages that were read of a paper; none if only its abstract is available. `note`: why its full
    text could not be read, for the user."""

    paper_id: str
    passages: tuple[Passage, ...] = ()  # with vectors
    note: str = ""


def read_library(
    text: str, papers: Sequence[Paper], services: Services, monitor: Monitor
) -> dict[str, Reading]:
    """The readings of those papers whose full text is in the index, by paper id. `text`: the text of the
    draft, which decides on the passages."""
    if services.library is None or not papers:
        return {}
    monitor.report("Reading the papers in your library")
    passages = services.library.passages([paper.id for paper in papers], text, services.embedder)
    return {id: Reading(id, read) for id, read in passages.items()}


def read_papers(
    papers: Sequence[Paper], source: PaperSource, embedder: Embedder, monitor: Monitor
) -> dict[str, Reading]:
    """Returns a reading for each paper, by paper id and not by position, so that no text can be assigned to
    another paper.

    The pages of a paper are embedded as soon as they arrive, while other papers are still being fetched. A
    paper that cannot be read gets a reading with a note. Raises `Cancelled` soon after the user asked to
    stop."""
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
    """The vectors of the texts, shape [texts, dimension]. Between slices of `BATCH` texts, cancellation is
    checked."""
    slices = list(_embedded(texts, embedder, monitor))
    return np.vstack(slices) if slices else np.empty((0, embedder.dimension), dtype=np.float32)


def _embedded(texts: Sequence[str], embedder: Embedder, monitor: Monitor) -> Iterator[Matrix]:
    for start in range(0, len(texts), BATCH):
        monitor.check()
        yield embedder.embed_documents(texts[start : start + BATCH])


def reading_notes(readings: Mapping[str, Reading]) -> tuple[str, ...]:
    """The note on papers that could not be read, with the most common reason; empty if all could be read."""
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
