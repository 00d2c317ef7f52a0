"""Judges whether cited papers support a sentence. A model compares each sentence with the available passages
of the papers that the sentence cites: abstracts of the user's index, PDFs in their folders, and texts from the caller;
nothing is downloaded unless the settings allow it. Results are hints, never errors: the passages are seldom the whole
paper, and the judge may be wrong."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.bib.identity import arxiv_id_of, doi_of
from texgeist_latex.disk.paths import seen_from
from texgeist_latex.reading.cited_sentences import CitedSentence
from texgeist_latex.types import BibEntry
from texgeist_retrieval.cache_file import Cache
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.errors import SearchError, SourceError, WriterError
from texgeist_retrieval.pipeline.support import MOST_AT_ONCE, Pair
from texgeist_retrieval.text.sentences import split_sentences
from texgeist_retrieval.types import Paper, Support

from ..plain_text import cut
from .report import Remark

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


MOST_PASSAGES = 4
_SHOWN = 240  # code points of a passage in a message
Judge = Callable[[Sequence[Pair]], list[Support]]


@dataclass(frozen=True, slots=True)
class Judged:
    sentence: CitedSentence
    support: Support
    passage: PaperText  # the most similar passage

    @property
    def code(self) -> str:
        return {"NEI": "unsupported", "REFUTE": "contradicted"}.get(self.support.label, "")

    @property
    def message(self) -> str:
        """The message for the user: which part is unsupported, then the most similar passage."""
        page = f" (page {self.passage.page})" if self.passage.page else " (abstract)"
        keys = ", ".join(self.sentence.keys)
        verb = "contradicts" if self.code == "contradicted" else "does not say"
        said = f"The available text of {keys} {verb}"
        missing = f": {self.support.missing}" if self.support.missing else ""
        return f"{said} this{missing}. Most similar passage{page}: “{cut(self.passage.text, _SHOWN)}”"


@dataclass(frozen=True, slots=True)
class Judgements:
    """The sentences judged unsupported or contradicted, a note on the sentences that were not judged, and the
    error that ended the judging, if any."""

    unsupported: tuple[Judged, ...] = ()
    note: str = ""
    failure: WriterError | None = None


def judge_sentences(
    sentences: Sequence[CitedSentence],
    texts: Mapping[str, Sequence[PaperText]],
    judge: Judge,
    monitor: Monitor,
) -> Judgements:
    """Judges the sentences whose cited texts are available. If the judge fails, the results so far are
    returned."""
    found, unread = list[Judged](), 0
    readable = list[tuple[CitedSentence, list[PaperText]]]()
    for sentence in sentences:
        pieces = [piece for key in sentence.keys for piece in texts.get(key, ())]
        if any(key not in texts for key in sentence.keys) or not pieces:
            unread += 1  # the unavailable paper may support the sentence
        else:
            readable.append((sentence, nearest(sentence.text, pieces, MOST_PASSAGES)))
    for start in range(0, len(readable), MOST_AT_ONCE):
        monitor.report("Judging sentences", start, len(readable))
        some = readable[start : start + MOST_AT_ONCE]
        pairs = [
            (sentence.text, "\n\n".join(piece.text for piece in passages)) for sentence, passages in some
        ]
        try:
            supports = judge(pairs)
        except WriterError as error:
            left = len(readable) - start + unread
            sentences_were = "1 sentence was" if left == 1 else f"{left} sentences were"
            return Judgements(tuple(found), f"{sentences_were} not judged: {error.sentence()}", error)
        for (sentence, passages), support in zip(some, supports, strict=True):
            judged = Judged(sentence, support, passages[0])
            if judged.code:
                found.append(judged)
    note = (
        f"{unread} of {len(sentences)} sentences were not judged, because the text of a paper that they cite "
        "is not available here."
    )
    return Judgements(tuple(found), note if unread else "")


def remark_of(judged: Judged, folder: Path) -> Remark:
    file = seen_from(folder, judged.sentence.span.file)
    return Remark(judged.code, judged.message, "information", file, judged.sentence.line)


class JudgedBefore:
    """A cache of judgements, by claim and text."""

    def __init__(self, path: Path, judge: str) -> None:
        self._cache = Cache(path)
        self._judge = judge

    def get(self, claim: str, text: str) -> Support | None:
        """The cached judgement; None if the claim was not judged against this text before."""
        for kept in self._cache.get([self._name(claim, text)]).values():
            with contextlib.suppress(ValueError, TypeError):
                return from_plain(Support, json.loads(kept.value))
        return None

    def put(self, claim: str, text: str, said: Support) -> None:
        self._cache.put({self._name(claim, text): json.dumps(to_plain(said))})

    def _name(self, claim: str, text: str) -> str:
        return hashlib.sha256(json.dumps([self._judge, claim, text]).encode()).hexdigest()
