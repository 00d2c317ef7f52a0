"""Estimates what a run would send and cost, before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...costs import Estimate
from ...models.schemas import Schema, plan_schema, section_schema, summary_schema
from ...models.structured_call import Prompt
from ...types import Candidate, Evidence, Paper, Passage, Query, Selected
from .prompts import labels, outlined, plan_prompt, section_prompt, summary_prompt, theme_prompt
from .repair import second_reading as second_request

_CHARACTERS = 4.0  # characters of a token of English prose, approximately
_SUMMARY = 260  # tokens of a summary with its passages' lines
_A_PAPER = 130  # tokens of the section, with its outline, for each paper
_MENDED = 3  # a second reading rewrites about one in this many sentences
_PLANNED = 6  # papers of one theme, approximately
_WRITTEN = "(the sentences that the model will have written)"
_COMING = "(the summary that the model will have written of this paper)"


@dataclass(frozen=True, slots=True)
class Sent:
    """A call that would be made."""

    title: str  # for people
    prompt: Prompt
    schema: Schema
    writes: int  # expected number of tokens of the answer

    def text(self) -> str:
        return f"=== {self.title} ===\n{self.prompt.text()}\n\n[answer's form] {json.dumps(self.schema)}\n"


def calls(
    query: Query,
    selected: Sequence[Selected],
    instructions: str,
    summaries: bool,
    one_piece: int,
    second_reading: bool = False,
) -> list[Sent]:
    """Lists every call of a run, in order. Placeholders stand for earlier answers that a call would quote.
    The themes of a plan are not known yet, so papers are grouped in the given order."""
    usable = [s for s in selected if s.evidence]
    sent = [_summary(query, s) for s in usable if summaries and not s.summary]
    read = [replace(s, summary=s.summary or _COMING) if summaries else s for s in usable]
    if not usable:
        return []
    if len(usable) <= one_piece or query.kind == "question":
        section = _section(query, read, instructions)
        twice = second_reading and outlined(query, read)
        return [*sent, section, *([_reread(section, read)] if twice else [])]
    names = list(labels(read))
    plan = Sent("plan of the section", plan_prompt(query, read), plan_schema(names), 30 * len(read))
    groups = [read[i : i + _PLANNED] for i in range(0, len(read), _PLANNED)]
    outline = [f"(theme {n} of the plan)" for n in range(1, len(groups) + 1)]
    return [*sent, plan, *(_theme(query, outline, n, group, instructions) for n, group in enumerate(groups))]


def typical(breadth: int, depth: int) -> tuple[Selected, ...]:
    """Papers of typical length, for an estimate before the search: an abstract of 1,200 characters and
    `depth` pages of 3,600, the longest that is sent."""
    lengths = [1200, *[3600] * depth]
    return tuple(
        Selected(
            Candidate(Paper(str(n), "T" * 80), 0.5, n),
            tuple(
                Evidence(f"{n}-{i}", Passage(str(n), i, "t" * size), 0.5) for i, size in enumerate(lengths)
            ),
            0.5,
        )
        for n in range(1, breadth + 1)
    )


def _summary(query: Query, selected: Selected) -> Sent:
    title = f"summary of “{selected.candidate.paper.title}”"
    return Sent(
        title, summary_prompt(query, selected), summary_schema([e.id for e in selected.evidence]), _SUMMARY
    )


def _section(query: Query, selected: Sequence[Selected], instructions: str) -> Sent:
    prompt = section_prompt(query, selected, _supports(selected), instructions)
    title = "the answer" if query.kind == "question" else "the section"
    schema = _closed(selected, outlined(query, selected))
    return Sent(title, prompt, schema, _A_PAPER * len(selected))


def _reread(section: Sent, selected: Sequence[Selected]) -> Sent:
    evidence = [e.id for s in selected for e in s.evidence]
    prompt, schema = second_request(section.prompt, _WRITTEN, evidence, list(labels(selected)))
    return Sent("the section read once more", prompt, schema, section.writes // _MENDED)


def _theme(
    query: Query, outline: Sequence[str], place: int, group: Sequence[Selected], instructions: str
) -> Sent:
    prompt = theme_prompt(query, outline, place, group, _supports(group), instructions)
    return Sent(f"theme {place + 1} of the section", prompt, _closed(group), _A_PAPER * len(group))


def _closed(selected: Sequence[Selected], outline: bool = False) -> Schema:
    return section_schema([e.id for s in selected for e in s.evidence], list(labels(selected)), outline)


def _supports(selected: Sequence[Selected]) -> dict[str, str]:
    return {
        e.id: e.summary or "(what the model will have said that this passage supports)"
        for s in selected if s.summary for e in s.evidence
    }  # fmt: skip


def estimate(sent: Sequence[Sent]) -> Estimate:
    read = sum(int((len(s.prompt.text()) + len(json.dumps(s.schema))) / _CHARACTERS) for s in sent)
    written = sum(s.writes for s in sent)
    return Estimate(len(sent), read, written)
