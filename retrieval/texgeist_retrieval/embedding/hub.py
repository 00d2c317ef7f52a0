"""The model's files from the model hub, resumed where a download broke off."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ..network.addresses import public_onward
from ..ports import Monitor

if TYPE_CHECKING:
    import httpx

REPOSITORY = "sentence-transformers/all-mpnet-base-v2"
MOST_HOPS = 5  # redirects, one after the other
MOST_BYTES = 500_000_000  # of one file; the weights have 437,971,872
CONNECT_SECONDS, READ_SECONDS = 5.0, 20.0


class HubUnavailable(Exception):
    """The hub does not answer, or not with the file. Another source is tried."""


def hub_address() -> str:
    """`HF_ENDPOINT` as the hub's own tools read it, else the public hub."""
    return (os.environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def download_from_hub(name: str, target: Path, monitor: Monitor) -> None:
    """Fetches one file to `target`; a `.part` beside it is continued.

    Raises `HubUnavailable` after 5 s without a connection or 20 s without a byte."""
    import httpx

    if target.exists():
        return
    if os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "ON", "YES", "TRUE"):
        raise HubUnavailable(f"{name}: HF_HUB_OFFLINE is set")
    address = f"{hub_address()}/{REPOSITORY}/resolve/main/{name}"
    timeout = httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS)
    try:
        with httpx.Client(timeout=timeout, headers={"Accept-Encoding": "identity"}) as client:
            _follow(client, address, target, monitor)
    except (httpx.HTTPError, OSError) as error:
        raise HubUnavailable(f"{name}: {error or type(error).__name__}") from error


def _follow(client: httpx.Client, address: str, target: Path, monitor: Monitor) -> None:
    """The hub keeps its files on other hosts: https and the public network alone, or the hub itself."""
    for _ in range(MOST_HOPS + 1):
        location = _stream(client, address, target, monitor)
        if not location:
            return
        if not (onward := public_onward(address, location)):
            raise HubUnavailable(f"{target.name}: the hub sends on to an address that is not followed")
        address = onward
    raise HubUnavailable(f"{target.name}: the hub sends from one address to the next")


def _stream(client: httpx.Client, address: str, target: Path, monitor: Monitor) -> str:
    """Where the file is in place of here, "" when it has come."""
    part = target.with_name(target.name + ".part")
    have = part.stat().st_size if part.exists() else 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    with client.stream("GET", address, headers=headers) as response:
        if response.status_code == 416:  # the part is whole, or of another file: the hash will tell
            part.replace(target)
            return ""
        if response.has_redirect_location:
            return str(response.headers["location"])
        response.raise_for_status()
        resumed = response.status_code == 206
        have = have if resumed else 0
        length = response.headers.get("content-length")
        total = have + int(length) if length else None
        with part.open("ab" if resumed else "wb") as file:
            for chunk in response.iter_raw(1 << 20):
                monitor.check()
                have += file.write(chunk)
                if have > MOST_BYTES:
                    raise OSError("it is longer than any file of the model")
                monitor.report(f"Fetching {target.name} from the model hub", have, total)
    if total is not None and have != total:
        raise OSError("the connection ended early")
    part.replace(target)
    return ""
