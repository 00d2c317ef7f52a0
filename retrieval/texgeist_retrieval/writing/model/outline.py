"""Themes for a section of many papers. Every paper has one place, or a reason to have none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...models.schemas import plan_schema
from ...models.structured_call import ask
from ...ports import LanguageModel, Monitor
from ...types import Query, Selected, Usage
from .checks import tidy
from .prompts import labels, plan_prompt
from .repair import listed

LARGEST = 10  # papers of one theme


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
    """Raises the `WriterError`s. Papers that the model forgot after being told are put into the smallest
    theme; ones it placed twice stay in the first; large themes are split."""
    monitor.report("Planning the section")
    names = list(labels(selected))

    def check(answer: Any, last: bool) -> tuple[Plan, Sequence[str]]:
        read = _read(answer)
        whole = mended(read, names)
        return whole, [] if last and whole.themes else _problems(read, names)

    return ask(model, plan_prompt(query, selected), plan_schema(names), check, monitor)


def _read(answer: Any) -> Plan:
    themes = [t for t in listed(answer, "themes") if isinstance(t, dict)]
    unused = [u for u in listed(answer, "unused") if isinstance(u, dict)]
    return Plan(
        tuple(
            PlannedTheme(str(t.get("title") or "")[:160], tuple(map(str, listed(t, "papers"))))
            for t in themes
        ),
        tuple((str(u.get("paper")), tidy(str(u.get("reason") or ""))[:300]) for u in unused),
    )


def _problems(read: Plan, names: Sequence[str]) -> list[str]:
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


def mended(read: Plan, names: Sequence[str]) -> Plan:
    """The plan with every name in exactly one place."""
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
