"""GROBID, a server that parses references (https://grobid.readthedocs.io/en/latest/Grobid-service/). Requests
have `consolidateCitations=0`, so that the server sends nothing to other services."""

from __future__ import annotations

from dataclasses import dataclass

from ..addresses import past_proxies
from ..monitor import SILENT
from ..ports import Monitor

USUAL = "http://127.0.0.1:8070"
CONNECT_S, LONGEST_S = 0.5, 20.0
MOST_ANSWER = 100_000  # bytes


@dataclass(frozen=True, slots=True)
class Grobid:
    address: str

    def bibtex(self, reference: str, monitor: Monitor = SILENT) -> str:
        """The reference as a BibTeX entry; "" if it cannot be parsed or the server does not answer."""
        monitor.check()
        return _asked(
            f"{self.address}/api/processCitation", {"citations": reference, "consolidateCitations": "0"}
        )


def open_grobid(address: str) -> Grobid | None:
    """The server at `address` or, if that is empty, at GROBID's usual port on this machine. Returns None if no
    server answers."""
    address = (address or USUAL).rstrip("/")
    return Grobid(address) if _asked(f"{address}/api/isalive").strip() == "true" else None


def _asked(address: str, form: dict[str, str] | None = None) -> str:
    import httpx

    timeout = httpx.Timeout(LONGEST_S, connect=CONNECT_S)
    headers = {"Accept": "application/x-bibtex", "Accept-Encoding": "identity"} if form else {}
    method = "POST" if form else "GET"
    try:
        with (
            httpx.Client(timeout=timeout, mounts=past_proxies(address), headers=headers) as client,
            client.stream(method, address, data=form) as answer,
        ):
            if answer.status_code != 200:
                return ""
            body = b""
            for chunk in answer.iter_raw():
                body += chunk
                if len(body) > MOST_ANSWER:
                    return ""
            return body.decode("utf-8", "replace")
    except (httpx.HTTPError, httpx.InvalidURL):
        return ""
