"""From a model's text to JSON, and from a provider's failure to an error for people."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import WriterDenied, WriterError, WriterInvalid
from ..types import Usage
from .retry import Busy


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. `cached` are input tokens read from the provider's cache."""

    input: float
    output: float
    cached: float | None = None


def priced(calls: int, input_tokens: int, output_tokens: int, cached: int, price: Price | None) -> Usage:
    """`input_tokens` without the cached ones."""
    dollars = None
    if price is not None:
        rate = price.cached if price.cached is not None else price.input
        dollars = (input_tokens * price.input + cached * rate + output_tokens * price.output) / 1e6
    return Usage(calls, input_tokens + cached, output_tokens, cached, dollars)


def read_json(text: str, name: str) -> Any:
    """The one JSON object of an answer, also inside a code fence or after talk. Raises `WriterInvalid`."""
    bare = re.sub(r"<think>.*?</think>", "", text, flags=re.DOTALL).strip()
    fenced = re.search(r"```(?:json)?\s*(\{.*\})\s*```", bare, re.DOTALL)
    start = bare.find("{")
    for candidate in (
        bare,
        fenced[1] if fenced else "",
        bare[start : bare.rfind("}") + 1] if start >= 0 else "",
    ):
        try:
            value = json.loads(candidate)
        except ValueError:
            continue
        if isinstance(value, dict):
            return value
    raise WriterInvalid(
        f"{name} did not answer in the form that was asked for (JSON).", "Try a larger model."
    )


def without_key(message: str, key: str) -> str:
    """Provider messages may quote a key, or parts of it between stars."""
    message = message.replace(key, "***") if key else message
    return re.sub(r"\b(?:sk|key|AIza)[-_][\w*-]{6,}", "***", message)


def status_error(status: int, message: str, headers: Mapping[str, str], name: str) -> WriterError | Busy:
    """What an HTTP status means. `Busy` may pass and is tried again."""
    short = re.sub(r"\s+", " ", message)[:300]
    if status in (408, 409, 425, 429) or status >= 500:
        return Busy(_busy_words(status), retry_after(headers))
    if status in (401, 403):
        return WriterDenied(f"{name} refused the key ({status}).", "Check the key and its rights.")
    if status == 402:
        return WriterDenied(f"{name} wants payment before it answers (402).", "Check the account's credit.")
    if status == 404:
        return WriterDenied(
            f"{name} was not found at its address (404): {short}", "Check the model's name and the address."
        )
    if status == 413:
        return WriterInvalid(f"{name} found the request too large.", "Ask for fewer papers or fewer pages.")
    return WriterInvalid(f"{name} did not accept the request ({status}): {short}", "Try another model.")


def _busy_words(status: int) -> str:
    return {429: "it asks for fewer requests (429)", 529: "it is overloaded (529)"}.get(
        status, f"it answered {status}"
    )


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `retry-after`; dates are not read."""
    for header, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers.get(header, "")) / unit)
        except ValueError:
            continue
    return None
