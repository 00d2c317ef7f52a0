"""What a draft stands on, found without a model: in its title, abstract, introduction and citations.

A strand is a phrase of the draft with the sentence that says it: the phrase alone is too short to be
searched with, the sentence alone has no name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..text.keyphrases import Phrase, phrases, tells
from ..text.sentences import clean, split_sentences
from ..types import Query, Strand
from .systems import own_name, systems

MOST = 7  # strands of the text
MOST_CITED = 3  # further ones around what the draft cites
_TITLE, _ABSTRACT, _INTRODUCTION = 3.0, 1.0, 0.5  # what one mention is worth
_LONGEST_INTRODUCTION = 12_000  # characters
_LONGEST_QUERY = 500  # characters


def strands_of(query: Query) -> tuple[Strand, ...]:
    """At most ten, the most important first; none for a sentence or a question, which is one strand."""
    if query.kind not in ("abstract", "draft"):
        return ()
    abstract = clean(query.abstract or query.parts[0].text)
    introduction = clean(query.introduction[:_LONGEST_INTRODUCTION])
    sentences = [*split_sentences(abstract), *split_sentences(introduction)]
    named = _named(query.title, abstract, introduction)
    found = [strand for phrase in named if (strand := _strand(phrase, sentences, query.title))]
    return (*found[:MOST], *_around_cited([work.title for work in query.cited_works]))


def _named(title: str, abstract: str, introduction: str) -> list[str]:
    """Phrases, the weightiest first, none of which says again what one before it says. What the draft calls
    its own system is not what it stands on."""
    own = own_name(title, abstract).casefold()
    weights: defaultdict[str, float] = defaultdict(float)
    written: dict[str, str] = {}
    for text, worth in ((title, _TITLE), (abstract, _ABSTRACT), (introduction, _INTRODUCTION)):
        for phrase in phrases(text):
            if _says_something(phrase):
                weights[phrase.key] += worth
                written.setdefault(phrase.key, phrase.surface)
        for system in systems(text):
            weights[system.casefold()] += worth
            written[system.casefold()] = system
    chosen: list[str] = []
    for key in sorted(weights, key=lambda k: (-weights[k] * len(k.split()) ** 0.5, k)):
        if own and own in key.split():
            continue
        if all(_apart(key, other) for other in chosen):
            chosen.append(key)
    return [written[key] for key in chosen]


def _says_something(phrase: Phrase) -> bool:
    return phrase.whole and len(phrase.key.split()) > 1 and tells(phrase.key)


def _apart(key: str, other: str) -> bool:
    ours, theirs = set(key.split()), set(other.split())
    return len(ours & theirs) < 0.6 * min(len(ours), len(theirs))


def _strand(phrase: str, sentences: Sequence[str], title: str) -> Strand | None:
    low = phrase.casefold()
    said = next((s for s in sentences if low in s.casefold()), "")
    where = "your text says" if said else "your title says"
    said = said or title
    return Strand(phrase, f"{phrase}. {said}"[:_LONGEST_QUERY], f"{where}: “{said}”")


def _around_cited(titles: Sequence[str]) -> tuple[Strand, ...]:
    """Work around what the draft cites, a few papers as far apart in their words as can be."""
    chosen: list[str] = []
    pool = [title for title in titles if len(title.split()) > 2]
    words = {title: set(title.casefold().split()) for title in pool}
    while pool and len(chosen) < MOST_CITED:
        best = min(pool, key=lambda t: (max((len(words[t] & words[c]) for c in chosen), default=0), t))
        chosen.append(best)
        pool.remove(best)
    return tuple(Strand(f"work around “{title}”", title, "your draft cites it") for title in chosen)
