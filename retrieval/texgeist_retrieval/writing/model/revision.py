"""Corrects sentences of a section that a model wrote.

A critical reader (a call of the model) gets the section with numbered sentences and the faults that the
checks found, and returns corrections of some sentences. A verifier (another call) then gets the sentences
beside the passages that they cite, and states for each what these passages do not say. It comes last, because
the critical reader may add claims. Without these two calls, sentences that fail a check are requested once
more. Sentences that still fail are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...models.structured_call import TEXT, Prompt, Schema, object_of
from ...types import Query, Selected
from .checks import Material, faults_of
from .prompts import CITING, SYSTEM, draft_prefix, introduction, longest_page, paper_block, quoted
from .prose import MOST_SENTENCES, MarkedParagraph, MarkedSentence, read_sentences

_LONGEST = 1500  # characters of a sentence that are shown again
_MOST_FAULTS = 3  # faults reported for each sentence
LEAST_LEFT = 2 / 3  # the least share of the words, and of the citing sentences, that corrections must leave
# A correction has at most this many times the words of its sentence, plus 40.
_LONGER, _MORE_WORDS = 2, 40
TRUTH, READING = "truth", "reading"

REVIEW = f"""<section>
{{section}}
</section>

You review this related-work section of the draft as a critical reader for a top venue, with the papers at hand. Its \
sentences are numbered; what an automatic check found stands below a sentence. Read it twice.
1. Truth ("truth"). Hold every part of a sentence against the passages that it cites, and a part on the draft against \
its title, abstract and introduction. Cut back what goes beyond them. Correct what the automatic check found.
2. Reading ("reading"). What would you mark in the margin? A work described so vaguely that its mechanism stays \
unknown; a nearest rival passed over; a list where an argument should be; works that are said to differ without saying \
in what; a work or a detail that no point needs; an end that sums up or advertises the draft; a chain of short \
sentences; an oblique or ornate phrase; a word whose reference is unclear; the same said twice.
Give only the sentences that need it, by number: whole, with their citations, under the rules below. Several sentences \
may replace one; an empty text removes it. A new sentence is held against the passages like the old one. "why" names \
the fault in a few words. Leave good sentences as they are.
{CITING}"""

VERIFY = f"""<section>
{{section}}
</section>

You verify this section of the draft, sentence by sentence, before it is submitted. The papers stand before the first \
paragraph that cites them; the sentences are numbered, and what an automatic check found stands below a sentence. \
Answer for every sentence, in order:
- "beyond": each word, joint and implication of the sentence that the passages it cites do not say, even if it seems \
harmless; empty only if there is none. Look for these:
  - a work is said to lack, ignore, assume or need something, or to be limited to something, where its passage only \
says what it does;
  - a sentence on several works ("both", "these", "such methods") says of all what the passage of one says; or what \
the draft's abstract says of earlier work as a whole is said of a named work;
  - a work is said to follow, answer, extend, agree with or qualify another, or to make it unnecessary, and no passage \
says so ("later" may rest on the years);
  - a cause, purpose, means or effect ("because", "so that", "by", "thus") joins what the passage says apart;
  - a degree, a scope or a comparison ("first", "only", "all", "most", "usually", "small", "better", "in general"), or \
a result without the task or the data that it was found on;
  - a term that means more, less or something else than the passage's term;
  - "we" share, do, avoid or find what the title, abstract and introduction do not say, or what the passage of the \
work beside us does not say of that work.
- "holds": whether a strict reader who has these passages alone, and the abstract for what "we" do, would accept the \
whole sentence. Other words for the same thing hold, and so does a contrast or a likeness of which both sides are \
given.
- "text": empty if the sentence holds. Otherwise the sentence, whole, with its citations, under the rules below, and \
changed no more than needed: what goes beyond is cut, or said in the passage's terms, and a contrast says what each \
side does. It must still join the sentences beside it. An empty text removes a sentence of which nothing is left. What \
the automatic check found is corrected, and a sentence on the literature without a citation is cited or removed.
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


@dataclass(frozen=True, slots=True)
class Corrections:
    """The corrections of an answer. `missing`: numbers of the sentences on which a verifier says nothing."""

    given: tuple[Correction, ...] = ()
    missing: tuple[int, ...] = ()


def correction_schema() -> Schema:
    kind = {"type": "string", "enum": [TRUTH, READING]}
    one = object_of({"number": {"type": "integer"}, "kind": kind, "why": TEXT, "text": TEXT})
    return object_of({"corrections": {"type": "array", "items": one, "maxItems": 60}})


def verdict_schema() -> Schema:
    holds: Schema = {"type": "boolean"}
    one = object_of({"number": {"type": "integer"}, "beyond": TEXT, "holds": holds, "text": TEXT})
    return object_of({"sentences": {"type": "array", "items": one, "maxItems": MOST_SENTENCES}})


def faults_by_number(paragraphs: Sequence[MarkedParagraph], material: Material) -> dict[int, list[str]]:
    """The faults of each faulty sentence, by its number from 1."""
    sentences = [each for paragraph in paragraphs for each in paragraph.sentences]
    return {n: found for n, each in enumerate(sentences, 1) if (found := faults_of(each, material))}


def review_prompt(prompt: Prompt, paragraphs: Sequence[MarkedParagraph], material: Material) -> Prompt:
    """The request to the critical reader. `prompt`: the request that the section answers."""
    shown = numbered(paragraphs, faults_by_number(paragraphs, material))
    return replace(prompt, user=REVIEW.format(section=shown), max_tokens=4000)


def verify_prompt(
    query: Query,
    paragraphs: Sequence[MarkedParagraph],
    selected: Sequence[Selected],
    material: Material,
) -> Prompt:
    """The request to the verifier. `selected`: the papers that the section may cite."""
    lines = numbered(paragraphs, faults_by_number(paragraphs, material), selected)
    return verify_request(query, lines)


def verify_request(query: Query, section: str) -> Prompt:
    user = VERIFY.format(section=section)
    return Prompt(SYSTEM, draft_prefix(query) + introduction(query), user, 8000)


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


def numbered(
    paragraphs: Sequence[MarkedParagraph],
    faults: Mapping[int, Sequence[str]],
    selected: Sequence[Selected] = (),
) -> str:
    """The text of the paragraphs with one line for each sentence, which begins with its number. The faults of
    a sentence are listed below it. The papers of `selected` stand before the first paragraph that cites
    them."""
    lines, number, waiting = list[str](), 0, list(selected)
    for paragraph in paragraphs:
        cited = {id for each in paragraph.sentences for id in each.sentence.evidence}
        here = [paper for paper in waiting if cited & {e.id for e in paper.evidence}]
        waiting = [paper for paper in waiting if paper not in here]
        lines += [
            "",
            *(paper_block(paper, longest_page(selected), summaries=False) for paper in here),
        ]
        lines += [paragraph.heading] if paragraph.heading else []
        for marked in paragraph.sentences:
            number += 1
            lines.append(f"({number}) {quoted(marked.raw, _LONGEST)}")
            lines += [f"    found: {fault}" for fault in faults.get(number, ())[:_MOST_FAULTS]]
    return "\n".join(lines).strip()


def read_corrections(answer: Any, _last: bool = True) -> tuple[Corrections, list[str]]:
    """The usable corrections of an answer, and the faults of the answer."""
    given = answer.get("corrections") if isinstance(answer, dict) else None
    if not isinstance(given, list):
        return Corrections(), ['The answer is not an object with a list "corrections".']
    return Corrections(_usable(given)), []


def _usable(given: Sequence[Any]) -> tuple[Correction, ...]:
    """The valid corrections, the last one of each sentence."""
    found = [one for raw in given if (one := _correction(raw))]
    return tuple({one.number: one for one in found}.values())


def _correction(raw: Any) -> Correction | None:
    number = raw.get("number") if isinstance(raw, dict) else None
    if type(number) is not int or not isinstance(raw.get("text"), str):
        return None
    return Correction(number, READING if raw.get("kind") == READING else TRUTH, raw["text"].strip())


def read_verdicts(count: int, answer: Any, last: bool) -> tuple[Corrections, list[str]]:
    """The verifier's verdicts on `count` sentences, and the faults of the answer. An answer that leaves out
    sentences is only accepted if it is the `last`."""
    given = answer.get("sentences") if isinstance(answer, dict) else None
    found = [raw for raw in (given if isinstance(given, list) else ()) if _is_verdict(raw)]
    if not found:
        fault = 'The answer is not an object with a list "sentences", which says of each whether it "holds".'
        return Corrections(), [fault]
    missing = tuple(sorted({*range(1, count + 1)} - {raw["number"] for raw in found}))
    lacking = f"It lacks the sentences {', '.join(map(str, missing))}; answer for every sentence."
    failed = _usable([raw for raw in found if not raw["holds"]])
    return Corrections(failed, missing), [] if last or not missing else [lacking]


def _is_verdict(raw: Any) -> bool:
    if not isinstance(raw, dict) or type(raw.get("number")) is not int:
        return False
    return raw.get("holds") is True or (raw.get("holds") is False and _correction(raw) is not None)


def corrected(
    paragraphs: Sequence[MarkedParagraph], corrections: Sequence[Correction], material: Material
) -> tuple[MarkedParagraph, ...]:
    """The paragraphs with the corrections. A correction is not used if it loses all citations of the sentence
    or is much longer. A correction of the kind `READING` is also not used if the checks find a fault in it,
    but none in the original. If too little of the section would be left, corrections of this kind are not
    used; if that is not enough, none are."""
    needed = [one for one in corrections if one.kind == TRUTH]
    for usable in (corrections, needed):
        made = _replaced(paragraphs, {one.number: one for one in usable}, material)
        if _leaves_enough(made, paragraphs, material):
            return made
    return tuple(paragraphs)


def count_unused(
    corrections: Sequence[Correction], before: Sequence[MarkedParagraph], after: Sequence[MarkedParagraph]
) -> int:
    """The number of corrections whose sentence is still unchanged."""
    sentences = dict(enumerate((each for p in before for each in p.sentences), 1))
    left = {each for p in after for each in p.sentences}
    return sum(sentences.get(one.number) in left for one in corrections)


def _leaves_enough(
    made: Sequence[MarkedParagraph], before: Sequence[MarkedParagraph], material: Material
) -> bool:
    """Whether enough words are left, and, in the sentences without faults, enough words and citing sentences."""
    usable, usable_before = (without_faults(paragraphs, material)[0] for paragraphs in (made, before))
    return (
        _words(made) >= LEAST_LEFT * _words(before)
        and _words(usable) >= LEAST_LEFT * _words(usable_before)
        and _citing(usable) >= LEAST_LEFT * _citing(usable_before)
    )


def _replaced(
    paragraphs: Sequence[MarkedParagraph], corrections: Mapping[int, Correction], material: Material
) -> tuple[MarkedParagraph, ...]:
    made, number = list[MarkedParagraph](), 0
    for paragraph in paragraphs:
        sentences = list[MarkedSentence]()
        for marked in paragraph.sentences:
            number += 1
            sentences += _corrected(marked, corrections.get(number), material)
        made.append(replace(paragraph, sentences=tuple(sentences)))
    return tuple(made)


def _corrected(
    marked: MarkedSentence, correction: Correction | None, material: Material
) -> tuple[MarkedSentence, ...]:
    if correction is None or not correction.text:
        return () if correction else (marked,)
    new = read_sentences(correction.text, material.ids)
    uncited = _cites(marked) and not any(map(_cites, new))
    endless = len(correction.text.split()) > _LONGER * len(marked.raw.split()) + _MORE_WORDS
    worse = any(faults_of(each, material) for each in new) and not faults_of(marked, material)
    return (marked,) if uncited or endless or (worse and correction.kind == READING) else new


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


def _citing(paragraphs: Sequence[MarkedParagraph]) -> int:
    return sum(_cites(each) for p in paragraphs for each in p.sentences)


def _cites(marked: MarkedSentence) -> bool:
    return bool(marked.sentence.evidence or marked.sentence.own)
