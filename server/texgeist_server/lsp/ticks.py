"""An edit that the editor shows paper by paper before it makes it, and what its user leaves out of it.

VS Code has a box for every edit of a preview, and tells nobody which of them were ticked: that is read off the
texts afterwards. A paper is in where its sentences and its entry are; what is then left of the section is laid
out as if it had been written so, with the entries that it cites and no others, by a second edit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from texgeist_latex.types import Draft, Edit, EditPlan
from texgeist_latex.writing.apply import edited
from texgeist_latex.writing.blocks import begin
from texgeist_latex.writing.parts import Part, left_out, parts_of
from texgeist_latex.writing.sentences import keys_of, normal
from texgeist_latex.writing.targets import source_of
from texgeist_retrieval.types import Result

from ..sections.in_latex import evidence_of, papers_of, sentences_of

WAIT, _PAUSE = 3.0, 0.1  # seconds: what an editor has applied it tells a moment later


async def unticked(plan: EditPlan, draft: Draft, text_of: Callable[[Path], str]) -> list[Part]:
    """What was left out of the plan; nothing where the texts are such that it cannot be told. They are looked at
    again until the editor has told what it did."""
    before = {file: source_of(draft, file).text for file in _existing(plan)}
    for _ in range(round(WAIT / _PAUSE)):
        if any(text_of(file) != text for file, text in before.items()):
            break
        await asyncio.sleep(_PAUSE)
    missing: list[Part] = []
    for file, text in before.items():
        found = left_out(plan, text, text_of(file), _in_order(plan, file))
        if found is None:
            return []
        missing += found
    return missing


def texts_after(plan: EditPlan, draft: Draft, whole: EditPlan) -> dict[Path, str]:
    """The texts of `whole`'s files as `plan` leaves them, of both the edits of one draft."""
    existing = {file: edited(source_of(draft, file).text, _in_order(plan, file)) for file in _existing(whole)}
    made = {file: "".join(edit.text for edit in _in_order(plan, file)) for file in whole.new_files}
    return existing | made


def changes(now: str, wanted: str, file: Path) -> list[Edit]:
    """What makes the one text the other, where they differ."""
    if now == wanted:
        return []
    shorter = min(len(now), len(wanted))
    start = next((n for n in range(shorter) if now[n] != wanted[n]), shorter)
    left = shorter - start
    tail = next((n for n in range(left) if now[-1 - n] != wanted[-1 - n]), left)
    return [Edit(file, start, len(now) - tail, wanted[start : len(wanted) - tail])]


def _existing(plan: EditPlan) -> list[Path]:
    return list(dict.fromkeys(edit.file for edit in plan.edits if edit.file not in plan.new_files))


def _in_order(plan: EditPlan, file: Path) -> list[Edit]:
    return sorted((e for e in plan.edits if e.file == file), key=lambda edit: (edit.start, edit.end))


def nothing_of_it(plan: EditPlan, missing: Iterable[Part]) -> bool:
    """Whether no sentence of the text came in."""
    parts = list(missing)
    if len(sentences_left_out(plan, parts)) == len(plan.sentence_latex):
        return True
    return any(part.sentence is None and begin(plan.section_id) in part.text for part in parts) and not any(
        len(parts_of(plan, edit)) > 1 for edit in plan.edits if begin(plan.section_id) in edit.text
    )


def sentences_left_out(plan: EditPlan, missing: Iterable[Part]) -> set[int]:
    """The places of the sentences that were unticked, or whose entry was."""
    parts = list(missing)
    keys = {key for part in parts if part.sentence is None for key in part.keys}
    unticked = {part.sentence for part in parts if part.sentence is not None}
    return unticked | {place for place, text in enumerate(plan.sentence_latex) if keys & keys_of(text)}


def without(result: Result, places: set[int]) -> Result:
    """The result as if it had been written without these sentences, and the papers that none of the others cites."""
    known, number = evidence_of(result), 0
    before = {id for sentence in sentences_of(result) for id in papers_of(sentence, known)}
    paragraphs = []
    for paragraph in result.section.paragraphs:
        kept = tuple(s for n, s in enumerate(paragraph.sentences, number) if n not in places)
        number += len(paragraph.sentences)
        if kept:
            paragraphs.append(replace(paragraph, sentences=kept))
    section = replace(result.section, paragraphs=tuple(paragraphs))
    left = replace(result, section=section)
    gone = before - {id for sentence in sentences_of(left) for id in papers_of(sentence, known)}
    return replace(left, selected=tuple(one for one in left.selected if one.candidate.paper.id not in gone))


def as_taken(whole: EditPlan, plan: EditPlan, places: set[int]) -> EditPlan:
    """`plan`, of what was taken, as one that the author has taken sentences out of: an update brings none back."""
    gone = tuple(normal(whole.sentence_latex[place]) for place in sorted(places))
    return replace(plan, written=whole.written or whole.latex, gone=(*plan.gone, *gone))
