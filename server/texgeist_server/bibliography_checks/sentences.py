"""Does the cited paper say so? A model judges each sentence by the passages of what it cites that are at hand.

A hint, never an error: the passages at hand are seldom the whole paper, and a judge may be wrong. Where nothing is
at hand, or no model is asked, nothing is said.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.reading.cited_sentences import CitedSentence
from texgeist_retrieval.errors import WriterError
from texgeist_retrieval.pipeline.support import MOST_AT_ONCE, Pair
from texgeist_retrieval.types import Support

from .cited_texts import Piece, nearest
from .report import Remark

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

MOST_PASSAGES = 4
_SHOWN = 240  # code points of a passage
Judge = Callable[[Sequence[Pair]], list[Support]]


@dataclass(frozen=True, slots=True)
class Judged:
    sentence: CitedSentence
    support: Support
    passage: Piece  # the nearest one

    @property
    def code(self) -> str:
        return {"NEI": "unsupported", "REFUTE": "contradicted"}.get(self.support.label, "")

    @property
    def message(self) -> str:
        """For people: what is missing, then the passage."""
        page = f" (page {self.passage.page})" if self.passage.page else " (abstract)"
        keys = ", ".join(self.sentence.keys)
        said = "contradicts" if self.code == "contradicted" else "does not say"
        missing = f": {self.support.missing}" if self.support.missing else ""
        text = " ".join(self.passage.text.split())
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN].rpartition(' ')[0]} …"
        return f"What is at hand of {keys} {said} this{missing}. Nearest{page}: “{shown}”"


def judge_sentences(
    sentences: Sequence[CitedSentence], texts: Mapping[str, Sequence[Piece]], judge: Judge, monitor: Monitor
) -> tuple[list[Judged], str]:
    """Those that the judge takes for unsupported or contradicted, and what was not judged, for people. What
    was found stays when the judge fails on the way."""
    found, unread = list[Judged](), 0
    readable = list[tuple[CitedSentence, list[Piece]]]()
    for sentence in sentences:
        pieces = [piece for key in sentence.keys for piece in texts.get(key, ())]
        if any(key not in texts for key in sentence.keys) or not pieces:
            unread += 1  # a paper that nobody has read may say it
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
            return found, f"{left} sentences were not judged: {error.sentence()}"
        for (sentence, passages), support in zip(some, supports, strict=True):
            judged = Judged(sentence, support, passages[0])
            if judged.code:
                found.append(judged)
    if not unread:
        return found, ""
    return (
        found,
        f"{unread} of {len(sentences)} sentences were not judged: not all that they cite is at hand.",
    )


def remark_of(judged: Judged, folder: Path) -> Remark:
    file = Path(os.path.relpath(judged.sentence.span.file, folder)).as_posix()
    return Remark(judged.code, judged.message, "information", file, judged.sentence.line)
