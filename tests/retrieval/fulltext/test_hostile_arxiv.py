"""A server in arXiv's place that means harm, and the addresses that a redirect may and may not lead to."""

from __future__ import annotations

import gzip
import tracemalloc
from http.server import BaseHTTPRequestHandler

import pytest
from texgeist_retrieval.addresses import is_loopback, is_private, onward, origin, public_onward
from texgeist_retrieval.errors import SourceError, SourceUnavailable
from texgeist_retrieval.sources.arxiv import ARXIV
from texgeist_retrieval.sources.client import SourceClient
from texgeist_retrieval.sources.pacing import Pacing

from ..arxiv_server import papers_in
from ..hostile_server import Say, answer, endless, hostile

MB = 2**20


def get(say: Say, most: int = MB) -> bytes:
    with hostile(say) as server:
        return SourceClient(ARXIV, Pacing(0, "test")).get(f"{server.url}/pdf/1", {}, most)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_another_server_is_not_followed(status: int) -> None:
    with hostile(answer(200, b"a secret of this machine")) as other:
        with pytest.raises(SourceUnavailable, match="another site"):
            get(answer(status, b"", location=f"{other.url}/admin"))
        assert other.asked == []


def test_a_redirect_within_the_server_that_the_user_named_is_followed() -> None:
    def say(handler: BaseHTTPRequestHandler) -> None:
        path = handler.path
        send = answer(200, b"here") if path == "/pdf/2" else answer(302, b"", location="/pdf/2")
        send(handler)

    assert get(say) == b"here"


def test_redirects_in_a_circle_end() -> None:
    with hostile(answer(302, b"", location="/again")) as server:
        with pytest.raises(SourceUnavailable, match="redirects too often"):
            SourceClient(ARXIV, Pacing(0, "test")).get(f"{server.url}/", {}, MB)
        assert len(server.asked) <= 7


@pytest.mark.parametrize("status", [200, 302, 404, 503])
def test_an_endless_answer_is_left(status: int) -> None:
    took: list[int] = []
    tracemalloc.start()
    with pytest.raises(SourceError):
        get(endless(status, b"x" * 65536, 300 * MB, took, location="/x"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert max(took) < 30 * MB and peak < 20 * MB


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip"])
def test_a_packed_answer_is_never_unpacked(coding: str) -> None:
    with pytest.raises(SourceUnavailable, match="compressed answer"):
        get(answer(200, gzip.compress(b"\0" * 200 * MB), content_encoding=coding))


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "' + b"&a;" * 9 + b'">]><feed>&b;</feed>'
)
OUTSIDE = b'<!DOCTYPE f [<!ENTITY x SYSTEM "file:///nowhere">]><feed>&x;</feed>'


@pytest.mark.parametrize(
    "body",
    [BOMB, OUTSIDE, BOMB.decode().encode("utf-16"), b"<a>" * 500_000, b"<a/>" * 2_000_000, b"<a" + b' b=""' * 2_000_000,
     b'<?xml version="1.0" encoding="cp037"?><feed/>', b'<?xml version="1.0" encoding="rot13"?><feed/>', b"", b"<feed",
     b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2101.00001</id><title>T</title>',
     b"\xff\xfe", b"<html>log in</html>", b'<entry xmlns="http://www.w3.org/2005/Atom"/>'],
)  # fmt: skip
def test_xml_that_is_no_list_of_papers_is_refused(body: bytes) -> None:
    with pytest.raises(SourceUnavailable):
        papers_in(body)


@pytest.mark.parametrize(
    ("address", "location", "followed"),
    [
        ("https://export.arxiv.org/pdf/1", "https://arxiv.org/pdf/1", True),
        ("https://export.arxiv.org/pdf/1", "/pdf/1v2", True),
        ("https://arxiv.org/pdf/1", "https://www.arxiv.org/pdf/1", True),
        ("http://arxiv.org/pdf/1", "https://arxiv.org/pdf/1", True),
        ("https://arxiv.org/pdf/1", "http://arxiv.org/pdf/1", False),
        ("https://arxiv.org/pdf/1", "https://evil-arxiv.org/pdf/1", False),
        ("https://arxiv.org/pdf/1", "https://arxiv.org.evil.org/pdf/1", False),
        ("https://arxiv.org/pdf/1", "https://arxiv.org@evil.org/pdf/1", False),
        ("https://arxiv.org/pdf/1", "https://evil@export.arxiv.org/pdf/1", False),
        ("https://arxiv.org/pdf/1", "https://export.arxiv.org:8443/pdf/1", False),
        ("https://arxiv.org/pdf/1", "http://127.0.0.1/", False),
        ("https://arxiv.org/pdf/1", "//169.254.169.254/latest", False),
        ("https://arxiv.org/pdf/1", "file:///etc", False),
        ("https://arxiv.org/pdf/1", "https://[", False),
        ("https://mirror.example.org/pdf/1", "https://arxiv.org/pdf/1", False),
        ("https://mirror.example.org/pdf/1", "https://mirror.example.org:8443/", False),
    ],
)
def test_where_arxivs_redirects_may_lead(address: str, location: str, followed: bool) -> None:
    assert bool(onward(address, location, ARXIV.domains)) is followed


@pytest.mark.parametrize(
    "location",
    ["https://127.0.0.1/", "https://127.1/", "https://2130706433/", "https://10.0.0.1/", "https://[::1]/",
     "https://[::ffff:10.0.0.1]/", "https://169.254.169.254/", "https://localhost/", "http://8.8.8.8/",
     "https://0.0.0.0/", "https://100.64.0.1/", "file:///x"],
)  # fmt: skip
def test_no_public_server_leads_to_a_private_address(location: str) -> None:
    assert public_onward("https://hub.example.org/file", location) == ""


def test_a_public_server_may_lead_to_a_public_one() -> None:
    assert public_onward("https://hub.example.org/file", "https://8.8.8.8/x") == "https://8.8.8.8/x"
    assert public_onward("http://127.0.0.1:8/file", "/x") == "http://127.0.0.1:8/x"


@pytest.mark.parametrize(
    ("address", "own"),
    [
        ("http://127.0.0.1:19530", True), ("http://127.0.0.2:19530", True), ("http://127.255.0.9/v1", True),
        ("https://localhost", True), ("http://localhost.:80", True), ("http://a.localhost", True),
        ("http://[::1]:1", True), ("http://[::ffff:127.0.0.1]", True), ("http://LOCALHOST", True),
        ("http://127.0.0.1.example.org", False), ("http://localhost.example.org", False), ("http://10.0.0.1", False),
        ("http://0.0.0.0", False), ("", False), ("http://[", False), ("http://127.0.0.1@example.org", False),
    ],
)  # fmt: skip
def test_one_rule_of_what_this_machine_is(address: str, own: bool) -> None:
    assert is_loopback(address) is own
    assert not own or is_private(address)


@pytest.mark.parametrize(
    ("address", "same"),
    [("https://a.org:443/x", "https://a.org"), ("HTTP://A.org", "http://a.org"), ("http://[::1]:8/", "http://[::1]:8"),
     ("ftp://a.org", ""), ("http://a.org:99999", ""), ("javascript:x", "")],
)  # fmt: skip
def test_an_origin_is_scheme_host_and_port(address: str, same: str) -> None:
    assert origin(address) == same


@pytest.mark.parametrize(
    ("ips", "private"),
    [(["8.8.8.8"], False), (["8.8.8.8", "10.0.0.1"], True), (["8.8.8.8", "fe80::1%eth0"], True), ([], True)],
)
def test_a_name_with_a_private_address_is_private(
    ips: list[str], private: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve(host: str, port: None) -> list[tuple[object, ...]]:
        if not ips:
            raise OSError("unknown host")
        return [(0, 0, 0, "", (ip, 0)) for ip in ips]

    monkeypatch.setattr("socket.getaddrinfo", resolve)
    assert is_private("https://hub.example.org/file") is private
