"""`texgeist eval writing`: compares written sections with the authors' sections.

A file of drafts is a JSON list of objects with `title`, `abstract`, optionally `human_related_work`, and
`<system>_related_work` for each system. Optional are `human_citations` and `<system>_citations`, lists of
titles."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import WriterInvalid, cause
from ..models.schemas import object_of
from ..ports import Embedder, LanguageModel, Monitor
from .collection import BadCollection
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
class SystemSection:
    """The section that a system or the authors wrote. `cited`: (title, abstract) of the cited papers; empty
    if unknown."""

    text: str
    cited: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DraftCase:
    title: str
    abstract: str
    human: SystemSection
    systems: Mapping[str, SystemSection]


def load_drafts(path: Path) -> list[DraftCase]:
    """Reads a file of drafts. Raises `BadCollection` if the file is not a list of drafts."""
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
    """Returns `{"drafts": n, "systems": {system: {measure: mean}}}`. `model`: the judge; None leaves the
    judge's measures out."""
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
    written: SystemSection,
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


def _written(value: Mapping[str, Any], name: str) -> SystemSection:
    cited = value.get(name + CITATIONS) or ()
    pairs = [(c, "") if isinstance(c, str) else (str(c["title"]), str(c.get("abstract", ""))) for c in cited]
    return SystemSection(mended(str(value.get(name + SECTION) or "")), tuple(pairs))


# The two judges of Citegeist's evaluation (arXiv 2503.23229, section 4), with any configured model. A judge
# answers with a reason and an integer from 0 to 10. Only scores by the same model can be compared.

_SYSTEM = "You review scientific writing. You answer in the JSON form that is asked for, and nothing else."
_SCHEMA: Mapping[str, Any] = object_of(
    {
        "reason": {"type": "string", "description": "One or two sentences."},
        "score": {"type": "integer", "enum": list(range(11))},
    }
)
_RELEVANCE = """How relevant is the second paper to the first, as one that it should discuss in its related \
work? 0: nothing in common. 10: its related work would be incomplete without it.

First paper's abstract:
{abstract}

Second paper: {title}
{other}"""
_QUALITY = """Below are a paper's abstract and a related-work section written for it. Rate the section from \
0 to 10: does it place the paper among others, group them with sense, say what each contributes and how it \
bears on this paper, and read as a scholar's text? 0: useless. 10: ready to publish.

Title: {title}
Abstract: {abstract}

Related work:
{section}"""


def judge_relevance(model: LanguageModel, abstract: str, title: str, other: str, monitor: Monitor) -> int:
    """A score from 0 to 10 for whether the paper is worth citing. Raises a `WriterError`."""
    return _score(model, _RELEVANCE.format(abstract=abstract, title=title, other=other), monitor)


def judge_quality(model: LanguageModel, title: str, abstract: str, section: str, monitor: Monitor) -> int:
    """A score from 0 to 10 for the quality of the section. Raises a `WriterError`."""
    return _score(model, _QUALITY.format(title=title, abstract=abstract, section=section), monitor)


def _score(model: LanguageModel, text: str, monitor: Monitor) -> int:
    answer, _ = model.complete_json(_SYSTEM, text, _SCHEMA, max_tokens=600, monitor=monitor)
    score = answer.get("score") if isinstance(answer, dict) else None
    if not isinstance(score, int) or isinstance(score, bool) or not 0 <= score <= 10:
        raise WriterInvalid(f"{model.name} gave no score from 0 to 10.", "Try again or take another model.")
    return score
