"""Rewrites sentences: a repair replaces faulty sentences, a second reading those that read badly.

The model gets its answer with numbered sentences and returns new versions of some; the others stay. An answer
that is wrong as a whole (no section, too long) is requested again as a whole. A second reading catches what a
writer misses while writing (a pronoun without an antecedent, a work described twice, an end that repeats the
abstract). The section stays unchanged if the new sentences fail a check."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...models.schemas import Schema, repair_schema
from ...models.structured_call import Prompt
from .checks import TOO_LONG, CheckedSection, Material, sentence_faults
from .clauses import ending_faults, length_of
from .prompts import quoted

_LONGEST = 1200  # characters of a sentence that are shown again
_MOST_FAULTS = 3  # faults reported for each sentence
Plain = dict[str, Any]

_TASK = """

You have answered already; your sentences are numbered below. What was asked for above is done: neither an outline \
nor the whole section is wanted now. Most sentences are kept as they are. These were rejected, or something is \
missing; give these sentences anew, by number, under the same rules. To add a sentence behind one, give that one's \
number with "added" true. Give no sentence that is not asked for; one with an empty text is left out. "unused" takes \
only papers that are left out from now on: those that you named before stay so."""
LEAST_LEFT = 2 / 3  # share of the words: a repair must not shorten the section more
Read = Callable[[Any], tuple[CheckedSection, Sequence[str]]]
_READ_AGAIN = """

You have answered already; your sentences are numbered below. What was asked for above is done: neither an outline \
nor the whole section is wanted now. They have passed every check, and each stays as it is unless you give it anew. Read the section now as its strictest reader would: an expert of the field who has not \
read these papers, knows nothing of your outline and holds the paragraphs to be printed. Mend what he would mark, and \
nothing that is a matter of taste; a quarter of the sentences is usual:
- What he must read twice: a subject far from its verb or behind it, "it", "such", "these", "both", "the second \
one" or a short name whose object does not stand plainly in the sentence before, a term that a newcomer does not \
know and that a clause would explain, a sentence that carries three works or two thoughts and wants to be two.
- What tells him nothing: a work told a second time in the same words, a sentence that would hold for any paper, \
"addresses this", "studies the problem" where the passage says by what means and what came of it (say that in its \
place), a comparison of things that cannot be compared, a sum that only lists again.
- Where the thought breaks: a paragraph that opens with a system instead of what its works do and why it is hard, two \
neighbours that are not joined although a passage gives the joint (the same means, a limit met, a result against \
it), a sentence on the draft that stands between two works and answers to neither.
- The end: where it repeats the paragraphs or recites the draft's abstract, let it say in new words what the \
groups have reached together, what that leaves undone, and what the draft does about it, in two or three sentences.
- A claim that goes beyond its passage, in the least word.
Give those sentences anew, by number, whole and with all their evidence, under the same rules; to add a sentence behind \
one, give that one's number with "added" true; one with an empty text is left out, and what it alone cited must be cited \
elsewhere. So a sentence moves: emptied in the one place and added in the other. "unused" stays empty. Where nothing \
needs mending, give none."""
_FORGOTTEN = "These papers are neither cited"


def repair(
    prompt: Prompt,
    answer: Any,
    problems: Sequence[str],
    material: Material,
    papers: Collection[str],
    endings: bool = False,
) -> tuple[Prompt, Schema] | None:
    """Returns the repair request, or None if the whole answer must be requested again. `endings`: also
    repairs paragraphs if too many end on the draft."""
    if any(p.startswith(TOO_LONG) for p in problems):
        return None
    sentences, faults = sentences_of(answer), faults_of(answer, material, endings)
    told = {problem for found in faults.values() for problem in found}
    missing = [p for p in problems if p not in told]
    if not sentences or any(not p.startswith(_FORGOTTEN) for p in missing):
        return None
    wrong = [f"- Sentence {n}: {' '.join(found[:_MOST_FAULTS])}" for n, found in faults.items()]
    asked = "\n".join([*wrong, *(f"- {p} Add a sentence for each, or name it as unused." for p in missing)])
    user = f"{prompt.user}{_TASK}\n\n<answer>\n{numbered(answer)}\n</answer>\n\nThe reasons:\n{asked}"
    return replace(prompt, user=user), repair_schema(list(material.owner), list(papers), list(material.own))


def faults_of(answer: Any, material: Material, endings: bool = False) -> dict[int, list[str]]:
    """The faults of each faulty sentence, by its number."""
    ends = ending_faults(paragraphs_of(answer)) if endings else {}
    return {
        n: found
        for n, raw in enumerate(sentences_of(answer), 1)
        if (found := [*sentence_faults(raw, material), *([ends[n]] if n in ends else [])])
    }


def mended(first: Any, second: Any, faulty: Collection[int] | None = None) -> Any:
    """The first answer with sentences replaced by the second's; the second, if it is a whole answer. If
    `faulty` is given, no other sentences are left out."""
    given = second.get("sentences") if isinstance(second, dict) else None
    if not isinstance(given, list) or "paragraphs" in second:
        return second
    new, added = _by_number(given, False), _by_number(given, True)
    number, paragraphs = 0, []
    for paragraph in _paragraphs(first):
        sentences: list[Any] = []
        for raw in _sentences(paragraph):
            number += 1
            put = new.get(number, [raw])
            spared = faulty is not None and number not in faulty and not any(map(has_text, put))
            sentences += [raw] if spared else put
            sentences += added.get(number, [])
        told = [s for s in sentences if not isinstance(s, dict) or has_text(s)]
        paragraphs.append({**paragraph, "sentences": told})
    unused = [*listed(first, "unused"), *listed(second, "unused")]
    return {**first, "paragraphs": paragraphs, "unused": unused}


def numbered(answer: Any) -> str:
    """The sentences of an answer, one line each, with their evidence and paragraphs."""
    number, lines = 0, list[str]()
    for place, sentences in enumerate(paragraphs_of(answer), 1):
        lines.append(f"(paragraph {place})")
        for raw in sentences:
            number += 1
            lines.append(_line(number, raw))
    return "\n".join(lines)


def sentences_of(answer: Any) -> list[Any]:
    """All sentences of an answer, in order, as given."""
    return [raw for sentences in paragraphs_of(answer) for raw in sentences]


def paragraphs_of(answer: Any) -> list[list[Any]]:
    """The sentences of an answer, by paragraph."""
    return [_sentences(paragraph) for paragraph in _paragraphs(answer)]


def _paragraphs(answer: Any) -> list[Plain]:
    return [p for p in listed(answer, "paragraphs") if isinstance(p, dict)]


def _sentences(paragraph: Plain) -> list[Any]:
    return listed(paragraph, "sentences")


def listed(value: Any, name: str) -> list[Any]:
    """The list at `name`; empty if there is none."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def has_text(raw: Mapping[str, Any]) -> bool:
    return bool(str(raw.get("text") or "").strip())


def _by_number(given: Sequence[Any], added: bool) -> Mapping[int, list[Any]]:
    found: dict[int, list[Any]] = {}
    for raw in given:
        if isinstance(raw, dict) and type(raw.get("number")) is int and (raw.get("added") is True) == added:
            found.setdefault(raw["number"], []).append(raw)
    return found


def _line(number: int, raw: Any) -> str:
    """A sentence as given, with its evidence."""
    if not isinstance(raw, dict):
        return f"{number}. (no sentence)"
    parts = [raw, *(part for part in listed(raw, "more") if isinstance(part, dict))]
    words = " ".join(
        f"{part.get('text') or ''} [{', '.join(map(str, listed(part, 'evidence')))}]" for part in parts
    )
    shown = quoted(" ".join([str(raw.get("lead") or ""), words]), _LONGEST)
    return f"{number}. {shown}"


def second_reading(
    prompt: Prompt, sentences: str, evidence: Sequence[str], papers: Sequence[str]
) -> tuple[Prompt, Schema]:
    """The request of a second reading: the first prompt, then the numbered `sentences` of the answer."""
    user = f"{prompt.user}{_READ_AGAIN}\n\n<answer>\n{sentences}\n</answer>"
    return replace(prompt, user=user), repair_schema(evidence, papers)


def reread(answer: Any, given: Any, material: Material, read: Read) -> CheckedSection | None:
    """The section with those sentences of the second reading that pass the checks; None if there are none, or
    if the whole then fails. `read` checks a whole answer, including papers that it no longer cites."""
    first, new = sentences_of(answer), listed(given, "sentences")
    sentences = [raw for raw in new if _has_place(raw, len(first))]
    faulty = [
        raw
        for raw in sentences
        if has_text(raw) and (sentence_faults(raw, material) or _is_bared(first[raw["number"] - 1], raw))
    ]
    refused = {raw.get("number") for raw in faulty}  # half of a split sentence would be incomplete
    told = [raw for raw in sentences if raw.get("number") not in refused]
    parted = {raw.get("number") for raw in told if raw.get("added") is True or not has_text(raw)}
    in_place = [raw for raw in told if raw.get("number") not in parted]
    # A moved sentence is either removed here and added there, or stays: never lost, never doubled.
    moves = len(sentences) == len(new) and not any(raw.get("added") is True for raw in faulty)
    for kept in (told, in_place) if moves else (in_place,):
        if kept:
            whole = mended(answer, {"sentences": kept})
            checked, problems = read(whole)
            if not problems and length_of(whole) >= LEAST_LEFT * length_of(answer):
                return checked
    return None


def _has_place(raw: Any, count: int) -> bool:
    """Whether it is a sentence whose number lies between 1 and `count`."""
    return isinstance(raw, dict) and type(raw.get("number")) is int and 1 <= raw["number"] <= count


def _is_bared(old: Any, new: Mapping[str, Any]) -> bool:
    """Whether a sentence on the literature is rewritten without any of its evidence."""
    return new.get("added") is not True and bool(_cited(old)) and not _cited(new)


def _cited(raw: Any) -> list[Any]:
    parts = [raw, *listed(raw, "more")]
    return [id for part in parts for id in listed(part, "evidence")]
