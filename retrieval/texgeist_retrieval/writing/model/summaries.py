"""Lets a model summarise each paper with regard to the draft, before it writes the section.

The papers are read in parallel. The model returns a summary of each paper and a relevance for each passage;
by this relevance, `evidence_score` orders passages and drops some."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...defaults import CONCURRENCY
from ...errors import WriterError
from ...models.structured_call import add, ask, side_by_side, summary_schema
from ...ports import LanguageModel, Monitor
from ...ranking.fusion import by_score, evidence_score
from ...types import Query, Selected, Usage
from .checks import retells, tidy
from .prompts import summary_prompt


@dataclass(frozen=True, slots=True)
class Summarised:
    """The papers in the given order, with summaries and evidence scores. The summary of a passage is the
    statement that a citation of it would support."""

    selected: tuple[Selected, ...]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()


def summarise(
    model: LanguageModel,
    query: Query,
    selected: Sequence[Selected],
    monitor: Monitor,
    concurrency: int = CONCURRENCY,
) -> Summarised:
    """Summarises and scores all papers, with `concurrency` calls in parallel.

    If the call for a paper fails, the paper stays without a summary, and a note says so. Papers that already
    have a summary stay unchanged. Raises `WriterError` if every call failed, `WriterDenied` immediately if
    the key is refused, and `Cancelled`."""
    todo = [i for i, s in enumerate(selected) if s.evidence and not s.summary]
    jobs = [lambda i=i: _read(model, query, selected[i], monitor) for i in todo]
    results = side_by_side(jobs, concurrency, monitor, "Reading the papers with the model")
    failed = [r for r in results if isinstance(r, WriterError)]
    if failed and len(failed) == len(results):
        raise failed[0]
    weighed, usages = list(selected), list[Usage]()
    for i, result in zip(todo, results, strict=True):
        if not isinstance(result, WriterError):
            weighed[i], usage = result
            usages.append(usage)
    return Summarised(tuple(weighed), add(*usages), _notes(failed))


def _notes(failed: Sequence[WriterError]) -> tuple[str, ...]:
    if not failed:
        return ()
    count = len(failed)
    papers = "One paper was" if count == 1 else f"{count} papers were"
    return (f"{papers} not summarised and used by abstract alone: {failed[0]}",)


def _read(model: LanguageModel, query: Query, selected: Selected, monitor: Monitor) -> tuple[Selected, Usage]:
    ids = [e.id for e in selected.evidence]
    (summary, weights, supports), usage = ask(
        model,
        summary_prompt(query, selected),
        summary_schema(ids),
        lambda answer, _last: _checked(answer, ids, query.abstract),
        monitor,
    )
    evidence = tuple(
        replace(
            e,
            score=evidence_score(e.similarity, weights[e.id]),
            relevance=weights[e.id],
            summary=supports[e.id],
        )
        if e.id in weights
        else e
        for e in selected.evidence
    )
    kept = by_score(evidence) or by_score(evidence, 0.0)[:1]  # each paper keeps at least its best passage
    return replace(selected, summary=summary, evidence=kept), usage


_Read = tuple[str, dict[str, float], dict[str, str]]


def _checked(answer: Any, ids: Sequence[str], draft: str = "") -> tuple[_Read, Sequence[str]]:
    empty: _Read = ("", {}, {})
    if not isinstance(answer, dict) or not isinstance(answer.get("summary"), str):
        return empty, ['The answer has no "summary".']
    summary = tidy(answer["summary"])
    raw = answer.get("passages")
    passages: list[Any] = raw if isinstance(raw, list) else []
    problems: list[str] = []
    weights: dict[str, float] = {}
    supports: dict[str, str] = {}
    for passage in passages:
        id = str(passage.get("id")) if isinstance(passage, dict) else ""
        if id not in ids:
            problems.append(f"Passage {id or '?'} does not exist; use only the ids that were given.")
            continue
        weights[id] = _relevance(passage.get("relevance"))
        supports[id] = tidy(str(passage.get("supports") or ""))[:600]
    if retells(summary, draft):
        problems.append("The summary retells the draft; say what the paper does, by its passages.")
    if not summary:
        problems.append("The summary is empty.")
    if len(summary.split()) > 220:
        problems.append("The summary has more than 220 words.")
    return (summary, weights, supports), problems


def _relevance(value: Any) -> float:
    """The relevance on a scale from 0 to 1. The model is asked for 0 to 10; other numbers are limited to this
    range, because services do not enforce it. Returns 0 if the value is not a number."""
    return float(min(10, max(0, value))) / 10 if isinstance(value, int | float) else 0.0
