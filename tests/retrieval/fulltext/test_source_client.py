"""The client for sources of papers: each site has its own name in errors, its own domains, its own queue."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_retrieval.errors import PaperUnreadable, SourceUnavailable
from texgeist_retrieval.sources.client import Site, SourceClient
from texgeist_retrieval.sources.pacing import Pacing, queue_of

from ..hostile_server import Say, answer, hostile

LIBRARY = Site("The Library", ("library.example", "books.example"), check="Check the library's address.")


def get(say: Say, site: Site = LIBRARY) -> bytes:
    with hostile(say) as server:
        return SourceClient(site, Pacing(0, "test")).get(f"{server.url}/works/1", {"q": "a b"}, 2**20)


@pytest.mark.parametrize(
    ("say", "message"),
    [
        (answer(400, b""), r"^The Library refused the request \(it answered 400\)\."),
        (
            answer(302, b"", location="https://evil.example/"),
            "https://evil.example, which is another site",
        ),
        (answer(200, b"\x1f\x8b", content_encoding="gzip"), "^The Library sent a compressed answer"),
    ],
)
def test_a_failure_names_the_site_and_what_to_look_at(say: Say, message: str) -> None:
    with pytest.raises(SourceUnavailable, match=message) as caught:
        get(say)
    assert caught.value.help == LIBRARY.check


def test_what_is_not_there_is_the_papers_lack_and_not_the_sites() -> None:
    with pytest.raises(PaperUnreadable, match=r"^The Library does not have it\."):
        get(answer(404, b""))


def test_hosts_of_a_domain_stand_in_one_queue_and_sites_do_not_wait_for_each_other(tmp_path: Path) -> None:
    def queue(address: str) -> Pacing:
        return Pacing(60, queue_of(address, LIBRARY.domains), tmp_path)

    with queue("https://library.example/a").turn():
        pass
    with queue("https://elsewhere.example:8/a").turn():  # at once: the first pause is the other queue's
        pass
    assert queue_of("https://api.books.example/b", LIBRARY.domains) == "books.example"
    assert len(list(tmp_path.iterdir())) == 2
