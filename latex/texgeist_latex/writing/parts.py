"""An edit in parts that may each be left out: sentences of the section, entries of the bibliography.

An editor that shows an edit before it makes it lets its user untick parts of it. What became of them is read off
the text afterwards, for no editor tells it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from texgeist_latex.types import Edit, EditPlan
from texgeist_latex.writing.blocks import begin
from texgeist_latex.writing.sentences import keys_of


@dataclass(frozen=True, slots=True)
class Part:
    """`sentence` is its place among `EditPlan.sentence_latex`, `keys` what it cites or defines; a part of neither
    belongs to the whole."""

    text: str
    keys: frozenset[str] = frozenset()
    sentence: int | None = None


def parts_of(plan: EditPlan, edit: Edit) -> tuple[Part, ...]:
    """The new text of one of the plan's edits; joined they are it. What replaces something is one part."""
    if edit.end > edit.start:
        return (Part(edit.text),)
    if plan.section_id and begin(plan.section_id) in edit.text:
        return _sentences(plan, edit.text)
    return _entries(plan, edit.text)


def told_together(plan: EditPlan) -> list[frozenset[str]]:
    """The keys, by what no tick can part: papers that share a sentence."""
    groups: list[frozenset[str]] = [frozenset({key}) for key in dict.fromkeys(plan.keys.values())]
    for keys in map(keys_of, plan.sentence_latex):
        joined = [group for group in groups if group & keys]
        if len(joined) > 1:
            groups = [group for group in groups if group not in joined]
            groups.append(frozenset().union(*joined))
    return groups


def left_out(plan: EditPlan, before: str, now: str, edits: Sequence[Edit]) -> list[Part] | None:
    """The parts that did not come in, of one file's edits in their order; None where `now` is no such text."""
    missing: list[Part] = []
    at = read = 0
    for edit in edits:
        kept = before[read : edit.start]
        if not now.startswith(kept, at):
            return None
        at, read = at + len(kept), edit.end
        for part in parts_of(plan, edit):
            if now.startswith(part.text, at):
                at += len(part.text)
            else:
                missing.append(part)
                at += len(before[edit.start : edit.end])  # what was to be replaced stands
    return missing if now[at:] == before[read:] else None


def _sentences(plan: EditPlan, text: str) -> tuple[Part, ...]:
    """With the white space behind each; one part where a sentence is not found as it was written."""
    found: list[tuple[int, int]] = []
    at = 0
    for sentence in plan.sentence_latex:
        words = r"\s+".join(map(re.escape, sentence.split()))
        match = re.compile(words).search(text, at) if words else None
        if match is None:
            return (Part(text),)
        found.append(match.span())
        at = match.end()
    if not found:
        return (Part(text),)
    ends = [*(start for start, _ in found[1:]), found[-1][1]]
    parts = [
        Part(text[start:end], keys_of(text[start:end]), number)
        for number, ((start, _), end) in enumerate(zip(found, ends, strict=True))
    ]
    return (Part(text[: found[0][0]]), *parts, Part(text[ends[-1] :]))


def _entries(plan: EditPlan, text: str) -> tuple[Part, ...]:
    new = {key for id, key in plan.keys.items() if id not in plan.reused}
    keys = "|".join(map(re.escape, new))
    defined = re.compile(rf"(?:@\w+\s*[{{(]\s*|\\bibitem(?:\[[^\n]*\])?\{{)(?P<key>{keys})(?=[\s,}}])")
    found = [(match.start(), match["key"]) for match in defined.finditer(text)] if new else []
    if not found:
        return (Part(text),)
    starts = [0, *(start for start, _ in found[1:]), len(text)]
    return tuple(
        Part(text[start:end], frozenset({key}))
        for start, end, (_, key) in zip(starts, starts[1:], found, strict=False)
    )
