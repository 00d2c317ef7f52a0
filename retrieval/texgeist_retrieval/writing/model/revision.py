"""Corrects sentences of a section that a model wrote.

A critical reader (a call of the model) gets the section with numbered sentences and the faults that the
checks found, and returns corrections of some sentences. Sentences that then fail a check are requested once
more; those that still fail are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...models.schemas import TEXT, Schema, object_of
from ...models.structured_call import Prompt
from .checks import Material, faults_of
from .prompts import CITING, quoted
from .prose import MarkedParagraph, MarkedSentence, read_sentences

_LONGEST = 1500  # characters of a sentence that are shown again
_MOST_FAULTS = 3  # faults reported for each sentence
LEAST_LEFT = 2 / 3  # if a smaller share of the words is left, only corrections of the kind `TRUTH` are used
TRUTH, READING = "truth", "reading"

REVIEW = f"""<section>
{{section}}
</section>

You review this related-work section of the draft as a critical reader for a top venue, with the papers at hand. Its \
sentences are numbered; what an automatic check found stands below a sentence. Read it twice.
1. Truth ("truth"). Take each sentence apart and hold every part against the passages that it cites, taken together: the \
claim itself, and each word that goes beyond it ("first", "only", "all", a cause, a purpose, a cost, a comparison, an order \
in time). Cut back what they do not say to what they do say. A contrast or a likeness that follows from two cited \
passages stands. Give a sentence on the literature that cites nothing its citation, or remove it. A sentence on the draft \
says only what its title, abstract and introduction say, or what follows from its task. Whatever the automatic check found is corrected as well.
2. Reading ("reading"). What would you mark in the margin? A work described so vaguely that its mechanism stays unknown; a \
nearest rival passed over; a list where an argument should be; works that are said to differ without saying in what; a \
work or a detail that no point needs; an end that sums up or advertises the draft; a chain of short sentences; an oblique or \
ornate phrase; a word whose reference is unclear; the same said twice.
Give only the sentences that need it, by number: whole, with their citations, under the rules below. Several sentences may \
replace one; an empty text removes it. "why" names the fault in a few words. Leave good sentences as they are.
{CITING}"""

REPAIR = f"""<section>
{{section}}
</section>

These sentences of the section cannot stand, for the reasons below them. Write each of them anew, by number: whole, with \
its citations, under the rules below. An empty text removes it. Give no other sentence; "kind" is "truth".
{CITING}"""


@dataclass(frozen=True, slots=True)
class Correction:
    number: int  # of the sentence, from 1
    kind: str  # `TRUTH` or `READING`
    text: str  # "" removes the sentence


def correction_schema() -> Schema:
    kind = {"type": "string", "enum": [TRUTH, READING]}
    one = object_of({"number": {"type": "integer"}, "kind": kind, "why": TEXT, "text": TEXT})
    return object_of({"corrections": {"type": "array", "items": one, "maxItems": 60}})


def faults_by_number(paragraphs: Sequence[MarkedParagraph], material: Material) -> dict[int, list[str]]:
    """The faults of each faulty sentence, by its number from 1."""
    sentences = [each for paragraph in paragraphs for each in paragraph.sentences]
    return {n: found for n, each in enumerate(sentences, 1) if (found := faults_of(each, material))}


def review_prompt(prompt: Prompt, paragraphs: Sequence[MarkedParagraph], material: Material) -> Prompt:
    """The request to the critical reader. `prompt`: the request to which the section was the answer."""
    shown = numbered(paragraphs, faults_by_number(paragraphs, material))
    return replace(prompt, user=REVIEW.format(section=shown), max_tokens=4000)


def repair_prompt(
    prompt: Prompt,
    paragraphs: Sequence[MarkedParagraph],
    faults: Mapping[int, Sequence[str]],
    rules: str = "",
) -> Prompt:
    """The request to rewrite the faulty sentences. `faults`: by the number of the sentence; `rules`:
    additional rules."""
    user = REPAIR.format(section=numbered(paragraphs, faults)) + rules
    return replace(prompt, user=user, max_tokens=1500 + 200 * len(faults))


def numbered(paragraphs: Sequence[MarkedParagraph], faults: Mapping[int, Sequence[str]]) -> str:
    """The text of the paragraphs with one line for each sentence, which begins with its number. The faults of
    a sentence are listed below it."""
    lines, number = list[str](), 0
    for paragraph in paragraphs:
        lines += ["", *([paragraph.heading] if paragraph.heading else [])]
        for marked in paragraph.sentences:
            number += 1
            lines.append(f"({number}) {quoted(marked.raw, _LONGEST)}")
            lines += [f"    found: {fault}" for fault in faults.get(number, ())[:_MOST_FAULTS]]
    return "\n".join(lines).strip()


def read_corrections(answer: Any) -> tuple[tuple[Correction, ...], list[str]]:
    """The usable corrections of an answer, and the faults of the answer."""
    given = answer.get("corrections") if isinstance(answer, dict) else None
    if not isinstance(given, list):
        return (), ['The answer is not an object with a list "corrections".']
    found = [one for raw in given if (one := _correction(raw))]
    return tuple({one.number: one for one in found}.values()), []


def _correction(raw: Any) -> Correction | None:
    number = raw.get("number") if isinstance(raw, dict) else None
    if type(number) is not int or not isinstance(raw.get("text"), str):
        return None
    return Correction(number, READING if raw.get("kind") == READING else TRUTH, raw["text"].strip())


def corrected(
    paragraphs: Sequence[MarkedParagraph], corrections: Sequence[Correction], material: Material
) -> tuple[MarkedParagraph, ...]:
    """The paragraphs with the corrections. A correction of the kind `READING` is not used if the checks find
    a fault in it but none in the original sentence. If the corrections shorten the section too much, all of
    this kind are left out."""
    by_number = {one.number: one for one in corrections}
    made = _replaced(paragraphs, by_number, material)
    if _words(made) < LEAST_LEFT * _words(paragraphs):
        needed = {n: one for n, one in by_number.items() if one.kind == TRUTH}
        made = _replaced(paragraphs, needed, material)
    return made


def _replaced(
    paragraphs: Sequence[MarkedParagraph], corrections: Mapping[int, Correction], material: Material
) -> tuple[MarkedParagraph, ...]:
    made, number = list[MarkedParagraph](), 0
    for paragraph in paragraphs:
        sentences = list[MarkedSentence]()
        for marked in paragraph.sentences:
            number += 1
            one = corrections.get(number)
            new = read_sentences(one.text, material.ids) if one and one.text else ()
            worse = any(faults_of(each, material) for each in new)
            keeps = one is None or (one.kind == READING and worse and not faults_of(marked, material))
            sentences += [marked] if keeps else new
        made.append(replace(paragraph, sentences=tuple(sentences)))
    return tuple(made)


def without_faults(
    paragraphs: Sequence[MarkedParagraph], material: Material
) -> tuple[tuple[MarkedParagraph, ...], list[tuple[MarkedSentence, str]]]:
    """The paragraphs without faulty sentences, and the faulty sentences, each with its first fault."""
    made, out = list[MarkedParagraph](), list[tuple[MarkedSentence, str]]()
    for paragraph in paragraphs:
        checked = [(each, faults_of(each, material)) for each in paragraph.sentences]
        out += [(each, found[0]) for each, found in checked if found]
        kept = tuple(each for each, found in checked if not found)
        made.append(replace(paragraph, sentences=kept))
    return tuple(made), out


def _words(paragraphs: Sequence[MarkedParagraph]) -> int:
    return sum(len(each.sentence.text.split()) for p in paragraphs for each in p.sentences)
