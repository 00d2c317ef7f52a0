"""Windows of neighbouring sentences: the size in which a passage supports a claim."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text.sentences import split_sentences


def windows(text: str, size: int = 2, longest: int = 600) -> list[str]:
    """Every run of `size` neighbouring sentences, in order and without line breaks, cut at `longest` characters."""
    sentences = split_sentences(" ".join(text.split()))
    if len(sentences) <= size:
        return [" ".join(sentences)[:longest]] if sentences else []
    return [" ".join(sentences[i : i + size])[:longest] for i in range(len(sentences) - size + 1)]


def likeliest(passages: Sequence[str], text: str, most: int) -> list[str]:
    """The `most` passages that share the largest part of their longer words with the text, in order.

    A page has some twenty windows; embedding them all would cost more than it finds."""
    wanted = _words(text)
    shares = [len(wanted & (words := _words(passage))) / (len(words) + 5) for passage in passages]
    chosen = sorted(range(len(passages)), key=lambda i: -shares[i])[:most]
    return [passages[i] for i in sorted(chosen)]


def _words(text: str) -> frozenset[str]:
    """Stems, roughly: the first six letters of words of four and more."""
    return frozenset(word[:6] for word in re.findall(r"\w{4,}", text.casefold()))
