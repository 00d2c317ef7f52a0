"""Sends requests to literature services within a budget, and caches the answers on disk for 30 days."""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..cache_file import Cache
from ..codec import from_plain, to_plain
from ..errors import SourceError, SourceUnavailable
from ..ports import Monitor
from ..sources.admission import NotAdmitted, admitted
from ..sources.client import SourceClient
from ..types import Paper

FRESH_S = 30 * 24 * 3600.0
MOST_CACHED = 1_000  # answers, of up to 750 KB
LARGEST_ANSWER = 8 << 20  # bytes
RUN_S = 30.0  # after this time, a run sends no further request


@dataclass(frozen=True, slots=True)
class ServiceWork:
    """A work as a service describes it. `key`: the service's own id of the work; `references`: the keys of
    the works that it cites, empty if unknown. `gone`: the work was retracted or withdrawn."""

    key: str
    paper: Paper
    references: tuple[str, ...] = ()
    gone: bool = False


class BudgetSpent(SourceError):
    """The run may not send another request."""


class Budget:
    """Counts the requests and the cost of a run. Thread-safe."""

    def __init__(self, calls: int, dollars: float, seconds: float = RUN_S) -> None:
        self._most_calls, self._most_dollars = calls, dollars
        self._seconds, self._end = seconds, time.monotonic() + seconds
        self._lock = threading.Lock()
        self.calls = 0
        self.dollars = 0.0

    def take(self, dollars: float) -> None:
        """Counts a request before it is sent. Raises `BudgetSpent`."""
        with self._lock:
            if self.calls >= self._most_calls or self.dollars + dollars > self._most_dollars + 1e-9:
                raise BudgetSpent("The budget of this run is spent; the answers until then are used.")
            if time.monotonic() > self._end:
                raise BudgetSpent(
                    f"Not all answers arrived within {self._seconds:.0f} seconds; those that did are used."
                )
            self.calls += 1
            self.dollars += dollars

    def give_back(self, dollars: float) -> None:
        """Subtracts the cost of a request that the service did not answer."""
        with self._lock:
            self.dollars -= dollars


@dataclass(frozen=True, slots=True)
class Run:
    """What the services share in a run. `cache`: None to send every request. `take`: called with the first
    works of each search as soon as they arrive, from the thread of the service."""

    budget: Budget
    monitor: Monitor
    cache: Cache | None = None
    take: Callable[[Sequence[ServiceWork]], None] = lambda works: None


Parse = Callable[[bytes], list[ServiceWork]]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A service's address. `secret`: parameters of each request that are not part of the cache's key."""

    client: SourceClient
    address: str
    secret: Mapping[str, str] = field(default_factory=dict)

    def works(
        self,
        run: Run,
        path: str,
        parameters: Mapping[str, str],
        parse: Parse,
        dollars: float = 0.0,
        body: Mapping[str, Any] | None = None,
    ) -> list[ServiceWork]:
        """The works in the answer to a request that costs `dollars`. With `body`, the request is a POST with
        JSON. Raises `SourceError`."""

        def ask() -> list[ServiceWork]:
            sent = {**parameters, **self.secret}
            return parse(self.client.get(f"{self.address}/{path}", sent, LARGEST_ANSWER, run.monitor, body))

        asked = json.dumps([self.address, path, dict(parameters), body], sort_keys=True)
        return remembered(run, asked, ask, dollars)


def remembered(
    run: Run, asked: str, ask: Callable[[], list[ServiceWork]], dollars: float = 0.0
) -> list[ServiceWork]:
    """The works for the request `asked`: from the cache, or else from `ask`. Only valid records are kept.
    Raises `SourceError`."""
    key = hashlib.sha256(asked.encode()).hexdigest()  # the cache does not store what was searched for
    if (known := _cached(run.cache, key)) is not None:
        return known
    run.monitor.check()
    run.budget.take(dollars)
    try:
        works = list(_admitted(ask()))
    except SourceError:
        run.budget.give_back(dollars)
        raise
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise SourceUnavailable(f"An answer could not be read ({type(error).__name__}).") from error
    if run.cache is not None:
        run.cache.put({key: json.dumps([to_plain(work) for work in works])})
    return works


def _admitted(works: Iterable[ServiceWork]) -> Iterator[ServiceWork]:
    for work in works:
        with contextlib.suppress(NotAdmitted):
            if (paper := admitted(work.paper)).title:
                yield replace(work, paper=paper)


def _cached(cache: Cache | None, key: str) -> list[ServiceWork] | None:
    kept = cache.get([key]).get(key) if cache is not None else None
    if kept is None or kept.age_s > FRESH_S:
        return None
    with contextlib.suppress(
        ValueError, TypeError, KeyError, AttributeError
    ):  # the answer was stored by an older version
        return [from_plain(ServiceWork, work) for work in json.loads(kept.value)]
    return None


def date_of(value: object) -> str:
    """The value if it is an ISO date, else ""."""
    return value if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value) else ""


def open_cache(path: Path) -> Cache:
    return Cache(path, MOST_CACHED)
