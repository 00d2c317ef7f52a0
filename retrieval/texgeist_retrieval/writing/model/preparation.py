"""The steps of a model before it writes: it summarises each paper with regard to the draft, and groups many
papers into themes.

All papers are read in parallel; each gets a summary and a relevance for every passage, by which
`evidence_score` orders and drops passages. In a plan every paper has one theme, or a reason to be unused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...defaults import CONCURRENCY
from ...errors import WriterError
from ...evidence_score import by_score, evidence_score
from ...models.schemas import plan_schema, summary_schema
from ...models.side_by_side import side_by_side
from ...models.structured_call import add, ask
from ...ports import LanguageModel, Monitor
from ...types import Query, Selected, Usage
from .checks import retells, tidy
from .prompts import labels, plan_prompt, summary_prompt
from .repair import listed

LARGEST = 10  # papers of one theme


@dataclass(frozen=True, slots=True)
class Summarised:
    """The papers in the given order, with summaries and evidence scores. `supports` says, by evidence id,
    what a citation of the passage would support."""

    selected: tuple[Selected, ...]
    supports: dict[str, str]
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

    If a paper's call fails, the paper stays with its abstract, and a note says so. Papers that have a summary
    are left unchanged. Raises if every call failed, immediately if the key is refused, and `Cancelled`."""
    todo = [i for i, s in enumerate(selected) if s.evidence and not s.summary]
    jobs = [lambda i=i: _read(model, query, selected[i], monitor) for i in todo]
    results = side_by_side(jobs, concurrency, monitor, "Reading the papers with the model")
    failed = [r for r in results if isinstance(r, WriterError)]
    if failed and len(failed) == len(results):
        raise failed[0]
    weighed, usages = list(selected), list[Usage]()
    supports: dict[str, str] = {}
    for i, result in zip(todo, results, strict=True):
        if not isinstance(result, WriterError):
            weighed[i], said, usage = result
            supports |= said
            usages.append(usage)
    return Summarised(tuple(weighed), supports, add(*usages), _notes(failed))


def _notes(failed: Sequence[WriterError]) -> tuple[str, ...]:
    if not failed:
        return ()
    count = len(failed)
    papers = "One paper was" if count == 1 else f"{count} papers were"
    return (f"{papers} not summarised and used by abstract alone: {failed[0]}",)


def _read(
    model: LanguageModel, query: Query, selected: Selected, monitor: Monitor
) -> tuple[Selected, dict[str, str], Usage]:
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
    kept = by_score(evidence) or by_score(evidence, 0.0)[:1]  # a paper keeps its best passage
    return replace(selected, summary=summary, evidence=kept), supports, usage


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
        problems.append("The summary retells the draft; say what the paper P1 does, by its passages.")
    if not summary:
        problems.append("The summary is empty.")
    if len(summary.split()) > 220:
        problems.append("The summary has more than 220 words.")
    return (summary, weights, supports), problems


def _relevance(value: Any) -> float:
    """A relevance from 0 to 1. The model is asked for 0 to 10; services do not enforce ranges."""
    return float(min(10, max(0, value))) / 10 if isinstance(value, int | float) else 0.0


@dataclass(frozen=True, slots=True)
class PlannedTheme:
    title: str
    papers: tuple[str, ...]  # labels


@dataclass(frozen=True, slots=True)
class Plan:
    themes: tuple[PlannedTheme, ...]
    unused: tuple[tuple[str, str], ...]  # (label, reason)


def plan(
    model: LanguageModel, query: Query, selected: Sequence[Selected], monitor: Monitor
) -> tuple[Plan, Usage]:
    """Plans the themes. Papers that the model forgets even after a reminder go into the smallest theme;
    papers placed twice stay in the first; large themes are split. Raises the `WriterError`s."""
    monitor.report("Planning the section")
    names = list(labels(selected))

    def check(answer: Any, last: bool) -> tuple[Plan, Sequence[str]]:
        read = _themes_in(answer)
        whole = _complete(read, names)
        return whole, [] if last and whole.themes else _plan_problems(read, names)

    return ask(model, plan_prompt(query, selected), plan_schema(names), check, monitor)


def _themes_in(answer: Any) -> Plan:
    themes = [t for t in listed(answer, "themes") if isinstance(t, dict)]
    unused = [u for u in listed(answer, "unused") if isinstance(u, dict)]
    return Plan(
        tuple(
            PlannedTheme(str(t.get("title") or "")[:160], tuple(map(str, listed(t, "papers"))))
            for t in themes
        ),
        tuple((str(u.get("paper")), tidy(str(u.get("reason") or ""))[:300]) for u in unused),
    )


def _plan_problems(read: Plan, names: Sequence[str]) -> list[str]:
    placed = [p for theme in read.themes for p in theme.papers]
    left = {label for label, _ in read.unused}
    missing = [n for n in names if n not in placed and n not in left]
    twice = sorted({p for p in placed if placed.count(p) > 1} | (left & set(placed)))
    unknown = sorted({p for p in [*placed, *left] if p not in names})
    found = []
    if not read.themes:
        found.append("There is no theme.")
    if missing:
        found.append(f"These papers have no place: {', '.join(missing)}.")
    if twice:
        found.append(f"These papers have two places: {', '.join(twice)}.")
    if unknown:
        found.append(f"These papers do not exist: {', '.join(unknown)}.")
    return found


def _complete(read: Plan, names: Sequence[str]) -> Plan:
    """The plan with every paper in exactly one place."""
    seen: set[str] = set()
    themes = []
    for theme in read.themes:
        papers = [p for p in dict.fromkeys(theme.papers) if p in names and p not in seen]
        seen |= set(papers)
        if papers:
            themes.append((theme.title, papers))
    unused = tuple((label, reason) for label, reason in read.unused if label in names and label not in seen)
    missing = [n for n in names if n not in seen and n not in {label for label, _ in unused}]
    for name in missing if themes else []:
        min(themes, key=lambda t: len(t[1]))[1].append(name)
    return Plan(tuple(part for title, papers in themes for part in _split(title, papers)), unused)


def _split(title: str, papers: Sequence[str]) -> list[PlannedTheme]:
    parts = -(-len(papers) // LARGEST)
    size = -(-len(papers) // parts)
    return [PlannedTheme(title, tuple(papers[i : i + size])) for i in range(0, len(papers), size)]
