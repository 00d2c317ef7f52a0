"""The available texts of papers that a draft cites: abstracts of the user's index, PDFs in their folders, and
texts from the caller. Nothing is downloaded unless the settings allow it."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from texgeist_latex.bib.identity import arxiv_id_of, doi_of
from texgeist_latex.types import BibEntry
from texgeist_retrieval.errors import SearchError, SourceError
from texgeist_retrieval.text.sentences import split_sentences
from texgeist_retrieval.types import Paper

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

    from ..config.settings import Settings

_WINDOW = 3  # sentences in a passage
_STEP = 2
_WORD = re.compile(r"\w{3,}|\d+")


@dataclass(frozen=True, slots=True)
class PaperText:
    text: str
    page: int | None = None  # page of the paper; None for its abstract


def texts_of(
    entries: Iterable[BibEntry],
    settings: Settings,
    known: Mapping[str, Sequence[PaperText]],
    monitor: Monitor,
) -> dict[str, list[PaperText]]:
    """The available texts of the cited papers, by key. Papers without any text are left out. `known` texts
    come first."""
    wanted = {entry.key: paper for entry in entries if (paper := _paper(entry)) is not None}
    abstracts = _abstracts(settings, [paper.id for paper in wanted.values()])
    found: dict[str, list[PaperText]] = {key: list(pieces) for key, pieces in known.items()}
    for done, (key, paper) in enumerate(wanted.items()):
        monitor.report("Reading the cited papers", done, len(wanted))
        if abstract := abstracts.get(paper.id):
            found.setdefault(key, []).append(PaperText(abstract))
        found.setdefault(key, []).extend(_pages(paper, settings, monitor))
    return {key: pieces for key, pieces in found.items() if pieces}


def nearest(claim: str, pieces: Sequence[PaperText], most: int) -> list[PaperText]:
    """The passages that share the most words with the claim, at most `most`; rare words weigh more."""
    windows = [window for piece in pieces for window in _windows(piece)]
    if len(windows) <= most:
        return windows
    words = [set(_WORD.findall(window.text.lower())) for window in windows]
    counts = Counter(word for one in words for word in one)
    asked = set(_WORD.findall(claim.lower()))
    weight = {word: log(1 + len(windows) / counts[word]) for word in asked if word in counts}
    scored = [(sum(weight.get(word, 0.0) for word in one & asked), -at) for at, one in enumerate(words)]
    return [windows[-at] for _, at in sorted(scored, reverse=True)[:most]]


def _windows(piece: PaperText) -> list[PaperText]:
    sentences = split_sentences(" ".join(piece.text.split()))
    starts = range(0, max(len(sentences) - _WINDOW, 0) + _STEP, _STEP)
    texts = (" ".join(sentences[start : start + _WINDOW]) for start in starts)
    return [PaperText(text, piece.page) for text in texts if text]


def _paper(entry: BibEntry) -> Paper | None:
    arxiv, doi = arxiv_id_of(entry), doi_of(entry)
    if not arxiv and not doi:
        return None
    return Paper(arxiv or f"doi:{doi}", entry.fields.get("title", ""), doi=doi)


def _abstracts(settings: Settings, ids: Sequence[str]) -> dict[str, str]:
    from ..config.credentials import keys_from_environment
    from ..index_places import index_place, open_as_it_is

    place = index_place(settings, keys_from_environment())
    if not ids or not place.on_this_disk:
        return {}
    with contextlib.suppress(SearchError):
        index = open_as_it_is(settings, place)
        try:
            return {id: paper.abstract for id, (paper, _) in index.get(ids).items() if paper.abstract}
        finally:
            index.close()
    return {}


def _pages(paper: Paper, settings: Settings, monitor: Monitor) -> list[PaperText]:
    from ..adapters import build_source, has_full_texts

    if not has_full_texts(settings, False):
        return []
    with contextlib.suppress(SourceError):
        pages = build_source(settings, False).pages(paper, monitor)
        return [PaperText(text, number) for number, text in enumerate(pages, 1) if text.strip()]
    return []
