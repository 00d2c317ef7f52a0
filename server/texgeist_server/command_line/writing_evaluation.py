"""What `texgeist eval writing` takes from the rest of the server: texgeist's own sections, and a judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from texgeist_latex.types import ProseSentence
from texgeist_retrieval.errors import WriterDenied
from texgeist_retrieval.types import Query, QueryPart, Result, Selected

from ..config.credentials import keys_from_environment
from ..sections.in_latex import section_of

if TYPE_CHECKING:
    from texgeist_retrieval.evaluation.writing import DraftCase, Written
    from texgeist_retrieval.ports import LanguageModel, Monitor

    from ..config.settings import Settings

OWN = "texgeist"


def configured_judge(settings: Settings) -> LanguageModel:
    """The model of the settings. Raises `WriterDenied` when there is none."""
    from ..adapters import build_model, writer_name

    keys = keys_from_environment()
    name, _ = writer_name(settings, keys)
    model = build_model(settings, keys, name)
    if model is None:
        raise WriterDenied(
            "There is no model to judge with.", "Set a key or a base URL, or leave out --judge."
        )
    return model


def with_own_sections(
    cases: Sequence[DraftCase], settings: Settings, index: str | None, monitor: Monitor
) -> list[DraftCase]:
    """The cases with a section by texgeist as configured, named "texgeist"."""
    return [
        replace(case, systems={**case.systems, OWN: _own(case, settings, index, monitor)}) for case in cases
    ]


def _own(case: DraftCase, settings: Settings, index: str | None, monitor: Monitor) -> Written:
    from texgeist_retrieval.evaluation.writing import Written

    from ..adapters import setup_of
    from ..sections.requests import RelatedWorkRequest
    from ..sections.runs import run

    query = Query(
        "abstract", (QueryPart(case.abstract, "abstract"),), abstract=case.abstract, title=case.title
    )
    result = run(RelatedWorkRequest(query), setup_of(settings, keys_from_environment(), index), monitor)
    cited = tuple((one.candidate.paper.title, _said(one)) for one in result.selected)
    return Written(_plain(result), cited)


def _said(selected: Selected) -> str:
    """What the judge of relevance reads of a paper: the passages that it was chosen for."""
    return " ".join(dict.fromkeys(one.passage.text for one in selected.evidence))


def _plain(result: Result) -> str:
    """The section with its citations as numbers, as a reader would see it."""
    numbers = {one.candidate.paper.id: i for i, one in enumerate(result.selected, start=1)}
    return " ".join(_sentence(s, numbers) for p in section_of(result).paragraphs for s in p)


def _sentence(sentence: ProseSentence, numbers: dict[str, int]) -> str:
    marks = ", ".join(str(numbers[r]) for r in sentence.references if r in numbers)
    if sentence.textual:
        return f"{sentence.lead} [{marks}] {sentence.text}".strip()
    body, stop = sentence.text.rstrip(".?!"), sentence.text[len(sentence.text.rstrip(".?!")) :]
    return f"{body} [{marks}]{stop}" if marks else sentence.text
