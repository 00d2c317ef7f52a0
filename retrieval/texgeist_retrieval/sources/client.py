"""Sends HTTP requests to a source of papers, with pacing, limits of time and size, and retries.

A `Site` has the name for error messages, and the domains between whose hosts redirects are allowed. Each
redirect is checked: it must stay within these domains and use https, or stay within the origin of the
request. Answers are requested uncompressed, and compressed answers are refused, because the size of a
compressed answer does not limit its decompressed size. The body of a redirect or of an error is never
read."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..addresses import is_loopback, onward, origin, past_proxies
from ..errors import PaperUnreadable, SourceError, SourceUnavailable
from ..monitor import SILENT, pause
from ..ports import Monitor
from .pacing import Pacing

if TYPE_CHECKING:
    import httpx

CONNECT_S = 3.0
SILENCE_S = 10.0  # seconds; longest pause within an answer
TOTAL_S = 60.0  # seconds; longest duration of an answer
TRIES = 3
MOST_HOPS = 5  # consecutive redirects
LONGEST_PAUSE_S = 30.0  # if Retry-After asks for a longer pause, the request fails
OPEN_CONNECTIONS = 6  # parallel connections, if there is no pacing
RESTING_S = 60.0  # pause of all requests after repeated failures
AGAIN = "Try again in a minute."
FAILURES = 3  # number of consecutive failures before the pause of `RESTING_S`


@dataclass(frozen=True, slots=True)
class Site:
    """The server of a source. `domains`: redirects between their hosts are allowed; if there are none, no
    redirect may leave the origin of the request. `check`: help text for refused requests; `meanwhile`: help
    text while the server is unavailable."""

    name: str
    domains: tuple[str, ...] = ()
    check: str = "Try again later."
    meanwhile: str = AGAIN
    absent: str = "does not have it"  # end of the message for 403, 404 and 410


class AddressTooLong(SourceUnavailable):
    """The server refuses the request because its address is too long; the caller should request fewer items
    at once."""


class RequestRefused(SourceUnavailable):
    """The server answered 400."""


class ServerBusy(SourceUnavailable):
    """The server answered 429, or a status from 500 to 504."""


class NotThere(PaperUnreadable):
    """The server answered 404 or 410."""


class SourceClient:
    """The client for all requests of this process to one site. Thread-safe."""

    def __init__(
        self,
        site: Site,
        pacing: Pacing,
        total_s: float = TOTAL_S,
        silence_s: float = SILENCE_S,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`headers`: further headers of each request, such as a key."""
        self._site = site
        self._pacing = pacing
        self._headers = dict(headers or {})
        self._total_s = total_s
        self._silence_s = silence_s
        self._failures = 0
        self._resting_until = 0.0
        self._clients: dict[bool, httpx.Client] = {}  # by whether the address is on this machine
        self._lock = threading.Lock()

    def get(
        self,
        address: str,
        parameters: Mapping[str, str],
        most_bytes: int,
        monitor: Monitor = SILENT,
        json: Mapping[str, Any] | None = None,
    ) -> bytes:
        """The body of the answer to a GET request or, with `json`, to a POST request with this body. Raises `PaperUnreadable` for
        the statuses 403, 404 and 410 and for answers of more than `most_bytes`, else `SourceUnavailable`."""
        failure: SourceError = SourceUnavailable(f"{self._site.name} did not answer just now.", AGAIN)
        for attempt in range(TRIES):
            if time.monotonic() < self._resting_until:
                break
            with self._pacing.turn(monitor):
                try:
                    answer = self._once(address, parameters, most_bytes, monitor, json)
                except _Again as again:
                    failure, delay = again.error, again.pause_s
                    self._failed()
                else:
                    self._failures = 0
                    return answer
            if delay > LONGEST_PAUSE_S or attempt == TRIES - 1:
                break
            pause(delay or 0.5 * 2**attempt, monitor)
        raise failure

    def _failed(self) -> None:
        self._failures += 1
        if self._failures >= FAILURES:
            self._failures, self._resting_until = 0, time.monotonic() + RESTING_S

    def _once(
        self,
        address: str,
        parameters: Mapping[str, str],
        most_bytes: int,
        monitor: Monitor,
        json: Mapping[str, Any] | None,
    ) -> bytes:
        import httpx

        name = self._site.name
        try:
            target = str(httpx.URL(address, params=dict(parameters)) if parameters else httpx.URL(address))
            for _ in range(MOST_HOPS + 1):
                with self._connected(target).stream("POST" if json else "GET", target, json=json) as answer:
                    if not answer.has_redirect_location:
                        self._raise_for(answer)
                        return b"".join(self._bounded(answer, most_bytes, monitor))
                    target = self._onward(target, answer.headers["location"])
            raise SourceUnavailable(f"{name} redirects too often.", "Try again later.")
        except httpx.TimeoutException:
            raise _Again(self._unavailable(f"{name} did not answer in time.")) from None
        except httpx.RemoteProtocolError:
            raise _Again(self._unavailable(f"{name}'s answer broke off.")) from None
        except httpx.HTTPError as error:
            raise _Again(self._unavailable(f"{name} cannot be reached ({_plain(error)}).")) from None
        except httpx.InvalidURL:
            raise SourceUnavailable(f"{address} is not a valid address.", self._site.check) from None

    def _bounded(self, answer: httpx.Response, most_bytes: int, monitor: Monitor) -> Iterator[bytes]:
        end, size = time.monotonic() + self._total_s, 0
        for chunk in answer.iter_raw():
            size += len(chunk)
            if size > most_bytes:
                raise PaperUnreadable(f"It is larger than {most_bytes // 2**20} MB.")
            if time.monotonic() > end:
                raise SourceUnavailable(f"{self._site.name}'s answer takes too long.", "Try again later.")
            monitor.check()
            yield chunk

    def _raise_for(self, answer: httpx.Response) -> None:
        status, name, check = answer.status_code, self._site.name, self._site.check
        if status == 200:
            if answer.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
                raise SourceUnavailable(
                    f"{name} sent a compressed answer, although a plain one was requested.", check
                )
            return
        if status in (429, 500, 502, 503, 504):
            pause = retry_after(answer.headers.get("Retry-After", ""), time.time)
            busy = ServerBusy(f"{name} could not answer now (status {status}).", self._site.meanwhile)
            raise _Again(busy, pause)
        if status in (403, 404, 410):
            raise (PaperUnreadable if status == 403 else NotThere)(f"{name} {self._site.absent}.")
        kind = {400: RequestRefused, 414: AddressTooLong}.get(status, SourceUnavailable)
        raise kind(f"{name} refused the request (it answered {status}).", check)

    def _onward(self, address: str, location: str) -> str:
        if target := onward(address, location, self._site.domains):
            return target
        name, where = self._site.name, origin(location) or "no web address"
        raise SourceUnavailable(
            f"{name} redirects to {where}, which is another site and was not contacted.", self._site.check
        )

    def _unavailable(self, message: str) -> SourceUnavailable:
        return SourceUnavailable(message, self._site.meanwhile)

    def _connected(self, address: str) -> httpx.Client:
        import httpx

        here = is_loopback(address)
        with self._lock:
            if here not in self._clients:
                count = OPEN_CONNECTIONS if self._pacing.open else 1
                self._clients[here] = httpx.Client(
                    timeout=httpx.Timeout(self._silence_s, connect=CONNECT_S, pool=self._total_s),
                    limits=httpx.Limits(max_connections=count, max_keepalive_connections=count),
                    follow_redirects=False,
                    mounts=past_proxies(address),
                    headers={
                        "User-Agent": "texgeist (a language server for LaTeX)",
                        "Accept-Encoding": "identity",
                        **self._headers,
                    },
                )
            return self._clients[here]

    def close(self) -> None:
        with self._lock:
            for client in self._clients.values():
                client.close()
            self._clients.clear()


class _Again(Exception):
    """This attempt failed, but another attempt may succeed, after a pause of `pause_s` seconds if not 0.
    `error`: the error to raise after the last attempt."""

    def __init__(self, error: SourceError, pause_s: float = 0.0) -> None:
        super().__init__(str(error))
        self.error = error
        self.pause_s = pause_s


def retry_after(header: str, now: Callable[[], float]) -> float:
    """The number of seconds to wait, from the number or the date in the header; 0 if the header has
    neither."""
    from email.utils import parsedate_to_datetime

    if header.strip().isdecimal():
        return float(header)
    try:
        return max(parsedate_to_datetime(header).timestamp() - now(), 0.0) if header else 0.0
    except (ValueError, OverflowError):
        return 0.0


def _plain(error: Exception) -> str:
    """The first line of the error's text, without the number of the system's error."""
    text = re.sub(r"^\[Errno -?\d+\] ", "", str(error)).splitlines()
    return text[0] if text else type(error).__name__
