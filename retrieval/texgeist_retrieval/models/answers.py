"""From what a model's server sends to JSON.

The one gate for answers: what a server sent counts only as the type that it should have; whatever the packages
trip over in a malformed stream becomes one error (`failures`)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from ..conversation import ToolCall
from ..errors import WriterInvalid
from ..types import Usage

MOST_DEPTH = 50  # brackets in brackets; the schemas here have eight
MOST_CALLS = 16  # of tools in one answer
_LONGEST_NAME = 100  # of a tool, or of a call's id
MOST_TOKENS = 10**9  # of one answer: more is no count
_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)
_THOUGHTS = re.compile(r"<think>|</think>")


@dataclass(slots=True)
class Answer:
    """The content of a finished stream. `finish`: the server's reason for its end, None if it gave none."""

    text: str = ""
    refusal: str = ""
    finish: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    calls: tuple[ToolCall, ...] = ()
    raw: Any = None  # the answer in the provider's own form, where tools are called


def call_of(id: object, name: object, arguments: object) -> ToolCall:
    """A call of a tool as a server sent it; `arguments` are JSON. What is no object calls with nothing."""
    try:
        given = json.loads(text_of(arguments) or "{}", parse_constant=_no_number)
        json.dumps(given, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        given = None
    known = given if isinstance(given, dict) else {}
    return ToolCall(
        text_of(id)[:_LONGEST_NAME], text_of(name)[:_LONGEST_NAME], known, not isinstance(given, dict)
    )


def text_of(value: object) -> str:
    """A piece of text, "" for anything else: the packages pass on what a server sends, of any type."""
    return value if isinstance(value, str) else ""


def count_of(value: object) -> int:
    """A number of tokens; 0 for anything else."""
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS
    return int(value) if good and isinstance(value, int) else 0


def usage_of(answer: Answer, input_tokens: int) -> Usage:
    """Of one call; `input_tokens` with those that the provider had in its cache."""
    return Usage(1, input_tokens, answer.output_tokens, answer.cached_tokens)


def read_json(text: str, name: str) -> Any:
    """The one JSON object of an answer, also inside a code fence or after talk. Linear in the text's
    length. Raises `WriterInvalid`, also for JSON that is nested too deep or holds half a character."""
    bare = _without_thoughts(text).strip()
    for candidate in (bare, _between_braces(_fenced(bare)), _between_braces(bare)):
        if candidate and _depth(candidate) <= MOST_DEPTH and (value := _object(candidate)) is not None:
            return value
    raise WriterInvalid(
        f"{name} did not answer in the form that was asked for (JSON).", "Try a larger model."
    )


def _without_thoughts(text: str) -> str:
    """Without what stands between a `<think>` and the next `</think>`."""
    kept, at, opened = [], 0, -1
    for mark in _THOUGHTS.finditer(text):
        if mark[0] == "<think>" and opened < 0:
            opened = mark.start()
        elif mark[0] == "</think>" and opened >= 0:
            kept.append(text[at:opened])
            at, opened = mark.end(), -1
    return "".join([*kept, text[at:]])


def _fenced(text: str) -> str:
    """What stands between the first code fence and the last."""
    first, last = text.find("```"), text.rfind("```")
    return text[first + 3 : last] if 0 <= first < last else ""


def _between_braces(text: str) -> str:
    start = text.find("{")
    return text[start : text.rfind("}") + 1] if start >= 0 else ""


def _depth(text: str) -> int:
    """How deep the brackets outside strings are nested."""
    depth = deepest = 0
    for mark in _BRACKET.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(mark[0], 0)
        deepest = max(deepest, depth)
    return deepest


def _object(text: str) -> dict[str, Any] | None:
    """The object that the text is; numbers that JSON does not have and half characters make it none."""
    try:
        value = json.loads(text, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):  # UnicodeEncodeError is a ValueError
        return None
    return value if isinstance(value, dict) else None


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
