"""Literature services that fail: the run ends with what the other services found, and a note says which failed."""

from __future__ import annotations

import copy
import json
import random
import resource
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from texgeist_retrieval.discovery import services
from texgeist_retrieval.discovery.run import discover
from texgeist_retrieval.discovery.semanticscholar import SemanticScholar
from texgeist_retrieval.errors import SourceUnavailable
from texgeist_retrieval.ports import Monitor
from texgeist_retrieval.sources.admission import admitted
from texgeist_retrieval.sources.client import NotThere, SourceClient
from texgeist_retrieval.types import SERVICES, ServiceName

from ...literature_server import Answer, Literature, serving
from ..hostile_server import answer, endless
from .works import WORKS, opened, request

FAILURES: dict[str, Callable[[], Answer]] = {
    "busy": lambda: answer(429, b"{}"),
    "busy for hours": lambda: answer(429, b"{}", retry_after="36000"),
    "broken": lambda: answer(500, b"no"),
    "refusing": lambda: answer(403, b"no"),
    "without an end": lambda: endless(200, b" " * 1000, 10**9, []),
    "a login page": lambda: answer(200, b"<html><body>Log in</body></html>", content_type="text/html"),
    "elsewhere": lambda: answer(302, b"", location="http://10.0.0.1/"),
    "10 MB": lambda: answer(200, b'{"results": [' + b'"x",' * 2_500_000 + b'""]}'),
    "deep": lambda: answer(200, b"[" * 200_000),
    "no list": lambda: answer(200, b'{"results": 3, "data": {"a": 1}, "message": {"items": null}}'),
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("name", SERVICES)
def test_a_service_that_fails_costs_a_note(
    name: ServiceName, failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "ANSWER_S", 1.0)
    monkeypatch.setattr("texgeist_retrieval.sources.client.pause", lambda seconds, monitor: None)
    with serving(WORKS) as state:
        state.instead[name] = FAILURES[failure]()
        started = time.monotonic()
        found = discover(request(), opened(state))
    assert time.monotonic() - started < 20
    assert any(SERVICES[name] in note for note in found.notes), found.notes
    assert not found.complete and "2001.00001" in {one.paper.id for one in found.papers}


def test_all_services_down_is_an_empty_discovery() -> None:
    with serving(WORKS) as state:
        state.instead = {name: answer(429, b"", retry_after="99999") for name in SERVICES}
        found = discover(request(), opened(state))
    busy = "OpenAlex, Semantic Scholar, arXiv and Crossref could not answer now (status 429)."
    assert found.papers == () and found.notes == (busy,)


def test_services_that_are_slow_share_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "SILENCE_S", 0.1)
    monkeypatch.setattr("texgeist_retrieval.sources.client.pause", lambda seconds, monitor: None)
    with serving(WORKS) as state:
        state.instead = dict.fromkeys(SERVICES, lambda handler: time.sleep(0.5))
        found = discover(request(), opened(state))
    assert found.notes == ("OpenAlex, Semantic Scholar, arXiv and Crossref did not answer in time.",)


def test_a_run_whose_look_up_of_abstracts_fails_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*of: object) -> None:
        raise SourceUnavailable("It is busy.")

    monkeypatch.setattr(SemanticScholar, "described", fail)
    with serving(WORKS) as state:
        found = discover(request(), opened(state))
    assert not found.complete and found.papers and "Semantic Scholar: It is busy." in " ".join(found.notes)


def test_without_a_key_the_note_says_where_to_get_one() -> None:
    with serving(WORKS) as state:
        service = services.open_service("openalex", f"{state.address}/openalex")
        found = discover(request(), [service])
    assert found.papers and "https://openalex.org/settings/api" in " ".join(found.notes)


def test_an_id_that_leads_to_another_work_is_not_a_cited_work() -> None:
    def moved(content: bytes) -> bytes:
        return content.replace(b"10.5555/ram", b"10.5555/other").replace(
            b"Ram pressure in", b"Another work on"
        )

    with serving(WORKS) as state:
        state.spoil = moved
        found = discover(request(), opened(state, ["openalex", "semanticscholar"]))
    assert {one.paper.id for one in found.cited} == {"doi:10.5555/tides"}


NASTY: tuple[Any, ...] = (
    None, True, -1, 10**400, 0.5, "", "x", [], {}, [None], {"a": []}, [[[[]]]], "\\input{/etc/passwd}", "\x00\x1b[2J\u202e",
    "\ud83d", "}" * 3000, "é" * 50_000, "$" * 999, ["x"] * 3000, {"x": [1, -5, 10**9, "y", None, True]}, "10.5555/ram",
    "https://openalex.org/W1000001", "<script>alert(1)</script>", {"date-parts": [[None]]}, {"date-parts": [["x"], 3]},
)  # fmt: skip


def spoiled(content: bytes, chance: random.Random) -> bytes:
    """A few values of the answer replaced, or the bytes damaged."""
    if chance.random() < 0.08 or content[:1] not in b"{[" or content in (b"[]", b"{}"):
        at = chance.randrange(len(content))
        return chance.choice((content[:at], content[:at] + b"\xff<&" + content[at + 2 :], content + content))
    value = json.loads(content)
    for _ in range(chance.randint(1, 6)):
        place: Any = value
        while place:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = chance.choice(keys)
            if not (isinstance(place[key], list | dict) and place[key]) or chance.random() < 0.03:
                break
            place = place[key]
        place[key] = copy.deepcopy(chance.choice(NASTY))
    return json.dumps(value).encode()


class Spoiling(SourceClient):
    """A client that receives damaged answers of the stand-in, without the network."""

    def __init__(self, state: Literature, chance: random.Random) -> None:
        self.state, self.chance, self.count = state, chance, 0

    def get(
        self,
        address: str,
        parameters: Mapping[str, str],
        most_bytes: int,
        monitor: Monitor | None = None,
        json: Mapping[str, Any] | None = None,
    ) -> bytes:
        self.count += 1
        parts = urlsplit(address)
        service, _, path = parts.path.lstrip("/").partition("/")
        query = parameters or {name: values[0] for name, values in parse_qs(parts.query).items()}
        status, content, _ = self.state.reply(service, path, query, json)
        if status != 200:
            raise NotThere("no")
        return spoiled(content, self.chance)


def test_2000_broken_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """No crash, bounded memory, and every paper has passed the gate for records."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    papers = failed = 0
    client = Spoiling(Literature(WORKS, dollars=1e9), random.Random(28))
    monkeypatch.setattr(services, "_client", lambda *of: client)
    asked = request(titles=("Starvation of satellites",))
    all_services = [services.open_service(name, f"http://localhost/{name}", "key") for name in SERVICES]
    while client.count < 2000:
        found = discover(asked, all_services)
        failed += not found.complete
        for one in (*found.papers, *found.cited):
            assert admitted(one.paper) == one.paper and one.paper.title
            papers += 1
    assert papers > 200 and failed > 20  # many answers are usable, and many are not
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000  # kilobytes
