"""Structured calls to a model: JSON schemas with closed keys (evidence ids and papers are enumerations, so
nothing else can be named), a call whose answer is checked and requested once more if it fails, and parallel
calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, runtime_checkable

from ..errors import WriterDenied, WriterError, WriterInvalid, WriterTruncated
from ..ports import LanguageModel, Monitor
from ..types import Usage

Schema = Mapping[str, Any]


def object_of(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an object. Every property is required, because providers' strict modes accept nothing
    else."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _array(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(items)}


def _one_of(ids: Sequence[str]) -> dict[str, Any]:
    return {"type": "string", "enum": list(ids)}


TEXT: Schema = {"type": "string"}


def text_schema(needs: bool = False) -> Schema:
    """The schema of a written section: a plan with a line for each paragraph, then the text with citations as
    `[id]`. The ids are checked when the answer is read. `needs`: True adds a list of requests to the
    author."""
    return object_of({"plan": _array(TEXT), "section": TEXT} | ({"needs": _array(TEXT)} if needs else {}))


def summary_schema(evidence: Sequence[str]) -> Schema:
    """The schema of a summary: the paper's relation to the draft, and for each passage its relevance (0 to
    10) and the reason."""
    passage = object_of({"id": _one_of(evidence), "relevance": {"type": "integer"}, "supports": TEXT})
    return object_of({"summary": TEXT, "passages": _array(passage)})


def relevances_schema(ids: Sequence[str]) -> Schema:
    """The schema of ratings of passages, by id: the reason why a passage matters, and its relevance (0 to
    1)."""
    passage = object_of({"id": _one_of(ids), "summary": TEXT, "relevance": {"type": "number"}})
    return object_of({"passages": {**_array(passage), "maxItems": len(ids)}})


def bounded(schema: Any, most: int = 12) -> Any:
    """The schema with a maximal length for every list that has none, because small models may repeat an item
    forever."""
    if not isinstance(schema, Mapping):
        return [bounded(item, most) for item in schema] if isinstance(schema, list) else schema
    inner = {key: bounded(value, most) for key, value in schema.items()}
    return {"maxItems": most, **inner} if inner.get("type") == "array" else inner


_PATIENCE = 0.1  # seconds between checks for cancellation

T = TypeVar("T")


def side_by_side(
    jobs: Sequence[Callable[[], T]], concurrency: int, monitor: Monitor, message: str = ""
) -> list[T | WriterError]:
    """Returns results in the order of the jobs, with a `WriterError` for a failed job. Raises `WriterDenied`
    at once if the key is refused."""
    if not jobs:
        return []
    pool = ThreadPoolExecutor(
        max_workers=max(1, min(concurrency, len(jobs))), thread_name_prefix="texgeist-model"
    )
    try:
        futures: list[Future[T]] = [pool.submit(job) for job in jobs]
        waiting: set[Future[T]] = set(futures)
        while waiting:
            done, waiting = wait(waiting, timeout=_PATIENCE, return_when=FIRST_COMPLETED)
            monitor.check()
            for future in done:
                if isinstance(error := future.exception(), WriterDenied):
                    raise error
            if done and message:
                monitor.report(message, len(jobs) - len(waiting), len(jobs))
        outcomes: list[T | WriterError] = []
        for future in futures:
            outcomes.append(_outcome(future))
        return outcomes
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _outcome(future: Future[Any]) -> Any:
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, WriterError):
        return error
    raise error


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
    return Usage(
        sum(usage.calls for usage in usages),
        sum(usage.input_tokens for usage in usages),
        sum(usage.output_tokens for usage in usages),
        sum(usage.cached_tokens for usage in usages),
    )
