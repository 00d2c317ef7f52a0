"""Words that are taken over: of the cited paper, of another that was given, or of the draft.

Short runs are names, titles and terms, and free. How long a run is too long depends on whose it is: the
words of a paper that is not cited are a claim without its source, and the source's "we" in the mouth of the
draft's authors is a theft."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_CITED = 14  # words in a row that are the cited source's own
_CITED_WE = 5  # the same, where "we" or "this paper" would then be the draft
_ANOTHERS = 10  # words in a row of a paper that is not cited
_WHOLE = 6  # words of a sentence that is another's as a whole
_DRAFT = 14  # words in a row of the draft's abstract
_CLAIMED = 8  # words in a row of the draft's, in a sentence that cites others for them
_AS_DRAFT = (["we"], ["our"], ["this", "paper"], ["this", "work"], ["the", "draft"], ["in", "this", "paper"])


@dataclass(frozen=True, slots=True)
class Sources:
    """All texts as words with a space around each, so that a run of words is a substring."""

    passages: Mapping[str, str]  # by evidence id
    titles: tuple[str, ...]
    draft: str
    written: str = ""  # what the author has of the section already

    @classmethod
    def of(cls, passages: Mapping[str, str], titles: Sequence[str], draft: str, written: str = "") -> Sources:
        joined = {id: _joined(text) for id, text in passages.items()}
        return cls(joined, tuple(_joined(title) for title in titles), _joined(draft), _joined(written))

    def problem(self, text: str, ids: Sequence[str]) -> str:
        """What the sentence takes over, as the rest of a sentence for the model; "" for nothing."""
        words = _words(text)
        cited = [self.passages[i] for i in ids]
        if any(words[: len(start)] == start for start in _AS_DRAFT) and _first(words, _CITED_WE, cited):
            return "copies its source word for word; say it in your own words."
        if _first(words, _CITED, cited):
            return "copies its source word for word; say it in your own words."
        if ids and self._claimed(words, cited):
            return "cites papers for what the draft says of itself; name no evidence, or leave it out."
        if taken := self._anothers(words, ids, cited):
            return (
                f"copies passage {taken} word for word and does not cite it; say it in your own words and name "
                "that passage, or leave it out."
            )
        if _first(words, _DRAFT, [self.draft]):
            return "repeats the draft's abstract word for word; say it in other words."
        if self._is_written(words):
            return "stands in the section already, written by the author; say what is new, or leave it out."
        return ""

    def _is_written(self, words: Sequence[str]) -> bool:
        run = min(max(len(words), _WHOLE), _DRAFT)
        return any(
            r in self.written and not any(r in title for title in self.titles) for r in _runs(words, run)
        )

    def _anothers(self, words: Sequence[str], ids: Sequence[str], cited: Sequence[str]) -> str:
        """The id of a passage that is not cited and whose words these are; titles and the draft are free."""
        free = [*cited, *self.titles, self.draft]
        run = len(words) if _WHOLE <= len(words) < _ANOTHERS else _ANOTHERS
        own = [r for r in _runs(words, run) if not any(r in text for text in free)]
        return next(
            (i for i, text in self.passages.items() if i not in ids and any(r in text for r in own)), ""
        )

    def _claimed(self, words: Sequence[str], cited: Sequence[str]) -> bool:
        runs = (r for r in _runs(words, _CLAIMED) if r in self.draft)
        return any(not any(r in text for text in cited) for r in runs)


def retells(text: str, draft: str) -> bool:
    """True where a text that should speak of another paper says what the draft does, in its words."""
    return _first(_words(text), _CLAIMED + 2, [_joined(draft)])


def _first(words: Sequence[str], run: int, texts: Sequence[str]) -> bool:
    return any(r in text for r in _runs(words, run) for text in texts)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _joined(text: str) -> str:
    return f" {' '.join(_words(text))} "


def _runs(words: Sequence[str], length: int) -> Iterator[str]:
    return (f" {' '.join(words[i : i + length])} " for i in range(len(words) - length + 1))
