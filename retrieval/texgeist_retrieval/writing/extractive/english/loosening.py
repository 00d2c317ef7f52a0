"""A sentence in words of its own: runs that a source has word for word are broken, without quotation marks.

Small rewritings that keep the meaning (a synonym, a swapped pair, an abbreviation, praise left out, a clause
turned) are tried until no run is left. A sentence that keeps one of more than seven words is given up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .grammar import article
from .quoting import RUN
from .synonyms import REWRITINGS
from .turns import TURNS

_ROUNDS = 12


def loosened(text: str, passage: str, free: str = "") -> str:
    """`text` without a run of the passage's words, "" where that cannot be done. Words of a run that stand
    in `free`, the paper's title, are nobody's loss. One run of exactly seven words may be left: `copied` counts."""
    if not text:
        return ""
    source = _Source(passage, free)
    left = source.copied(text)
    for _ in range(_ROUNDS):
        if not left:
            break
        tried = ((source.copied(other), other) for other in _others(text))
        better = [(fewer, other) for fewer, other in tried if fewer < left]
        if not better:
            break
        left, text = min(better, key=lambda pair: pair[0] + _heavy(text, pair[1]))
    return text if left <= 1 else ""


# What is good English and heavy: only where nothing lighter breaks the run.
_HEAVY = re.compile(
    r"\b(?:with the aim of|with the help of|on the basis of|by means of|at the same time|in the course of|in order to|so as to|as well as|as much as)\b"
)


def _heavy(old: str, new: str) -> float:
    more = len(_HEAVY.findall(new)) - len(_HEAVY.findall(old))
    return 2.5 * more * (1 + len(_HEAVY.findall(old)))


_KNOWN = frozenset(
    "LLM LLMs CNN CNNs RNN RNNs GNN GNNs GAN GANs NLP AI RL GPU GPUs CPU CPUs FPGA DNA RNA MRI CT API SQL KV QA BERT GPT".split()
)


def spelled_out(text: str, passage: str, title: str) -> str:
    """With the first mention of an abbreviation in full, where the passage explains it and the title does not use it:
    the reader of one sentence has not read the others. "" where that cannot be done."""
    for short in dict.fromkeys(re.findall(r"(?<![\w-])[A-Z][A-Za-z]*[A-Z]s?(?![\w-])", text)):
        bare = short.removesuffix("s") if short[-2:-1].isupper() else short
        if (
            short in _KNOWN
            or bare in _KNOWN
            or re.search(rf"\b{bare}", title)
            or f"({short})" in text
            or f"({bare})" in text
        ):
            continue
        found = re.search(rf"((?:[\w-]+ ){{0,{len(bare)}}}[\w-]+) \({re.escape(bare)}s?\)", passage)
        full = _spelling(found[1], bare) if found else ""
        if not full and (re.search(rf"\({re.escape(bare)}s?\)", passage) or len(bare) == 2):
            return ""  # what it stands for cannot be said
        if full:
            if short != bare and not full.endswith("s"):
                full += "s"
            elif short == bare and full.endswith("s") and re.search(rf"\({re.escape(bare)}s\)", passage):
                continue
            text = re.sub(rf"(?<![\w-]){re.escape(short)}(?![\w-])", full, text, count=1)
    return with_articles(text)


def _spelling(words_: str, short: str) -> str:
    """The last words before the bracket whose first letters are the abbreviation's."""
    parts = words_.split()
    for start in range(len(parts)):
        initials = "".join(piece[0] for part in parts[start:] for piece in part.split("-") if piece)
        if initials.lower() == short.lower():
            return " ".join(parts[start:])
    return ""


def copied(text: str, passage: str, free: str = "") -> int:
    """How many runs of seven words the text has of the passage, outside quotation marks."""
    return _Source(passage, free).copied(text)


class _Source:
    """What may not be copied: the runs of a passage, but those of the title."""

    def __init__(self, passage: str, free: str) -> None:
        titled = _runs(_words(free))
        self._runs = _runs(_words(passage)) - titled

    def copied(self, text: str) -> int:
        """How many runs of seven words the text has of them."""
        return sum(run in self._runs for piece in re.split(r"“[^”]*”", text) for run in _runs(_words(piece)))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


def _others(text: str) -> Iterator[str]:
    """The text with one rewriting at one place."""
    for pattern, by in (*REWRITINGS, *TURNS):
        for match in pattern.finditer(text):
            new = by(match) if callable(by) else match.expand(by)
            if new == match[0]:
                continue
            yield with_articles(f"{text[: match.start()]}{new}{text[match.end() :]}")


def with_articles(text: str) -> str:
    """a and an by the sound of what follows, where a word before a noun came or went. A capital inside a
    sentence is a letter: "vitamin A intake"."""

    def fitting(match: re.Match[str]) -> str:
        before = match.string[: match.start()].rstrip()
        letter = match[1] == "A" and before and before[-1] not in ".?!:“"
        return match[0] if letter or match[2][:2].isupper() else f"{_cased(article(match[2]), match[1])} "

    return re.sub(r"\b([Aa])n? (?=([A-Za-z][\w-]+))", fitting, re.sub(r"  +", " ", text))


def _cased(word: str, first: str) -> str:
    return word.capitalize() if first.isupper() else word
