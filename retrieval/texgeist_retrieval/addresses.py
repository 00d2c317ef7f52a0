"""Decides which addresses are on this machine, which are private, and where a redirect may lead.

A loopback address is `localhost`, a name under `.localhost`, 127.0.0.0/8 or ::1, with any scheme. Other
names do not count, even if they resolve to such an address, because their owner may change it."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import SplitResult, urljoin, urlsplit

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
_PORTS = {"http": 80, "https": 443}


def host_of(address: str) -> str:
    """The host of an address in lower case, "" if there is none or the address is invalid."""
    parts = _split(address)
    return (parts.hostname or "").lower().rstrip(".") if parts else ""


def is_loopback(address: str) -> bool:
    """True if the address is on this machine."""
    host = host_of(address)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    found = _ip(host)
    return found is not None and found.is_loopback


def past_proxies(address: str) -> dict[str, None]:
    """The `mounts` argument of an HTTP client for `address`. If the server is on this machine, it switches
    proxies off, so that no prompt leaves the machine; otherwise it is empty."""
    return dict.fromkeys(("http://", "https://", "all://")) if is_loopback(address) else {}


def is_private(address: str) -> bool:
    """True if the host or any IP address of its name is not public, or if the name cannot be resolved."""
    host = host_of(address)
    if not host or is_loopback(address):
        return True
    if (found := _ip(host)) is not None:
        return not found.is_global
    try:
        resolved = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        return True
    return any((ip := _ip(one.partition("%")[0])) is None or not ip.is_global for one in resolved)


def origin(address: str) -> str:
    """Scheme, host and port (unless it is the usual port), for comparison and messages; "" if `address` is
    not a web address."""
    parts = _split(address)
    if parts is None or parts.scheme not in _PORTS or not parts.hostname:
        return ""
    try:
        port = parts.port or _PORTS[parts.scheme]
    except ValueError:
        return ""
    host = parts.hostname.lower().rstrip(".")
    shown = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{shown}" + ("" if port == _PORTS[parts.scheme] else f":{port}")


def lies_in(host: str, domain: str) -> bool:
    return host == domain or host.endswith(f".{domain}")


def onward(address: str, location: str, domains: Sequence[str]) -> str:
    """The target of a site's redirect, "" if it must not be followed. A redirect is followed to the same
    origin, or by https from a host in `domains` to another host in `domains`."""
    target = _joined(address, location)
    if not origin(target):
        return ""
    if origin(target) == origin(address):
        return target
    both = all(any(lies_in(host_of(one), domain) for domain in domains) for one in (address, target))
    usual = _split(target)
    return target if both and usual is not None and usual.netloc == host_of(target) and _safe(target) else ""


def public_onward(address: str, location: str) -> str:
    """The target of a public server's redirect, "" if it must not be followed. A redirect is followed to the
    same origin, or by https to a public address."""
    target = _joined(address, location)
    if origin(target) and origin(target) == origin(address):
        return target
    return target if _safe(target) and origin(target) and not is_private(target) else ""


def _safe(target: str) -> bool:
    return target.startswith("https://")


def _joined(address: str, location: str) -> str:
    try:
        return urljoin(address, location.strip())
    except ValueError:
        return ""


def _split(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address)
        _ = parts.hostname
    except ValueError:
        return None
    return parts


def _ip(host: str) -> IpAddress | None:
    """The host as an IP address; an IPv4 address mapped into IPv6 becomes IPv4."""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found
