"""Sentences about the calls and tokens of models."""

from __future__ import annotations

from dataclasses import dataclass

from .types import Usage


@dataclass(frozen=True, slots=True)
class Estimate:
    """Expected calls and tokens. A token is counted as four characters, which is accurate within about a
    fifth. Repairs and the model's thinking are not included."""

    calls: int
    input_tokens: int
    output_tokens: int

    def sentence(self) -> str:
        return in_words(self.calls, self.input_tokens, self.output_tokens)


def spent(usage: Usage) -> str:
    """A sentence on the calls and tokens of a run; "" if no model was called."""
    words = in_words(usage.calls, usage.input_tokens, usage.output_tokens)
    return f"The model took {words}." if usage.calls else ""


def in_words(calls: int, input_tokens: int, output_tokens: int) -> str:
    """A phrase such as "11 calls, about 14,200 tokens sent and 2,100 written"."""
    made = "one call" if calls == 1 else f"{calls} calls"
    if not input_tokens + output_tokens:
        return made  # some servers do not count tokens
    return f"{made}, about {input_tokens:,} tokens sent and {output_tokens:,} written"
