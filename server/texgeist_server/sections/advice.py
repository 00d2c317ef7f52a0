"""What an author should be told of a result before keeping it."""

from __future__ import annotations

from collections.abc import Sequence

from texgeist_retrieval.types import Query, Result

from .in_latex import sentences_of
from .queries import in_words

# Cosines of all-mpnet-base-v2: papers that a draft cites lie at 0.5 and more from its abstract as a rule;
# below 0.3 are those that share no more than a manner of speaking.
MODEL = "all-mpnet-base-v2"
NEAR, FAR = 0.35, 0.3
_LANGUAGES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "es": "Spanish",
    "fi": "Finnish", "fr": "French", "hu": "Hungarian", "it": "Italian", "ja": "Japanese", "ko": "Korean",
    "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian",
    "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip


def advice(result: Result, language: str = "en") -> tuple[str, ...]:
    """Sentences for the author; `language` is the document's (ISO 639-1)."""
    return tuple(
        filter(None, [_on_abstract(result.query), _on_language(result, language), _on_distance(result)])
    )


def _on_abstract(query: Query) -> str:
    """Where it was asked for, and is not there."""
    if query.by_introduction or (query.kind == "draft" and not query.abstract):
        return f"Your draft has no abstract, so {in_words(query)} was searched with: with one, the papers fit better."
    return ""


def _on_language(result: Result, language: str) -> str:
    if result.writer != "extractive" or language in ("", "en") or not sentences_of(result):
        return ""
    named = f"in {_LANGUAGES[language]}" if language in _LANGUAGES else "in another language"
    return (
        f"The built-in writer writes English, and your document is {named}: "
        "translate the section, or choose a language model as the writer."
    )


def _on_distance(result: Result) -> str:
    if result.model != MODEL or not result.selected:
        return ""
    best = max(one.candidate.similarity for one in result.selected)
    if best < NEAR:
        return (
            f"Nothing in {result.index or 'the index'} lies close to {in_words(result.query)} (the nearest has "
            f"similarity {best:.2f}): it may hold no papers on your subject."
        )
    far = [one.candidate.paper.title for one in result.selected if one.candidate.similarity < FAR]
    if not far:
        return ""
    count = "One paper lies" if len(far) == 1 else f"{len(far)} papers lie"
    return f"{count} far from {in_words(result.query)} (similarity below {FAR}); look before you keep: {_list(far)}."


def _list(titles: Sequence[str]) -> str:
    shown = "; ".join(f"“{title}”" for title in titles[:3])
    return shown if len(titles) <= 3 else f"{shown} and {len(titles) - 3} more"
