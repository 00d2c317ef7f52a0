"""`texgeist eval writing`: written sections against the authors' own.

A file of drafts is a JSON list of objects with `title`, `abstract`, if there is one
`human_related_work`, and for each system to judge `<system>_related_work`. Optional are
`human_citations` and `<system>_citations`, lists of titles.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import cause
from ..ports import Embedder, LanguageModel, Monitor
from .collection import BadCollection
from .judge import judge_quality, judge_relevance
from .overlap import (
    citation_overlap,
    mean_by_name,
    mended,
    sentence_overlap,
    share_with_evidence,
    word_overlap,
)

HUMAN, SECTION, CITATIONS = "human", "_related_work", "_citations"


@dataclass(frozen=True, slots=True)
class Written:
    """One system's section for one draft. `cited`: (title, abstract) of its papers, where known."""

    text: str
    cited: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DraftCase:
    title: str
    abstract: str
    human: Written
    systems: Mapping[str, Written]


def load_drafts(path: Path) -> list[DraftCase]:
    """Raises `BadCollection` for a file that is not such a list."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadCollection(
            f"{path} cannot be read: {cause(error)}.", "Give a JSON list of drafts."
        ) from None
    if not isinstance(values, list) or not all(isinstance(v, dict) and "abstract" in v for v in values):
        raise BadCollection(f"{path.name} is not a list of drafts.", "Each needs title and abstract.")
    return [_case(value) for value in values]


def evaluate_writing(
    cases: Sequence[DraftCase], embedder: Embedder, model: LanguageModel | None, monitor: Monitor
) -> dict[str, Any]:
    """`{"drafts": n, "systems": {system: {measure: mean}}}`. `model`: the judge, None leaves it out."""
    rows: dict[str, list[dict[str, float]]] = {}
    for number, case in enumerate(cases):
        for name, written in {HUMAN: case.human, **case.systems}.items():
            if not written.text.strip():
                continue
            monitor.check()
            monitor.report(f"Judging {name}", number, len(cases))
            rows.setdefault(name, []).append(_measure(name, written, case, embedder, model, monitor))
    return {"drafts": len(cases), "systems": {name: mean_by_name(found) for name, found in rows.items()}}


def _measure(
    name: str,
    written: Written,
    case: DraftCase,
    embedder: Embedder,
    model: LanguageModel | None,
    monitor: Monitor,
) -> dict[str, float]:
    values = {"words": float(len(written.text.split())), "evidence": share_with_evidence(written.text)}
    if name != HUMAN and case.human.text.strip():
        values |= word_overlap(written.text, case.human.text)
        values |= sentence_overlap(written.text, case.human.text, embedder)
    if name != HUMAN and written.cited and case.human.cited:
        values |= citation_overlap([t for t, _ in written.cited], [t for t, _ in case.human.cited])
    if model is not None:
        values["quality"] = float(judge_quality(model, case.title, case.abstract, written.text, monitor))
        relevances = [judge_relevance(model, case.abstract, t, a, monitor) for t, a in written.cited]
        if relevances:
            values["relevance"] = sum(relevances) / len(relevances)
    return values


def _case(value: Mapping[str, Any]) -> DraftCase:
    names = [key.removesuffix(SECTION) for key in value if key.endswith(SECTION)]
    written = {name: _written(value, name) for name in (HUMAN, *names)}
    human = written.pop(HUMAN)
    title, abstract = mended(str(value.get("title") or "")), mended(str(value["abstract"] or ""))
    return DraftCase(title, abstract, human, written)


def _written(value: Mapping[str, Any], name: str) -> Written:
    cited = value.get(name + CITATIONS) or ()
    pairs = [(c, "") if isinstance(c, str) else (str(c["title"]), str(c.get("abstract", ""))) for c in cited]
    return Written(mended(str(value.get(name + SECTION) or "")), tuple(pairs))
