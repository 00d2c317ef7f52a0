"""Fetches the model's files from the model hub with the hub's client, and resumes interrupted downloads.

The client's `http_get` fetches and resumes; its `hf_hub_download` is not used, because since version 2.4 it
discards partial files of earlier runs. This module adds what the client lacks: checks of redirects, a maximal
file size, timeouts, and cancellation."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2

from ..addresses import public_onward
from ..ports import Monitor

REPOSITORY = "sentence-transformers/all-mpnet-base-v2"
MOST_HOPS = 5  # consecutive redirects
MOST_BYTES = 500_000_000  # of a file; the weights have 437,971,872
CONNECT_SECONDS, READ_SECONDS = 5.0, 20.0
AGAIN_SECONDS = 2.5  # from the last byte to the last retry; the client waits 1 s before each retry


class HubUnavailable(Exception):
    """The hub does not answer, or does not send the file. Another source is tried."""


class _NothingMore(Exception):
    """The hub has no data beyond the partial file."""


def hub_address() -> str:
    """The hub's address: `HF_ENDPOINT`, as in the hub's tools, else the public hub."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def download_from_hub(
    name: str, target: Path, monitor: Monitor, repository: str = REPOSITORY, most: int | None = None
) -> None:
    """Fetches a file of at most `most` bytes to `target`, continuing an existing `.part` file. Raises
    `HubUnavailable` after 5 s without a connection or 20 s without data."""
    if target.exists():
        return
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE"):
        raise HubUnavailable(f"{name}: HF_HUB_OFFLINE is set")
    part = target.with_name(target.name + ".part")
    try:
        _fetch(
            f"{hub_address()}/{repository}/resolve/main/{name}",
            part,
            _Watch(name, part, monitor, most or MOST_BYTES),
        )
    except _NothingMore:
        pass  # the partial file is complete, or wrong: its hash is checked later
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise HubUnavailable(f"{name}: {error or type(error).__name__}") from error
    part.replace(target)


def _fetch(address: str, part: Path, watch: _Watch) -> None:
    from huggingface_hub import set_client_factory
    from huggingface_hub.file_download import http_get
    from huggingface_hub.utils._http import default_client_factory
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    set_client_factory(watch.client)
    try:
        with part.open("ab") as file:
            http_get(address, file, resume_size=file.tell(), headers={"Accept-Encoding": "identity"})
        if watch.broken:
            raise watch.broken
    finally:
        set_client_factory(default_client_factory)


class _Watch:
    """Checks each request, response and piece of a download."""

    def __init__(self, name: str, part: Path, monitor: Monitor, most: int) -> None:
        self._name, self._part, self._monitor, self._most = name, part, monitor, most
        self._last_byte = time.monotonic()
        self.broken: httpx2.TransportError | None = None

    def client(self) -> httpx2.Client:
        hooks: dict[str, list[Callable[..., None]]] = {"request": [self._ask], "response": [self._answered]}
        return httpx2.Client(follow_redirects=True, max_redirects=MOST_HOPS, event_hooks=hooks)

    def _ask(self, request: httpx2.Request) -> None:
        self._monitor.check()
        if time.monotonic() - self._last_byte > AGAIN_SECONDS:
            raise HubUnavailable(f"{self._name}: the hub does not answer")
        limits = {
            "connect": CONNECT_SECONDS,
            "read": READ_SECONDS,
            "write": READ_SECONDS,
            "pool": READ_SECONDS,
        }
        request.extensions["timeout"] = limits

    def _answered(self, response: httpx2.Response) -> None:
        """Allows redirects to the hub itself, or by https to public addresses, because the hub stores its
        files on other hosts."""
        if response.has_redirect_location:
            if not public_onward(str(response.request.url), response.headers["location"]):
                raise HubUnavailable(f"{self._name}: the hub sends on to an address that is not followed")
            return
        if response.status_code == 416:
            raise _NothingMore
        if response.status_code >= 400:  # the client would read the whole answer, and wait as its header says
            raise HubUnavailable(f"{self._name}: the hub answered {response.status_code}")
        if response.headers.get("content-encoding", "identity") != "identity":
            raise HubUnavailable(f"{self._name}: the hub sent a packed answer, and a plain one was asked for")
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _Watched(response.stream, self._pieces(response, response.stream))

    def _pieces(self, response: httpx2.Response, stream: httpx2.SyncByteStream) -> Iterator[bytes]:
        length = response.headers.get("content-length", "")
        have = self._part.stat().st_size if response.status_code == 206 else 0
        total = have + int(length) if length.isdecimal() else None
        try:
            for piece in stream:
                self._monitor.check()
                self._last_byte = time.monotonic()
                have += len(piece)
                if have > self._most:
                    raise OSError("it is longer than the file that was asked for")
                self._monitor.report(f"Fetching {self._name} from the model hub", have, total)
                yield piece
        except httpx2.TransportError as error:
            self.broken = error  # raised later: the client writes blocks of 10 MB, and would lose the last


class _Watched(httpx2.SyncByteStream):
    """A response body that is read through the iterator `pieces`, which checks each piece."""

    def __init__(self, stream: httpx2.SyncByteStream, pieces: Iterator[bytes]) -> None:
        self._stream, self._pieces = stream, pieces

    def __iter__(self) -> Iterator[bytes]:
        return self._pieces

    def close(self) -> None:
        self._stream.close()
