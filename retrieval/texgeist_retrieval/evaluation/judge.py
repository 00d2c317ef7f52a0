"""The two judges of Citegeist's evaluation (arXiv 2503.23229, section 4), with any configured model.

Each gives a whole number from 0 to 10 and its reason. A judge is a model's opinion: compare figures of one
judge with each other, never with those of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import WriterInvalid
from ..models.schemas import object_of
from ..ports import LanguageModel, Monitor

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
    """From 0 to 10: is the paper worth citing here? Raises a `WriterError`."""
    return _score(model, _RELEVANCE.format(abstract=abstract, title=title, other=other), monitor)


def judge_quality(model: LanguageModel, title: str, abstract: str, section: str, monitor: Monitor) -> int:
    """From 0 to 10: how good is the section? Raises a `WriterError`."""
    return _score(model, _QUALITY.format(title=title, abstract=abstract, section=section), monitor)


def _score(model: LanguageModel, text: str, monitor: Monitor) -> int:
    answer, _ = model.complete_json(_SYSTEM, text, _SCHEMA, max_tokens=600, monitor=monitor)
    score = answer.get("score") if isinstance(answer, dict) else None
    if not isinstance(score, int) or isinstance(score, bool) or not 0 <= score <= 10:
        raise WriterInvalid(f"{model.name} gave no score from 0 to 10.", "Try again or take another model.")
    return score
