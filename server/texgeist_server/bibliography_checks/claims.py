"""Pairs of a sentence and the text that it cites, from a file: is each supported?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.errors import Unreadable
from texgeist_retrieval.pipeline.support import MOST_AT_ONCE, NOT_JUDGED, judge_pairs
from texgeist_retrieval.types import Support

if TYPE_CHECKING:
    from texgeist_retrieval.ports import LanguageModel, Monitor

_HINT = 'Give JSON lines, each with "id", "claim" and "text".'


@dataclass(frozen=True, slots=True)
class Claim:
    id: str
    claim: str
    text: str


def read_claims(path: Path) -> list[Claim]:
    """Raises `Unreadable`: a pair that is left out would pass for judged."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")  # JSON may hold other line ends as they are
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise Unreadable(f"{path} cannot be read: {reason}.", _HINT) from error
    return [_claim(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]


def judge_claims(
    claims: Sequence[Claim], model: LanguageModel | None, monitor: Monitor
) -> list[dict[str, object]]:
    """In the order of the claims. Without a model each is an abstention: nothing here can tell."""
    if model is None:
        return [_row(claim, NOT_JUDGED) for claim in claims]
    judged = []
    for start in range(0, len(claims), MOST_AT_ONCE):
        monitor.check()
        monitor.report("Reading the claims", start, len(claims))
        some = claims[start : start + MOST_AT_ONCE]
        supports = judge_pairs(model, [(claim.claim, claim.text) for claim in some], monitor)
        judged += [_row(claim, support) for claim, support in zip(some, supports, strict=True)]
    return judged


def _row(claim: Claim, support: Support) -> dict[str, object]:
    return {"id": claim.id, "label": support.label, "score": round(support.score, 4)}


def _claim(path: Path, number: int, line: str) -> Claim:
    try:
        read = json.loads(line)
    except (ValueError, RecursionError):
        read = None
    said = [read.get(name) for name in ("id", "claim", "text")] if isinstance(read, dict) else []
    values = [value for value in said if isinstance(value, str)]
    if len(values) != 3:
        raise Unreadable(f"{path.name}, line {number}, is no claim.", _HINT)
    return Claim(*values)
