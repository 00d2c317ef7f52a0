"""A second reading: the model reads its section once more as a stranger would, and gives weak sentences anew.

What a writer sees in the work of others he does not see while he writes: a pronoun without an antecedent, a
sentence turned inside out, a work told twice, an end that says the abstract again. The section stays as it was
where the new sentences do not pass every check of the first ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...models.schemas import Schema, repair_schema
from ...models.structured_call import Prompt
from .checks import Checked, Material, sentence_faults
from .clauses import length_of
from .repair import has_text, listed, mended, sentences_of

LEAST_LEFT = 2 / 3  # of the words: who mends does not take away
Read = Callable[[Any], tuple[Checked, Sequence[str]]]
_TASK = """

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


def second_reading(
    prompt: Prompt, sentences: str, evidence: Sequence[str], papers: Sequence[str]
) -> tuple[Prompt, Schema]:
    """What is asked: the first request, and behind it the answer's `sentences`, numbered."""
    user = f"{prompt.user}{_TASK}\n\n<answer>\n{sentences}\n</answer>"
    return replace(prompt, user=user), repair_schema(evidence, papers)


def reread(answer: Any, given: Any, material: Material, read: Read) -> Checked | None:
    """The section with those sentences of the second reading that pass by themselves; None where there are none,
    or where the whole does not pass with them. `read` checks a whole answer, papers that it lost included."""
    first, new = sentences_of(answer), listed(given, "sentences")
    sentences = [raw for raw in new if _has_place(raw, len(first))]
    faulty = [
        raw
        for raw in sentences
        if has_text(raw) and (sentence_faults(raw, material) or _is_bared(first[raw["number"] - 1], raw))
    ]
    refused = {raw.get("number") for raw in faulty}  # half of what was parted in two says half
    told = [raw for raw in sentences if raw.get("number") not in refused]
    parted = {raw.get("number") for raw in told if raw.get("added") is True or not has_text(raw)}
    in_place = [raw for raw in told if raw.get("number") not in parted]
    # What moved is either taken out here and told there, or stays: never neither, never both.
    moves = len(sentences) == len(new) and not any(raw.get("added") is True for raw in faulty)
    for kept in (told, in_place) if moves else (in_place,):
        if kept:
            whole = mended(answer, {"sentences": kept})
            checked, problems = read(whole)
            if not problems and length_of(whole) >= LEAST_LEFT * length_of(answer):
                return checked
    return None


def _has_place(raw: Any, count: int) -> bool:
    """Whether it is a sentence with the number of one of `count`."""
    return isinstance(raw, dict) and type(raw.get("number")) is int and 1 <= raw["number"] <= count


def _is_bared(old: Any, new: Mapping[str, Any]) -> bool:
    """A sentence on the literature that is told without what it stood on."""
    return new.get("added") is not True and bool(_cited(old)) and not _cited(new)


def _cited(raw: Any) -> list[Any]:
    parts = [raw, *listed(raw, "more")]
    return [id for part in parts for id in listed(part, "evidence")]
