"""A structured call to a model: ask, check, ask once more with the problems, else fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from ..errors import WriterInvalid, WriterTruncated
from ..ports import LanguageModel, Monitor
from ..types import Usage
from .schemas import Schema

T = TypeVar("T")
Check = Callable[[Any, bool], tuple[T, Sequence[str]]]  # (answer, is last try) to (value, problems)


@dataclass(frozen=True, slots=True)
class Prompt:
    """`prefix` is the same for several calls, so that providers can cache it; `user` follows it."""

    system: str
    prefix: str
    user: str
    max_tokens: int

    def text(self) -> str:
        """The text that is sent, except for the schema."""
        return f"{self.system}\n\n{self.prefix}{self.user}"


@runtime_checkable
class Rejecting(Protocol):
    """A model that caches answers and can drop invalid ones."""

    def reject(self, answer: Any) -> None: ...


def ask(
    model: LanguageModel,
    prompt: Prompt,
    schema: Schema,
    check: Check[T],
    monitor: Monitor,
) -> tuple[T, Usage]:
    """Returns the checked answer and the usage of both tries.

    A failed answer is requested once more: with a list of the problems if it fails its check or is not JSON,
    with twice the tokens if it is cut off. Raises `WriterInvalid` or `WriterTruncated` if the second answer
    fails too, and any other error of the model at once."""
    usage, wrong, room = Usage(), "", prompt.max_tokens
    for last in (False, True):
        monitor.check()
        try:
            answer, spent = model.complete_json(
                prompt.system, prompt.user + wrong, schema,
                max_tokens=room, monitor=monitor, cached_prefix=prompt.prefix,
            )  # fmt: skip
        except (WriterInvalid, WriterTruncated) as error:
            if last:
                raise
            cut_off = isinstance(error, WriterTruncated)
            wrong, room = ("", 2 * room) if cut_off else (_again([str(error)]), room)
            continue
        usage = add(usage, spent)
        value, problems = check(answer, last)
        if not problems:
            return value, usage
        if isinstance(model, Rejecting):
            model.reject(answer)
        if last:
            raise WriterInvalid(
                f"{model.name} gave an answer that cannot be used: {problems[0]}",
                "Try again, choose a larger model, or use the extractive writer.",
            )
        wrong = _again(problems)
    raise AssertionError("unreachable")


def _again(problems: Sequence[str]) -> str:
    listed = "\n".join(f"- {problem}" for problem in problems[:8])
    return f"\n\nA first answer was rejected for these reasons; answer anew and avoid them:\n{listed}"


def add(*usages: Usage) -> Usage:
    """The sum of the usages."""
    return Usage(
        sum(usage.calls for usage in usages),
        sum(usage.input_tokens for usage in usages),
        sum(usage.output_tokens for usage in usages),
        sum(usage.cached_tokens for usage in usages),
    )
