"""What models take: prices, estimates, and both in words."""

from __future__ import annotations

from dataclasses import dataclass

from .types import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens. `cached` are input tokens read from the provider's cache."""

    input: float
    output: float
    cached: float | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """Tokens are counted as four characters each, so within about a fifth. `price` in US dollars, None
    where prices are not known. Repairs and a model's thinking come on top."""

    calls: int
    input_tokens: int
    output_tokens: int
    price: float | None

    def sentence(self) -> str:
        return in_words(self.calls, self.input_tokens, self.output_tokens, self.price)


def spent(usage: Usage) -> str:
    """A sentence on what a run took; "" without a model."""
    words = in_words(usage.calls, usage.input_tokens, usage.output_tokens, usage.price)
    return f"The model took {words}." if usage.calls else ""


def in_words(calls: int, input_tokens: int, output_tokens: int, price: float | None) -> str:
    """ "11 calls, about 14,200 tokens sent and 2,100 written, about $0.05"; `price` in US dollars."""
    made = "one call" if calls == 1 else f"{calls} calls"
    if not input_tokens + output_tokens:
        return made  # some servers count no tokens
    tokens = f"{made}, about {input_tokens:,} tokens sent and {output_tokens:,} written"
    return tokens if price is None else f"{tokens}, {money(price)}"


def money(dollars: float) -> str:
    """To the cent, and for less than ten cents to a tenth of one."""
    if dollars < 0.001:
        return "less than $0.001"
    return f"about ${dollars:.3f}" if dollars < 0.1 else f"about ${dollars:,.2f}"
