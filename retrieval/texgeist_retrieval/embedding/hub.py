"""Fetches a model's files from the model hub, and resumes interrupted downloads.

The hub's own client is not used: since version 2.4 it discards partial files of earlier runs, and it limits
neither redirects nor sizes."""

from __future__ import annotations

import os
from pathlib import Path

import httpx2

from ..addresses import public_onward
from ..ports import Monitor

REPOSITORY = "sentence-transformers/all-mpnet-base-v2"
MOST_HOPS = 5  # consecutive redirects
MOST_BYTES = 500_000_000  # of a file; the weights have 437,971,872
CONNECT_SECONDS, READ_SECONDS = 5.0, 20.0


class HubUnavailable(Exception):
    """The hub does not answer, or does not send the file. Another source is tried."""


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
    address = f"{hub_address()}/{repository}/resolve/main/{name}"
    try:
        with httpx2.Client(timeout=httpx2.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)) as client:
            hops = 0
            while address := _fetched(client, address, part, monitor, most or MOST_BYTES):
                if (hops := hops + 1) > MOST_HOPS:
                    raise OSError("the hub sends from one address to the next")
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise HubUnavailable(f"{name}: {error or type(error).__name__}") from error
    part.replace(target)


def _fetched(client: httpx2.Client, address: str, part: Path, monitor: Monitor, most: int) -> str:
    """Sends one request, and appends the answer to `part`. Returns the address of a redirect, "" if the file is
    there. Redirects to the hub itself, or by https to public addresses, are followed, because the hub stores
    its files on other hosts."""
    monitor.check()
    held = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={held}-"} if held else {})
    with client.stream("GET", address, headers=headers) as answer:
        if answer.has_redirect_location:
            if onward := public_onward(address, answer.headers["location"]):
                return onward
            raise OSError("the hub sends on to an address that is not followed")
        if answer.status_code == 416 and held:
            return ""  # the partial file is complete, or wrong: its hash is checked later
        if answer.status_code not in (200, 206):
            raise OSError(f"the hub answered {answer.status_code}")
        if answer.headers.get("content-encoding", "identity") != "identity":
            raise OSError("the hub sent a packed answer, and a plain one was asked for")
        _store(answer, part, monitor, most)
    return ""


def _store(answer: httpx2.Response, part: Path, monitor: Monitor, most: int) -> None:
    resumed = answer.status_code == 206
    have = part.stat().st_size if resumed else 0
    length = answer.headers.get("content-length", "")
    total = have + int(length) if length.isdecimal() else None
    with part.open("ab" if resumed else "wb") as file:
        for piece in answer.iter_raw():
            monitor.check()
            have += len(piece)
            if have > most:
                raise OSError("it is longer than the file that was asked for")
            file.write(piece)
            monitor.report(f"Fetching {part.stem} from the model hub", have, total)
