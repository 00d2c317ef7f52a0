"""The retold sentences as paragraphs: an opening for each theme, and the nearest works beside the draft's own."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...models.schemas import Schema, object_of
from ...models.structured_call import Prompt
from ...ranking.storage import load_words
from ...text.sentences import clean
from ...text.words import words
from ...types import Paragraph, Selected, Sentence
from .agreement import is_known

_TOKENS = 80
_FEWEST, _MOST = 6, 26  # words of an opening
_LISTED = 4  # papers that an opening cites
_EVERYWHERE = 0.15  # share of all abstracts from which a word says nothing of a paper
_NEAREST = 2  # works beside the draft's own contribution
_SYSTEM = """\
You write the first sentence of a paragraph of a related-work section. You are given the titles of its papers. Say in one \
general sentence of 8 to 18 words what line of work they have in common. No names of systems, no numbers, no praise, \
never "we" or "our". Use the words of the titles.

Titles: Dense Passage Retrieval for Open-Domain Question Answering; ColBERT: Efficient and Effective Passage Search via \
Contextualized Late Interaction; Approximate Nearest Neighbor Negative Contrastive Learning for Dense Text Retrieval
{"opening": "One line of work retrieves passages by dense representations of questions and texts."}

Titles: SciBERT: A Pretrained Language Model for Scientific Text; SPECTER: Document-level Representation Learning using \
Citation-informed Transformers
{"opening": "Transformers have also been pretrained to represent scientific text."}

"""


def opening_prompt(titles: Sequence[str]) -> Prompt:
    return Prompt(_SYSTEM.rstrip(), "", f"Titles: {'; '.join(map(clean, titles))}", _TOKENS)


def opening_schema() -> Schema:
    return object_of({"opening": {"type": "string", "minLength": 30, "maxLength": 200}})


def opening_of(answer: Any, members: Sequence[Selected]) -> Sentence | None:
    """The opening with the papers whose title and abstract have all of its words; None if fewer than two have."""
    text = answer.get("opening") if isinstance(answer, dict) else None
    if not isinstance(text, str) or not _FEWEST <= len(text.split()) <= _MOST:
        return None
    text = re.sub(r"\s+", " ", text).strip().rstrip(".") + "."
    telling = [word for word in words(text) if not _is_everywhere(word)]
    papers = [one.candidate.paper for one in members]
    known = [set(words(f"{paper.title} {paper.abstract}")) for paper in papers]
    saying = [
        one.evidence[0].id
        for one, said in zip(members, known, strict=True)
        if all(is_known(word, said) for word in telling)
    ]
    return Sentence(text, tuple(saying[:_LISTED])) if telling and len(saying) > 1 else None


def with_opening(paragraph: Paragraph, opening: Sentence | None) -> Paragraph:
    """In place of the neutral opening of the notes, which ends with the theme."""
    if opening is None:
        return paragraph
    neutral = bool(paragraph.theme) and paragraph.sentences[0].text.endswith(f"{paragraph.theme}.")
    return replace(paragraph, sentences=(opening, *paragraph.sentences[neutral:]))


def with_nearest_last(
    paragraphs: Sequence[Paragraph], retold: Sequence[Sentence], nearness: Mapping[str, float]
) -> tuple[Paragraph, ...]:
    """The works nearest to the draft stand before its own contribution, which ends the notes. `nearness`: by
    evidence id."""
    moved = sorted(retold, key=lambda sentence: -nearness[sentence.evidence[0]])[:_NEAREST]
    if len(paragraphs) < 3 or any(s.evidence for s in paragraphs[-1].sentences) or not moved:
        return tuple(paragraphs)
    kept = [replace(p, sentences=tuple(s for s in p.sentences if s not in moved)) for p in paragraphs[:-1]]
    first = _beside(moved[0], "Closest to our work,")
    last = replace(paragraphs[-1], sentences=(first, *moved[1:], *paragraphs[-1].sentences))
    full = [p for p in kept if any(len(s.evidence) == 1 or s.aside for s in p.sentences)]
    return (*full, last)


def _beside(sentence: Sentence, lead: str) -> Sentence:
    if sentence.textual:
        return replace(sentence, lead=lead)
    return replace(sentence, text=f"{lead} {sentence.text}")


def _is_everywhere(word: str) -> bool:
    statistics = load_words()
    return statistics.counts.get(word, 0) > _EVERYWHERE * statistics.documents
