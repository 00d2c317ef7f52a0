"""Who writes from evidence, and the language models that it may ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..conversation import Said, Tool, Turn
from ..costs import Estimate
from ..types import Query, Section, Selected, Usage
from .monitor import Monitor


@dataclass(frozen=True, slots=True)
class Written:
    """A writer's answer, already checked against the evidence that it was given."""

    section: Section
    usage: Usage = Usage()
    summaries: tuple[tuple[str, str], ...] = ()  # (paper id, summary in the light of the draft)
    notes: tuple[str, ...] = ()
    unused: tuple[tuple[str, str], ...] = ()  # (paper id, reason it is not cited)
    weights: tuple[tuple[str, float], ...] = ()  # (evidence id, 0.4 vector + 0.6 model), where weighed


class Writer(Protocol):
    """Words from evidence. May cite only ids of the evidence that it is given."""

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool:
        """True when no text leaves the machine."""
        ...

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written: ...

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        """The exact text that `write` would send from this machine, "" for none."""
        ...

    def estimate(self, query: Query, selected: Sequence[Selected]) -> Estimate | None:
        """What `write` would take of a model, None where none is asked."""
        ...


class LanguageModel(Protocol):
    """A chat model that answers in a JSON schema. Raises the `WriterError`s; checks nothing but JSON."""

    @property
    def name(self) -> str:
        """Provider and model, for people: "anthropic claude-…"."""
        ...

    @property
    def local(self) -> bool:
        """True when the address is this machine's own."""
        ...

    def prepare(self) -> None:
        """Loads what the first call would have to load. May be called from another thread."""
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
        """`cached_prefix` stands before `user` and repeats between calls, for prompt caching."""
        ...


class ToolModel(LanguageModel, Protocol):
    """A language model that can be given tools. Raises as `complete_json`, and `ToolsUnknown` where the
    server has none."""

    def complete_with_tools(
        self, system: str, turns: Sequence[Turn], tools: Sequence[Tool], *, max_tokens: int, monitor: Monitor
    ) -> tuple[Said, Usage]:
        """The next turn. Which tool is called, if any, is the model's choice: current ones refuse to be told."""
        ...
