"""The model's files from the model hub, resumed where a download broke off."""

from __future__ import annotations

import os
from pathlib import Path

from ..ports import Monitor

REPOSITORY = "sentence-transformers/all-mpnet-base-v2"
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
        with httpx.Client(timeout=timeout, follow_redirects=True) as client:
            _stream(client, address, target, monitor)
    except (httpx.HTTPError, OSError) as error:
        raise HubUnavailable(f"{name}: {error or type(error).__name__}") from error


def _stream(client: object, address: str, target: Path, monitor: Monitor) -> None:
    import httpx

    assert isinstance(client, httpx.Client)
    part = target.with_name(target.name + ".part")
    have = part.stat().st_size if part.exists() else 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    with client.stream("GET", address, headers=headers) as response:
        if response.status_code == 416:  # the part is whole, or of another file: the hash will tell
            part.replace(target)
            return
        response.raise_for_status()
        resumed = response.status_code == 206
        have = have if resumed else 0
        length = response.headers.get("content-length")
        total = have + int(length) if length and "content-encoding" not in response.headers else None
        with part.open("ab" if resumed else "wb") as file:
            for chunk in response.iter_bytes(1 << 20):
                monitor.check()
                have += file.write(chunk)
                monitor.report(f"Fetching {target.name} from the model hub", have, total)
    if total is not None and have != total:
        raise OSError("the connection ended early")
    part.replace(target)
