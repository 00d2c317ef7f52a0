"""Estimates the requests and the costs of a run before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...costs import Estimate
from ...models.structured_call import Prompt, Schema, summary_schema, text_schema
from ...types import Candidate, Evidence, Paper, Passage, Query, Selected
from .prompts import blocks_of, section_prompt, summary_prompt
from .revision import REVIEW, correction_schema, verdict_schema, verify_request

_CHARACTERS = 4.0  # characters of a token of English prose, approximately
_SUMMARY = 260  # tokens of a summary with its passages' lines
_A_PAPER = 75  # tokens of the section, with its plan, for each paper
_CORRECTED = 2  # the critical reader rewrites about every second sentence
_WRITTEN = "(the numbered sentences that the model will have written, with what was found in them)"
_SUPPORTS = "(what the model will have said that this passage supports)"
_COMING = "(the summary that the model will have written of this paper)"


@dataclass(frozen=True, slots=True)
class Sent:
    """A call of the model that a run would make."""

    title: str  # for the user
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
    second_reading: bool = False,
    passages: bool = True,
) -> list[Sent]:
    """Lists the calls of a run, in order. If a call would quote an earlier answer, a placeholder stands for
    this answer. The list does not contain the call that corrects faulty sentences, which a run may also
    need."""
    usable = [s for s in selected if s.evidence]
    if not usable:
        return []
    sent = [_summary(query, s) for s in usable if summaries and not s.summary]
    prompt = section_prompt(query, [*map(_as_read, usable)] if summaries else usable, instructions, passages)
    title = "the answer" if query.kind == "question" else "the section"
    section = Sent(title, prompt, text_schema(), _A_PAPER * len(usable))
    if not second_reading or query.kind == "question":
        return [*sent, section]
    review = replace(prompt, user=REVIEW.format(section=_WRITTEN))
    again = Sent("the section read critically", review, correction_schema(), section.writes // _CORRECTED)
    verify = verify_request(query, f"{blocks_of(usable, summaries=False)}{_WRITTEN}")
    verdicts = Sent("each sentence beside its sources", verify, verdict_schema(), section.writes)
    return [*sent, section, again, verdicts]


def typical(breadth: int, depth: int) -> tuple[Selected, ...]:
    """`breadth` papers of typical length, for an estimate before the search. Each has an abstract of 1,200
    characters and `depth` pages of 3,600 characters, the greatest length that is sent."""
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
    schema = summary_schema([e.id for e in selected.evidence])
    return Sent(title, summary_prompt(query, selected), schema, _SUMMARY)


def _as_read(selected: Selected) -> Selected:
    """The paper with placeholders for the summaries that the model will have written."""
    evidence = tuple(replace(e, summary=e.summary or _SUPPORTS) for e in selected.evidence)
    return replace(selected, summary=selected.summary or _COMING, evidence=evidence)


def estimate(sent: Sequence[Sent]) -> Estimate:
    read = sum(int((len(s.prompt.text()) + len(json.dumps(s.schema))) / _CHARACTERS) for s in sent)
    return Estimate(len(sent), read, sum(s.writes for s in sent))
