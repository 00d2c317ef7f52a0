"""Ports for writers and the language models that they use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..conversation import Said, Tool, Turn
from ..costs import Estimate
from ..monitor import Monitor
from ..types import Query, Section, Selected, Usage


@dataclass(frozen=True, slots=True)
class Written:
    """A writer's answer, already checked against the given evidence."""

    section: Section
    usage: Usage = Usage()
    summaries: tuple[tuple[str, str], ...] = ()  # (paper id, summary with regard to the draft)
    notes: tuple[str, ...] = ()
    unused: tuple[tuple[str, str], ...] = ()  # (paper id, reason why it is not cited)
    weights: tuple[tuple[str, float], ...] = ()  # (evidence id, 0.4 vector + 0.6 model), for rated evidence


class Writer(Protocol):
    """Writes text from evidence. It may cite only ids of the given evidence."""

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool:
        """True if no text leaves the machine."""
        ...

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written: ...

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        """Returns the exact text that `write` would send from this machine, "" for none."""
        ...

    def estimate(self, query: Query, selected: Sequence[Selected]) -> Estimate | None:
        """Returns what `write` would require of a model, None if it calls none."""
        ...


class LanguageModel(Protocol):
    """A chat model that answers in a JSON schema. Raises `WriterError`s. It checks only that the answer is
    JSON."""

    @property
    def name(self) -> str:
        """Provider and model, for people: "anthropic claude-…"."""
        ...

    @property
    def local(self) -> bool:
        """True if the server runs on this machine."""
        ...

    def prepare(self) -> None:
        """Loads what the first call needs. May be called from another thread."""
        ...

    def complete_json(
        self,
        system: str,
        user: str,
        schema: Mapping[str, Any],
        *,
        max_tokens: int,
        monitor: Monitor,
        cached_prefix: str = "",
    ) -> tuple[Any, Usage]:
        """`cached_prefix` precedes `user` and is the same for several calls, for prompt caching."""
        ...


class ToolModel(LanguageModel, Protocol):
    """A language model with tool use. Raises the errors of `complete_json`, and `ToolsUnknown` if the server
    has no tool use."""

    def complete_with_tools(
        self, system: str, turns: Sequence[Turn], tools: Sequence[Tool], *, max_tokens: int, monitor: Monitor
    ) -> tuple[Said, Usage]:
        """Returns the next turn. The model decides whether to call a tool: current models do not accept a
        forced choice."""
        ...
