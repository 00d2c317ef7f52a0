"""Reads the answers of model servers as JSON.

All answers pass this module, which checks the type of every value. Any error that a malformed stream causes
becomes `WriterInvalid` (see `failures`)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from ..errors import WriterInvalid
from ..types import Usage

MOST_DEPTH = 50  # nested brackets; the schemas here have eight levels
MOST_TOKENS = 10**9  # of an answer; a larger count is invalid
_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)
_THOUGHTS = re.compile(r"<think>|</think>")


@dataclass(slots=True)
class Answer:
    """The content of a finished stream. `finish`: why the answer ended, as the server says; None if it does
    not say."""

    text: str = ""
    refusal: str = ""
    finish: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


def text_of(value: object) -> str:
    """`value` if it is a text, else ""."""
    return value if isinstance(value, str) else ""


def count_of(value: object) -> int:
    """A number of tokens; 0 for an invalid value."""
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS
    return int(value) if good and isinstance(value, int) else 0


def error_message(error: object) -> str:
    """The message of the error object in an answer."""
    return str(error.get("message") or error) if isinstance(error, dict) else str(error)


def usage_of(answer: Answer, input_tokens: int) -> Usage:
    """The usage of a call. `input_tokens` includes tokens from the provider's cache."""
    return Usage(1, input_tokens, answer.output_tokens, answer.cached_tokens)


def read_json(text: str, name: str) -> Any:
    """The JSON object in an answer, also within a code fence or after other text. Takes linear time. Raises
    `WriterInvalid`, also for JSON that is nested too deeply or contains half of a surrogate pair."""
    bare = _without_thoughts(text).strip()
    for candidate in (bare, _between_braces(_fenced(bare)), _between_braces(bare)):
        if candidate and _depth(candidate) <= MOST_DEPTH and (value := _object(candidate)) is not None:
            return value
    raise WriterInvalid(
        f"{name} did not answer in the form that was asked for (JSON).", "Try a larger model."
    )


def _without_thoughts(text: str) -> str:
    """Removes the text between `<think>` and the next `</think>`."""
    kept, at, opened = [], 0, -1
    for mark in _THOUGHTS.finditer(text):
        if mark[0] == "<think>" and opened < 0:
            opened = mark.start()
        elif mark[0] == "</think>" and opened >= 0:
            kept.append(text[at:opened])
            at, opened = mark.end(), -1
    return "".join([*kept, text[at:]])


def _fenced(text: str) -> str:
    first, last = text.find("```"), text.rfind("```")
    return text[first + 3 : last] if 0 <= first < last else ""


def _between_braces(text: str) -> str:
    start = text.find("{")
    return text[start : text.rfind("}") + 1] if start >= 0 else ""


def _depth(text: str) -> int:
    depth = deepest = 0
    for mark in _BRACKET.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark[0], 0)
        deepest = max(deepest, depth)
    return deepest


def _object(text: str) -> dict[str, Any] | None:
    """The JSON object; None for anything else, for NaN and infinities, and for halves of surrogate pairs."""
    try:
        value = json.loads(text, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):  # UnicodeEncodeError is a ValueError
        return None
    return value if isinstance(value, dict) else None


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
